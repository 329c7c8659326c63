// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Lists of words of the text form that name the values of an enumeration. For the parser only.
//
//   if (const auto ordering = read_ordering(reader)) ...   // reported where it is none
#pragma once

#include <optional>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/node.h"
#include "vyre/ir/text_reader.h"

namespace vyre::internal {

std::optional<MemoryOrdering> read_ordering(TextReader& reader);
std::optional<CollectiveOp> read_collective_op(TextReader& reader);
std::optional<MemoryKind> read_memory_kind(TextReader& reader);
std::optional<LinearType> read_linear_type(TextReader& reader);

std::optional<BufferAccess> read_access(TextReader& reader);
bool is_access(std::string_view word);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Shape predicates on the wire: prefix order, where ShapePredicate keeps postfix order.
#pragma once

#include <optional>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/wire/byte_reader.h"
#include "vyre/ir/wire/byte_writer.h"

namespace vyre::wire {

std::optional<ShapePredicate> read_predicate(ByteReader& in);
void write_predicate(ByteWriter& out, const std::optional<ShapePredicate>& predicate);

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Types of the text form: f32, vec<u32;3>, quantized<i8;per_tensor;none>. For the parser only.
#pragma once

#include <optional>

#include "vyre/ir/data_type.h"
#include "vyre/ir/text_reader.h"

namespace vyre::internal {

// Passes over the mark in front of a type, `:` or `<`, and reads the type. Reports what is wrong.
std::optional<DataType> read_type(TextReader& reader, std::string_view mark,
                                  std::string_view where);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The numbers of the text form, from their text. For the parser only.
//
//   read_number("0x1.8p+1", true);   // {F32, 0xC0400000}: -3.0
//   read_number("8", false);         // P010: its type would be a guess
//   read_bits("0x7f812345", 8);      // 0x7F812345
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "vyre/ir/expr.h"
#include "vyre/ir/syntax_errors.h"

namespace vyre::internal {

// A literal that starts with a digit, with its sign. Floats are rounded once, to nearest even,
// under a scalar::FloatEnvironment: from_chars rounds as the thread's mode says in some libraries.
std::variant<Literal, SyntaxError> read_number(std::string_view text, bool negative);

// Digits alone; none where there is something else, or more than 64 bits.
std::optional<uint64_t> read_digits(std::string_view text);

// 0x and one to `most_digits` hexadecimal digits, leading zeros not counted; none where there is
// something else.
std::optional<uint64_t> read_bits(std::string_view text, size_t most_digits);

}  // namespace vyre::internal

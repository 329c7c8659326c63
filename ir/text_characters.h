// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Characters of the text form, for its printer and its parser only. None of these functions looks
// at the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vyre::internal {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_word_char(char c) { return is_word_start(c) || is_digit(c); }
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Characters that would not be seen, or that change how their neighbours are shown: the printer
// escapes them, the parser refuses them where they are not escaped.
bool is_invisible(uint32_t c);

// The text with what would not be seen, or is not UTF-8, spelled out: \n, \u{1b}, \xff. For what is
// printed to people and quotes names, which may hold anything. `kept` are shown as they are.
std::string visible(std::string_view text, std::string_view kept = "");

// The character at `text[i]`, which is UTF-8; `length` is set to its number of bytes.
uint32_t character_at(std::string_view text, size_t i, size_t& length);

// The number of characters of UTF-8 text.
size_t count_characters(std::string_view text);

// Adds a character, which is at most 10FFFF and no surrogate, as UTF-8.
void append_utf8(std::string& text, uint32_t c);

}  // namespace vyre::internal

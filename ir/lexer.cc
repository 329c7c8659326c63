// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "vyre/ir/text_characters.h"

namespace vyre::internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSingleMarks = "(){}[]<>,:=+-*/%&|^~.!?";
// The second line is not ours: the parser says what to write instead.
constexpr std::string_view kDoubleMarks[] = {
    "..", "<<", ">>", "<=", ">=", "==", "!=",                                      //
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "//", "/*",  //
};

bool is_double_mark(std::string_view text) {
  return std::ranges::find(kDoubleMarks, text) != std::end(kDoubleMarks);
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  return (c | 0x20) - 'a' + 10;
}

}  // namespace

Lexer::Lexer(std::string_view text, SyntaxErrors& errors) : text_(text), errors_(errors) {
  if (text_.starts_with(kByteOrderMark)) at_ = counted_offset_ = kByteOrderMark.size();
  token_.starts_line = true;
  cut_token();
}

void Lexer::advance() {
  token_.starts_line = false;
  cut_token();
}

Position Lexer::position_of(size_t offset) {
  const std::string_view between = text_.substr(counted_offset_, offset - counted_offset_);
  counted_column_ += static_cast<uint32_t>(count_characters(between));
  counted_offset_ = offset;
  return {line_, counted_column_};
}

bool Lexer::at_line_end() const {
  if (at_ >= text_.size()) return true;
  return peek() == '\n' || (peek() == '\r' && peek(1) == '\n');
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      ++line_;
      counted_offset_ = at_;
      counted_column_ = 1;
      token_.starts_line = true;
    } else if (c == ' ' || c == '\t' || (c == '\r' && peek(1) == '\n')) {
      ++at_;
    } else if (c == ';' && mode_ == LexerMode::kNormal) {
      skip_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const size_t start = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  if (token_.starts_line) return;
  const std::string_view text = text_.substr(start + 1, at_ - start - 1);
  const size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const char c = first == text.size() ? '\0' : text[first];
  if (!is_word_start(c) && c != '`' && c != '}' && c != '{') return;
  const char before = text_[start - 1];
  comments_.push_back({position_of(start), text, before != ' ' && before != '\t'});
}

void Lexer::cut_token() {
  while (true) {
    skip_space();
    token_.offset = at_;
    token_.position = position_of(at_);
    const char c = peek();
    if (at_ == text_.size()) return finish(TokenKind::kEnd, at_);
    if (c == 'x' && peek(1) == '"') return bytes();
    if (is_word_start(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"') return quoted(TokenKind::kString, c);
    if (c == '`') return quoted(TokenKind::kQuoted, c);
    if (kSingleMarks.find(c) != std::string_view::npos || c == ';') return mark();
    unknown_character();
  }
}

void Lexer::finish(TokenKind kind, size_t end) {
  at_ = end;
  token_.kind = kind;
  token_.text = text_.substr(token_.offset, end - token_.offset);
}

void Lexer::skip_digits() {
  while (is_digit(peek())) ++at_;
}

void Lexer::word() {
  while (is_word_char(peek())) ++at_;
  while (peek() == '.' && is_digit(peek(1))) {
    ++at_;
    skip_digits();
  }
  finish(TokenKind::kWord, at_);
}

void Lexer::skip_exponent(char lower, char upper) {
  if (peek() != lower && peek() != upper) return;
  const bool sign = peek(1) == '+' || peek(1) == '-';
  if (!is_digit(peek(sign ? 2 : 1))) return;
  at_ += sign ? 2 : 1;
  skip_digits();
}

// Takes what may belong to the number, right or wrong: ir/number_text.h judges it.
void Lexer::number() {
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    at_ += 2;
    while (is_hex_digit(peek())) ++at_;
    if (peek() == '.' && is_hex_digit(peek(1))) ++at_;
    while (is_hex_digit(peek())) ++at_;
    skip_exponent('p', 'P');
  } else {
    skip_digits();
    if (peek() == '.' && is_digit(peek(1))) {
      ++at_;
      skip_digits();
    }
    skip_exponent('e', 'E');
  }
  while (is_word_char(peek())) ++at_;
  finish(TokenKind::kNumber, at_);
}

void Lexer::quoted(TokenKind kind, char quote) {
  value_.clear();
  ++at_;
  while (!at_line_end() && peek() != quote) {
    if (!append_character()) break;
  }
  if (peek() == quote && at_ < text_.size()) return finish(kind, at_ + 1);
  const bool is_name = kind == TokenKind::kQuoted;
  errors_.add(token_.position,
              {"P006",
               is_name ? "this name in backquotes does not end on its line"
                       : "this string does not end on its line",
               is_name ? "write ` at its end; a line's end within a name is written \\n."
                       : "write \" at its end; a line's end within a string is written \\n."});
  finish(kind, at_);
}

// One character or escape of a quoted token; false at the end of the line.
bool Lexer::append_character() {
  if (peek() == '\\') {
    ++at_;
    if (at_line_end()) return false;
    append_escape();
    return true;
  }
  size_t length = 0;
  const uint32_t c = character_at(text_, at_, length);
  if (is_invisible(c)) {
    errors_.add(position_of(at_), {"P008", fmt::format("the character U+{:04X} cannot be seen", c),
                                   fmt::format("write \\u{{{:x}}}, or leave it out.", c)});
  }
  value_ += text_.substr(at_, length);
  at_ += length;
  return true;
}

void Lexer::append_escape() {
  const size_t start = at_ - 1;
  const char c = peek();
  if (c == '`' || c == '"' || c == '\\') {
    value_ += c;
    ++at_;
  } else if (c == 'n') {
    value_ += '\n';
    ++at_;
  } else if (c == 'u') {
    ++at_;
    append_code_point(start);
  } else {
    size_t length = 0;
    character_at(text_, at_, length);
    at_ += length;
    errors_.add(position_of(start),
                {"P007",
                 fmt::format("there is no escape {}",
                             vyre::internal::quoted(text_.substr(start, at_ - start))),
                 "use one of \\` \\\" \\\\ \\n \\u{...}, and \\\\ for a backslash."});
  }
}

// Behind \u: {1f600}
void Lexer::append_code_point(size_t start) {
  constexpr size_t kMostDigits = 6;
  uint32_t c = 0;
  size_t digits = 0;
  const bool opened = peek() == '{';
  if (opened) ++at_;
  while (opened && digits < kMostDigits && is_hex_digit(peek())) {
    c = c << 4 | static_cast<uint32_t>(hex_value(peek()));
    ++digits;
    ++at_;
  }
  const bool closed = opened && digits > 0 && peek() == '}';
  if (closed) ++at_;
  const bool scalar = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  if (closed && scalar) return append_utf8(value_, c);
  errors_.add(position_of(start),
              {"P007",
               closed ? fmt::format("\\u{{{:x}}} is no character of Unicode", c)
                      : "\\u is not followed by a number in braces",
               "write the character's number in one to six hexadecimal digits, as in \\u{1f600}; "
               "it is at most 10ffff and not d800 to dfff."});
}

void Lexer::bytes() {
  value_.clear();
  const size_t start = at_ + 2;
  size_t end = start;
  while (end < text_.size() && is_hex_digit(text_[end])) ++end;
  const bool closed = end < text_.size() && text_[end] == '"';
  if (closed && (end - start) % 2 == 0) {
    for (size_t i = start; i < end; i += 2) {
      value_ += static_cast<char>(hex_value(text_[i]) << 4 | hex_value(text_[i + 1]));
    }
    return finish(TokenKind::kBytes, end + 1);
  }
  at_ = end;
  while (!at_line_end() && peek() != '"') ++at_;
  if (!closed && !at_line_end()) {
    errors_.add(token_.position,
                {"P009", "these bytes are not all hexadecimal digits",
                 "write two of 0 to 9 and a to f for each byte, as in x\"0a1b\"."});
  } else if (!closed) {
    errors_.add(token_.position, {"P009", "these bytes do not end on their line",
                                  "write \" at their end, as in x\"0a1b\"."});
  } else {
    errors_.add(token_.position, {"P009", "the last byte has one digit only",
                                  "write two digits for each byte, as in x\"0a1b\"."});
  }
  finish(TokenKind::kBytes, at_line_end() ? at_ : at_ + 1);
}

void Lexer::mark() {
  const bool two = mode_ != LexerMode::kTypes && is_double_mark(text_.substr(at_, 2));
  finish(TokenKind::kMark, at_ + (two ? 2 : 1));
}

// Reports a character that no token starts with, and passes over it and others like it.
void Lexer::unknown_character() {
  const size_t start = at_;
  const Position position = position_of(start);
  size_t length = 0;
  const uint32_t c = character_at(text_, at_, length);
  at_ += length;
  while (c >= 0x80 && (static_cast<uint8_t>(peek()) >= 0x80 || is_word_char(peek()))) ++at_;
  if (is_invisible(c)) {
    errors_.add(position, {"P005", fmt::format("the character U+{:04X} cannot be seen", c),
                           "leave it out: only spaces, tabs and line ends separate words."});
    return;
  }
  const std::string_view shown = text_.substr(start, at_ - start);
  const char* fix = c == '#' ? "write `;` before a comment."
                    : c >= 0x80
                        ? "names with other characters than ASCII letters, digits and _ stand in "
                          "backquotes, text in double quotes."
                        : "leave it out; strings stand in double quotes, odd names in backquotes, "
                          "comments behind `;`.";
  errors_.add(position,
              {"P005", fmt::format("nothing starts with {}", vyre::internal::quoted(shown)), fix});
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Lexer: the tokens of the text form, one at a time. For the parser only.
//
//   Lexer lexer(text, errors);
//   for (; lexer.token().kind != TokenKind::kEnd; lexer.advance()) use(lexer.token());
//
// What is wrong inside a token is reported here; a token comes of it all the same, so that reading
// goes on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/ir/syntax_errors.h"

namespace vyre::internal {

enum class TokenKind : uint8_t {
  kEnd,     // of the text
  kWord,    // row, dot_val.1, let
  kQuoted,  // `a name`
  kString,  // "text"
  kBytes,   // x"0a1b"
  kNumber,  // whatever starts with a digit
  kMark,    // + <= { and also what other languages write: && +=
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool starts_line = true;  // the first token of its line
  Position position;
  size_t offset = 0;
  std::string_view text;  // as written

  bool is(std::string_view spelling) const {
    return (kind == TokenKind::kWord || kind == TokenKind::kMark) && text == spelling;
  }
  // The token behind the last character of this one.
  bool touches(const Token& next) const { return offset + text.size() == next.offset; }
};

// What stands behind a `;` on a line that has code.
struct Comment {
  Position position;      // of the `;`
  std::string_view text;  // up to the end of the line
  bool touches = false;   // no space before the `;`
};

// How the next tokens are cut. `;` starts a comment but for two places.
enum class LexerMode : uint8_t {
  kNormal,
  kSemicolons,  // `;` is a mark
  kTypes,       // so it is, and all marks have one character: vec<vec<u32;2>;3>
};

class Lexer {
 public:
  // `text` must be UTF-8. Stands at the first token.
  Lexer(std::string_view text, SyntaxErrors& errors);

  const Token& token() const { return token_; }
  // What a quoted name, a string or bytes stand for.
  std::string& value() { return value_; }
  // To the next token. At the end it stays there.
  void advance();
  // Those passed so far that start with a word, a name or a brace.
  const std::vector<Comment>& comments() const { return comments_; }
  // For tokens that are still to come. Gives the mode that was set before.
  LexerMode set_mode(LexerMode mode) { return std::exchange(mode_, mode); }

 private:
  void skip_space();
  void skip_comment();
  void cut_token();
  void word();
  void number();
  void quoted(TokenKind kind, char quote);
  void bytes();
  void mark();
  bool append_character();
  void append_escape();
  void append_code_point(size_t start);
  void unknown_character();
  void finish(TokenKind kind, size_t end);
  void skip_digits();
  void skip_exponent(char lower, char upper);

  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool at_line_end() const;
  Position position_of(size_t offset);

  std::string_view text_;
  SyntaxErrors& errors_;
  LexerMode mode_ = LexerMode::kNormal;
  size_t at_ = 0;
  uint32_t line_ = 1;
  // A position on this line that was counted already, from which later ones are.
  size_t counted_offset_ = 0;
  uint32_t counted_column_ = 1;
  Token token_;
  std::string value_;
  std::vector<Comment> comments_;
};

}  // namespace vyre::internal

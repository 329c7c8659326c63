// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/hidden_code.h"

#include <algorithm>
#include <string>

#include "vyre/ir/parse_statement.h"

namespace vyre::internal {
namespace {

// Nobody writes a longer statement behind another one.
constexpr size_t kLongest = 500;

// How the braces of a comment stand to what is around it.
struct Braces {
  size_t closed = 0;  // that were not opened in it
  size_t open = 0;    // that it does not close
  bool any_word = false;
};

Braces braces_of(std::string_view text) {
  SyntaxErrors errors(Place(), 1);
  Braces braces;
  for (Lexer lexer(text, errors); lexer.token().kind != TokenKind::kEnd; lexer.advance()) {
    const Token& token = lexer.token();
    const bool closes = token.is("}");
    if (token.is("{")) ++braces.open;
    if (closes && braces.open == 0) ++braces.closed;
    if (closes && braces.open > 0) --braces.open;
    if (!closes) braces.any_word = true;
  }
  return braces;
}

// `x = y` and `return`: what a comment may well say in words.
bool is_short_prose(std::string_view text) {
  SyntaxErrors errors(Place(), 1);
  Lexer lexer(text, errors);
  const bool is_return = lexer.token().is("return");
  lexer.advance();
  return is_return || lexer.token().is("=");
}

bool is_code(const Comment& comment) {
  if (comment.text.size() > kLongest) return false;
  const Braces braces = braces_of(comment.text);
  if (!braces.any_word) return braces.closed > 0;
  if (!comment.touches && is_short_prose(comment.text)) return false;
  std::string whole;
  for (size_t i = 0; i < braces.closed; ++i) whole += "block {\n";
  whole += comment.text;
  whole += "\n}";
  whole.append(braces.open, '}');
  SyntaxErrors errors(Place(), 1);
  TextReader reader(whole, errors, kLongest * 2);
  Bindings bindings;
  StatementParser(reader, bindings).read_body({});
  return errors.none() && reader.at_end();
}

}  // namespace

void warn_of_hidden_code(std::span<const Comment> comments, SyntaxErrors& errors) {
  for (const Comment& comment : comments) {
    if (errors.has_all_warnings()) return;
    if (errors.has(comment.position.line) || !is_code(comment)) continue;
    errors.warn(comment.position,
                {"P032", "`;` starts a comment, and what stands behind it here reads as code",
                 "write it on a line of its own."});
  }
}

}  // namespace vyre::internal

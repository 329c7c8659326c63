// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// TextReader: what all parts of the parser share: the current token, words and names that must
// follow, and messages about what was found instead.
//
//   if (!reader.expect("(", "after `workgroup`")) return false;   // reported
//   const std::optional<uint32_t> x = reader.u32("a size");
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/lexer.h"

namespace vyre::internal {

class TextReader {
 public:
  TextReader(std::string_view text, SyntaxErrors& errors, size_t max_nodes)
      : lexer_(text, errors), errors_(errors), max_nodes_(max_nodes) {}

  const Token& token() const { return lexer_.token(); }
  bool at(std::string_view spelling) const { return token().is(spelling); }
  bool at_end() const { return token().kind == TokenKind::kEnd; }
  // The token follows on the same line, so that it can continue what stands before it.
  bool at_on_line(std::string_view spelling) const { return at(spelling) && !token().starts_line; }
  bool at_name() const;
  void advance();
  const std::vector<Comment>& comments() const { return lexer_.comments(); }
  LexerMode set_mode(LexerMode mode) { return lexer_.set_mode(mode); }

  // Passes over the token if it is that word or mark.
  bool accept(std::string_view spelling);
  // The same, or an error. `where` says after what: "after `len`".
  bool expect(std::string_view spelling, std::string_view where);
  // Two marks that touch: <- or ->.
  bool expect_arrow(std::string_view spelling);

  // Each takes a token and gives its value; what else stands there is reported. `what` is what
  // would belong there: "a buffer".
  std::optional<std::string> name(std::string_view what);
  std::optional<std::string> string(std::string_view what);
  std::optional<std::string> bytes();
  // Digits alone.
  std::optional<uint64_t> u64(std::string_view what,
                              uint64_t largest = std::numeric_limits<uint64_t>::max());
  std::optional<uint32_t> u32(std::string_view what);
  // 0x2a, of at most 32 bits.
  std::optional<uint32_t> id(std::string_view what);
  // The index of the word in `words`. `fix` where it is not the one that lists them.
  std::optional<size_t> one_of(std::string_view what, std::span<const std::string_view> words,
                               std::string fix = "");

  Place place() const { return errors_.place(token().position); }
  Place place(Position position) const { return errors_.place(position); }
  void fail(Position position, SyntaxError error) { errors_.add(position, std::move(error)); }
  void fail(SyntaxError error) { errors_.add(token().position, std::move(error)); }
  // P014, or P030 for an operator of another language. What is missing at the end of a line is
  // reported there, not at the next token.
  void unexpected(std::string_view what, std::string fix);
  // The same where a line starts that may go on with anything: always at the token.
  void unexpected_start(std::string_view what, std::string fix);
  // The token is one where a name belongs.
  void reserved_word();
  // A bracket that was opened there is not closed here.
  void unclosed(std::string_view bracket, Position position);
  // Whether reading on is of no use: enough errors, or more nodes than allowed.
  bool gives_up() const { return errors_.full() || nodes_ > max_nodes_; }

  // Counts an expression, bracket or statement; false, with an error once, above the limit.
  bool count_node();

 private:
  // P030 for an operator of another language; false for any other token.
  bool report_foreign_mark();

  Lexer lexer_;
  SyntaxErrors& errors_;
  size_t max_nodes_;
  size_t nodes_ = 0;
  Token last_;  // the one before the current one
};

// "`row`", "the end of the text".
std::string describe(const Token& token);

// A fix: "write `let`." where one of `known` is near to the word, or what to do otherwise.
std::string write_nearest(std::string_view word, std::span<const std::string_view> known,
                          std::string otherwise);
// "`a`, `b` or `c`"
std::string alternatives(std::span<const std::string_view> words);

}  // namespace vyre::internal

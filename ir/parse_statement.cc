// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse_statement.h"

#include <fmt/format.h>

#include <unordered_map>

#include "vyre/ir/check.h"
#include "vyre/ir/foreign_words.h"
#include "vyre/ir/names.h"
#include "vyre/ir/parse_words.h"

namespace vyre::internal {
namespace {

const std::unordered_map<std::string_view, NodeKind>& statement_kinds() {
  static const auto kKinds = [] {
    std::unordered_map<std::string_view, NodeKind> kinds{{"forever", NodeKind::kLoop}};
    for (const NodeInfo& info : all_nodes()) kinds.emplace(info.keyword, info.kind);
    return kinds;
  }();
  return kKinds;
}

std::optional<NodeKind> statement_kind(const Token& token) {
  if (token.kind != TokenKind::kWord) return std::nullopt;
  const auto found = statement_kinds().find(token.text);
  return found == statement_kinds().end() ? std::nullopt : std::optional(found->second);
}

// Words that start a line of a program.
std::vector<std::string_view> line_words() {
  std::vector<std::string_view> words{"forever"};
  for (const NodeInfo& info : all_nodes()) words.emplace_back(info.keyword);
  for (const std::string_view word : declaration_words()) words.push_back(word);
  return words;
}

}  // namespace

std::vector<Node> StatementParser::read_body(Position opened) {
  while (!reader_.gives_up()) {
    if (reader_.at_end()) {
      // Only the innermost: what encloses it is most often closed.
      reader_.unclosed("{", open_.empty() ? opened : open_.back().brace);
      break;
    }
    if (reader_.accept("}")) {
      if (open_.empty()) break;
      close_body();
      continue;
    }
    statement();
  }
  open_.clear();
  return std::move(root_);
}

void StatementParser::end_line() {
  if (reader_.at_end() || reader_.token().starts_line || reader_.at("}")) return;
  const Token& token = reader_.token();
  const char* foreign = foreign_fix(ForeignUse::kBehind, token.text);
  if (token.is(")") || token.is("]")) {
    reader_.fail({"P018", fmt::format("{} closes nothing", quoted(token.text)),
                  "remove it, or open the bracket before it."});
  } else if (token.kind == TokenKind::kMark) {
    reader_.unexpected("the end of the line", "remove it, or start a new line for a statement.");
  } else {
    reader_.fail({"P016",
                  fmt::format("{} stands behind the end of a statement", quoted(token.text)),
                  foreign != nullptr ? foreign : "write one statement on a line."});
  }
  recover();
}

void StatementParser::recover(size_t open_brackets) {
  while (!reader_.at_end() && !reader_.at("{") && !reader_.at("}")) {
    const Token& token = reader_.token();
    const bool starts = token.kind == TokenKind::kWord || token.kind == TokenKind::kQuoted;
    const bool keyword = statement_kind(token) || is_declaration_word(token.text);
    if (token.starts_line && starts && (open_brackets == 0 || keyword)) return;
    if (token.is("(") || token.is("[")) ++open_brackets;
    if (open_brackets > 0 && (token.is(")") || token.is("]"))) --open_brackets;
    reader_.advance();
  }
  // The braces of what could not be read still hold statements; as those of an if, so that an else
  // may follow.
  if (!reader_.at("{")) return;
  Open open;
  open.kind = NodeKind::kIf;
  open.position = open.brace = reader_.token().position;
  open.operands.push_back(Expr::bool_(false, place()));
  reader_.advance();
  open_.push_back(std::move(open));
}

std::optional<Expr> StatementParser::expression() {
  std::optional<Expr> value = expressions_.parse();
  if (!value) open_brackets_ = expressions_.open_brackets();
  return value;
}

void StatementParser::statement() {
  const Token token = reader_.token();
  position_ = token.position;
  open_brackets_ = 0;
  if (!reader_.count_node()) return;
  const std::optional<NodeKind> kind = statement_kind(token);
  if (kind && node_info(*kind).bodies > 0) {
    if (!open_statement(*kind)) recover(open_brackets_);
    return;
  }
  std::optional<Node> node = kind ? simple_statement(*kind) : named_statement();
  if (node) {
    nodes().push_back(*std::move(node));
    return end_line();
  }
  // What could not be read at all must be passed over.
  if (reader_.token().offset == token.offset && !reader_.at("{")) reader_.advance();
  recover(open_brackets_);
}

// A statement that starts with a name, and what is no statement.
std::optional<Node> StatementParser::named_statement() {
  const Token first = reader_.token();
  if (is_declaration_word(first.text) && first.kind == TokenKind::kWord) {
    const bool before_statements = open_.empty() && root_.empty();
    if (!before_statements) {
      reader_.fail({"P028", "a declaration stands among the statements",
                    "write it before the first statement of the program."});
    }
    static_cast<void>(read_declaration(reader_, bindings_));
    return std::nullopt;
  }
  if (!reader_.at_name()) {
    if (first.kind == TokenKind::kWord) {
      unknown_statement(first);
    } else {
      reader_.unexpected_start("a statement", "start the line with a statement's word or a name.");
    }
    return std::nullopt;
  }
  const std::optional<std::string> name = reader_.name("a variable");
  if (reader_.accept("=")) {
    std::optional<Expr> value = expression();
    if (!value) return std::nullopt;
    return Node::assign(*name, *std::move(value), place());
  }
  if (!reader_.at_on_line("[")) {
    unknown_statement(first);
    return std::nullopt;
  }
  std::optional<Expr> element = index("after the buffer");
  if (!element || !reader_.expect("=", "and a value after the element")) return std::nullopt;
  std::optional<Expr> value = expression();
  if (!value) return std::nullopt;
  return Node::store(*name, *std::move(element), *std::move(value), place());
}

std::optional<Expr> StatementParser::index(std::string_view where) {
  const Position bracket = reader_.token().position;
  if (!reader_.expect("[", where)) return std::nullopt;
  std::optional<Expr> value = expression();
  if (!value || !close_index(bracket)) return std::nullopt;
  return value;
}

bool StatementParser::close_index(Position bracket) {
  if (reader_.accept("]")) return true;
  if (reader_.at_end() || reader_.token().starts_line) {
    reader_.unclosed("[", bracket);
  } else {
    reader_.unexpected("an operator or `]`", "close the bracket with `]`, or write an operator.");
    open_brackets_ = 1;
  }
  return false;
}

// A line that starts with a word, but not as a statement does.
void StatementParser::unknown_statement(const Token& word) {
  const Token& next = reader_.token();
  const bool mark =
      next.kind == TokenKind::kMark && next.offset != word.offset && !next.starts_line;
  const bool foreign_mark = mark && foreign_fix(ForeignUse::kMark, next.text) != nullptr;
  const char* foreign = foreign_fix(ForeignUse::kStatement, word.text);
  if (foreign != nullptr && !foreign_mark && word.kind == TokenKind::kWord) {
    reader_.fail(word.position,
                 {"P015", fmt::format("{} starts no statement", quoted(word.text)), foreign});
    return;
  }
  if (mark && !reader_.at("(") && !reader_.at(":")) {
    reader_.unexpected("`=`", "write `=` and a value, as in `x = x + 1u`, or another statement.");
    return;
  }
  const bool operation = is_reserved_word(word.text);
  if (operation) {
    reader_.fail(word.position, {"P015", fmt::format("{} starts no statement", quoted(word.text)),
                                 "bind the value of an expression with let; a reserved word that "
                                 "is a name stands in backquotes."});
    return;
  }
  reader_.fail(word.position,
               {"P015", fmt::format("{} starts no statement", quoted(word.text)),
                write_nearest(word.text, line_words(),
                              "write a statement of docs/text.md, or `=` behind a variable.")});
}

// Statements with bodies.

bool StatementParser::open_statement(NodeKind kind) {
  Open open;
  open.kind = kind;
  open.position = position_;
  open.word = reader_.token().text;
  if (reader_.at("forever")) {
    reader_.advance();
    open.name = kForeverVariable;
    open.operands = {Expr::u32(0, place()), Expr::u32(0xFFFFFFFF, place())};
    return open_body(std::move(open));
  }
  reader_.advance();
  if (kind == NodeKind::kIf) return open_if(false);
  if (kind == NodeKind::kLoop && !read_loop(open)) return false;
  if (kind == NodeKind::kRegion && !read_region(open)) return false;
  return open_body(std::move(open));
}

// Behind `if`.
bool StatementParser::open_if(bool is_else_if) {
  Open open;
  open.kind = NodeKind::kIf;
  open.position = position_;
  open.word = "if";
  open.is_else_if = is_else_if;
  std::optional<Expr> condition = expression();
  if (!condition) return false;
  open.operands.push_back(*std::move(condition));
  return open_body(std::move(open));
}

bool StatementParser::read_loop(Open& open) {
  if (reader_.at("(")) {
    reader_.unexpected("a variable", "write `for i in 0u..n {`, without parentheses.");
    return false;
  }
  std::optional<std::string> name = reader_.name("a variable");
  if (!name || !reader_.expect("in", "after the variable of a loop")) return false;
  open.name = *std::move(name);
  std::optional<Expr> from = expression();
  if (!from || !reader_.expect("..", "between the bounds of a loop")) return false;
  std::optional<Expr> to = expression();
  if (!to) return false;
  open.operands = {*std::move(from), *std::move(to)};
  return true;
}

bool StatementParser::read_region(Open& open) {
  std::optional<std::string> generator = reader_.string("the region's generator");
  if (!generator) return false;
  open.name = *std::move(generator);
  if (!reader_.accept("from")) return true;
  open.source_region = reader_.string("the region that this one was made from");
  return open.source_region.has_value();
}

bool StatementParser::open_body(Open open) {
  open.brace = reader_.token().position;
  const char* foreign = foreign_fix(ForeignUse::kBehind, reader_.token().text);
  if (foreign != nullptr && !reader_.token().starts_line) {
    reader_.unexpected("`{`", foreign);
    return false;
  }
  if (!reader_.expect("{", fmt::format("before the body of `{}`", open.word))) return false;
  open_.push_back(std::move(open));
  return true;
}

// Behind the `}` of the innermost body.
void StatementParser::close_body() {
  Open& open = open_.back();
  const bool takes_else = open.kind == NodeKind::kIf && !open.in_else;
  if (!takes_else || !reader_.at("else")) {
    close_statement();
    return end_line();
  }
  reader_.advance();
  open.then = std::move(open.nodes);
  open.nodes.clear();
  open.in_else = true;
  open_brackets_ = 0;
  position_ = reader_.token().position;
  if (reader_.accept("if")) {
    if (reader_.count_node() && open_if(true)) return;
    // Its braces are read as a block; the else that it was ends with them.
    return recover_else();
  }
  open.brace = reader_.token().position;
  if (!reader_.expect("{", "or `if` after `else`")) recover_else();
}

// An else without a body that could be read.
void StatementParser::recover_else() {
  close_statement();
  recover(open_brackets_);
}

// Makes the statement of the innermost body, and each if whose else it is.
void StatementParser::close_statement() {
  bool is_else = true;
  while (is_else) {
    Open open = std::move(open_.back());
    open_.pop_back();
    is_else = open.is_else_if;
    Node node = finish(open);
    nodes().push_back(std::move(node));
  }
}

Node StatementParser::finish(Open& open) {
  Place place = reader_.place(open.position);
  if (open.kind == NodeKind::kIf) {
    std::vector<Node>& then = open.in_else ? open.then : open.nodes;
    std::vector<Node> otherwise = open.in_else ? std::move(open.nodes) : std::vector<Node>();
    return Node::if_then_else(std::move(open.operands[0]), std::move(then), std::move(otherwise),
                              std::move(place));
  }
  if (open.kind == NodeKind::kLoop) {
    return Node::loop_for(open.name, std::move(open.operands[0]), std::move(open.operands[1]),
                          std::move(open.nodes), std::move(place));
  }
  if (open.kind == NodeKind::kRegion) {
    return Node::region(open.name, std::move(open.source_region), std::move(open.nodes),
                        std::move(place));
  }
  return Node::block(std::move(open.nodes), std::move(place));
}

}  // namespace vyre::internal

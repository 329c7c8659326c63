// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// StatementParser: the statements of the text form, with a stack of the bodies that are open. For
// the parser only.
//
//   StatementParser statements(reader, bindings);
//   std::vector<Node> entry = statements.read_body(open_brace);   // after `{`, up to its `}`
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/node.h"
#include "vyre/ir/parse_declaration.h"
#include "vyre/ir/parse_expr.h"

namespace vyre::internal {

class StatementParser {
 public:
  // `bindings` are for declarations that stand among the statements.
  StatementParser(TextReader& reader, Bindings& bindings)
      : reader_(reader), bindings_(bindings), expressions_(reader) {}

  // All statements up to the brace that closes the one at `opened`, and that brace. Errors are
  // reported; reading goes on behind them.
  std::vector<Node> read_body(Position opened);

  // Behind a statement or declaration: reports what stands on the same line, and passes over it.
  void end_line();
  // Passes over the rest of a line that could not be read.
  void recover(size_t open_brackets = 0);

 private:
  // A statement whose body is open.
  struct Open {
    NodeKind kind = NodeKind::kBlock;
    Position position;  // of the statement
    std::string_view word;
    Position brace;
    std::string name;  // loop variable, generator
    std::optional<std::string> source_region;
    std::vector<Expr> operands;
    std::vector<Node> then;  // of an if whose else is open
    std::vector<Node> nodes;
    bool in_else = false;
    bool is_else_if = false;  // the whole else of the if below it
  };

  // Each reads a statement, and gives it unless there was an error.
  void statement();
  std::optional<Node> named_statement();
  void unknown_statement(const Token& word);

  // Behind the statement's word (parse_simple_statement.cc).
  std::optional<Node> simple_statement(NodeKind kind);
  std::optional<Node> let();
  std::optional<Node> barrier();
  std::optional<Node> trap();
  std::optional<Node> tagged(NodeKind kind);
  std::optional<Node> async_load();
  std::optional<Node> async_store();
  std::optional<Node> indirect_dispatch();
  std::optional<Node> collective(NodeKind kind);
  std::optional<Node> opaque();
  std::optional<uint32_t> numbered(std::string_view word);

  std::optional<Expr> expression();
  // [expression]
  std::optional<Expr> index(std::string_view where);
  bool close_index(Position bracket);

  // Statements with bodies. False after an error.
  bool open_statement(NodeKind kind);
  bool open_if(bool is_else_if);
  bool read_loop(Open& open);
  bool read_region(Open& open);
  bool open_body(Open open);
  void close_body();
  void recover_else();
  void close_statement();
  Node finish(Open& open);

  Place place() const { return reader_.place(position_); }
  std::vector<Node>& nodes() { return open_.empty() ? root_ : open_.back().nodes; }

  TextReader& reader_;
  Bindings& bindings_;
  ExprParser expressions_;
  Position position_;         // of the current statement
  size_t open_brackets_ = 0;  // that the expression which was wrong had passed
  std::vector<Open> open_;
  std::vector<Node> root_;
};

}  // namespace vyre::internal

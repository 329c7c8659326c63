// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// ExprParser: the expressions of the text form. For the parser only.
//
//   ExprParser expressions(reader);
//   const std::optional<Expr> value = expressions.parse();   // reported where it is none
//   if (!value) reader.recover(expressions.open_brackets());
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/expr.h"
#include "vyre/ir/text_reader.h"

namespace vyre::internal {

// Operator precedence over two stacks: what is open, and the operands that are complete.
class ExprParser {
 public:
  explicit ExprParser(TextReader& reader) : reader_(reader) {}

  // From the current token to the first one that cannot continue the expression.
  std::optional<Expr> parse();

  // After parse() failed: how many brackets it had passed that are still to be closed.
  size_t open_brackets() const { return open_brackets_; }

 private:
  enum class OpenKind : uint8_t { kInfix, kPrefix, kGroup, kArguments, kLoad, kAtomicIndex };
  struct Open {
    OpenKind kind;
    Op op = Op::kVar;
    Position position;  // of the operation
    Position bracket;   // that is open
    size_t first_operand = 0;
  };
  // What some operations say before their operands.
  struct Head {
    std::string name;
    DataType type{};
    uint32_t id = 0;
    MemoryOrdering ordering = MemoryOrdering::kSeqCst;
    Position bracket{};  // an atomic's parenthesis
  };
  struct Complete {
    Expr expr;
    OpFormat format;  // that of a call where it stands in parentheses
  };

  bool run();

  // Where an operand is expected (parse_operand.cc). All of these are false after an error;
  // `complete` says that an operand was read, not only what stands before one.
  bool read_operand();
  bool read_part(bool& complete);
  bool read_minus(bool& complete);
  bool read_word(bool& complete);
  bool read_name(bool& complete);
  bool read_reference(bool& complete);
  bool read_operation(Op op, bool& complete);
  bool read_axis(Op op);
  bool read_length();
  bool read_opaque();
  bool read_bit_literal(DataType::Kind type);
  void number(Position position, bool negative);
  bool open_prefix(Op op);
  bool open_arguments(Op op, Position position, bool& complete, Head* head = nullptr);
  bool open_cast(Op op, bool& complete);
  bool open_extension(Op op, bool& complete);
  bool open_call(bool& complete);
  bool open_atomic(Op op);
  bool no_operand();

  // Behind an operand.
  bool after_operand(bool& complete);
  bool close_bracket(bool& more);
  bool close_atomic_index();
  bool finish_arguments(const Open& open);
  void reduce_infix(OpFormat next);
  void reduce();
  void check_mixture(const Open& open, const Complete& operand);
  bool check_count(const Open& open, size_t count, size_t least, size_t most);

  bool push(Open open);
  bool push_leaf(Expr expr);
  Place place(Position position) const { return reader_.place(position); }

  TextReader& reader_;
  std::vector<Open> open_;
  std::vector<Complete> operands_;
  std::vector<Head> heads_;  // of the open operations that have one
  size_t open_brackets_ = 0;
};

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse_expr.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

#include "vyre/ir/build_operation.h"
#include "vyre/ir/infix.h"
#include "vyre/ir/names.h"
#include "vyre/ir/parse_words.h"

namespace vyre::internal {
namespace {

const std::unordered_map<std::string_view, Op>& infix_ops() {
  static const auto kOps = [] {
    std::unordered_map<std::string_view, Op> ops;
    for (const OpInfo& info : all_ops()) {
      if (is_infix(info.format)) ops.emplace(info.mnemonic, info.op);
    }
    return ops;
  }();
  return kOps;
}

std::optional<Op> infix_op(const Token& token) {
  if (token.kind != TokenKind::kMark && token.kind != TokenKind::kWord) return std::nullopt;
  const auto found = infix_ops().find(token.text);
  return found == infix_ops().end() ? std::nullopt : std::optional(found->second);
}

bool is_bracket(const auto& open) {
  using Kind = decltype(open.kind);
  return open.kind != Kind::kInfix && open.kind != Kind::kPrefix;
}

}  // namespace

std::optional<Expr> ExprParser::parse() {
  open_.clear();
  operands_.clear();
  heads_.clear();
  open_brackets_ = 0;
  if (run()) return std::move(operands_.back().expr);
  for (const Open& open : open_) open_brackets_ += is_bracket(open) ? 1 : 0;
  return std::nullopt;
}

bool ExprParser::run() {
  while (true) {
    if (!read_operand()) return false;
    bool complete = false;
    if (!after_operand(complete)) return false;
    if (complete) return true;
  }
}

bool ExprParser::push(Open open) {
  open_.push_back(open);
  return reader_.count_node();
}

bool ExprParser::push_leaf(Expr expr) {
  const OpFormat format = expr.info().format;
  operands_.push_back({std::move(expr), format});
  return reader_.count_node();
}

// After an operand: an infix operation that takes it, or the end of brackets. `complete` where the
// expression ends.
bool ExprParser::after_operand(bool& complete) {
  while (true) {
    while (!open_.empty() && open_.back().kind == OpenKind::kPrefix) reduce();
    const Position position = reader_.token().position;
    if (const std::optional<Op> op = infix_op(reader_.token())) {
      reduce_infix(op_info(*op).format);
      reader_.advance();
      return push({OpenKind::kInfix, *op, position, position});
    }
    reduce_infix(OpFormat::kInfixOr);
    complete = open_.empty();
    if (complete) return true;
    bool more = false;
    if (!close_bracket(more)) return false;
    if (more) return true;
  }
}

// Completes the infix operations that bind at least as tightly as `next`.
void ExprParser::reduce_infix(OpFormat next) {
  while (!open_.empty() && open_.back().kind == OpenKind::kInfix &&
         op_info(open_.back().op).format >= next) {
    reduce();
  }
}

// Completes the infix or prefix operation that was opened last.
void ExprParser::reduce() {
  const Open open = open_.back();
  open_.pop_back();
  const size_t count = open.kind == OpenKind::kInfix ? 2 : 1;
  const size_t first = operands_.size() - count;
  if (count == 2) {
    check_mixture(open, operands_[first]);
    check_mixture(open, operands_[first + 1]);
  }
  std::vector<Expr> operands;
  operands.reserve(count);
  for (size_t i = first; i < operands_.size(); ++i)
    operands.push_back(std::move(operands_[i].expr));
  operands_.erase(operands_.begin() + static_cast<ptrdiff_t>(first), operands_.end());
  operands_.push_back({build_operation(open.op, std::move(operands), place(open.position)),
                       op_info(open.op).format});
}

// Reports an operand of an infix operation that must stand in parentheses.
void ExprParser::check_mixture(const Open& open, const Complete& operand) {
  if (!is_infix(operand.format)) return;
  const OpInfo& outer = op_info(open.op);
  const char* inner = operand.expr.info().mnemonic;
  if (outer.format == OpFormat::kInfixCompare && operand.format == OpFormat::kInfixCompare) {
    reader_.fail(open.position,
                 {"P022",
                  fmt::format("`{}` compares the result of `{}`: comparisons do not group",
                              outer.mnemonic, inner),
                  fmt::format("write `a {} b and b {} c`, or put the inner comparison in "
                              "parentheses.",
                              inner, outer.mnemonic)});
    return;
  }
  if (!reader_would_guess(outer.format, operand.format)) return;
  reader_.fail(
      open.position,
      {"P021",
       fmt::format("`{}` and `{}` stand side by side without parentheses", inner, outer.mnemonic),
       fmt::format("put parentheses around the operation with `{}`, or the one with "
                   "`{}`, that is meant to be computed first.",
                   inner, outer.mnemonic)});
}

// At the end of what a bracket holds, or of a part of it. `more` where another operand must follow.
bool ExprParser::close_bracket(bool& more) {
  Open& open = open_.back();
  const bool index = open.kind == OpenKind::kLoad || open.kind == OpenKind::kAtomicIndex;
  const std::string_view closing = index ? "]" : ")";
  if (open.kind == OpenKind::kArguments && reader_.accept(",")) {
    more = true;
    return true;
  }
  if (!reader_.at(closing)) {
    const Token& token = reader_.token();
    if (reader_.at_end() || token.starts_line || reader_.at("}") || reader_.at("{")) {
      reader_.unclosed(index ? "[" : "(", open.bracket);
      open_.clear();
    } else {
      const bool list = open.kind == OpenKind::kArguments;
      reader_.unexpected(list ? "`,` or `)`" : fmt::format("an operator or `{}`", closing),
                         fmt::format("close the bracket with `{}`{}, or write an operator.",
                                     closing, list ? ", separate operands with `,`" : ""));
    }
    return false;
  }
  reader_.advance();
  if (open.kind == OpenKind::kAtomicIndex) {
    more = true;
    return close_atomic_index();
  }
  const Open closed = open;
  open_.pop_back();
  if (closed.kind == OpenKind::kGroup) {
    operands_.back().format = OpFormat::kCall;
    return true;
  }
  if (closed.kind == OpenKind::kArguments) return finish_arguments(closed);
  Expr load =
      Expr::load(heads_.back().name, std::move(operands_.back().expr), place(closed.position));
  heads_.pop_back();
  operands_.back() = {std::move(load), OpFormat::kLoad};
  return true;
}

// Behind the `]` of atomic_add<seq_cst>(x[i], v).
bool ExprParser::close_atomic_index() {
  Open& open = open_.back();
  open.kind = OpenKind::kArguments;
  open.bracket = heads_.back().bracket;
  if (reader_.accept(",")) return true;
  if (reader_.at(")")) {
    open_.pop_back();
    reader_.fail({"P020",
                  fmt::format("`{}` has no value after its element", op_info(open.op).mnemonic),
                  "write the value behind the element: atomic_add<seq_cst>(x[i], value)."});
    return false;
  }
  return reader_.expect(",", "after the element of an atomic operation");
}

// The count that an operation takes, or an error. Reading goes on with what is there.
bool ExprParser::check_count(const Open& open, size_t count, size_t least, size_t most) {
  if (count >= least && count <= most) return true;
  const bool one_number = least == most;
  const std::string takes =
      one_number ? fmt::format("{}", least) : fmt::format("{} or {}", least, most);
  reader_.fail(open.position,
               {"P020",
                fmt::format("`{}` takes {} operand{}, not {}", op_info(open.op).mnemonic, takes,
                            most == 1 ? "" : "s", count),
                fmt::format("give it {} operand{}, with commas between them.", takes,
                            most == 1 ? "" : "s")});
  return false;
}

// Replaces the operands of a call by the call.
bool ExprParser::finish_arguments(const Open& open) {
  std::vector<Expr> operands;
  operands.reserve(operands_.size() - open.first_operand);
  for (size_t i = open.first_operand; i < operands_.size(); ++i) {
    operands.push_back(std::move(operands_[i].expr));
  }
  operands_.erase(operands_.begin() + static_cast<ptrdiff_t>(open.first_operand), operands_.end());
  const OpFormat format = op_info(open.op).format;
  const size_t count = operands.size();
  const auto add = [&](Expr expr) {
    operands_.push_back({std::move(expr), OpFormat::kCall});
    return true;
  };
  // An operation with a wrong number of operands stands for itself until the text is refused.
  const auto refused = [&] { return add(Expr::bool_(false, place(open.position))); };
  if (const std::optional<size_t> plain = plain_operand_count(open.op)) {
    if (!check_count(open, count, *plain, *plain)) return refused();
    return add(build_operation(open.op, std::move(operands), place(open.position)));
  }
  const Head head = std::move(heads_.back());
  heads_.pop_back();
  if (format == OpFormat::kCallOp) {
    return add(Expr::call(head.name, std::move(operands), place(open.position)));
  }
  if (format == OpFormat::kAtomic) {
    if (!check_count(open, count, 2, 3)) return refused();
    const bool has_expected = count == 3;
    return add(Expr::atomic(open.op, head.name, operands.front(),
                            has_expected ? &operands[1] : nullptr, operands.back(), head.ordering,
                            head.id, place(open.position)));
  }
  const size_t wanted = open.op == Op::kBinOpaque ? 2 : 1;
  if (!check_count(open, count, wanted, wanted)) return refused();
  if (open.op == Op::kBinOpaque) {
    return add(Expr::opaque_binary(head.id, std::move(operands[0]), std::move(operands[1]),
                                   place(open.position)));
  }
  if (open.op == Op::kUnOpaque) {
    return add(Expr::opaque_unary(head.id, std::move(operands[0]), place(open.position)));
  }
  return add(open.op == Op::kCast
                 ? Expr::cast(head.type, std::move(operands[0]), place(open.position))
                 : Expr::bitcast(head.type, std::move(operands[0]), place(open.position)));
}

}  // namespace vyre::internal

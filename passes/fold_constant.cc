// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/fold_constant.h"

#include <algorithm>

#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"

namespace vyre::passes {
namespace {

std::optional<TypedExpr> choose_arm(std::span<const TypedExpr> operands) {
  const Expr& condition = operands[0].expr;
  if (!is_literal(condition.op())) return std::nullopt;
  const TypedExpr& chosen = condition.bits() != 0 ? operands[1] : operands[2];
  const TypedExpr& dropped = condition.bits() != 0 ? operands[2] : operands[1];
  if (dropped.effectful) return std::nullopt;
  return chosen;
}

}  // namespace

std::optional<TypedExpr> fold_constant(const TypedExpr& expr, std::span<const TypedExpr> operands) {
  if (operands.empty() || !expr.type) return std::nullopt;
  const bool all_literals = std::ranges::all_of(
      operands, [](const TypedExpr& operand) { return is_literal(operand.expr.op()); });
  if (!all_literals) {
    return expr.expr.op() == Op::kSelect ? choose_arm(operands) : std::nullopt;
  }
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  const std::optional<Constant> value = evaluate_constant(expr.expr, trap);
  // A division that traps is an effect: it stays and traps when it is reached.
  if (!value || value->type != *expr.type || trap != scalar::ArithmeticTrap::kNone) {
    return std::nullopt;
  }
  const uint64_t bits = scalar::canonical_nan(value->type, value->bits);
  return TypedExpr{Expr::literal(value->type, bits, expr.expr.place()), value->type, false, {}};
}

}  // namespace vyre::passes

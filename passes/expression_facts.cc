// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/expression_facts.h"

#include <algorithm>

namespace vyre::passes {
namespace {

bool may_trap(const Expr& expr, std::optional<DataType::Kind> type) {
  if (!expr.info().has(OpFlags::kMayTrap)) return false;
  if (type && !is_signed_integer(*type)) return false;
  const Expr& divisor = expr.operand(1);
  if (!type || !is_literal(divisor.op())) return true;
  const uint64_t minus_one = *type == DataType::I32 ? 0xFFFFFFFFU : ~uint64_t{0};
  return divisor.bits() == 0 || divisor.bits() == minus_one;
}

}  // namespace

bool has_own_effect(const Expr& expr, std::optional<DataType::Kind> type) {
  const OpInfo& info = expr.info();
  return info.has(OpFlags::kAtomic) || info.has(OpFlags::kSubgroup) || info.has(OpFlags::kOpaque) ||
         may_trap(expr, type);
}

std::vector<bool> expressions_with_effects(const Resolved& resolved) {
  std::vector<bool> effects(resolved.expressions.size());
  // Operands have smaller numbers than what they are operands of.
  for (ExprId id = 0; id < effects.size(); ++id) {
    const ResolvedExpr& record = resolved.expressions[id];
    const std::span<const ExprId> operands = resolved.operands(record);
    std::optional<DataType::Kind> type;
    if (!operands.empty()) type = resolved.expressions[operands[0]].type;
    effects[id] = has_own_effect(*record.expr, type) ||
                  std::ranges::any_of(operands, [&](ExprId operand) { return effects[operand]; });
  }
  return effects;
}

}  // namespace vyre::passes

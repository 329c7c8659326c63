// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/statement_effects.h"

#include <algorithm>
#include <unordered_set>

namespace vyre::interpreter {

StatementEffects::StatementEffects(const Resolved& resolved, StmtId stmt) {
  const ResolvedStmt& record = resolved.statements[stmt];
  if (std::ranges::none_of(record.node->operands(),
                           [](const Expr& e) { return e.has(ExprEffects::kAtomics); })) {
    return;
  }
  const std::span<const ExprId> operands = resolved.operands(record);
  std::vector<ExprId> pending(operands.begin(), operands.end());
  std::unordered_set<ExprId> seen;
  std::vector<uint32_t> loads;
  while (!pending.empty()) {
    const ExprId id = pending.back();
    pending.pop_back();
    const ResolvedExpr& expr = resolved.expressions[id];
    const bool atomic = expr.expr->info().format == OpFormat::kAtomic;
    // An atomic is done at each of its occurrences.
    if (atomic) atomics_.push_back(expr.reference);
    if (!seen.insert(id).second) {
      if (expr.expr->has(ExprEffects::kAtomics)) parts_commute_ = false;
      continue;
    }
    if (expr.expr->op() == Op::kLoad) loads.push_back(expr.reference);
    const std::span<const ExprId> parts = resolved.operands(expr);
    pending.insert(pending.end(), parts.begin(), parts.end());
  }
  const auto is_atomic = [&](uint32_t buffer) { return std::ranges::count(atomics_, buffer) != 0; };
  std::vector<uint32_t> buffers = atomics_;
  std::ranges::sort(buffers);
  if (std::ranges::adjacent_find(buffers) != buffers.end()) parts_commute_ = false;
  if (std::ranges::any_of(loads, is_atomic)) parts_commute_ = false;
  if (record.buffer != kNoId && is_atomic(record.buffer)) parts_commute_ = false;
}

bool StatementEffects::changes_what_is_read(const ResolvedExpr& expr) const {
  return expr.expr->op() == Op::kLoad && std::ranges::count(atomics_, expr.reference) != 0;
}

}  // namespace vyre::interpreter

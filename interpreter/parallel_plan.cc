// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/parallel_plan.h"

#include <optional>

namespace vyre::interpreter {
namespace {

// Atomics that come to the same in any order. lru is a maximum.
bool commutes(Op op) {
  return op == Op::kAtomicAdd || op == Op::kAtomicOr || op == Op::kAtomicAnd ||
         op == Op::kAtomicXor || op == Op::kAtomicMin || op == Op::kAtomicMax ||
         op == Op::kAtomicLruUpdate;
}

std::vector<char> used_variables(const Resolved& resolved) {
  std::vector<char> used(resolved.variables.size(), 0);
  for (const ResolvedExpr& expr : resolved.expressions) {
    if (expr.expr->op() == Op::kVar) used[expr.reference] = 1;
  }
  return used;
}

class Planner {
 public:
  explicit Planner(const Resolved& resolved)
      : resolved_(resolved),
        used_(used_variables(resolved)),
        seen_(resolved.expressions.size(), 0) {}

  SegmentPlan plan(const Segment& segment) {
    const size_t buffers = resolved_.program.buffers().size();
    plan_ = SegmentPlan{};
    plan_.watched.assign(buffers, 0);
    touched_.assign(buffers, 0);
    plan_.atomic.assign(buffers, 0);
    plan_.changed.assign(buffers, 0);
    atomic_.assign(buffers, std::nullopt);
    ++mark_;
    for (const StmtId begin : segment.statements) {
      for (StmtId stmt = begin; stmt < resolved_.statements[begin].end; ++stmt) visit(stmt);
    }
    for (size_t i = 0; i < buffers; ++i) {
      if (atomic_[i] && touched_[i] != 0) plan_.may_be_parallel = false;
      plan_.atomic[i] = atomic_[i] ? 1 : 0;
      plan_.changed[i] = plan_.watched[i] != 0 || atomic_[i] ? 1 : 0;
    }
    return plan_;
  }

 private:
  bool is_shared(uint32_t buffer) const {
    const BufferDecl& decl = resolved_.program.buffers()[buffer];
    return decl.is_bound() || decl.is_transient();
  }

  void touch(uint32_t buffer, bool write) {
    if (!is_shared(buffer)) return;
    touched_[buffer] = 1;
    if (write) plan_.watched[buffer] = 1;
  }

  void visit(StmtId stmt) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    if (record.buffer != kNoId) touch(record.buffer, record.node->kind() == NodeKind::kStore);
    if (record.destination != kNoId) touch(record.destination, true);
    const std::span<const ExprId> operands = resolved_.operands(record);
    // `let old = atomic` without a use of `old` is how an atomic stands alone.
    const bool alone = record.node->kind() == NodeKind::kLet && used_[record.variable] == 0;
    for (const ExprId operand : operands) visit_expression(operand, alone);
  }

  void visit_expression(ExprId root, bool alone) {
    std::vector<ExprId> pending{root};
    while (!pending.empty()) {
      const ExprId id = pending.back();
      pending.pop_back();
      const ResolvedExpr& expr = resolved_.expressions[id];
      if (expr.expr->info().format == OpFormat::kAtomic) {
        note_atomic(expr, alone && id == root);
      } else if (expr.expr->op() == Op::kLoad) {
        touch(expr.reference, false);
      }
      // What has no atomics has nothing to say at its second occurrence.
      if (seen_[id] == mark_ && !expr.expr->has(ExprEffects::kAtomics)) continue;
      if (seen_[id] == mark_) {
        plan_.may_be_parallel = false;
        continue;
      }
      seen_[id] = mark_;
      const std::span<const ExprId> parts = resolved_.operands(expr);
      pending.insert(pending.end(), parts.begin(), parts.end());
    }
  }

  void note_atomic(const ResolvedExpr& expr, bool alone) {
    if (!is_shared(expr.reference)) return;
    const Op op = expr.expr->op();
    std::optional<Op>& known = atomic_[expr.reference];
    if (!alone || !commutes(op) || (known && *known != op)) plan_.may_be_parallel = false;
    known = op;
  }

  const Resolved& resolved_;
  std::vector<char> used_;
  std::vector<uint32_t> seen_;  // expressions, by the mark of the segment that has met them
  uint32_t mark_ = 0;
  SegmentPlan plan_;
  std::vector<char> touched_;              // by buffer: loaded, stored or copied
  std::vector<std::optional<Op>> atomic_;  // by buffer
};

}  // namespace

std::vector<SegmentPlan> plan_segments(const Resolved& resolved) {
  Planner planner(resolved);
  std::vector<SegmentPlan> plans;
  for (const Segment& segment : split_segments(resolved)) plans.push_back(planner.plan(segment));
  return plans;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/analysis/barrier_phases.h"

namespace vyre {
namespace {

// Walks the statements in order and joins the phases that a way without a barrier connects.
class PhaseWalk {
 public:
  explicit PhaseWalk(const Resolved& resolved) : resolved_(resolved) {}

  std::vector<PhaseId> run() {
    const auto count = static_cast<StmtId>(resolved_.statements.size());
    std::vector<PhaseId> phases(count);
    PhaseId here = fresh();
    for (StmtId stmt = 0; stmt < count; ++stmt) {
      here = close_bodies(stmt, here);
      phases[stmt] = here;
      const NodeKind kind = resolved_.statements[stmt].node->kind();
      // Nothing follows a return: what stands there is reached on other ways only.
      if (kind == NodeKind::kBarrier || kind == NodeKind::kReturn) here = fresh();
      if (kind == NodeKind::kIf || kind == NodeKind::kLoop) open_.push_back({stmt, here, here});
    }
    close_bodies(count, here);
    for (PhaseId& phase : phases) phase = find(phase);
    return phases;
  }

 private:
  struct Open {
    StmtId stmt;
    PhaseId entry;
    PhaseId other_end;  // of the way that does not end with the last body
  };

  PhaseId fresh() {
    parent_.push_back(static_cast<PhaseId>(parent_.size()));
    return parent_.back();
  }

  PhaseId find(PhaseId phase) {
    while (parent_[phase] != phase) {
      parent_[phase] = parent_[parent_[phase]];
      phase = parent_[phase];
    }
    return phase;
  }

  void join(PhaseId a, PhaseId b) { parent_[find(a)] = find(b); }

  // Leaves the bodies that end before `stmt`; gives the phase in which it stands.
  PhaseId close_bodies(StmtId stmt, PhaseId here) {
    while (!open_.empty()) {
      Open& open = open_.back();
      const ResolvedStmt& record = resolved_.statements[open.stmt];
      const bool is_if = record.node->kind() == NodeKind::kIf;
      if (is_if && stmt == record.else_begin) {
        open.other_end = here;
        here = open.entry;
      }
      if (stmt < record.end) return here;
      join(here, open.other_end);
      here = find(here);
      open_.pop_back();
    }
    return here;
  }

  const Resolved& resolved_;
  std::vector<PhaseId> parent_;  // union-find
  std::vector<Open> open_;
};

void join_phase(PhaseId& phase, PhaseId other) {
  if (other == kNoId) return;
  phase = phase == kNoId || phase == other ? other : kSeveralPhases;
}

}  // namespace

BarrierPhases::BarrierPhases(const Resolved& resolved)
    : statements_(PhaseWalk(resolved).run()), expressions_(resolved.expressions.size(), kNoId) {
  for (StmtId stmt = 0; stmt < resolved.statements.size(); ++stmt) {
    for (const ExprId operand : resolved.operands(resolved.statements[stmt])) {
      join_phase(expressions_[operand], statements_[stmt]);
    }
  }
  // Operands have smaller numbers than what uses them.
  for (auto user = static_cast<ExprId>(resolved.expressions.size()); user-- > 0;) {
    for (const ExprId operand : resolved.operands(resolved.expressions[user])) {
      join_phase(expressions_[operand], expressions_[user]);
    }
  }
}

}  // namespace vyre

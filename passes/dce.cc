// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/dce.h"

#include <array>
#include <vector>

#include "vyre/ir/check.h"
#include "vyre/passes/expression_facts.h"
#include "vyre/passes/typed_rewrite.h"

namespace vyre::passes {
namespace {

// By StmtId: whether control can get there. What follows a return or trap in its body is not
// reached, up to a grid barrier: after that one all invocations start anew.
class Reachability {
 public:
  explicit Reachability(const Resolved& resolved)
      : resolved_(resolved),
        ends_(resolved.statements.size() + 1),
        restarts_(resolved.statements.size() + 1) {}

  std::vector<bool> compute() {
    for (auto id = static_cast<StmtId>(resolved_.statements.size()); id-- > 0;) note_end(id);
    return reached();
  }

 private:
  // A body of a statement; the entry stands for the body of one more statement.
  bool& at(std::vector<std::array<bool, 2>>& flags, const ResolvedStmt& stmt) {
    const size_t parent = stmt.parent == kNoId ? resolved_.statements.size() : stmt.parent;
    return flags[parent][stmt.body];
  }

  // Statements come last to first: so do those of a body.
  void note_end(StmtId id) {
    const ResolvedStmt& stmt = resolved_.statements[id];
    if (stmt.node->has(NodeEffects::kGridSync)) at(restarts_, stmt) = true;
    if (!at(restarts_, stmt) && never_continues(id)) at(ends_, stmt) = true;
  }

  bool never_continues(StmtId id) const {
    const Node& node = *resolved_.statements[id].node;
    switch (node.kind()) {
      case NodeKind::kReturn:
      case NodeKind::kTrap:
        return true;
      case NodeKind::kBlock:
      case NodeKind::kRegion:
        return ends_[id][0];
      case NodeKind::kIf:
        return ends_[id][0] && ends_[id][1];
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kStore:
      case NodeKind::kLoop:
      case NodeKind::kBarrier:
      case NodeKind::kIndirectDispatch:
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncWait:
      case NodeKind::kAsyncStore:
      case NodeKind::kResume:
      case NodeKind::kAllReduce:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
      case NodeKind::kBroadcast:
      case NodeKind::kOpaque:
        return false;
    }
    VYRE_UNREACHABLE("a node kind that neither continues nor ends");
  }

  std::vector<bool> reached() {
    std::vector<bool> reached(resolved_.statements.size());
    std::vector<std::array<bool, 2>> over(resolved_.statements.size() + 1);
    for (StmtId id = 0; id < reached.size(); ++id) {
      const ResolvedStmt& stmt = resolved_.statements[id];
      if (stmt.node->has(NodeEffects::kGridSync)) at(over, stmt) = false;
      const bool parent_reached = stmt.parent == kNoId || reached[stmt.parent];
      reached[id] = parent_reached && !at(over, stmt);
      if (!stmt.node->has(NodeEffects::kGridSync) && never_continues(id)) at(over, stmt) = true;
    }
    return reached;
  }

  const Resolved& resolved_;
  std::vector<std::array<bool, 2>> ends_;      // by StmtId and body: control never leaves its end
  std::vector<std::array<bool, 2>> restarts_;  // by StmtId and body: holds a grid barrier
};

// Marks what is observable, and what that needs.
class Marker {
 public:
  explicit Marker(const Resolved& resolved)
      : resolved_(resolved),
        effects_(expressions_with_effects(resolved)),
        reached_(Reachability(resolved).compute()),
        live_(resolved.statements.size()),
        live_exprs_(resolved.expressions.size()),
        live_variables_(resolved.variables.size()),
        writers_(resolved.variables.size()) {}

  // By StmtId: whether it has to stay.
  std::vector<bool> run() {
    for (StmtId id = 0; id < live_.size(); ++id) {
      if (!reached_[id]) continue;
      const VariableId variable = resolved_.statements[id].variable;
      if (variable != kNoId) writers_[variable].push_back(id);
      if (is_observable(id)) mark(id);
    }
    while (!statements_.empty() || !exprs_.empty()) {
      if (!exprs_.empty()) {
        visit_next_expr();
      } else {
        visit_next_statement();
      }
    }
    return std::move(live_);
  }

 private:
  bool is_observable(StmtId id) const {
    const ResolvedStmt& stmt = resolved_.statements[id];
    for (const ExprId operand : resolved_.operands(stmt)) {
      if (effects_[operand]) return true;
    }
    switch (stmt.node->kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kIf:
      case NodeKind::kBlock:
        return false;
      case NodeKind::kLoop:
        return stmt.node->name() == kForeverVariable;
      case NodeKind::kRegion:
        return stmt.parent == kNoId;
      case NodeKind::kStore:
      case NodeKind::kReturn:
      case NodeKind::kBarrier:
      case NodeKind::kIndirectDispatch:
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncWait:
      case NodeKind::kAsyncStore:
      case NodeKind::kTrap:
      case NodeKind::kResume:
      case NodeKind::kAllReduce:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
      case NodeKind::kBroadcast:
      case NodeKind::kOpaque:
        return true;
    }
    VYRE_UNREACHABLE("a node kind that is neither observable nor not");
  }

  void mark(StmtId id) {
    if (live_[id]) return;
    live_[id] = true;
    statements_.push_back(id);
  }
  void mark_expr(ExprId id) {
    if (live_exprs_[id]) return;
    live_exprs_[id] = true;
    exprs_.push_back(id);
  }
  void mark_variable(VariableId id) {
    if (live_variables_[id]) return;
    live_variables_[id] = true;
    mark(resolved_.variables[id].declaration);
    for (const StmtId writer : writers_[id]) mark(writer);
  }

  void visit_next_statement() {
    const ResolvedStmt& stmt = resolved_.statements[statements_.back()];
    statements_.pop_back();
    if (stmt.parent != kNoId) mark(stmt.parent);
    // An assignment that stays needs the binding it assigns to.
    if (stmt.variable != kNoId) mark_variable(stmt.variable);
    for (const ExprId operand : resolved_.operands(stmt)) mark_expr(operand);
  }

  void visit_next_expr() {
    const ResolvedExpr& record = resolved_.expressions[exprs_.back()];
    exprs_.pop_back();
    if (record.expr->op() == Op::kVar) mark_variable(record.reference);
    for (const ExprId operand : resolved_.operands(record)) mark_expr(operand);
  }

  const Resolved& resolved_;
  std::vector<bool> effects_;
  std::vector<bool> reached_;
  std::vector<bool> live_;
  std::vector<bool> live_exprs_;
  std::vector<bool> live_variables_;
  std::vector<std::vector<StmtId>> writers_;  // by VariableId; reached ones only
  std::vector<StmtId> statements_;            // live, what they need not marked yet
  std::vector<ExprId> exprs_;                 // likewise
};

}  // namespace

StatusOr<PassResult> dce(const Program& program) {
  const StatusOr<Resolved> resolved = resolve_for_pass(program);
  if (!resolved.ok()) return resolved.status();
  const std::vector<bool> live = Marker(*resolved).run();
  TypedRewriter rewriter;
  rewriter.node = [&](StmtId id, const Node& rebuilt) {
    return live[id] ? std::vector<Node>{rebuilt} : std::vector<Node>();
  };
  return compared(program, rewrite(*resolved, rewriter));
}

}  // namespace vyre::passes

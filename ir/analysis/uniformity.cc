// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/analysis/uniformity.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>

#include "vyre/ir/analysis/barrier_phases.h"

namespace vyre {
namespace {

constexpr uint64_t kSubgroupWidth = 32;

// Lists of numbers by number, in one array.
class Adjacency {
 public:
  struct Edge {
    uint32_t from;
    uint32_t to;
  };

  Adjacency(size_t sources, const std::vector<Edge>& edges)
      : begin_(sources + 1), targets_(edges.size()) {
    for (const Edge& edge : edges) ++begin_[edge.from + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<size_t> next = begin_;
    for (const Edge& edge : edges) targets_[next[edge.from]++] = edge.to;
  }
  std::span<const uint32_t> of(uint32_t source) const {
    return std::span(targets_).subspan(begin_[source], begin_[source + 1] - begin_[source]);
  }

 private:
  std::vector<size_t> begin_;
  std::vector<uint32_t> targets_;
};

std::vector<Adjacency::Edge> uses_by_expressions(const Resolved& resolved) {
  std::vector<Adjacency::Edge> edges;
  for (ExprId user = 0; user < resolved.expressions.size(); ++user) {
    for (const ExprId operand : resolved.operands(resolved.expressions[user])) {
      edges.push_back({operand, user});
    }
  }
  return edges;
}

std::vector<Adjacency::Edge> uses_by_statements(const Resolved& resolved) {
  std::vector<Adjacency::Edge> edges;
  for (StmtId user = 0; user < resolved.statements.size(); ++user) {
    for (const ExprId operand : resolved.operands(resolved.statements[user])) {
      edges.push_back({operand, user});
    }
  }
  return edges;
}

std::vector<Adjacency::Edge> uses_of_variables(const Resolved& resolved) {
  std::vector<Adjacency::Edge> edges;
  for (ExprId user = 0; user < resolved.expressions.size(); ++user) {
    const ResolvedExpr& record = resolved.expressions[user];
    if (record.expr->op() != Op::kVar || record.reference == kNoId) continue;
    edges.push_back({record.reference, user});
  }
  return edges;
}

// What may change the memory of a load between the times at which two invocations make it.
class Writes {
 public:
  Writes(const Resolved& resolved, const Adjacency& expr_users, const Adjacency& stmt_users)
      : buffers_(resolved.program.buffers()), phases_(resolved), of_(buffers_.size()) {
    for (StmtId id = 0; id < resolved.statements.size(); ++id) {
      const ResolvedStmt& stmt = resolved.statements[id];
      unknown_ = unknown_ || stmt.node->info().has(NodeFlags::kCarried);
      if (stmt.node->kind() == NodeKind::kStore && stmt.buffer != kNoId) {
        note(stmt.buffer, id);
        in_phases_.push_back({phases_.of(id), stmt.buffer, id});
      }
      // Written when the copy is waited for, wherever that is.
      if (stmt.destination != kNoId) note(stmt.destination, id).in_all_phases = true;
    }
    for (ExprId id = 0; id < resolved.expressions.size(); ++id) {
      const ResolvedExpr& record = resolved.expressions[id];
      unknown_ = unknown_ || record.expr->info().has(OpFlags::kOpaque);
      if (!is_atomic(record.expr->op()) || record.reference == kNoId) continue;
      ExprId root = id;
      while (stmt_users.of(root).empty()) root = expr_users.of(root).front();
      note(record.reference, stmt_users.of(root).front()).in_all_phases = true;
    }
    std::ranges::sort(in_phases_);
  }

  // A statement that may write what the load reads (kNoId: something unknown may), if there is one.
  std::optional<StmtId> find(ExprId load, uint32_t buffer) const {
    // What is carried may write whatever can be written.
    if (unknown_ && buffers_[buffer].is_writable()) return kNoId;
    const Written& written = of_[buffer];
    if (written.first == kNoId) return std::nullopt;
    const PhaseId phase = phases_.of_expression(load);
    const bool other_workgroups = !buffers_[buffer].is_workgroup();
    if (other_workgroups || written.in_all_phases || phase == kSeveralPhases) return written.first;
    const auto found = std::ranges::lower_bound(in_phases_, InPhase{phase, buffer, 0});
    const bool writes =
        found != in_phases_.end() && found->phase == phase && found->buffer == buffer;
    return writes ? std::optional(found->stmt) : std::nullopt;
  }

 private:
  struct Written {
    StmtId first = kNoId;
    bool in_all_phases = false;
  };
  struct InPhase {
    PhaseId phase;
    uint32_t buffer;
    StmtId stmt;
    auto operator<=>(const InPhase&) const = default;
  };

  Written& note(uint32_t buffer, StmtId stmt) {
    of_[buffer].first = std::min(of_[buffer].first, stmt);
    return of_[buffer];
  }

  const std::vector<BufferDecl>& buffers_;
  const BarrierPhases phases_;
  std::vector<Written> of_;         // by buffer
  std::vector<InPhase> in_phases_;  // sorted
  bool unknown_ = false;
};

}  // namespace

class UniformityAnalysis {
 public:
  explicit UniformityAnalysis(const Resolved& resolved)
      : resolved_(resolved),
        expr_users_(resolved.expressions.size(), uses_by_expressions(resolved)),
        stmt_users_(resolved.expressions.size(), uses_by_statements(resolved)),
        writes_(resolved, expr_users_, stmt_users_),
        variable_users_(resolved.variables.size(), uses_of_variables(resolved)),
        unparted_(resolved.statements.size() + 1),
        exited_(2 * resolved.statements.size()) {
    out_.parted_by_.assign(resolved.statements.size(), kNoId);
    out_.expr_origins_.assign(resolved.expressions.size(), kNoId);
    out_.variable_origins_.assign(resolved.variables.size(), kNoId);
    std::iota(unparted_.begin(), unparted_.end(), 0U);
    find_segments();
  }

  Uniformity run() {
    if (resolved_.program.workgroup_invocations() == 1) return std::move(out_);
    for (ExprId id = 0; id < resolved_.expressions.size(); ++id) {
      const ResolvedExpr& record = resolved_.expressions[id];
      if (differs_by_itself(record)) diverge(id, new_origin({.expr = id}));
      if (record.expr->op() != Op::kLoad || record.reference == kNoId) continue;
      const std::optional<StmtId> write = writes_.find(id, record.reference);
      if (write) diverge(id, new_origin({.expr = id, .write = *write}));
    }
    while (!exprs_.empty() || !stmts_.empty()) {
      if (!stmts_.empty()) {
        const StmtId stmt = stmts_.back();
        stmts_.pop_back();
        part(stmt);
        continue;
      }
      const ExprId expr = exprs_.back();
      exprs_.pop_back();
      spread(expr);
    }
    return std::move(out_);
  }

 private:
  // ---- values ----

  bool one_subgroup() const { return resolved_.program.workgroup_invocations() <= kSubgroupWidth; }

  bool differs_by_itself(const ResolvedExpr& record) const {
    const Op op = record.expr->op();
    const OpInfo& info = op_info(op);
    if (info.has(OpFlags::kOpaque) || info.has(OpFlags::kAtomic)) return true;
    if (is_collective(op)) return !one_subgroup() || info.rule == TypeRule::kLegacySubgroup;
    return op == Op::kSubgroupLocalId || differs_along_axis(*record.expr);
  }

  bool differs_along_axis(const Expr& id) const {
    const bool per_invocation = id.op() == Op::kInvocationId || id.op() == Op::kLocalId;
    return per_invocation && (id.bits() > 2 || resolved_.program.workgroup_size()[id.bits()] != 1);
  }

  // Whether a divergent operand makes the user divergent. In a workgroup of one subgroup, all
  // invocations get the result of a reduction, and that of one lane from a shuffle.
  bool passes_on(ExprId operand, ExprId user) const {
    const ResolvedExpr& record = resolved_.expressions[user];
    if (record.expr->op() == Op::kSubgroupShuffle) return resolved_.operands(record)[1] == operand;
    return !is_collective(record.expr->op());
  }

  uint32_t new_origin(const DivergenceOrigin& origin) {
    out_.origins_.push_back(origin);
    return static_cast<uint32_t>(out_.origins_.size() - 1);
  }

  void diverge(ExprId expr, uint32_t origin) {
    if (!out_.is_uniform(expr)) return;
    out_.expr_origins_[expr] = origin;
    exprs_.push_back(expr);
  }

  void diverge_variable(VariableId variable, uint32_t origin) {
    if (variable == kNoId || !out_.is_uniform_variable(variable)) return;
    out_.variable_origins_[variable] = origin;
    for (const ExprId user : variable_users_.of(variable)) diverge(user, origin);
  }

  void spread(ExprId expr) {
    const uint32_t origin = out_.expr_origins_[expr];
    for (const ExprId user : expr_users_.of(expr)) {
      if (passes_on(expr, user)) diverge(user, origin);
    }
    for (const StmtId user : stmt_users_.of(expr)) spread_to_statement(user, origin);
  }

  // A statement has a divergent operand.
  void spread_to_statement(StmtId stmt, uint32_t origin) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    const NodeKind kind = record.node->kind();
    if (kind == NodeKind::kLet || kind == NodeKind::kAssign || kind == NodeKind::kLoop) {
      diverge_variable(record.variable, origin);
    }
    if (kind == NodeKind::kIf || kind == NodeKind::kLoop) part_range(stmt + 1, record.end, stmt);
  }

  // ---- control ----

  // Statements are flattened where only blocks and regions stand around them; grid barriers among
  // those end segments, and what left a segment takes part in the next one (E20).
  void find_segments() {
    flattened_.resize(resolved_.statements.size());
    for (StmtId id = 0; id < resolved_.statements.size(); ++id) {
      const ResolvedStmt& record = resolved_.statements[id];
      const StmtId parent = record.parent;
      flattened_[id] = parent == kNoId || (flattened_[parent] && !divides(parent));
      const Node& node = *record.node;
      if (flattened_[id] && node.kind() == NodeKind::kBarrier &&
          node.ordering() == MemoryOrdering::kGridSync) {
        segment_ends_.push_back(id);
      }
    }
    segment_ends_.push_back(static_cast<StmtId>(resolved_.statements.size()));
  }

  bool divides(StmtId stmt) const {
    const NodeKind kind = resolved_.statements[stmt].node->kind();
    return kind == NodeKind::kIf || kind == NodeKind::kLoop;
  }

  // The first statement from `stmt` on that is together.
  StmtId next_together(StmtId stmt) {
    while (unparted_[stmt] != stmt) {
      unparted_[stmt] = unparted_[unparted_[stmt]];
      stmt = unparted_[stmt];
    }
    return stmt;
  }

  void part_range(StmtId begin, StmtId end, StmtId cause) {
    for (StmtId stmt = next_together(begin); stmt < end; stmt = next_together(stmt)) {
      unparted_[stmt] = stmt + 1;
      out_.parted_by_[stmt] = cause;
      stmts_.push_back(stmt);
    }
  }

  // A statement turned out not to be reached together.
  void part(StmtId stmt) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    if (record.node->kind() == NodeKind::kAssign && record.variable != kNoId &&
        out_.is_uniform_variable(record.variable)) {
      diverge_variable(record.variable, new_origin({.assignment = stmt}));
    }
    if (record.node->kind() == NodeKind::kReturn) leave(stmt);
  }

  // Some invocations are gone behind a return: in the rest of all bodies around it, and in the
  // other iterations of all loops around it.
  void leave(const StmtId exit) {
    StmtId stmt = exit;
    while (!flattened_[stmt]) {
      const ResolvedStmt& record = resolved_.statements[stmt];
      const ResolvedStmt& parent = resolved_.statements[record.parent];
      const bool in_then = parent.node->kind() == NodeKind::kIf && record.body == 0;
      part_range(record.end, in_then ? parent.else_begin : parent.end, exit);
      if (parent.node->kind() == NodeKind::kLoop) part_range(record.parent + 1, parent.end, exit);
      const size_t body = 2 * size_t{record.parent} + record.body;
      // What stands behind the statements around this body has been dealt with.
      if (exited_[body]) return;
      exited_[body] = true;
      stmt = record.parent;
    }
    const auto segment_end = std::ranges::upper_bound(segment_ends_, stmt);
    part_range(resolved_.statements[stmt].end, *segment_end, exit);
  }

  const Resolved& resolved_;
  const Adjacency expr_users_;
  const Adjacency stmt_users_;
  const Writes writes_;
  const Adjacency variable_users_;
  Uniformity out_;
  std::vector<ExprId> exprs_;     // divergent, their users to be looked at
  std::vector<StmtId> stmts_;     // parted, to be looked at
  std::vector<StmtId> unparted_;  // union-find: leads to the next statement that is together
  std::vector<bool> exited_;      // by body: a return in it has been dealt with
  std::vector<bool> flattened_;
  std::vector<StmtId> segment_ends_;
};

Uniformity analyze_uniformity(const Resolved& resolved) {
  return UniformityAnalysis(resolved).run();
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/bind_shared.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vyre/ir/names.h"
#include "vyre/passes/expression_facts.h"
#include "vyre/passes/typed_rewrite.h"

namespace vyre::passes {
namespace {

// What stands before a statement, and what it works on then.
struct Bound {
  std::vector<Node> lets;
  std::vector<Expr> operands;  // empty, like lets, if nothing changes
};

// The operands of one statement, each expression once.
class StatementBinder {
 public:
  StatementBinder(const Resolved& resolved, const std::vector<bool>& effects,
                  const std::vector<bool>& loads, FreshNames& names)
      : resolved_(resolved), effects_(effects), loads_(loads), names_(names) {}

  Bound bind(const ResolvedStmt& stmt) {
    place_ = stmt.node->place();
    roots_ = resolved_.operands(stmt);
    count_uses();
    has_effect_ = std::ranges::any_of(roots_, [&](ExprId id) { return effects_[id]; });
    for (const ExprId id : order_) rebuild(id);
    if (bound_.lets.empty()) return {};
    for (const ExprId root : roots_) bound_.operands.push_back(done_.at(root).expr);
    return std::move(bound_);
  }

 private:
  struct Done {
    Expr expr;
    uint32_t depth;  // above leaves and variables
  };

  // Fills order_ (operands before their users) and uses_.
  void count_uses() {
    struct Frame {
      ExprId id;
      size_t next;
    };
    std::vector<Frame> stack;
    const auto use = [&](ExprId id) {
      if (++uses_[id] == 1) stack.push_back({id, 0});
    };
    for (const ExprId root : roots_) {
      use(root);
      while (!stack.empty()) {
        Frame& frame = stack.back();
        const std::span<const ExprId> operands =
            resolved_.operands(resolved_.expressions[frame.id]);
        if (frame.next < operands.size()) {
          use(operands[frame.next++]);
          continue;
        }
        order_.push_back(frame.id);
        stack.pop_back();
      }
    }
  }

  void rebuild(ExprId id) {
    const ResolvedExpr& record = resolved_.expressions[id];
    std::vector<Expr> operands;
    uint32_t depth = 0;
    bool changed = false;
    for (const ExprId operand : resolved_.operands(record)) {
      const Done& done = done_.at(operand);
      depth = std::max(depth, done.depth + 1);
      changed |= !done.expr.same_object(record.expr->operand(operands.size()));
      operands.push_back(done.expr);
    }
    Done done{changed ? record.expr->with_operands(std::move(operands)) : *record.expr, depth};
    if (may_bind(id, depth) && (uses_.at(id) > 1 || is_too_deep(id, depth))) {
      const std::string name = names_.fresh("shared");
      bound_.lets.push_back(Node::let_bind(name, std::move(done.expr), place_));
      done = {Expr::var(name, place_), 0};
    }
    done_.emplace(id, std::move(done));
  }

  // What would be an operand of something deeper than the limit.
  bool is_too_deep(ExprId id, uint32_t depth) const {
    return depth >= kMaxBoundDepth - 1 && std::ranges::find(roots_, id) == roots_.end();
  }

  bool may_bind(ExprId id, uint32_t depth) const {
    if (depth == 0 || effects_[id] || !resolved_.expressions[id].type) return false;
    return !(loads_[id] && has_effect_);
  }

  const Resolved& resolved_;
  const std::vector<bool>& effects_;
  const std::vector<bool>& loads_;
  FreshNames& names_;
  Place place_;
  bool has_effect_ = false;
  std::span<const ExprId> roots_;
  std::vector<ExprId> order_;
  std::unordered_map<ExprId, uint32_t> uses_;
  std::unordered_map<ExprId, Done> done_;
  Bound bound_;
};

// By ExprId: whether it reads memory, operands included.
std::vector<bool> expressions_with_loads(const Resolved& resolved) {
  std::vector<bool> loads;
  for (const ResolvedExpr& record : resolved.expressions) {
    const std::span<const ExprId> operands = resolved.operands(record);
    loads.push_back(record.expr->op() == Op::kLoad ||
                    std::ranges::any_of(operands, [&](ExprId id) { return loads[id]; }));
  }
  return loads;
}

}  // namespace

StatusOr<PassResult> bind_shared(const Program& program) {
  const StatusOr<Resolved> resolved = resolve_for_pass(program);
  if (!resolved.ok()) return resolved.status();
  const std::vector<bool> effects = expressions_with_effects(*resolved);
  const std::vector<bool> loads = expressions_with_loads(*resolved);
  FreshNames names(program);
  std::vector<Bound> bound;
  for (const ResolvedStmt& stmt : resolved->statements) {
    bound.push_back(StatementBinder(*resolved, effects, loads, names).bind(stmt));
  }
  TypedRewriter rewriter;
  rewriter.node = [&](StmtId id, const Node& rebuilt) -> std::vector<Node> {
    if (bound[id].lets.empty()) return {rebuilt};
    std::vector<Node> nodes = std::move(bound[id].lets);
    nodes.push_back(rebuilt.with_parts(std::move(bound[id].operands),
                                       {rebuilt.bodies().begin(), rebuilt.bodies().end()}));
    return nodes;
  };
  return compared(program, rewrite(*resolved, rewriter));
}

}  // namespace vyre::passes

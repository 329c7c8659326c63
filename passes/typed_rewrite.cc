// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/typed_rewrite.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "vyre/passes/expression_facts.h"

namespace vyre::passes {
namespace {

bool same_objects(std::span<const Node> a, std::span<const Node> b) {
  return std::ranges::equal(a, b, [](const Node& x, const Node& y) { return x.same_object(y); });
}

class Rewrite {
 public:
  Rewrite(const Resolved& resolved, const TypedRewriter& rewriter)
      : resolved_(resolved), rewriter_(rewriter), bodies_(resolved.statements.size()) {}

  Program run() {
    rewrite_expressions();
    // Backwards, so that what is nested in a statement is done before the statement itself.
    for (auto id = static_cast<StmtId>(resolved_.statements.size()); id-- > 0;) {
      rewrite_statement(id);
    }
    std::ranges::reverse(entry_);
    const Program& program = resolved_.program;
    return same_objects(entry_, program.entry()) ? program : program.with_entry(std::move(entry_));
  }

 private:
  void rewrite_expressions() {
    exprs_.reserve(resolved_.expressions.size());
    std::vector<TypedExpr> operands;
    // Operands have smaller numbers than what they are operands of.
    for (const ResolvedExpr& record : resolved_.expressions) {
      operands.clear();
      for (const ExprId operand : resolved_.operands(record)) operands.push_back(exprs_[operand]);
      const TypedExpr rebuilt = rebuild(record, operands);
      TypedExpr result = rewriter_.expr ? rewriter_.expr(rebuilt, operands) : rebuilt;
      result.changed = !result.expr.same_object(*record.expr);
      exprs_.push_back(std::move(result));
    }
  }

  static TypedExpr rebuild(const ResolvedExpr& record, std::span<const TypedExpr> operands) {
    TypedExpr rebuilt{*record.expr, record.type, false, {}, false};
    std::vector<Expr> exprs;
    for (size_t i = 0; i < operands.size(); ++i) {
      exprs.push_back(operands[i].expr);
      rebuilt.changed |= !operands[i].expr.same_object(record.expr->operand(i));
      rebuilt.effectful |= operands[i].effectful;
      if (i < rebuilt.operand_types.size()) rebuilt.operand_types[i] = operands[i].type;
    }
    if (rebuilt.changed) rebuilt.expr = record.expr->with_operands(std::move(exprs));
    rebuilt.effectful |= has_own_effect(rebuilt.expr, rebuilt.operand_types[0]);
    return rebuilt;
  }

  void rewrite_statement(StmtId id) {
    const ResolvedStmt& stmt = resolved_.statements[id];
    const Node rebuilt = rebuild(id);
    std::vector<Node>& siblings = body_of_parent(stmt);
    if (!rewriter_.node) {
      siblings.push_back(rebuilt);
      return;
    }
    std::vector<Node> nodes = rewriter_.node(id, rebuilt);
    siblings.insert(siblings.end(), std::make_move_iterator(nodes.rbegin()),
                    std::make_move_iterator(nodes.rend()));
  }

  Node rebuild(StmtId id) {
    const ResolvedStmt& stmt = resolved_.statements[id];
    const Node& node = *stmt.node;
    bool changed = false;
    std::vector<Expr> operands;
    for (const ExprId operand : resolved_.operands(stmt)) {
      operands.push_back(exprs_[operand].expr);
      changed |= !operands.back().same_object(node.operand(operands.size() - 1));
    }
    std::vector<std::vector<Node>> bodies = std::move(bodies_[id]);
    bodies.resize(node.bodies().size());
    for (size_t i = 0; i < bodies.size(); ++i) {
      std::ranges::reverse(bodies[i]);
      changed |= !same_objects(bodies[i], node.body(i));
    }
    return changed ? node.with_parts(std::move(operands), std::move(bodies)) : node;
  }

  // Where a statement's successors go, last statement first.
  std::vector<Node>& body_of_parent(const ResolvedStmt& stmt) {
    if (stmt.parent == kNoId) return entry_;
    std::vector<std::vector<Node>>& bodies = bodies_[stmt.parent];
    if (bodies.size() <= stmt.body) bodies.resize(size_t{stmt.body} + 1);
    return bodies[stmt.body];
  }

  const Resolved& resolved_;
  const TypedRewriter& rewriter_;
  std::vector<TypedExpr> exprs_;                        // by ExprId
  std::vector<std::vector<std::vector<Node>>> bodies_;  // by StmtId; last statement first
  std::vector<Node> entry_;                             // last statement first
};

}  // namespace

Program rewrite(const Resolved& resolved, const TypedRewriter& rewriter) {
  return Rewrite(resolved, rewriter).run();
}

}  // namespace vyre::passes

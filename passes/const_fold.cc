// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/const_fold.h"

#include <vector>

#include "vyre/ir/scalar/float_environment.h"
#include "vyre/passes/fold_constant.h"
#include "vyre/passes/typed_rewrite.h"

namespace vyre::passes {
namespace {

std::vector<Node> take_branch(const Node& branch) {
  const Expr& condition = branch.operand(0);
  if (!is_literal(condition.op())) return {branch};
  const std::vector<Node>& taken = branch.bodies()[condition.bits() != 0 ? 0 : 1];
  if (taken.empty()) return {};
  // A block, because the branch was a scope of its own.
  return {Node::block(taken, branch.place())};
}

std::vector<Node> drop_if_never_entered(const Node& loop) {
  const Expr& from = loop.operand(0);
  const Expr& to = loop.operand(1);
  if (!is_literal(from.op()) || !is_literal(to.op()) || from.bits() < to.bits()) return {loop};
  return {};
}

}  // namespace

StatusOr<PassResult> const_fold(const Program& program) {
  const StatusOr<Resolved> resolved = resolve_for_pass(program);
  if (!resolved.ok()) return resolved.status();
  const scalar::FloatEnvironment environment;
  TypedRewriter rewriter;
  rewriter.expr = [](const TypedExpr& rebuilt, std::span<const TypedExpr> operands) {
    return fold_constant(rebuilt, operands).value_or(rebuilt);
  };
  rewriter.node = [](StmtId, const Node& rebuilt) -> std::vector<Node> {
    if (rebuilt.kind() == NodeKind::kIf) return take_branch(rebuilt);
    if (rebuilt.kind() == NodeKind::kLoop) return drop_if_never_entered(rebuilt);
    return {rebuilt};
  };
  return compared(program, rewrite(*resolved, rewriter));
}

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "vyre/ir/resolve.h"
#include "vyre/ir/walk.h"
#include "vyre/tools/reduce/reduction.h"
#include "vyre/tools/reduce/tree_edit.h"

namespace vyre::tools {
namespace {

using Type = std::optional<DataType::Kind>;

// 0 or 1 of a value type; u32 where the type is not known, as in a program that does not resolve.
Expr literal_of(Type type, int value) {
  const DataType::Kind kind = type.value_or(DataType::U32);
  if (kind == DataType::F32) return Expr::f32(static_cast<float>(value), Place());
  if (kind == DataType::F64) return Expr::f64(value, Place());
  return Expr::literal(kind, static_cast<uint64_t>(value), Place());
}

// The variables that statements bind, other than those of loops, by name.
struct BoundVariable {
  Type type;
  std::optional<Expr> value;  // if it is bound once and never assigned
};
std::map<std::string, BoundVariable> bound_variables(const Program& program) {
  std::map<std::string, BoundVariable> variables;
  std::set<std::string> loops;
  const Resolved resolved = resolve(program);
  for (const ResolvedStmt& stmt : resolved.statements) {
    const Node& node = *stmt.node;
    const std::string name(node.name());
    if (node.kind() == NodeKind::kLoop) loops.insert(name);
    if (node.kind() != NodeKind::kLet && node.kind() != NodeKind::kAssign) continue;
    const Type type =
        stmt.variable == kNoId ? std::nullopt : resolved.variables[stmt.variable].type;
    const auto [it, added] = variables.try_emplace(name, BoundVariable{type, node.operand(0)});
    if (!added) it->second.value.reset();
    // One literal cannot take the place of two types.
    if (it->second.type != type) loops.insert(name);
  }
  for (const std::string& name : loops) variables.erase(name);
  return variables;
}

// The program without what binds or assigns the names, with something in the place of their uses.
Program without_variables(const Program& program, const std::map<std::string_view, Expr>& uses) {
  const Rewriter rewriter{.expr =
                              [&uses](const Expr& expr) {
                                if (expr.op() != Op::kVar) return expr;
                                const auto it = uses.find(expr.name());
                                return it == uses.end() ? expr : it->second;
                              },
                          .node = [&uses](const Node& node) -> Body {
                            const bool binds =
                                node.kind() == NodeKind::kLet || node.kind() == NodeKind::kAssign;
                            if (binds && uses.contains(node.name())) return {};
                            return node;
                          }};
  return rewrite(program, rewriter);
}

// One statement's operands at a time, by the tables of the program as it is.
class ExpressionReducer {
 public:
  explicit ExpressionReducer(Reduction& reduction)
      : reduction_(reduction), resolved_(resolve(reduction.program())) {}

  void reduce() {
    // Statements keep their numbers: only expressions change. From the last one on, since later
    // statements depend on earlier ones.
    for (size_t s = resolved_.statements.size(); s-- > 0 && !reduction_.stopped();) {
      const auto stmt = static_cast<StmtId>(s);
      for (size_t k = 0; k < resolved_.statements[stmt].node->operands().size(); ++k) {
        while (reduce_operand(stmt, k) && !reduction_.stopped()) {
        }
      }
    }
  }

 private:
  // Whether something in the operand was replaced. Larger subexpressions first.
  bool reduce_operand(StmtId stmt, size_t k) {
    absl::flat_hash_set<ExprId> seen;
    std::vector<ExprId> pending{resolved_.operands(resolved_.statements[stmt])[k]};
    while (!pending.empty() && !reduction_.stopped()) {
      const ExprId id = pending.back();
      pending.pop_back();
      if (!seen.insert(id).second) continue;
      if (replace_expression(stmt, k, id)) return true;
      const std::span<const ExprId> operands = resolved_.operands(resolved_.expressions[id]);
      pending.insert(pending.end(), operands.rbegin(), operands.rend());
    }
    return false;
  }

  bool replace_expression(StmtId stmt, size_t k, ExprId id) {
    const ResolvedExpr& record = resolved_.expressions[id];
    const Expr old = *record.expr;
    std::vector<Expr> candidates{literal_of(record.type, 0), literal_of(record.type, 1)};
    // Operands of another type can do, too, where they are stored or tested.
    for (const bool same_type : {true, false}) {
      for (const ExprId operand : resolved_.operands(record)) {
        const ResolvedExpr& part = resolved_.expressions[operand];
        if ((part.type == record.type) == same_type) candidates.push_back(*part.expr);
      }
    }
    const auto is_equal = [&old](const Expr& expr) { return expr.digest() == old.digest(); };
    const auto is_same = [&old](const Expr& expr) { return expr.same_object(old); };
    return std::ranges::any_of(candidates, [&](const Expr& candidate) {
      return replace(stmt, k, is_equal, candidate) || replace(stmt, k, is_same, candidate);
    });
  }

  bool replace(StmtId stmt, size_t k, const std::function<bool(const Expr&)>& is_old,
               const Expr& candidate) {
    const Node& node = *resolved_.statements[stmt].node;
    std::vector<Expr> operands(node.operands().begin(), node.operands().end());
    const Rewriter rewriter{
        .expr = [&](const Expr& expr) { return is_old(expr) ? candidate : expr; }, .node = {}};
    operands[k] = rewrite_expr(operands[k], rewriter);
    Node changed =
        node.with_parts(std::move(operands), {node.bodies().begin(), node.bodies().end()});
    const uint32_t index = resolved_.statements[stmt].index;
    const Program program = with_statements(reduction_.program(), path_of(stmt), index, index + 1,
                                            {std::move(changed)});
    if (!reduction_.attempt(program)) return false;
    resolved_ = resolve(reduction_.program());
    return true;
  }

  // Of the body that the statement stands in.
  BodyPath path_of(StmtId stmt) const {
    BodyPath path;
    for (StmtId s = stmt; resolved_.statements[s].parent != kNoId;) {
      const ResolvedStmt& inner = resolved_.statements[s];
      s = inner.parent;
      path.push_back({resolved_.statements[s].index, inner.body});
    }
    std::ranges::reverse(path);
    return path;
  }

  Reduction& reduction_;
  Resolved resolved_;
};

}  // namespace

void reduce_variables(Reduction& reduction) {
  const std::map<std::string, BoundVariable> variables = bound_variables(reduction.program());
  std::vector<const std::pair<const std::string, BoundVariable>*> left;
  for (const auto& variable : variables) left.push_back(&variable);
  const auto drop = [&](size_t begin, size_t end, int value) {
    std::map<std::string_view, Expr> uses;
    for (size_t i = begin; i < end; ++i) {
      uses.emplace(left[i]->first, literal_of(left[i]->second.type, value));
    }
    return reduction.attempt(without_variables(reduction.program(), uses));
  };
  remove_stretches(left.size(), [&](size_t begin, size_t end) {
    if (!drop(begin, end, 0) && !drop(begin, end, 1)) return false;
    left.erase(left.begin() + static_cast<ptrdiff_t>(begin),
               left.begin() + static_cast<ptrdiff_t>(end));
    return true;
  });
  // What is left may be written where it is used.
  for (const auto* variable : left) {
    if (!variable->second.value) continue;
    const Program inlined =
        without_variables(reduction.program(), {{variable->first, *variable->second.value}});
    reduction.attempt(inlined);
  }
}

void reduce_expressions(Reduction& reduction) { ExpressionReducer(reduction).reduce(); }

}  // namespace vyre::tools

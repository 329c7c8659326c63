// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_steps.h"

#include <fmt/format.h>

#include <unordered_map>

#include "vyre/ir/derived_ops.h"
#include "vyre/ir/type_rules.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

struct TypedStep {
  int32_t number;  // as in DerivedStep::operands
  DataType::Kind type;
};

scalar::Kernel kernel_of(const Expr& expr, std::span<const TypedStep> operands) {
  if (expr.op() == Op::kCast) {
    return scalar::find_cast_kernel(operands[0].type, expr.type().kind());
  }
  if (expr.op() == Op::kBitcast) {
    return scalar::find_bitcast_kernel(operands[0].type, expr.type().kind());
  }
  return scalar::find_kernel(expr.op(), operands[expr.op() == Op::kSelect ? 1 : 0].type);
}

}  // namespace

std::vector<DerivedStep> derived_steps(Op op, DataType::Kind operand_type) {
  const OpInfo& info = op_info(op);
  if (!is_derived(op, operand_type)) return {};
  // Operands stand as variables that are named by their number.
  const std::vector<Expr> operands{Expr::var("0"), Expr::var("1")};
  const size_t arity = info.group == WireGroup::kUnOp ? 1 : 2;
  const Expr meaning = derived_meaning(op, operand_type, std::span(operands).first(arity));
  std::vector<DerivedStep> steps;
  std::unordered_map<const void*, TypedStep> done;
  for (const Expr* expr : post_order(meaning)) {
    if (expr->op() == Op::kVar) {
      done.emplace(expr->identity(), TypedStep{expr->name() == "0" ? -1 : -2, operand_type});
      continue;
    }
    DerivedStep step;
    std::vector<TypedStep> parts;
    std::vector<std::optional<DataType::Kind>> types;
    for (const Expr& operand : expr->operands()) {
      parts.push_back(done.at(operand.identity()));
      types.emplace_back(parts.back().type);
      step.operands[parts.size() - 1] = parts.back().number;
    }
    step.arity = static_cast<uint8_t>(parts.size());
    const TypeResult type = check_types(*expr, types);
    if (!type.type) return {};
    step.type = *type.type;
    if (is_literal(expr->op())) {
      step.constant = expr->bits();
    } else {
      step.kernel = kernel_of(*expr, parts);
      if (step.kernel == nullptr) return {};
    }
    done.emplace(expr->identity(), TypedStep{static_cast<int32_t>(steps.size()), *type.type});
    steps.push_back(step);
  }
  return steps;
}

}  // namespace vyre

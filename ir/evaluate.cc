// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/evaluate.h"

#include <unordered_map>
#include <vector>

#include "vyre/ir/derived_ops.h"
#include "vyre/ir/type_rules.h"

namespace vyre {
namespace {

using scalar::ArithmeticTrap;
using scalar::Kernel;

Kernel kernel_of(Op op, DataType::Kind operand_type, DataType::Kind target) {
  if (op == Op::kCast) return scalar::find_cast_kernel(operand_type, target);
  if (op == Op::kBitcast) return scalar::find_bitcast_kernel(operand_type, target);
  return scalar::find_kernel(op, operand_type);
}

// The operand whose type chooses the kernel.
size_t typing_operand(Op op) { return op == Op::kSelect ? 1 : 0; }

// A derived operation on constants through its meaning.
std::optional<uint64_t> evaluate_meaning(Op op, DataType::Kind type,
                                         std::span<const uint64_t> operands, ArithmeticTrap& trap) {
  std::vector<Expr> literals;
  literals.reserve(operands.size());
  for (const uint64_t bits : operands) literals.push_back(Expr::literal(type, bits));
  const std::optional<Constant> value =
      evaluate_constant(derived_meaning(op, type, literals), trap);
  return value ? std::optional(value->bits) : std::nullopt;
}

// Evaluates a graph bottom-up; each object once, since constants have no effects.
class Evaluator {
 public:
  explicit Evaluator(ArithmeticTrap& trap) : trap_(trap) {}

  std::optional<Constant> run(const Expr& root) {
    stack_.push_back({&root, 0});
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      const std::span<const Expr> operands = frame.expr->operands();
      if (frame.next_operand < operands.size()) {
        const Expr* operand = &operands[frame.next_operand++];
        if (!values_.contains(operand->identity())) stack_.push_back({operand, 0});
        continue;
      }
      const std::optional<Constant> value = apply(*frame.expr);
      if (!value) return std::nullopt;
      values_.emplace(frame.expr->identity(), *value);
      stack_.pop_back();
    }
    return values_.at(root.identity());
  }

 private:
  struct Frame {
    const Expr* expr;
    size_t next_operand;
  };

  // The value of an expression whose operands have theirs.
  std::optional<Constant> apply(const Expr& expr) {
    if (is_literal(expr.op())) return Constant{expr.type().kind(), expr.bits()};
    std::vector<std::optional<DataType::Kind>> types;
    std::vector<uint64_t> bits;
    for (const Expr& operand : expr.operands()) {
      const Constant& value = values_.at(operand.identity());
      types.push_back(value.type);
      bits.push_back(value.bits);
    }
    const TypeResult result = check_types(expr, types);
    if (!result.type || !result.errors.empty() || types.empty()) return std::nullopt;

    const bool converts = expr.info().format == OpFormat::kCast;
    const DataType::Kind target = converts ? expr.type().kind() : *result.type;
    const DataType::Kind operand_type = *types[typing_operand(expr.op())];
    ArithmeticTrap trap = ArithmeticTrap::kNone;
    const std::optional<uint64_t> value = evaluate_op(expr.op(), operand_type, target, bits, trap);
    if (!value) return std::nullopt;
    if (trap_ == ArithmeticTrap::kNone) trap_ = trap;
    return Constant{*result.type, *value};
  }

  ArithmeticTrap& trap_;
  std::vector<Frame> stack_;
  // Looked up only, never iterated over.
  std::unordered_map<const void*, Constant> values_;
};

}  // namespace

std::optional<uint64_t> evaluate_op(Op op, DataType::Kind operand_type, DataType::Kind target,
                                    std::span<const uint64_t> operands, ArithmeticTrap& trap) {
  if (is_derived(op, operand_type)) {
    if (!takes_operand_type(op, operand_type)) return std::nullopt;
    return evaluate_meaning(op, operand_type, operands, trap);
  }
  const Kernel kernel = kernel_of(op, operand_type, target);
  if (kernel == nullptr) return std::nullopt;
  return kernel(operands.data(), trap);
}

std::optional<Constant> evaluate_constant(const Expr& expr, ArithmeticTrap& trap) {
  return Evaluator(trap).run(expr);
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/exact_compiler.h"

#include <algorithm>

#include "vyre/interpreter/checks/exact_kernels.h"
#include "vyre/interpreter/lane_functions.h"
#include "vyre/interpreter/lane_statement.h"

namespace vyre::interpreter {

std::optional<LaneValue> ExactCompiler::of(ExprId id, std::span<const CompiledValue> operands,
                                           const CompiledValue& result) {
  if (!frame_.index_slice().expressions[id]) return std::nullopt;
  const ResolvedExpr& record = frame_.resolved().expressions[id];
  const Op op = record.expr->op();
  if (op == Op::kVar) return frame_.exact_variable(record.reference);
  const scalar::Kernel kernel = find_exact_kernel(op);
  if (kernel == nullptr) return std::nullopt;
  std::vector<LaneValue> values;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool chooses = op == Op::kSelect && i == 0;
    values.push_back(chooses ? operands[i].value : exact_of(operands[i]));
  }
  if (result.value.shape == Shape::kAffine) {
    return affine(op, values[0], values[1]);
  }
  if (values.size() < 3) values.resize(2, frame_.constant(0, true));
  if (op == Op::kCast) {
    // What a conversion makes of a number that is in its type is no arithmetic.
    values = {values[0], exact_of({operands[0].value, operands[0].type}),
              exact_of({result.value, result.type})};
  }
  if (op == Op::kBitAnd || op == Op::kDiv || op == Op::kMod) values.push_back(result.value);
  return apply(kernel, values);
}

void ExactCompiler::compare(SiteId site, const CompiledValue& index) {
  if (!index.exact) return;
  LaneInstruction code;
  code.run = &lane::compare_exact;
  code.identity = site;
  code.operands = {index.value.slot, index.value.step, index.exact->slot, index.exact->step};
  code.arity = index.value.shape == Shape::kAffine ? 2 : 1;
  code.scalars = index.value.shape == Shape::kVarying ? 0 : 1;
  code.wide = static_cast<uint8_t>((index.value.wide ? 1 : 0) | 4);
  emitter_.push(code, index.value.shape != Shape::kUniform);
}

void ExactCompiler::assign(VariableId variable, const CompiledValue& value) {
  if (!frame_.index_slice().variables[variable]) return;
  const LaneValue exact = exact_of(value);
  const LaneValue target = frame_.exact_variable(variable);
  if (target.shape == Shape::kVarying) {
    emit(&lane::copy_active_wide, lanes_of(exact), target.slot, true);
    return;
  }
  emit(&lane::copy_scalar, exact, target.slot, false);
  if (target.shape == Shape::kUniform) return;
  LaneValue step;
  step.slot = exact.shape == Shape::kAffine ? exact.step : frame_.constant(0, true).slot;
  emit(&lane::copy_scalar, step, target.step, false);
}

LaneValue ExactCompiler::exact_of(const CompiledValue& value) {
  if (value.exact) return *value.exact;
  const scalar::Kernel kernel = find_exact_kernel_of_value(value.type);
  if (value.value.shape != Shape::kAffine) return apply(kernel, std::array{value.value});
  const Slot none = frame_.constant(0, true).slot;
  LaneValue exact;
  exact.slot = apply_to_scalars(kernel, value.value.slot, none);
  // What is exact itself grows by a step that fits a lane's range.
  exact.step = apply_to_scalars(find_exact_kernel_of_value(DataType::I32), value.value.step, none);
  exact.shape = Shape::kAffine;
  exact.wide = true;
  return exact;
}

// Base and step of the result follow from those of the operands.
LaneValue ExactCompiler::affine(Op op, const LaneValue& a, const LaneValue& b) {
  const scalar::Kernel kernel = find_exact_kernel(op);
  const Slot none = frame_.constant(0, true).slot;
  LaneValue result;
  result.shape = Shape::kAffine;
  result.wide = true;
  result.slot = apply_to_scalars(kernel, a.slot, b.slot);
  if (op == Op::kMul || op == Op::kShl) {
    const bool left = a.shape == Shape::kAffine;
    result.step =
        left ? apply_to_scalars(kernel, a.step, b.slot) : apply_to_scalars(kernel, b.step, a.slot);
  } else {
    result.step = apply_to_scalars(kernel, a.shape == Shape::kAffine ? a.step : none,
                                   b.shape == Shape::kAffine ? b.step : none);
  }
  return result;
}

// An array; of a value that is none, too.
LaneValue ExactCompiler::lanes_of(const LaneValue& exact) {
  if (exact.shape == Shape::kVarying) return exact;
  LaneValue lanes;
  lanes.slot = emitter_.registers().new_lanes();
  lanes.shape = Shape::kVarying;
  lanes.wide = exact.wide;
  emit(exact.shape == Shape::kUniform ? &lane::broadcast_wide
       : exact.wide                   ? &lane::spread_exact
                                      : &lane::spread_affine,
       exact, lanes.slot, true);
  return lanes;
}

// The kernel once if all operands are scalars, otherwise for each lane.
LaneValue ExactCompiler::apply(scalar::Kernel kernel, std::span<const LaneValue> operands) {
  LaneInstruction code;
  code.kernel = kernel;
  bool scalar = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    LaneValue operand = operands[i];
    if (operand.shape == Shape::kAffine) {
      operand = lanes_of(operand);
    }
    scalar &= operand.shape != Shape::kVarying;
    const auto bit = static_cast<uint8_t>(1U << i);
    if (operand.shape == Shape::kUniform) code.scalars |= bit;
    if (operand.wide) code.wide |= bit;
    code.operands[i] = operand.slot;
  }
  // Not a number of operands that two instructions could be joined by.
  code.arity = 3;
  if (operands.size() < 3) {
    for (size_t i = operands.size(); i < 3; ++i) {
      code.operands[i] = frame_.constant(0, true).slot;
      code.scalars |= static_cast<uint8_t>(1U << i);
    }
  }
  if (scalar) {
    code.run = &lane::run_scalar_kernel;
    return emitter_.push_scalar(code, true);
  }
  code.run = &lane::run_kernel;
  return emitter_.push_lanes(code, true);
}

Slot ExactCompiler::apply_to_scalars(scalar::Kernel kernel, Slot a, Slot b) {
  LaneValue left;
  left.slot = a;
  left.wide = true;
  LaneValue right = left;
  right.slot = b;
  return apply(kernel, std::array{left, right}).slot;
}

void ExactCompiler::emit(LaneFunction run, const LaneValue& from, Slot target,
                         bool works_on_lanes) {
  LaneInstruction code;
  code.run = run;
  code.operands = {from.slot, from.step};
  code.arity = 1;
  if (run != &lane::copy_scalar && run != &lane::spread_affine) code.wide = kWideTarget;
  if (from.shape == Shape::kVarying) code.wide |= 1;
  code.target = target;
  emitter_.push(code, works_on_lanes);
}

}  // namespace vyre::interpreter

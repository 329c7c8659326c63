// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_emitter.h"

#include <algorithm>

#include "vyre/interpreter/lane_functions.h"
#include "vyre/interpreter/lane_statement.h"

namespace vyre::interpreter {

void LaneEmitter::describe(LaneInstruction& code, std::span<const LaneValue> operands) {
  for (size_t i = 0; i < std::min<size_t>(operands.size(), 3); ++i) {
    code.operands[i] = operands[i].slot;
    const auto bit = static_cast<uint8_t>(1U << i);
    if (operands[i].shape == Shape::kUniform) code.scalars |= bit;
    if (operands[i].wide) code.wide |= bit;
  }
}

void LaneEmitter::push(const LaneInstruction& code, bool works_on_lanes) {
  code_.push_back(code);
  has_lane_code_ |= works_on_lanes;
}

LaneValue LaneEmitter::push_scalar(LaneInstruction code, bool wide) {
  code.target = registers_.new_scalar();
  push(code, false);
  LaneValue value;
  value.slot = code.target;
  value.wide = wide;
  return value;
}

LaneValue LaneEmitter::push_lanes(LaneInstruction code, bool wide) {
  if (wide) code.wide |= kWideTarget;
  code.target = registers_.new_lanes();
  push(code, true);
  LaneValue value;
  value.slot = code.target;
  value.shape = Shape::kVarying;
  value.wide = wide;
  return value;
}

LaneValue LaneEmitter::apply(scalar::Kernel kernel, std::span<const LaneValue> operands,
                             bool wide) {
  LaneInstruction code;
  code.kernel = kernel;
  code.arity = static_cast<uint8_t>(operands.size());
  const bool selects = operands.size() == 3;
  const bool operands_are_wide = operands[selects ? 1 : 0].wide;
  const bool one_width = selects || operands.back().wide == operands_are_wide;
  const LaneForms* forms = one_width ? frame_.kernels().find(kernel, operands_are_wide) : nullptr;
  if (std::ranges::all_of(operands,
                          [](const LaneValue& v) { return v.shape == Shape::kUniform; })) {
    describe(code, operands);
    const size_t all = (size_t{1} << operands.size()) - 1;
    code.run = forms != nullptr ? forms->by_scalars[all] : nullptr;
    if (code.run == nullptr) code.run = &lane::run_scalar_kernel;
    return push_scalar(code, wide);
  }
  std::array<LaneValue, 3> values{};
  const size_t count = std::min(operands.size(), values.size());
  for (size_t i = 0; i < count; ++i) values[i] = spread(operands[i]);
  describe(code, std::span(values).first(count));
  if (forms != nullptr) code.run = forms->by_scalars[code.scalars];
  if (code.run == nullptr) code.run = &lane::run_kernel;
  return push_lanes(code, wide);
}

// Base and step of the result follow from those of the operands, modulo 2^32.
LaneValue LaneEmitter::apply_affine(Op op, const LaneValue& a, const LaneValue& b) {
  const auto scalar_op = [&](Op which, Slot x, Slot y) {
    LaneValue left;
    left.slot = x;
    LaneValue right;
    right.slot = y;
    return apply(scalar::find_kernel(which, DataType::U32), std::array{left, right}, false);
  };
  const LaneValue base = scalar_op(op, a.slot, b.slot);
  const bool both = a.shape == Shape::kAffine && b.shape == Shape::kAffine;
  LaneValue step;
  if (op == Op::kMul || op == Op::kShl) {
    const bool left = a.shape == Shape::kAffine;
    step = left ? scalar_op(op, a.step, b.slot) : scalar_op(op, b.step, a.slot);
  } else if (both) {
    step = scalar_op(op, a.step, b.step);
  } else if (a.shape == Shape::kAffine) {
    step.slot = a.step;
  } else if (op == Op::kAdd) {
    step.slot = b.step;
  } else {
    step = scalar_op(Op::kSub, frame_.constant(0, false).slot, b.step);
  }
  return affine(base, step);
}

LaneValue LaneEmitter::spread(const LaneValue& value) {
  if (value.shape != Shape::kAffine) return value;
  for (const auto& [known, array] : spreads_) {
    if (known == value) return array;
  }
  LaneInstruction code;
  code.run = &lane::spread_affine;
  code.operands = {value.slot, value.step};
  code.arity = 2;
  const LaneValue array = push_lanes(code, false);
  if (spreads_.size() < kMaxSpreads) spreads_.emplace_back(value, array);
  return array;
}

LaneValue LaneEmitter::to_lanes(const LaneValue& value) {
  if (value.shape != Shape::kUniform) return spread(value);
  LaneInstruction code;
  code.run = value.wide ? &lane::broadcast_wide : &lane::broadcast_narrow;
  code.operands[0] = value.slot;
  code.arity = 1;
  return push_lanes(code, value.wide);
}

void LaneEmitter::copy_scalar(Slot from, Slot to) {
  LaneInstruction code;
  code.run = &lane::copy_scalar;
  code.operands[0] = from;
  code.arity = 1;
  code.target = to;
  code_.push_back(code);
}

void LaneEmitter::move_scalar(Slot from, Slot to) {
  if (!code_.empty() && code_.back().target == from && RegisterAssignment::is_register(from)) {
    code_.back().target = to;
  } else {
    copy_scalar(from, to);
  }
}

}  // namespace vyre::interpreter

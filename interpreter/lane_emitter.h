// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Writes the instructions of one statement: a value in, a value out, each in a register of its own.
//
//   LaneEmitter emitter(frame);
//   const LaneValue sum = emitter.apply(kernel, std::array{a, b}, /*wide=*/false);
//
// A result has the simplest shape that its operands allow; operands of different shapes are brought
// into lanes where an instruction needs that.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "vyre/interpreter/lane_code.h"
#include "vyre/interpreter/register_assignment.h"

namespace vyre::interpreter {

class LaneFrame;

class LaneEmitter {
 public:
  explicit LaneEmitter(LaneFrame& frame) : frame_(frame) {}

  // The kernel once if all operands are scalars, otherwise for each lane.
  LaneValue apply(scalar::Kernel kernel, std::span<const LaneValue> operands, bool wide);
  // Of an operation that keeps the shape (keeps_affine).
  LaneValue apply_affine(Op op, const LaneValue& a, const LaneValue& b);

  // Instructions with a new register as their target.
  LaneValue push_scalar(LaneInstruction code, bool wide);
  LaneValue push_lanes(LaneInstruction code, bool wide);
  // One without a result, or with one that is no register.
  void push(const LaneInstruction& code, bool works_on_lanes);

  // An affine value as an array; others as they are.
  LaneValue spread(const LaneValue& value);
  LaneValue to_lanes(const LaneValue& value);
  void copy_scalar(Slot from, Slot to);
  // The same, by the instruction that made it if that can be.
  void move_scalar(Slot from, Slot to);

  static LaneValue affine(const LaneValue& base, const LaneValue& step) {
    return {base.slot, step.slot, Shape::kAffine, false};
  }
  // Operands 0 to 2, and in which form they are.
  static void describe(LaneInstruction& code, std::span<const LaneValue> operands);

  std::vector<LaneInstruction>& code() { return code_; }
  RegisterAssignment& registers() { return registers_; }
  // Whether something works on lanes, and not on scalars alone.
  bool has_lane_code() const { return has_lane_code_; }

 private:
  static constexpr size_t kMaxSpreads = 8;

  LaneFrame& frame_;
  std::vector<LaneInstruction> code_;
  RegisterAssignment registers_;
  std::vector<std::pair<LaneValue, LaneValue>> spreads_;
  bool has_lane_code_ = false;
};

}  // namespace vyre::interpreter

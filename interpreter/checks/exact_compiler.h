// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Instructions that compute the exact values of integers that get into indices, beside those that
// compute the integers: for runs that are checked for wrapped indices.
//
//   ExactCompiler exact(emitter, frame);
//   value.exact = exact.of(id, operands, value);    // behind the instructions of the expression
//   exact.compare(site, index);                     // before memory is reached
//   exact.assign(variable, value);
//
// An exact value has the shape of its value. Where a value has none, it is exact itself.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vyre/interpreter/checks/index_slice.h"
#include "vyre/interpreter/lane_emitter.h"

namespace vyre::interpreter {

class LaneFrame;

// What an expression left, with the exact value of an integer that may have wrapped.
struct CompiledValue {
  LaneValue value;
  DataType::Kind type = DataType::U32;
  std::optional<LaneValue> exact{};
};

class ExactCompiler {
 public:
  ExactCompiler(LaneEmitter& emitter, LaneFrame& frame) : emitter_(emitter), frame_(frame) {}

  std::optional<LaneValue> of(ExprId id, std::span<const CompiledValue> operands,
                              const CompiledValue& result);
  void compare(SiteId site, const CompiledValue& index);
  void assign(VariableId variable, const CompiledValue& value);

 private:
  LaneValue exact_of(const CompiledValue& value);
  LaneValue affine(Op op, const LaneValue& a, const LaneValue& b);
  LaneValue lanes_of(const LaneValue& exact);
  LaneValue apply(scalar::Kernel kernel, std::span<const LaneValue> operands);
  Slot apply_to_scalars(scalar::Kernel kernel, Slot a, Slot b);
  void emit(LaneFunction run, const LaneValue& from, Slot target, bool works_on_lanes);

  LaneEmitter& emitter_;
  LaneFrame& frame_;
};

}  // namespace vyre::interpreter

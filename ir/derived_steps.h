// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The meaning of a derived operation as a straight list of kernel calls, for whoever evaluates it.
//
//   const std::vector<DerivedStep> steps = derived_steps(Op::kRotateLeft, DataType::U32);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/op.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre {

struct DerivedStep {
  scalar::Kernel kernel = nullptr;  // null: the step is `constant`
  uint64_t constant = 0;
  DataType::Kind type = DataType::U32;  // of what the step gives
  uint8_t arity = 0;
  // The number of an earlier step, or -1 - i for the operation's operand i.
  std::array<int32_t, 3> operands{};
};

// In order of evaluation; the last step gives the result. Empty where the operation is core, or
// not legal on that type.
std::vector<DerivedStep> derived_steps(Op op, DataType::Kind operand_type);

}  // namespace vyre

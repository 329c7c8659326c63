// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Integer arithmetic without an end: what the numbers of an index would be if no type limited them.
// An exact value is an i64; kFar stands for all that do not fit one.
//
//   scalar::Kernel add = find_exact_kernel(Op::kAdd);
//   const uint64_t operands[] = {a, b, value};   // exact, exact, and what the operation itself
//   gave scalar::ArithmeticTrap never{}; const auto sum = static_cast<int64_t>(add(operands,
//   never));
#pragma once

#include <cstdint>
#include <limits>

#include "vyre/ir/op.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre::interpreter {

inline constexpr int64_t kFar = std::numeric_limits<int64_t>::min();

// Null where the exact value of the result is the result: all that is no arithmetic of integers.
scalar::Kernel find_exact_kernel(Op op);
// A value of an integer type as an exact one.
scalar::Kernel find_exact_kernel_of_value(DataType::Kind type);

// Of a lane, where the value grows by a step from lane to lane.
inline int64_t exact_at(int64_t base, int64_t step, uint64_t lane) {
  int64_t product = 0;
  int64_t sum = 0;
  if (base == kFar || step == kFar ||
      __builtin_mul_overflow(step, static_cast<int64_t>(lane), &product) ||
      __builtin_add_overflow(base, product, &sum)) {
    return kFar;
  }
  return sum;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The double-precision exponential that exp, exp2 and the hyperbolic functions share.
#pragma once

#include <bit>
#include <cstdint>

#include "vyre/ir/scalar/f32_exp_table.h"

namespace vyre::scalar::detail {

// Adding 1.5 * 2^52 rounds a small double to an integer and leaves that integer in the low bits.
inline constexpr double kRoundingShift = 0x1.8p52;

// NaN stays NaN: both comparisons are false for it.
inline double clamp(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// x in units of ln 2/64, rounded: as a double, and in the low bits of an integer.
struct ExpSteps {
  double count;
  std::uint64_t bits;
};

inline ExpSteps round_to_steps(double scaled) {
  const double shifted = scaled + kRoundingShift;
  return {shifted - kRoundingShift, std::bit_cast<std::uint64_t>(shifted)};
}

// `entry` times 2^(bits/64), where the low six bits of `bits` chose the entry. Bits above the
// exponent fall off the top.
inline double scale_by_steps(double entry, std::uint64_t bits) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(entry) +
                               ((bits & ~std::uint64_t{63}) << 46));
}

// x - count * ln 2/64. The first product and difference are exact: count has at most 14 bits, the
// high part of the step 39, and what remains is under 2^-7. The error is one rounding, 2^-61.
inline double reduce_to_step(double x, double count) {
  return (x - count * kExpStepHi) - count * kExpStepLo;
}

}  // namespace vyre::scalar::detail

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// An estimate of e^x for many arguments at once: straight arithmetic without a table, which fits
// vector instructions.
//
//   const Doubles value = estimate_exp_lanes<Doubles, Words>(x, multiply_add);
//   // |value - e^x| is at most |value| * kExpLanesError
//
// Like every estimate (f32_paths.h) it decides a result where both ends of its interval round to
// one f32, and leaves the others to the precise path.
#pragma once

#include <cstdint>

#include "vyre/ir/scalar/f32_exp_lanes_table.h"

namespace vyre::scalar::detail {

// Relative errors: 2^-53 from the last addition, 2^-54 from the one before it, 2^-55 from the
// reduced argument, 2^-55 from the polynomial, and their propagation. Their sum is under 2^-52.
inline constexpr double kExpLanesError = 0x1p-51;

// In every lane: T is double or a vector of doubles, and Bits a vector of as many
// 64-bit unsigned integers. multiply_add(a, b, c) is a * b + c, rounded once or twice: both forms
// keep the bound. The clamps keep the exponent in range; their ends already round to 0 and
// infinity. NaN stays NaN: both comparisons are false for it.
//
// Inlined everywhere: a file that is compiled for one instruction set must not leave a copy that
// another one could call.
template <typename T, typename Bits, typename MultiplyAdd>
[[gnu::always_inline]] inline T estimate_exp_lanes(T x, MultiplyAdd multiply_add) {
  const T zero{};                      // spreads constants over the lanes
  const T rounding = zero + 0x1.8p52;  // leaves a small integer in the low bits
  T clamped = x < -110.0 ? zero - 110.0 : x;
  clamped = clamped > 100.0 ? zero + 100.0 : clamped;
  const T shifted = multiply_add(clamped, zero + kExpLanesPerUnit, rounding);
  const T count = shifted - rounding;
  // The product with the high part is exact, and so is the difference.
  const T r = (clamped - count * kExpLanesHi) - count * kExpLanesLo;
  T q = zero + kExpLanesPoly[9];
  for (int i = 8; i >= 0; --i) q = multiply_add(q, r, zero + kExpLanesPoly[i]);
  const T power = multiply_add(r * r, q, r) + 1.0;
  const Bits exponent = __builtin_bit_cast(Bits, shifted) << 52;
  return __builtin_bit_cast(T, __builtin_bit_cast(Bits, power) + exponent);
}

}  // namespace vyre::scalar::detail

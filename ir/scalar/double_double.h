// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Numbers of about 106 bits as unevaluated sums of two doubles, for the few arguments whose result
// a double cannot round to f32 with certainty. Only + - * / and sqrt of doubles are used, without
// fused operations, so the bits are the same on every compiler that keeps IEEE arithmetic.
//
// Every operation below has a relative error under 2^-100 as long as no intermediate overflows or
// becomes subnormal, which f32 arguments keep far away.
#pragma once

#include <bit>
#include <cstdint>

namespace vyre::scalar::detail {

struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;
};

// a + b exactly; needs |a| >= |b| or a == 0.
inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// a * b exactly, from halves of 26 bits whose products are exact.
inline DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double a_scaled = a * kSplit;
  const double a_hi = a_scaled - (a_scaled - a);
  const double a_lo = a - a_hi;
  const double b_scaled = b * kSplit;
  const double b_hi = b_scaled - (b_scaled - b);
  const double b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

// The longer addition: its error is relative to the result even when the operands cancel.
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  high = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(high.hi, high.lo + low.lo);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_product(a.hi, b.hi);
  return quick_two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator*(DoubleDouble a, double b) { return a * DoubleDouble{b, 0.0}; }

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  const DoubleDouble rest = a - b * first;
  const double second = rest.hi / b.hi;
  const double third = (rest - b * second).hi / b.hi;
  return quick_two_sum(first, second) + DoubleDouble{third, 0.0};
}

inline DoubleDouble square_root(DoubleDouble a) {
  if (a.hi == 0.0) return a;
  const double first = __builtin_sqrt(a.hi);
  const DoubleDouble rest = a - two_product(first, first);
  return quick_two_sum(first, rest.hi / (2.0 * first));
}

// The nearest f32 of hi + lo, |lo| at most half an ulp of hi. Making hi odd whenever something
// lies below it ("round to odd") keeps the second rounding from seeing a tie that is not there.
inline float round_to_f32(DoubleDouble a) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(a.hi);
  if (a.lo != 0.0 && (bits & 1) == 0) {
    bits += (a.lo > 0.0) == (a.hi > 0.0) ? std::uint64_t{1} : ~std::uint64_t{0};
  }
  return static_cast<float>(std::bit_cast<double>(bits));
}

// 2^n for a normal double.
inline double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

}  // namespace vyre::scalar::detail

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sqrt, inverse_sqrt, reciprocal and fma, where double arithmetic comes close to being exact.
#include "vyre/ir/scalar/double_double.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {
namespace detail {

// Half an ulp each from the square root (doubled or halved by the division at most) and from the
// division. Zero gives infinity, whose error is NaN, and so goes the precise way.
inline Estimate inline_estimate_inverse_sqrt(float x) {
  return relative_estimate(1.0 / __builtin_sqrt(static_cast<double>(x)), 0x1p-51);
}

Estimate estimate_inverse_sqrt(float x) { return inline_estimate_inverse_sqrt(x); }

// One Newton step y + y (1 - x y^2)/2; the next term of the series is about 2^-102.
float precise_inverse_sqrt(float x) {
  if (x == 0.0f) return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) | kInfinityBits);
  if (!(x > 0.0f)) return f32_nan();
  if (x == f32_infinity()) return 0.0f;
  const double y = 1.0 / __builtin_sqrt(static_cast<double>(x));
  const DoubleDouble residue = DoubleDouble{1.0, 0.0} - two_product(y, y) * static_cast<double>(x);
  return round_to_f32(DoubleDouble{y, 0.0} + residue * (0.5 * y));
}

namespace {

inline float canonical(float x) { return x == x ? x : f32_nan(); }

}  // namespace
}  // namespace detail

// A double has more than twice the bits of an f32 and two to spare, so rounding twice is rounding
// once for square roots and for quotients with an f32 result that is normal.
float f32_sqrt(float x) {
  return detail::canonical(static_cast<float>(__builtin_sqrt(static_cast<double>(x))));
}

// For a subnormal result too: a quotient 1/x that is no power of two differs from any number of 25
// bits by at least 2^-49 of itself, more than the division rounds by.
float f32_reciprocal(float x) {
  return detail::canonical(static_cast<float>(1.0 / static_cast<double>(x)));
}

float f32_inverse_sqrt(float x) {
  return detail::settle<detail::precise_inverse_sqrt>(detail::inline_estimate_inverse_sqrt(x), x);
}

// The product of two f32 is exact in double; the sum is split into its rounded value and the rest,
// and rounded to odd, so that the rounding to f32 is the only one that counts.
float f32_fma(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const detail::DoubleDouble sum = detail::two_sum(product, addend);
  // An infinity or a NaN leaves NaN in the rest.
  if (!(sum.lo == sum.lo)) return detail::canonical(static_cast<float>(sum.hi));
  return detail::round_to_f32(sum);
}

}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sin, cos and tan: the argument reduced to [-pi/4, pi/4], then one polynomial, the quadrant
// telling which and with what sign.
#include "vyre/ir/scalar/double_double_functions.h"
#include "vyre/ir/scalar/f32_paths.h"
#include "vyre/ir/scalar/f32_trig_reduction.h"

namespace vyre::scalar {
namespace detail {

namespace {

// Relative errors: the remainder's rounding 2^-53 (as much in the sine, less in the cosine), the
// last addition and the last product 2^-53 each, the polynomial's other roundings, in a term of at
// most 0.42 of the result, 2^-53: under 2^-51 together. The tangent is a quotient of two of these.
constexpr double kSineError = 0x1p-50;
constexpr double kTangentError = 0x1p-49;

// sin(r) for an even quadrant and cos(r) for an odd one: both are b (1 + z P(z)), with b = r or 1.
// Written as a product, it keeps the sign of a zero.
inline double sine_or_cosine(double r, std::uint64_t odd) {
  const double* c = kTrigPoly[odd];
  const double base = odd != 0 ? 1.0 : r;
  const double z = r * r;
  const double z2 = z * z;
  const double low = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
  const double high = (c[4] + z * c[5]) + z2 * c[6];
  return base * (1.0 + z * (low + z2 * z2 * high));
}

// sin(x + quarters pi/2).
inline Estimate shifted_sine(float x, std::uint64_t quarters) {
  const Reduced reduced = reduce_angle(x);
  const std::uint64_t quadrant = reduced.quadrant + quarters;
  const double size = sine_or_cosine(reduced.remainder, quadrant & 1);
  const double value =
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) ^ ((quadrant & 2) << 62));
  return {value, magnitude(value) * kSineError + reduced.error};
}

float shifted_precise_sine(float x, std::uint64_t quarters) {
  if (magnitude_bits(x) >= kInfinityBits) return f32_nan();
  const ExactReduced reduced = reduce_exactly(x);
  const std::uint64_t quadrant = reduced.quadrant + quarters;
  const DoubleDouble sine =
      (quadrant & 1) != 0 ? exact_cos(reduced.remainder) : exact_sin(reduced.remainder);
  return round_to_f32((quadrant & 2) != 0 ? -sine : sine);
}

}  // namespace

inline Estimate inline_estimate_sin(float x) { return shifted_sine(x, 0); }
inline Estimate inline_estimate_cos(float x) { return shifted_sine(x, 1); }

inline Estimate inline_estimate_tan(float x) {
  const Reduced reduced = reduce_angle(x);
  const double sine = sine_or_cosine(reduced.remainder, 0);
  const double cosine = sine_or_cosine(reduced.remainder, 1);
  const bool odd = (reduced.quadrant & 1) != 0;
  const double value = (odd ? -cosine : sine) / (odd ? sine : cosine);
  // The derivative 1 + tan^2 carries the remainder's error over; the factor 2 covers its change
  // within that error.
  return {value, magnitude(value) * kTangentError + 2.0 * reduced.error * (1.0 + value * value)};
}

Estimate estimate_sin(float x) { return inline_estimate_sin(x); }
Estimate estimate_cos(float x) { return inline_estimate_cos(x); }
Estimate estimate_tan(float x) { return inline_estimate_tan(x); }

float precise_sin(float x) { return x == 0.0f ? x : shifted_precise_sine(x, 0); }
float precise_cos(float x) { return shifted_precise_sine(x, 1); }

float precise_tan(float x) {
  if (x == 0.0f) return x;
  if (magnitude_bits(x) >= kInfinityBits) return f32_nan();
  const ExactReduced reduced = reduce_exactly(x);
  const DoubleDouble sine = exact_sin(reduced.remainder);
  const DoubleDouble cosine = exact_cos(reduced.remainder);
  return round_to_f32((reduced.quadrant & 1) != 0 ? -(cosine / sine) : sine / cosine);
}

}  // namespace detail

float f32_sin(float x) {
  return detail::settle<detail::precise_sin>(detail::inline_estimate_sin(x), x);
}
float f32_cos(float x) {
  return detail::settle<detail::precise_cos>(detail::inline_estimate_cos(x), x);
}
float f32_tan(float x) {
  return detail::settle<detail::precise_tan>(detail::inline_estimate_tan(x), x);
}

}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// asin and acos by one polynomial on [0, 1/2] and half-angle formulas above it; atan by the
// addition theorem around a tabulated angle.
#include "vyre/ir/scalar/double_double_constants.h"
#include "vyre/ir/scalar/double_double_functions.h"
#include "vyre/ir/scalar/f32_inverse_trig_table.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {
namespace detail {

namespace {

// Each is a handful of roundings of 2^-53 relative to a result that is never smaller than a third
// of what was rounded (asin just above 1/2), plus 2^-54 from the polynomial: under 2^-50.3.
constexpr double kInverseTrigError = 0x1p-49;

inline double flip_sign_with(double value, float sign_source) {
  const std::uint64_t sign = std::uint64_t{std::bit_cast<std::uint32_t>(sign_source) >> 31} << 63;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ sign);
}

// t + t z B(z) = asin(t) for 0 <= t <= 1/2, z = t^2.
inline double asin_series(double t, double z) {
  const double* c = kAsinPoly;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double low = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
  const double middle = (c[4] + z * c[5]) + z2 * (c[6] + z * c[7]);
  const double high = (c[8] + z * c[9]) + z2 * (c[10] + z * c[11]);
  return t + t * z * (low + z4 * (middle + z4 * high));
}

// For |x| > 1/2: asin|x| = pi/2 - 2 asin sqrt((1 - |x|)/2), whose radicand is exact. Beyond 1 it is
// negative, and NaN results.
struct AsinParts {
  bool above_half;
  double angle;  // asin of |x|, or of the square root
};

inline AsinParts split_asin(float x) {
  const double size = static_cast<double>(std::bit_cast<float>(magnitude_bits(x)));
  const bool above_half = size > 0.5;
  const double z = above_half ? (1.0 - size) * 0.5 : size * size;
  const double t = above_half ? __builtin_sqrt(z) : size;
  return {above_half, asin_series(t, z)};
}

}  // namespace

inline Estimate inline_estimate_asin(float x) {
  const AsinParts parts = split_asin(x);
  const double size = parts.above_half ? kHalfPi - 2.0 * parts.angle : parts.angle;
  return relative_estimate(flip_sign_with(size, x), kInverseTrigError);
}

inline Estimate inline_estimate_acos(float x) {
  const AsinParts parts = split_asin(x);
  const double small = kHalfPi - flip_sign_with(parts.angle, x);
  const double large = x < 0.0f ? kPi - 2.0 * parts.angle : 2.0 * parts.angle;
  return relative_estimate(parts.above_half ? large : small, kInverseTrigError);
}

inline Estimate inline_estimate_atan(float x) {
  // Eight intervals an octave from 2^-5 to 2^5, and one beyond either end.
  constexpr std::int32_t kFirst = (127 - 5) * 8 - 1;
  constexpr std::int32_t kLast = 81;
  const std::uint32_t bits = magnitude_bits(x);
  std::int32_t row = static_cast<std::int32_t>(bits >> 20) - kFirst;
  row = row < 0 ? 0 : row;
  row = row > kLast ? kLast : row;
  const AtanEntry& entry = kAtanTable[row];
  const double size = static_cast<double>(std::bit_cast<float>(bits));
  // The numerator is exact: 24 bits times five, less five.
  const double t = (entry.a * size - entry.b) / (entry.a + entry.b * size);
  const double w = t * t;
  const double tail = (kAtanPoly[0] + w * kAtanPoly[1]) + w * w * (kAtanPoly[2] + w * kAtanPoly[3]);
  const double value = entry.angle + (t + t * w * tail);
  return relative_estimate(flip_sign_with(value, x), kInverseTrigError);
}

Estimate estimate_asin(float x) { return inline_estimate_asin(x); }
Estimate estimate_acos(float x) { return inline_estimate_acos(x); }
Estimate estimate_atan(float x) { return inline_estimate_atan(x); }

namespace {

// An angle y near the result and its exact correction d, from sin(d) = d - d^3/6; d is under 2^-48.
DoubleDouble corrected(double y, DoubleDouble sine_of_d) {
  return DoubleDouble{y, 0.0} + sine_of_d;
}

// sqrt(1 - x^2); the square of an f32 is exact in double.
DoubleDouble exact_cofunction(double x) { return square_root(two_sum(1.0, -(x * x))); }

}  // namespace

// sin(asin x - y) = x cos y - sqrt(1 - x^2) sin y.
float precise_asin(float x) {
  if (!(magnitude_bits(x) <= 0x3F800000u)) return f32_nan();
  if (x == 0.0f) return x;
  const double value = static_cast<double>(x);
  const DoubleDouble y{inline_estimate_asin(x).value, 0.0};
  return round_to_f32(
      corrected(y.hi, exact_cos(y) * value - exact_cofunction(value) * exact_sin(y)));
}

// sin(acos x - y) = sqrt(1 - x^2) cos y - x sin y.
float precise_acos(float x) {
  if (!(magnitude_bits(x) <= 0x3F800000u)) return f32_nan();
  if (x == 1.0f) return 0.0f;
  const double value = static_cast<double>(x);
  const DoubleDouble y{inline_estimate_acos(x).value, 0.0};
  return round_to_f32(
      corrected(y.hi, exact_cofunction(value) * exact_cos(y) - exact_sin(y) * value));
}

// tan(atan x - y) = (x cos y - sin y)/(cos y + x sin y).
float precise_atan(float x) {
  if (x != x) return f32_nan();
  if (x == 0.0f) return x;
  if (magnitude_bits(x) == kInfinityBits) {
    return static_cast<float>(x < 0.0f ? -kHalfPi : kHalfPi);
  }
  const double value = static_cast<double>(x);
  const DoubleDouble y{inline_estimate_atan(x).value, 0.0};
  const DoubleDouble sine = exact_sin(y);
  const DoubleDouble cosine = exact_cos(y);
  return round_to_f32(corrected(y.hi, (cosine * value - sine) / (cosine + sine * value)));
}

}  // namespace detail

float f32_asin(float x) {
  return detail::settle<detail::precise_asin>(detail::inline_estimate_asin(x), x);
}
float f32_acos(float x) {
  return detail::settle<detail::precise_acos>(detail::inline_estimate_acos(x), x);
}
float f32_atan(float x) {
  return detail::settle<detail::precise_atan>(detail::inline_estimate_atan(x), x);
}

}  // namespace vyre::scalar

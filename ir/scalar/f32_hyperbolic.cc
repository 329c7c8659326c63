// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sinh, cosh and tanh from e^x and e^-x, which share one argument reduction: where x leaves
// (steps, r), -x leaves (-steps, -r).
#include "vyre/ir/scalar/double_double_functions.h"
#include "vyre/ir/scalar/f32_exp_core.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {
namespace detail {

namespace {

constexpr double kCoshError = 0x1p-50;
constexpr double kSinhError = 0x1p-49;
constexpr double kTanhError = 0x1p-48;

struct Hyperbolic {
  double sinh;
  double cosh;
};

// Both for x >= 0, doubled. With p and q for 2^(steps/64) and its inverse, c = cosh r - 1 and
// s = sinh r,
//   e^x + e^-x = (p + q) + ((p + q) c + (p - q) s),
//   e^x - e^-x = (p - q) + ((p - q) c + (p + q) s).
// For steps = 0, p - q is exactly 0 and the sine is 2 s, as precise as r. Otherwise x > 2^-8, and
// the table's low halves make p - q, at least x, good to 2^-53 or so of itself; r adds 2^-61
// absolute, 2^-53 relative. Summing the roundings gives 2^-51.2 for sinh, 2^-51.5 for cosh.
inline Hyperbolic twice_sinh_cosh(double x) {
  const ExpSteps steps = round_to_steps(x * kExpStepsPerUnit);
  const double r = reduce_to_step(x, steps.count);
  const double r2 = r * r;
  const double c = r2 * (kExpPoly[0] + r2 * kExpPoly[2]);
  const double s = r + r * r2 * (kExpPoly[1] + r2 * kExpPoly[3]);
  const std::uint64_t negated = std::uint64_t{0} - steps.bits;
  const ExpEntry& up = kExpTable[steps.bits & 63];
  const ExpEntry& down = kExpTable[negated & 63];
  // A power of two by itself: a low half of 0 must not have its exponent changed.
  const double up_scale = scale_by_steps(1.0, steps.bits);
  const double down_scale = scale_by_steps(1.0, negated);
  const double p = up.hi * up_scale;
  const double q = down.hi * down_scale;
  const double difference_tail = up.lo * up_scale - down.lo * down_scale;
  const double difference = p - q;
  const double sum = p + q;
  return {difference + ((difference * c + sum * s) + difference_tail),
          sum + (sum * c + difference * s)};
}

inline double with_sign_of(double magnitude, float sign_source) {
  const std::uint64_t sign = std::uint64_t{std::bit_cast<std::uint32_t>(sign_source) >> 31} << 63;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
}

inline double clamped_magnitude(float x, double limit) {
  const double magnitude = static_cast<double>(std::bit_cast<float>(magnitude_bits(x)));
  return magnitude > limit ? limit : magnitude;
}

// sinh and cosh of |x| for the precise paths, 2^-1 < |x| <= 100 from e^x, below that by series.
DoubleDouble exact_sinh_of(double x) {
  if (x < 0.5) return exact_sinh({x, 0.0});
  const DoubleDouble power = exact_exp({x, 0.0});
  return (power - DoubleDouble{1.0, 0.0} / power) * 0.5;
}

DoubleDouble exact_cosh_of(double x) {
  if (x < 0.5) return exact_cosh({x, 0.0});
  const DoubleDouble power = exact_exp({x, 0.0});
  return (power + DoubleDouble{1.0, 0.0} / power) * 0.5;
}

inline float negate_if(bool negative, float x) { return negative ? -x : x; }

}  // namespace

// Beyond the clamps the results are infinity, and for tanh 1.
inline Estimate inline_estimate_sinh(float x) {
  const double twice = twice_sinh_cosh(clamped_magnitude(x, 100.0)).sinh;
  return relative_estimate(with_sign_of(0.5 * twice, x), kSinhError);
}

inline Estimate inline_estimate_cosh(float x) {
  return relative_estimate(0.5 * twice_sinh_cosh(clamped_magnitude(x, 100.0)).cosh, kCoshError);
}

inline Estimate inline_estimate_tanh(float x) {
  const Hyperbolic both = twice_sinh_cosh(clamped_magnitude(x, 20.0));
  return relative_estimate(with_sign_of(both.sinh / both.cosh, x), kTanhError);
}

Estimate estimate_sinh(float x) { return inline_estimate_sinh(x); }
Estimate estimate_cosh(float x) { return inline_estimate_cosh(x); }
Estimate estimate_tanh(float x) { return inline_estimate_tanh(x); }

float precise_sinh(float x) {
  if (x != x) return f32_nan();
  if (x == 0.0f) return x;
  const double size = clamped_magnitude(x, 100.0);
  return negate_if(x < 0.0f, round_to_f32(exact_sinh_of(size)));
}

float precise_cosh(float x) {
  if (x != x) return f32_nan();
  return round_to_f32(exact_cosh_of(clamped_magnitude(x, 100.0)));
}

float precise_tanh(float x) {
  if (x != x) return f32_nan();
  if (x == 0.0f) return x;
  const double size = clamped_magnitude(x, 20.0);
  return negate_if(x < 0.0f, round_to_f32(exact_sinh_of(size) / exact_cosh_of(size)));
}

}  // namespace detail

float f32_sinh(float x) {
  return detail::settle<detail::precise_sinh>(detail::inline_estimate_sinh(x), x);
}
float f32_cosh(float x) {
  return detail::settle<detail::precise_cosh>(detail::inline_estimate_cosh(x), x);
}
float f32_tanh(float x) {
  return detail::settle<detail::precise_tanh>(detail::inline_estimate_tanh(x), x);
}

}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// exp and exp2: x = (64 k + i) ln 2/64 + r, e^x = 2^k * 2^(i/64) * e^r, with 2^(i/64) from a table
// and a polynomial for e^r.
#include "vyre/ir/scalar/double_double_constants.h"
#include "vyre/ir/scalar/double_double_functions.h"
#include "vyre/ir/scalar/f32_exp_core.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {
namespace detail {

namespace {

// Relative errors: 2^-53 from the table entry, 2^-53 from the last addition, 2^-60 from r, the
// polynomial and its product. Their sum is under 2^-51.9.
constexpr double kExpError = 0x1p-51;

// e^r 2^(steps/64).
inline Estimate finish_exp(double r, std::uint64_t steps) {
  const double r2 = r * r;
  const double tail = (kExpPoly[0] + r * kExpPoly[1]) + r2 * (kExpPoly[2] + r * kExpPoly[3]);
  const double power = scale_by_steps(kExpTable[steps & 63].hi, steps);
  return relative_estimate(power + power * (r + r2 * tail), kExpError);
}

}  // namespace

// The clamps keep the double's exponent in range; their ends already round to 0 and infinity.
inline Estimate inline_estimate_exp(float x) {
  const double clamped = clamp(static_cast<double>(x), -110.0, 100.0);
  const ExpSteps steps = round_to_steps(clamped * kExpStepsPerUnit);
  return finish_exp(reduce_to_step(clamped, steps.count), steps.bits);
}

inline Estimate inline_estimate_exp2(float x) {
  const double clamped = clamp(static_cast<double>(x), -160.0, 140.0);
  const ExpSteps steps = round_to_steps(clamped * 64.0);
  return finish_exp((clamped - steps.count * 0x1p-6) * kLn2, steps.bits);
}

Estimate estimate_exp(float x) { return inline_estimate_exp(x); }
Estimate estimate_exp2(float x) { return inline_estimate_exp2(x); }

float precise_exp(float x) {
  if (x != x) return f32_nan();
  // e^x < 2^-150 rounds to 0 and e^x >= 2^128 to infinity.
  if (x < -104.0f) return 0.0f;
  if (x > 89.0f) return f32_infinity();
  return round_to_f32(exact_exp({static_cast<double>(x), 0.0}));
}

float precise_exp2(float x) {
  if (x != x) return f32_nan();
  // 2^-150 is half the least subnormal, a tie that goes to 0. It is the only tie there is: other
  // integers have a result that f32 holds and all other x an irrational one.
  if (x <= -150.0f) return 0.0f;
  if (x >= 128.0f) return f32_infinity();
  const int whole = static_cast<int>(x + (x < 0.0f ? -0.5f : 0.5f));
  const double rest = static_cast<double>(x) - static_cast<double>(whole);
  const DoubleDouble power = exact_exp(DoubleDouble{kExactLn2Hi, kExactLn2Lo} * rest);
  const double scale = power_of_two(whole);
  return round_to_f32({power.hi * scale, power.lo * scale});
}

}  // namespace detail

float f32_exp(float x) {
  return detail::settle<detail::precise_exp>(detail::inline_estimate_exp(x), x);
}
float f32_exp2(float x) {
  return detail::settle<detail::precise_exp2>(detail::inline_estimate_exp2(x), x);
}

}  // namespace vyre::scalar

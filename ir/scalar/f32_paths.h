// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The two halves of each approximated f32 function. estimate_f() computes f in double precision
// together with a bound on its error; settle() rounds the two ends of that interval, and where they
// differ precise_f() decides with about 100 bits. Which of the two answered never shows in the
// result: precise_f() alone is correct for every argument, estimate_f() is there for speed.
//
//   float f32_exp(float x) { return settle<precise_exp>(estimate_exp(x), x); }
#pragma once

#include <bit>
#include <cstdint>

#include "vyre/ir/scalar/f32_math.h"

namespace vyre::scalar::detail {

// value with |value - f(x)| <= error. A NaN value leaves the argument to the precise path.
struct Estimate {
  double value;
  double error;
};

// One instruction without a call, like all the builtins used here.
inline double magnitude(double x) { return __builtin_fabs(x); }

// An estimate whose error is relative to its value.
inline Estimate relative_estimate(double value, double relative_error) {
  return {value, magnitude(value) * relative_error};
}

inline bool is_settled(Estimate estimate) {
  return static_cast<float>(estimate.value - estimate.error) ==
         static_cast<float>(estimate.value + estimate.error);
}

// Rounding is monotonic, so when both ends round to one f32, everything between them does too. The
// comparison is one of values: it is false for NaN, and a zero value has error 0 and keeps its sign
// in the low end.
template <float (*kPrecise)(float)>
inline float settle(Estimate estimate, float x) {
  const float low = static_cast<float>(estimate.value - estimate.error);
  const float high = static_cast<float>(estimate.value + estimate.error);
  if (low == high) [[likely]] {
    return low;
  }
  return kPrecise(x);
}

inline float f32_nan() { return std::bit_cast<float>(kF32NanBits); }
inline float f32_infinity() { return std::bit_cast<float>(0x7F800000u); }
inline std::uint32_t magnitude_bits(float x) {
  return std::bit_cast<std::uint32_t>(x) & 0x7FFFFFFFu;
}
inline constexpr std::uint32_t kInfinityBits = 0x7F800000u;

// Estimates are for finite arguments inside the function's domain, and also safe to call (with a
// meaningless or NaN value) on all others; precise paths take every argument.
Estimate estimate_exp(float x);
Estimate estimate_exp2(float x);
Estimate estimate_log(float x);
Estimate estimate_log2(float x);
Estimate estimate_sin(float x);
Estimate estimate_cos(float x);
Estimate estimate_tan(float x);
Estimate estimate_asin(float x);
Estimate estimate_acos(float x);
Estimate estimate_atan(float x);
Estimate estimate_sinh(float x);
Estimate estimate_cosh(float x);
Estimate estimate_tanh(float x);
Estimate estimate_inverse_sqrt(float x);

float precise_exp(float x);
float precise_exp2(float x);
float precise_log(float x);
float precise_log2(float x);
float precise_sin(float x);
float precise_cos(float x);
float precise_tan(float x);
float precise_asin(float x);
float precise_acos(float x);
float precise_atan(float x);
float precise_sinh(float x);
float precise_cosh(float x);
float precise_tanh(float x);
float precise_inverse_sqrt(float x);

}  // namespace vyre::scalar::detail

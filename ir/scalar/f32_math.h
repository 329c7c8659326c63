// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The f32 functions of the language, each with one right answer for every input.
//
// An approximated function returns the exact mathematical result rounded once to binary32, to
// nearest with ties to even, subnormals kept. So a result does not depend on the compiler, its
// options or the C library, and two evaluators can be compared bit by bit:
//
//   float e = vyre::scalar::f32_exp(1.0f);              // 0x402DF854, everywhere
//   float s = vyre::scalar::f32_sin(0x1.fffffep+127f);  // reduced exactly, 0xBF0599B3
//   float n = vyre::scalar::f32_log(-1.0f);             // 0x7FC00000, the only NaN produced
//
// Special cases follow Annex F of the C standard. The floating-point environment must be the
// default one: rounding to nearest, subnormals neither flushed nor read as zero.
#pragma once

#include <cstdint>

namespace vyre::scalar {

// The bits of every NaN that a function below produces.
inline constexpr std::uint32_t kF32NanBits = 0x7FC00000u;

// Correctly rounded.
float f32_exp(float x);
float f32_exp2(float x);
float f32_log(float x);
float f32_log2(float x);
float f32_sin(float x);
float f32_cos(float x);
float f32_tan(float x);
float f32_asin(float x);
float f32_acos(float x);
float f32_atan(float x);
float f32_sinh(float x);
float f32_cosh(float x);
float f32_tanh(float x);
float f32_sqrt(float x);
float f32_inverse_sqrt(float x);  // 1/sqrt(x) rounded once; -0 gives -inf
float f32_reciprocal(float x);
float f32_fma(float a, float b, float c);  // a*b+c rounded once

// Exact. A zero result has the sign of x.
float f32_floor(float x);
float f32_ceil(float x);
float f32_trunc(float x);
float f32_round(float x);  // to the nearest integer, ties away from zero

// -1 or 1; +0 for both zeros; NaN for NaN.
float f32_sign(float x);

// Only the sign bit changes, that of a NaN too, whose other bits stay.
float f32_abs(float x);
float f32_negate(float x);

// A number beats a NaN, two NaNs give a NaN, and -0 is less than +0.
float f32_min(float a, float b);
float f32_max(float a, float b);

}  // namespace vyre::scalar

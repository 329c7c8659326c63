// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The exact and the correctly rounded f64 functions; the others are sequences of these.
//
//   double r = vyre::scalar::f64_fma(0x1p-1074, 0.5, 0x1p-1074);  // rounded once, subnormals kept
//
// No function of the C library is called. The floating-point environment must be the default one.
#pragma once

#include <cstdint>

namespace vyre::scalar {

inline constexpr uint64_t kF64NanBits = 0x7FF8000000000000u;

double f64_fma(double a, double b, double c);  // a*b+c rounded once
double f64_sqrt(double x);

// Exact. A zero result has the sign of x.
double f64_floor(double x);
double f64_ceil(double x);
double f64_trunc(double x);
double f64_round(double x);  // to the nearest integer, ties away from zero

// Only the sign bit changes.
double f64_abs(double x);
double f64_negate(double x);

// A number beats a NaN, two NaNs give a NaN, and -0 is less than +0.
double f64_min(double a, double b);
double f64_max(double a, double b);

}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Building blocks of the f64 functions: expressions for sums and products with their rounding
// errors, polynomials, powers of two and signs.
//
//   const Pair product = two_product(a, b);          // a * b == product.high + product.low
//   const Expr p = polynomial(z, kCoefficients);     // one fma a coefficient
//
// All expressions are of f64 unless a comment says otherwise. A handle that is used several times
// is one object of the graph, which is evaluated once.
#pragma once

#include <cstdint>
#include <span>

#include "vyre/ir/expr.h"

namespace vyre::derived_f64 {

// An unevaluated sum, |low| far below |high|.
struct Pair {
  Expr high;
  Expr low;
};

inline Expr number(double value) { return Expr::f64(value); }
inline Expr bits_of(const Expr& x) { return Expr::bitcast(DataType::U64, x); }
inline Expr from_bits(const Expr& bits) { return Expr::bitcast(DataType::F64, bits); }
inline Expr fma(const Expr& a, const Expr& b, const Expr& c) { return Expr::fma(a, b, c); }

// Rounded sum and rounding error. The fast one wants |a| >= |b|, or a = 0.
Pair fast_two_sum(const Expr& a, const Expr& b);
Pair two_sum(const Expr& a, const Expr& b);
// Rounded product and rounding error.
Pair two_product(const Expr& a, const Expr& b);
// a * b and a / b to about 2^-104 of themselves, if the pairs are that precise.
Pair product(const Pair& a, const Pair& b);
Pair quotient(const Pair& a, const Pair& b);

Pair select(const Expr& condition, const Pair& if_true, const Pair& if_false);
Pair negate(const Pair& a);

// By Horner's rule; the highest coefficient first.
Expr polynomial(const Expr& x, std::span<const double> coefficients);

// 2^n for an i64 n in -1022..1023.
Expr power_of_two(const Expr& n);
// x * 2^n for an i64 n in -2044..2046, rounded once if x is about 1: the first of its two factors
// is exact.
Expr scale(const Expr& x, const Expr& n);

// The sign bit of x as a u64, and y with its sign changed where such a bit is set.
Expr sign_bit(const Expr& x);
Expr flip_sign(const Expr& y, const Expr& sign);

// x itself where x is NaN, else y.
Expr unless_nan(const Expr& x, const Expr& y);

}  // namespace vyre::derived_f64

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/derived_f64_blocks.h"
#include "vyre/ir/derived_f64_exp.h"

namespace vyre {

using namespace derived_f64;

namespace {

// sinh x = x + x^3 p(x^2) for |x| <= 0.34, to 2^-59 of itself (generate_f64_polynomials.py).
constexpr double kSinh[] = {
    0x1.61b9e218241edp-33, 0x1.ae642f9421acap-26, 0x1.71de3a5a17b34p-19,
    0x1.a01a01a019800p-13, 0x1.1111111111111p-7,  0x1.5555555555555p-3,
};
// Below this e^x - e^-x loses bits, and e^x has the exponent 0.
constexpr double kSmall = 0.34;

// e^x = significand 2^exponent and e^-x = inverse 2^exponent, x >= 0.
struct ExpAndInverse {
  Pair significand;
  Pair inverse;
  Expr exponent;  // i64
};

ExpAndInverse exp_and_inverse(const Expr& x) {
  const ScaledPair parts = exp_parts(x);
  const Pair inverse = quotient({number(1.0), number(0.0)}, parts.significand);
  // From 2^-128 on it does not matter how small the inverse is.
  const Expr k = Expr::min(parts.exponent, Expr::i64(64));
  const Expr factor = power_of_two(Expr::i64(0) - (k + k));
  return {parts.significand, {inverse.high * factor, inverse.low * factor}, parts.exponent};
}

// The larger of the two is first, and not below the sum of the other's parts.
Pair sum(const Pair& a, const Pair& b) {
  const Pair high = fast_two_sum(a.high, b.high);
  return fast_two_sum(high.high, high.low + (a.low + b.low));
}

Pair small_sinh(const Expr& x) {
  const Expr z = x * x;
  return fast_two_sum(x, x * z * polynomial(z, kSinh));
}

// |x|, not above a bound from which on the result does not change; for NaN the bound.
Expr bounded_magnitude(const Expr& x, double bound) {
  return Expr::min(Expr::abs(x), number(bound));
}

}  // namespace

// (e^x - e^-x) / 2, or its series near 0, within 0.60 ulp.
Expr f64_sinh_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const Expr magnitude = bounded_magnitude(x, 711.0);
  const ExpAndInverse e = exp_and_inverse(magnitude);
  const Expr large = scale(sum(e.significand, negate(e.inverse)).high, e.exponent - Expr::i64(1));
  const Expr result =
      Expr::select(Expr::lt(magnitude, number(kSmall)), small_sinh(magnitude).high, large);
  return unless_nan(x, flip_sign(result, sign_bit(x)));
}

// (e^x + e^-x) / 2 within 0.55 ulp.
Expr f64_cosh_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const ExpAndInverse e = exp_and_inverse(bounded_magnitude(x, 711.0));
  return unless_nan(x, scale(sum(e.significand, e.inverse).high, e.exponent - Expr::i64(1)));
}

// (e^x - e^-x) / (e^x + e^-x) within 0.60 ulp. Near 0 the difference is twice the series of sinh.
Expr f64_tanh_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const Expr magnitude = bounded_magnitude(x, 32.0);
  const ExpAndInverse e = exp_and_inverse(magnitude);
  const Pair series = small_sinh(magnitude);
  const Pair twice_series{series.high + series.high, series.low + series.low};
  const Pair difference = derived_f64::select(Expr::lt(magnitude, number(kSmall)), twice_series,
                                              sum(e.significand, negate(e.inverse)));
  const Pair result = quotient(difference, sum(e.significand, e.inverse));
  return unless_nan(x, flip_sign(result.high + result.low, sign_bit(x)));
}

}  // namespace vyre

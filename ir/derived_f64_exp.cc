// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64_exp.h"

#include "vyre/ir/derived_f64.h"

namespace vyre {
namespace derived_f64 {
namespace {

// e^r = 1 + r + r^2 / 2 + r^3 p(r) for |r| <= ln 2 / 2, to 2^-59 of itself
// (generate_f64_polynomials.py).
constexpr double kExp[] = {
    0x1.1f6717774d5e0p-29, 0x1.af390ba7e6f47p-26, 0x1.27e4e1dcf773bp-22, 0x1.71de0d85293b8p-19,
    0x1.a01a01a48116fp-16, 0x1.a01a01a7cebcdp-13, 0x1.6c16c16c167dap-10, 0x1.11111111109a6p-7,
    0x1.5555555555555p-5,  0x1.5555555555556p-3,
};

// A number below 2^51 added to this is rounded to an integer, which is then the low bits of the
// sum.
constexpr double kRounder = 0x1.8p+52;

struct Rounded {
  Expr value;    // f64
  Expr integer;  // i64
};
Rounded round_to_integer(const Expr& sum_with_rounder) {
  const Expr rounder = number(kRounder);
  return {sum_with_rounder - rounder,
          Expr::bitcast(DataType::I64, sum_with_rounder) - Expr::bitcast(DataType::I64, rounder)};
}

// e^(r.high + r.low), |r| <= ln 2 / 2 and a little.
Pair exp_of_reduced(const Pair& r) {
  const Pair square = two_product(r.high, r.high);
  const Expr half = number(0.5);
  // 1 + r + r^2 / 2 with the errors of both sums: what remains is below 0.008, so that its rounding
  // errors hardly count.
  const Pair first = fast_two_sum(number(1.0), r.high);
  const Pair second = fast_two_sum(first.high, half * square.high);
  const Expr cube_term = square.high * r.high * polynomial(r.high, kExp);
  // e^r * r.low, of which 1 + r is enough.
  const Expr low_term = fma(r.low, first.high, half * square.low);
  const Expr rest = (first.low + second.low) + (low_term + cube_term);
  return fast_two_sum(second.high, rest);
}

}  // namespace

// x = k ln 2 + r. ln 2 is 40 bits, so that their product with k and the difference are exact, and
// a rest.
ScaledPair exp_parts(const Expr& x) {
  const Rounded k = round_to_integer(fma(x, number(0x1.71547652b82fep+0), number(kRounder)));
  const Expr high = fma(-k.value, number(0x1.62e42fefa4000p-1), x);
  const Expr low = k.value * number(0x1.8432a1b0e2634p-43);
  return {exp_of_reduced(fast_two_sum(high, low)), k.integer};
}

}  // namespace derived_f64

using namespace derived_f64;

// e^x within 0.55 ulp, 0.77 ulp where the result is subnormal. Beyond the bounds the result is
// infinite or zero anyway.
Expr f64_exp_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const Expr bounded = Expr::max(Expr::min(x, number(710.0)), number(-746.0));
  const ScaledPair parts = exp_parts(bounded);
  return unless_nan(x, scale(parts.significand.high, parts.exponent));
}

// 2^x = 2^k e^(f ln 2), f = x - k exact; bounds as of e^x.
Expr f64_exp2_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const Expr bounded = Expr::max(Expr::min(x, number(1025.0)), number(-1076.0));
  const Rounded k = round_to_integer(bounded + number(kRounder));
  const Expr fraction = bounded - k.value;
  const Pair high = two_product(fraction, number(0x1.62e42fefa39efp-1));
  const Pair reduced{high.high, fma(fraction, number(0x1.abc9e3b39803fp-56), high.low)};
  return unless_nan(x, scale(exp_of_reduced(reduced).high, k.integer));
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/derived_f64_blocks.h"

namespace vyre {

using namespace derived_f64;

namespace {

// log((1 + s) / (1 - s)) = 2 s + s^3 p(s^2) for |s| <= 0.1716, to 2^-60 of itself
// (generate_f64_polynomials.py).
constexpr double kLog[] = {
    0x1.0c04595972ab8p-3, 0x1.0fbe83c2cbcf3p-3, 0x1.3b1c360763b8ap-3, 0x1.745cf901605f7p-3,
    0x1.c71c720160b47p-3, 0x1.2492492476c87p-2, 0x1.9999999999a38p-2, 0x1.5555555555555p-1,
};

// x = m 2^k with m in sqrt(1/2)..sqrt(2), and log m: `twice_s` = 2 s with s = (m - 1) / (m + 1),
// and the rest of log m, at most 0.01 of it.
struct LogParts {
  Expr exponent;  // k, as f64
  Expr twice_s;
  Expr rest;
};

// For positive finite x.
LogParts log_parts(const Expr& x) {
  // Subnormals lack the bit that the exponent field stands for.
  const Expr is_small = Expr::lt(x, number(0x1p-1022));
  const Expr normal = Expr::select(is_small, x * number(0x1p+54), x);
  const Expr bits = bits_of(normal);
  const Expr sqrt_half = Expr::u64(0x3FE6A09E667F3BCD);
  const Expr k = Expr::cast(DataType::I64, bits - sqrt_half) >> Expr::i64(52);
  const Expr m = from_bits(bits - (Expr::cast(DataType::U64, k) << Expr::u64(52)));
  const Expr exponent =
      Expr::cast(DataType::F64, k) - Expr::select(is_small, number(54.0), number(0.0));

  // f is exact; the sum below it is not, nor is the quotient.
  const Expr f = m - number(1.0);
  const Pair below = fast_two_sum(number(2.0), f);
  const Expr inverse = number(1.0) / below.high;
  const Expr s = f * inverse;
  const Expr s_low = fma(-s, below.low, fma(-s, below.high, f)) * inverse;
  const Expr z = s * s;
  return {exponent, s + s, fma(s * z, polynomial(z, kLog), s_low + s_low)};
}

// y for positive finite x; -inf for zeros, NaN below, infinity and NaN for themselves.
Expr with_special_values(const Expr& x, const Expr& y) {
  const Expr infinity = Expr::literal(DataType::F64, uint64_t{0x7FF} << 52);
  const Expr zero = number(0.0);
  const Expr nan = Expr::literal(DataType::F64, uint64_t{0x7FF8} << 48);
  const Expr not_positive = Expr::select(Expr::eq(x, zero), -infinity, nan);
  return Expr::select(Expr::gt(x, zero), Expr::select(Expr::lt(x, infinity), y, x), not_positive);
}

}  // namespace

// log x = k ln 2 + log m within 0.58 ulp. k ln 2 and 2 s are added with the error of the sum; ln 2
// is 40 bits, so that their product with k is exact, and a rest.
Expr f64_log_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const LogParts parts = log_parts(x);
  const Pair sum = fast_two_sum(parts.exponent * number(0x1.62e42fefa4000p-1), parts.twice_s);
  const Expr rest = fma(parts.exponent, number(-0x1.8432a1b0e2634p-43), parts.rest);
  return with_special_values(x, sum.high + (sum.low + rest));
}

// log2 x = k + log m / ln 2 within 0.62 ulp, the quotient as a pair.
Expr f64_log2_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const LogParts parts = log_parts(x);
  const Pair log_m = fast_two_sum(parts.twice_s, parts.rest);
  const Pair inverse_ln2{number(0x1.71547652b82fep+0), number(0x1.777d0ffda0d24p-56)};
  const Pair fraction = product(log_m, inverse_ln2);
  const Pair sum = fast_two_sum(parts.exponent, fraction.high);
  return with_special_values(x, sum.high + (sum.low + fraction.low));
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/derived_f64_blocks.h"

namespace vyre {

using namespace derived_f64;

namespace {

// atan t = t + t^3 p(t^2) for |t| <= 7/16, to 2^-57 of itself (generate_f64_polynomials.py).
constexpr double kAtan[] = {
    0x1.e40ade8e6b30dp-7, -0x1.0f5fd11677ccbp-5, 0x1.70003d828e51ep-5, -0x1.ab5964d962e7bp-5,
    0x1.e17074088e2d1p-5, -0x1.110c9c528646fp-4, 0x1.3b1375c51724bp-4, -0x1.745d154c29613p-4,
    0x1.c71c71bd297ddp-4, -0x1.24924924854d3p-3, 0x1.99999999998c5p-3, -0x1.5555555555555p-2,
};

// asin t = t + t^3 p(t^2) for |t| <= 1/2, to 2^-57 of itself (generate_f64_polynomials.py).
constexpr double kAsin[] = {
    0x1.d733cdf1e8b12p-6, -0x1.e6c3690d9eb0ap-7, 0x1.1d2052b6eb685p-6, 0x1.659ea8825b1cap-8,
    0x1.52434da33ae58p-7, 0x1.78262197d4e16p-7,  0x1.c9cf0c30fbb90p-7, 0x1.1c4d35a7a771ap-6,
    0x1.6e8bb1c9c50aep-6, 0x1.f1c71c1da63a6p-6,  0x1.6db6db6e32015p-5, 0x1.3333333332ec9p-4,
    0x1.5555555555556p-3,
};

Pair pi_over_2() { return {number(0x1.921fb54442d18p+0), number(0x1.1a62633145c07p-54)}; }

// Where |x| <= 1/2: asin |x| = a + rest. Elsewhere: asin |x| = pi/2 - 2 (a + rest), where
// a + rest is the arc sine of sqrt((1 - |x|) / 2).
struct AsinParts {
  Expr is_small;
  Expr a;
  Expr rest;
};

AsinParts asin_parts(const Expr& x) {
  const Expr magnitude = Expr::abs(x);
  const Expr is_small = Expr::le(magnitude, number(0.5));
  // Exact, and negative beyond the domain: the root is NaN then.
  const Expr half_rest = (number(1.0) - magnitude) * number(0.5);
  const Expr root = Expr::sqrt(half_rest);
  // The bound is below all roots but 0, and keeps 0 / 0 away.
  const Expr root_low = fma(-root, root, half_rest) / Expr::max(root + root, number(0x1p-60));
  const Expr zero = number(0.0);
  const Expr a = Expr::select(is_small, magnitude, root);
  const Expr a_low = Expr::select(is_small, zero, root_low);
  const Expr z = Expr::select(is_small, magnitude * magnitude, half_rest);
  return {is_small, a, fma(a * z, polynomial(z, kAsin), a_low)};
}

// base + factor (a + rest), the factor 1 or 2 with a sign.
Expr linear(const Pair& base, const Expr& factor, const AsinParts& parts) {
  const Pair high = fast_two_sum(base.high, factor * parts.a);
  return high.high + (high.low + fma(factor, parts.rest, base.low));
}

}  // namespace

// Within 0.67 ulp.
Expr f64_asin_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const AsinParts parts = asin_parts(x);
  const Pair base = derived_f64::select(parts.is_small, {number(0.0), number(0.0)}, pi_over_2());
  const Expr factor = Expr::select(parts.is_small, number(1.0), number(-2.0));
  return flip_sign(linear(base, factor, parts), sign_bit(x));
}

// Within 0.67 ulp: pi/2 - asin x where |x| <= 1/2, else 2 (a + rest) for positive x and pi minus
// that for negative ones.
Expr f64_acos_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const AsinParts parts = asin_parts(x);
  const Expr is_negative = Expr::lt(x, number(0.0));
  const Pair half_pi = pi_over_2();
  const Pair zero{number(0.0), number(0.0)};
  const Pair pi{half_pi.high + half_pi.high, half_pi.low + half_pi.low};
  const Pair base =
      derived_f64::select(parts.is_small, half_pi, derived_f64::select(is_negative, pi, zero));
  const Expr size = Expr::select(parts.is_small, number(1.0), number(2.0));
  // The term is taken away where x is small and positive, or large and negative.
  const Expr factor = Expr::select(Expr::eq(parts.is_small, is_negative), size, -size);
  return linear(base, factor, parts);
}

// Within 0.70 ulp: atan x = atan c + atan t, t = (x - c) / (1 + c x), for the c of 0, 1/2, 1, 3/2,
// infinity that makes |t| <= 7/16. The sign is that of x.
Expr f64_atan_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  // From there on the result is pi/2; infinity would make infinity / infinity.
  const Expr magnitude = Expr::min(Expr::abs(x), number(0x1p+66));
  const Expr above_0 = Expr::ge(magnitude, number(0.4375));
  const Expr above_half = Expr::ge(magnitude, number(0.6875));
  const Expr above_1 = Expr::ge(magnitude, number(1.1875));
  const Expr above_3_halves = Expr::ge(magnitude, number(2.4375));
  const auto choose = [&](double zero, double half, double one, double three_halves,
                          double infinity) {
    const Expr upper = Expr::select(above_3_halves, number(infinity), number(three_halves));
    const Expr lower = Expr::select(above_0, number(half), number(zero));
    return Expr::select(above_1, upper, Expr::select(above_half, number(one), lower));
  };
  const Expr atan_c = choose(0.0, 0x1.dac670561bb4fp-2, 0x1.921fb54442d18p-1, 0x1.f730bd281f69bp-1,
                             0x1.921fb54442d18p+0);
  const Expr atan_c_low = choose(0.0, 0x1.a2b7f222f65e2p-56, 0x1.1a62633145c07p-55,
                                 0x1.007887af0cbbdp-56, 0x1.1a62633145c07p-54);
  // c = b / a; t = (a x - b) / (a + b x), the numerator exact.
  const Expr a = Expr::select(above_3_halves, number(0.0), number(1.0));
  const Expr b = choose(0.0, 0.5, 1.0, 1.5, 1.0);
  const Expr numerator = fma(a, magnitude, -b);
  const Pair product = two_product(b, magnitude);
  const Pair below = two_sum(a, product.high);
  const Pair t = quotient({numerator, number(0.0)}, {below.high, below.low + product.low});
  const Expr z = t.high * t.high;
  const Expr rest = fma(t.high * z, polynomial(z, kAtan), t.low);
  const Pair sum = fast_two_sum(atan_c, t.high);
  const Expr result = sum.high + (sum.low + (atan_c_low + rest));
  return unless_nan(x, flip_sign(result, sign_bit(x)));
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/double_double_functions.h"

#include "vyre/ir/scalar/double_double_constants.h"

namespace vyre::scalar::detail {

namespace {

constexpr DoubleDouble kOne{1.0, 0.0};

// 1 + z/(n+1)(n+2) (1 + z/(n+3)(n+4) (1 + ...)), from the innermost of `terms` factors outwards:
// with z = x^2 and n = 0 the series of cosh, with n = 1 that of sinh(x)/x, with z = -x^2 those of
// cos and sin. The nested form needs no table of factorials.
DoubleDouble nested_series(DoubleDouble z, int n, int terms) {
  DoubleDouble sum = kOne;
  for (int i = terms; i >= 1; --i) {
    const int last = n + 2 * i;
    sum = kOne + z * sum / DoubleDouble{static_cast<double>(last * (last - 1)), 0.0};
  }
  return sum;
}

// pi^(2i)/(2i)! drops under 2^-110 well before i = 24.
constexpr int kTerms = 24;

}  // namespace

DoubleDouble exact_exp(DoubleDouble x) {
  const double scaled = x.hi * kExactInverseLn2Hi;
  const int k = static_cast<int>(scaled + (scaled < 0.0 ? -0.5 : 0.5));
  const double steps = static_cast<double>(k);
  DoubleDouble r = two_sum(x.hi, -(steps * kLn2Head)) + DoubleDouble{x.lo, 0.0};
  r = r - two_product(steps, kLn2Middle) - DoubleDouble{steps * kLn2Tail, 0.0};
  // |r| < 0.35, so r^26/26! < 2^-127.
  DoubleDouble sum = kOne;
  for (int i = 26; i >= 1; --i) sum = kOne + r * sum / DoubleDouble{static_cast<double>(i), 0.0};
  const double scale = power_of_two(k);
  return {sum.hi * scale, sum.lo * scale};
}

DoubleDouble exact_sin(DoubleDouble x) { return x * nested_series(-(x * x), 1, kTerms); }

DoubleDouble exact_cos(DoubleDouble x) { return nested_series(-(x * x), 0, kTerms); }

DoubleDouble exact_sinh(DoubleDouble x) { return x * nested_series(x * x, 1, kTerms); }

DoubleDouble exact_cosh(DoubleDouble x) { return nested_series(x * x, 0, kTerms); }

}  // namespace vyre::scalar::detail

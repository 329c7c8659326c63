// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64_blocks.h"

namespace vyre::derived_f64 {

Pair fast_two_sum(const Expr& a, const Expr& b) {
  const Expr sum = a + b;
  return {sum, b - (sum - a)};
}

Pair two_sum(const Expr& a, const Expr& b) {
  const Expr sum = a + b;
  const Expr b_in_sum = sum - a;
  const Expr a_in_sum = sum - b_in_sum;
  return {sum, (a - a_in_sum) + (b - b_in_sum)};
}

Pair two_product(const Expr& a, const Expr& b) {
  const Expr product = a * b;
  return {product, fma(a, b, -product)};
}

Pair product(const Pair& a, const Pair& b) {
  const Pair high = two_product(a.high, b.high);
  return {high.high, fma(a.low, b.high, fma(a.high, b.low, high.low))};
}

Pair quotient(const Pair& a, const Pair& b) {
  const Expr first = a.high / b.high;
  const Expr rest = fma(-first, b.low, fma(-first, b.high, a.high) + a.low);
  return {first, rest / b.high};
}

Pair select(const Expr& condition, const Pair& if_true, const Pair& if_false) {
  return {Expr::select(condition, if_true.high, if_false.high),
          Expr::select(condition, if_true.low, if_false.low)};
}

Pair negate(const Pair& a) { return {-a.high, -a.low}; }

Expr polynomial(const Expr& x, std::span<const double> coefficients) {
  Expr sum = number(coefficients[0]);
  for (const double coefficient : coefficients.subspan(1)) sum = fma(sum, x, number(coefficient));
  return sum;
}

Expr power_of_two(const Expr& n) {
  return from_bits(Expr::cast(DataType::U64, n + Expr::i64(1023)) << Expr::u64(52));
}

Expr scale(const Expr& x, const Expr& n) {
  const Expr half = n >> Expr::i64(1);
  return x * power_of_two(half) * power_of_two(n - half);
}

Expr sign_bit(const Expr& x) { return bits_of(x) & Expr::u64(uint64_t{1} << 63); }

Expr flip_sign(const Expr& y, const Expr& sign) { return from_bits(bits_of(y) ^ sign); }

Expr unless_nan(const Expr& x, const Expr& y) { return Expr::select(Expr::ne(x, x), x, y); }

}  // namespace vyre::derived_f64

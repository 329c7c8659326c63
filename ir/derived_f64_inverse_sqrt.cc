// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/derived_f64_blocks.h"

namespace vyre {

using namespace derived_f64;

// 1 / sqrt(x) within 0.51 ulp. With s = sqrt(x) and y = 1 / s, both rounded, and e = x - s^2,
//
//   1 / sqrt(x) = y (1 + (1 - s y) - e y^2 / 2 + ...)
//
// where the terms left out are below 2^-100. Small x are scaled so that e is exact.
Expr f64_inverse_sqrt_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const Expr is_small = Expr::lt(x, number(0x1p-900));
  const Expr scaled = x * Expr::select(is_small, number(0x1p+200), number(1.0));
  const Expr s = Expr::sqrt(scaled);
  const Expr y = number(1.0) / s;
  const Expr remainder_of_sqrt = fma(-s, s, scaled);
  const Expr correction = fma(remainder_of_sqrt * y, y * number(-0.5), fma(-s, y, number(1.0)));
  const Expr result = fma(y, correction, y) * Expr::select(is_small, number(0x1p+100), number(1.0));
  // Zeros, infinity and what has no root have theirs in y already.
  const Expr infinity = Expr::literal(DataType::F64, uint64_t{0x7FF} << 52);
  const Expr is_ordinary = Expr::and_(Expr::gt(x, number(0.0)), Expr::lt(x, infinity));
  return Expr::select(is_ordinary, result, y);
}

}  // namespace vyre

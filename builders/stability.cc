// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/stability.h"

namespace vyre {
namespace {

// The clamps would turn a NaN into a number: it passes by them.
Expr unless_nan(const Expr& value, const Expr& otherwise) {
  return Expr::select(Expr::is_nan(value), value, otherwise);
}

}  // namespace

Expr finite_or(const Expr& value, const Expr& replacement) {
  return Expr::select(Expr::is_finite(value), value, replacement);
}

Expr bounded_score(const Expr& value) {
  return unless_nan(value, finite_or(value, Expr::f32(kScoreFloor)));
}

Expr bounded_exp_arg(const Expr& value) {
  const Expr finite = finite_or(value, Expr::f32(kScoreFloor));
  const Expr at_most_zero = Expr::select(Expr::gt(finite, 0.0F), 0.0F, finite);
  return unless_nan(value,
                    Expr::select(Expr::lt(at_most_zero, kScoreFloor), kScoreFloor, at_most_zero));
}

Expr positive_denominator(const Expr& value) {
  const Expr usable = Expr::and_(Expr::is_finite(value), Expr::gt(value, kTiny));
  return unless_nan(value, Expr::select(usable, value, kTiny));
}

Expr flush_tiny(const Expr& value) {
  return Expr::select(Expr::le(Expr::abs(value), kTiny), 0.0F, value);
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Numerical guards of the attention builders, as expressions over an f32 argument.
//
//   Node::let_bind("score", bounded_score(Expr::var("raw_score")));
//   Node::let_bind("rescale", Expr::exp(bounded_exp_arg(Expr::var("m") - Expr::var("m_new"))));
//
// A guard uses its argument several times (the number is given with each), and an expression is
// evaluated where it stands: bind a costly argument with let_bind first.
#pragma once

#include <limits>

#include "vyre/ir/expr.h"

namespace vyre {

// Where a running maximum starts: the lowest finite f32. Not -inf, whose difference with itself is
// NaN.
inline constexpr float kMaxSentinel = std::numeric_limits<float>::lowest();
// What an infinite score becomes, and the least argument of exp: exp(-80) is still a normal f32.
inline constexpr float kScoreFloor = -80.0F;
// 2^-126, the smallest normal f32.
inline constexpr float kTiny = std::numeric_limits<float>::min();

// value if it is finite, else replacement. Uses value twice.
Expr finite_or(const Expr& value, const Expr& replacement);

// NaN stays NaN, an infinity of either sign becomes -80, any other value stays. Uses value 4 times.
Expr bounded_score(const Expr& value);

// NaN stays NaN, an infinity of either sign becomes -80, any other value is clamped to [-80, 0].
// Uses value 10 times.
Expr bounded_exp_arg(const Expr& value);

// NaN stays NaN, a finite value above 2^-126 stays, any other value becomes 2^-126. Uses value 5
// times.
Expr positive_denominator(const Expr& value);

// +0 where |value| <= 2^-126, else value (NaN too). Uses value twice.
Expr flush_tiny(const Expr& value);

}  // namespace vyre

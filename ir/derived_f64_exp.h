// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// e^x as a significand and an exponent, for exp, exp2 and the hyperbolic functions on f64.
#pragma once

#include "vyre/ir/derived_f64_blocks.h"

namespace vyre::derived_f64 {

// significand * 2^exponent. The significand is a pair in 0.7..1.42 that is precise to 2^-58; the
// exponent is an i64.
struct ScaledPair {
  Pair significand;
  Expr exponent;
};

// e^x for x in -1400..1400.
ScaledPair exp_parts(const Expr& x);

}  // namespace vyre::derived_f64

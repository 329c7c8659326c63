// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reduction of an f64 angle modulo pi/2, for arguments of every size.
#pragma once

#include "vyre/ir/derived_f64_blocks.h"

namespace vyre::derived_f64 {

// |x| = rest + quadrant pi/2, |rest| <= pi/4 and a little. The quadrant is a u64 of which the two
// low bits count. rest is precise to 2^-63 of itself.
struct ReducedAngle {
  Pair rest;
  Expr quadrant;
};

// For finite x; something for others.
ReducedAngle reduce_angle(const Expr& x);

}  // namespace vyre::derived_f64

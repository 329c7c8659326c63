// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sqrt, 1/sqrt and 1/x of an f32, correctly rounded by integer arithmetic alone: the significand of
// the result is an integer root or quotient, and what is left over decides the rounding.
//
//   float y = vyre::bench::exact_inverse_sqrt(4.0f);  // 0.5
//
// Zeros, infinities and negative numbers give what Annex F of the C standard says.
#pragma once

namespace vyre::bench {

float exact_sqrt(float x);
float exact_inverse_sqrt(float x);
float exact_reciprocal(float x);

}  // namespace vyre::bench

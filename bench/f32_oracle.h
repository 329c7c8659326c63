// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// MPFR as the oracle of f32 functions.
//
//   bench::Oracle oracle;  // one for each thread: MPFR's exponent range belongs to the thread
//   float expected = oracle.round(function, x);
#pragma once

#include <mpfr.h>

#include "bench/f32_functions.h"

namespace vyre::bench {

class Oracle {
 public:
  Oracle();
  ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // The correctly rounded result; a NaN is the canonical one.
  float round(const Function& function, float x);

  // How far the exact result is from the nearest boundary between two f32, relative to itself.
  double boundary_distance(const Function& function, float x);

  // |value - f(x)| over the bound an estimate claims; at most 1 when the bound holds.
  double bound_ratio(const Function& function, float x, scalar::detail::Estimate estimate);

 private:
  void evaluate_wide(const Function& function, float x);

  // With the precision and, while rounding, the exponent range of f32.
  mpfr_t input_, rounded_;
  mpfr_t wide_, other_;
};

}  // namespace vyre::bench

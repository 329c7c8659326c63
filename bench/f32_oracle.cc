// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/f32_oracle.h"

#include <algorithm>
#include <cmath>

namespace vyre::bench {

Oracle::Oracle() {
  mpfr_init2(input_, 24);
  mpfr_init2(rounded_, 24);
  mpfr_init2(wide_, 240);
  mpfr_init2(other_, 240);
}

Oracle::~Oracle() {
  mpfr_clear(input_);
  mpfr_clear(rounded_);
  mpfr_clear(wide_);
  mpfr_clear(other_);
}

float Oracle::round(const Function& function, float x) {
  const mpfr_exp_t old_min = mpfr_get_emin();
  const mpfr_exp_t old_max = mpfr_get_emax();
  // MPFR's significands lie in [1/2, 1), so these are 2^-149 and the largest f32.
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_set_flt(input_, x, MPFR_RNDN);
  const int inexact = function.exact(rounded_, input_, MPFR_RNDN);
  mpfr_subnormalize(rounded_, inexact, MPFR_RNDN);
  const float result = mpfr_get_flt(rounded_, MPFR_RNDN);
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);
  return canonical(result);
}

double Oracle::boundary_distance(const Function& function, float x) {
  evaluate_wide(function, x);
  const float rounded = round(function, x);
  if (!(std::fabs(rounded) < 0x1.fffffep127f)) return 1.0;
  double least = 1.0;
  for (const float toward : {-INFINITY, INFINITY}) {
    const double boundary =
        0.5 * (static_cast<double>(rounded) + static_cast<double>(std::nextafter(rounded, toward)));
    mpfr_sub_d(other_, wide_, boundary, MPFR_RNDN);
    mpfr_div(other_, other_, wide_, MPFR_RNDN);
    least = std::min(least, std::fabs(mpfr_get_d(other_, MPFR_RNDN)));
  }
  return least;
}

double Oracle::bound_ratio(const Function& function, float x, scalar::detail::Estimate estimate) {
  evaluate_wide(function, x);
  mpfr_sub_d(other_, wide_, estimate.value, MPFR_RNDN);
  if (mpfr_zero_p(other_)) return 0.0;
  mpfr_div_d(other_, other_, estimate.error, MPFR_RNDN);
  return std::fabs(mpfr_get_d(other_, MPFR_RNDN));
}

void Oracle::evaluate_wide(const Function& function, float x) {
  mpfr_set_flt(input_, x, MPFR_RNDN);
  function.exact(wide_, input_, MPFR_RNDN);
}

}  // namespace vyre::bench

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Elementary functions of double-double numbers, plain and slow, with errors near 2^-98.
#pragma once

#include "vyre/ir/scalar/double_double.h"

namespace vyre::scalar::detail {

// e^x for |x| < 700, with a relative error.
DoubleDouble exact_exp(DoubleDouble x);

// sin and cos by their series, meant for |x| <= pi. The sine of a small x has a relative error;
// elsewhere errors are absolute.
DoubleDouble exact_sin(DoubleDouble x);
DoubleDouble exact_cos(DoubleDouble x);

// sinh and cosh by their series, for |x| <= 1, with relative errors.
DoubleDouble exact_sinh(DoubleDouble x);
DoubleDouble exact_cosh(DoubleDouble x);

}  // namespace vyre::scalar::detail

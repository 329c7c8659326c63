// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The f64 functions as sequences of f64 +, -, *, /, sqrt, fma, comparisons, selects, and integer
// operations on bits (design rule E16). ops.def names them; an engine needs to know none of them.
//
//   const Expr operands[] = {Expr::var("x")};
//   f64_exp_meaning(DataType::F64, operands);
//
// Every function is within 1 ulp of the exact result for every input; docs/numerics.md has the
// errors found. NaN gives NaN. Infinities, zeros and arguments outside the domain give what Annex F
// of the C standard says, without the exceptions.
//
// Each takes one operand, of f64, and is valid for that type only. What it is for f32 is a core
// operation, correctly rounded.
#pragma once

#include <span>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"

namespace vyre {

Expr f64_inverse_sqrt_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_exp_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_exp2_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_log_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_log2_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_sin_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_cos_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_tan_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_asin_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_acos_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_atan_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_sinh_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_cosh_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr f64_tanh_meaning(DataType::Kind type, std::span<const Expr> operands);

}  // namespace vyre

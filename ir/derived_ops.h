// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Derived operations: what each means, in terms of other operations. The meaning column of ops.def
// names these functions; an engine needs to know none of them.
//
//   const Expr operands[] = {Expr::var("a"), Expr::var("n")};
//   derived_meaning(Op::kRotateRight, DataType::U32, operands);  // a >> n | a << (0u - n)
//
// Operands are used as they are handed in, up to six times, so they must be cheap and without
// effects: a caller whose operands are to be evaluated once (design rule E3: all of them are, once,
// left to right) binds them first and hands in the variables, or literals.
//
// `type` is the type of the operands, one that the operation's type rule allows; anything else is a
// bug of the caller. A meaning has the type of the operation and holds core operations only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vyre/ir/data_type.h"
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/expr.h"
#include "vyre/ir/op.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre {

Expr abs_diff_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr saturating_add_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr saturating_sub_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr saturating_mul_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr wrapping_add_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr wrapping_sub_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr rotate_left_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr rotate_right_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr unpack4_low_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr unpack4_high_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr unpack8_low_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr unpack8_high_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr sign_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr is_nan_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr is_inf_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr is_finite_meaning(DataType::Kind type, std::span<const Expr> operands);
Expr reciprocal_meaning(DataType::Kind type, std::span<const Expr> operands);

// The meaning of an operation where is_derived(op, type); where it is core it has none.
Expr derived_meaning(Op op, DataType::Kind type, std::span<const Expr> operands);

}  // namespace vyre

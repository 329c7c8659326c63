// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Expressions of the operations that nothing but operands describes, by their row in ops.def.
//
//   if (const std::optional<size_t> count = plain_operand_count(op)) ...   // 2 for Op::kMin
//   Expr e = build_operation(op, operands, place);
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "vyre/ir/expr.h"

namespace vyre::internal {

// How many operands it takes; none for an operation that has a name, a type, an ordering or an id.
std::optional<size_t> plain_operand_count(Op op);

// Takes as many operands as plain_operand_count says.
Expr build_operation(Op op, std::vector<Expr> operands, Place place);

}  // namespace vyre::internal

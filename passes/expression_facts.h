// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which expressions have effects, now that types are known: what no exact pass may remove, copy or
// reorder. Effects are atomics, divisions that may trap, operations across the subgroup (every lane
// takes part), calls and extensions. Loads are not: they are total and change nothing.
//
//   const std::vector<bool> effects = expressions_with_effects(resolved);
//   effects[id];   // of the expression with that number, operands included
#pragma once

#include <optional>
#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::passes {

// Whether the operation has an effect of its own, its operands aside. `type` is that of its first
// operand. A division by a literal that is neither 0 nor -1 cannot trap.
bool has_own_effect(const Expr& expr, std::optional<DataType::Kind> type);

// By ExprId.
std::vector<bool> expressions_with_effects(const Resolved& resolved);

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What an expression becomes once operands of it are literals. Used by const_fold, and by simplify
// for what its identities make constant.
//
// Kernels need the default floating-point environment: hold a scalar::FloatEnvironment.
#pragma once

#include <optional>
#include <span>

#include "vyre/passes/typed_rewrite.h"

namespace vyre::passes {

// The literal that an operation on literals gives, or the arm that a literal condition chooses if
// the other arm has no effect. None if there is neither: then the expression stays.
std::optional<TypedExpr> fold_constant(const TypedExpr& expr, std::span<const TypedExpr> operands);

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// bind_shared: binds shared and deep operands with let, so that a program's size as text is that of
// its graph. Exact.
//
//   auto s = x[i] + 1.0                  one handle, used twice
//   y[i] = s * s                         y[i] = (x[i] + 1.0) * (x[i] + 1.0)
//
//   let shared.1 = x[i] + 1.0
//   y[i] = shared.1 * shared.1
//
// A let takes the place of what occurs more than once in one statement, and of every level that is
// a multiple of kMaxBoundDepth above the leaves or the next let. Literals, variables, ids and
// buffer lengths stay where they are.
//
// Never bound is what holds an effect (atomics, divisions that may trap, operations across the
// subgroup, calls and extensions): each of its occurrences is one evaluation. A load stays where it
// is in a statement that has an effect too, since the effect may change what is loaded. Handles are
// not shared across statements: `x[i]` before and after a store are two values.
#pragma once

#include "vyre/passes/pass.h"

namespace vyre::passes {

// No expression of the result is deeper than this, but for what may not be bound.
inline constexpr uint32_t kMaxBoundDepth = 32;

StatusOr<PassResult> bind_shared(const Program& program);

}  // namespace vyre::passes

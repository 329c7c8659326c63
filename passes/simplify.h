// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// simplify: algebraic identities, from the table in vyre/passes/simplify_rules.h. Exact.
//
//   let a = x[i] - 0.0                 let a = x[i]
//   let b = x[i] + 0.0                 let b = x[i] + 0.0     (-0.0 + 0.0 is +0.0)
//   let c = (i + 0u) * 1u              let c = i
//   let d = x[i] * 0.0                 let d = x[i] * 0.0     (NaN for a NaN or an infinity)
//   let e = (i ^ i) + 3u               let e = 3u
//   if not not (i < n) {               if i < n {
//
// A rule applies by type and never drops, repeats or reorders an effect: (a / b) * 0u stays where
// the division may trap. What a rule makes constant is folded at once, as const_fold does.
#pragma once

#include "vyre/passes/pass.h"

namespace vyre::passes {

StatusOr<PassResult> simplify(const Program& program);

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// dce: removes what cannot be observed. Exact.
//
//   let unused = x[i] + 1.0          (gone)
//   let sum = 0.0                    let sum = 0.0
//   for k in 0u..4u {                for k in 0u..4u {
//     let twice = sum * 2.0            sum = sum + x[k]
//     sum = sum + x[k]               }
//   }
//   if i < 8u {                      (gone)
//   }
//   y[i] = sum                       y[i] = sum
//   return                           return
//   y[i] = 0.0                       (gone)
//
// Removed are: bindings and assignments of variables that nothing observable reads; ifs, loops,
// blocks and nested regions in which nothing is left; statements that come after a return or trap
// in every way to reach them.
//
// Kept are: effects, wherever their value goes (atomics, divisions that may trap, operations across
// the subgroup, calls and extensions), so `let unused = a / b` stays for signed a; top-level
// regions, even empty ones; `forever` loops, since what follows one never runs (a counted loop ends
// by itself and may go; step counts are no result); all buffers, the interface of the program.
#pragma once

#include "vyre/passes/pass.h"

namespace vyre::passes {

StatusOr<PassResult> dce(const Program& program);

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// const_fold: computes what is known before the program runs. Exact.
//
//   let a = 2.0 * 3.5 + x[i]                  let a = 7.0 + x[i]
//   let b = 7i / 0i                           let b = 7i / 0i      (it traps: an effect)
//   let c = select(1u < 2u, a, 1.0 / 0.0)     let c = a
//   if 4u == 4u {                             block {
//     y[i] = c                                  y[i] = c
//   } else {                                  }
//     y[i] = 0.0
//   }
//   for k in 3u..2u {                         (gone)
//     y[k] = 0.0
//   }
//
// Values come from the interpreter's own kernels, in the type of the operation, so a folded program
// gives the same bits; a NaN folds to the literal nan. Loads, ids, buffer lengths, variables and
// everything with an effect stay. A select loses an arm only if that arm has no effect.
#pragma once

#include "vyre/passes/pass.h"

namespace vyre::passes {

StatusOr<PassResult> const_fold(const Program& program);

}  // namespace vyre::passes

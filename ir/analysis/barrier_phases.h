// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Phases: the parts of a program that the barriers of a workgroup separate (design rules E5, E8).
//
//   BarrierPhases phases(resolved);
//   if (phases.of(store) != phases.of(load)) ...   // in every run, a barrier stands between them
//
// Two invocations of a workgroup can be at statements of one phase at the same time; at statements
// of different phases they cannot, as all barriers are reached by all. A way from one statement to
// another without a barrier puts both into one phase: round a loop, or past an if whose barrier is
// not taken. So in
//
//   for i in 0u..n { s[i] = x  barrier seq_cst  y[i] = s[0u]  barrier seq_cst }
//
// the store and the load are in different phases; without the second barrier they are in one.
#pragma once

#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre {

using PhaseId = uint32_t;
inline constexpr PhaseId kSeveralPhases = 0xFFFFFFFE;

class BarrierPhases {
 public:
  // Linear in the size of the tables (nearly: with the inverse of Ackermann's function).
  explicit BarrierPhases(const Resolved& resolved);

  // Of what the statement itself does: its operands are evaluated, memory is read and written. Of a
  // loop or an if, that is what happens before its bodies.
  PhaseId of(StmtId stmt) const { return statements_[stmt]; }
  // Of all places where the expression is evaluated: kSeveralPhases if they are in different ones,
  // kNoId if there is none.
  PhaseId of_expression(ExprId expr) const { return expressions_[expr]; }

 private:
  std::vector<PhaseId> statements_;
  std::vector<PhaseId> expressions_;
};

}  // namespace vyre

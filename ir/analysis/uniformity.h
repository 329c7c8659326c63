// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Uniformity: which statements all invocations of a workgroup reach together, and which values are
// the same in all of them (design rules D12, E5, E7).
//
//   Resolved resolved = resolve(program);
//   Uniformity uniformity = analyze_uniformity(resolved);
//   if (!uniformity.is_together(barrier)) ...   // uniformity.parted_by(barrier) says where it
//   began
//
// Sound: what is called together or uniform is so in every run. It need not find all that is.
//
// A variable is uniform if all that it is ever given is: it is divergent everywhere as soon as one
// let or assignment gives it a divergent value, or is not reached together. A value is uniform if
// its operands are and it is not, by itself, another one in each invocation: an invocation or local
// id (unless the workgroup has size 1 along that axis), an atomic, a load of memory that may change
// meanwhile, an operation of an extension. Memory that the program does not write does not change;
// workgroup memory does not change in a phase (barrier_phases.h) in which nothing writes it, so
// that a value can be handed to all: one invocation stores it, barrier, all load it, and a barrier
// before the next store. Reductions, ballots and shuffles from a uniform lane are uniform where the
// workgroup is no larger than a subgroup.
//
// A trap parts nobody: the workgroup stops at the next barrier or subgroup operation (E9).
#pragma once

#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre {

// Where a difference between invocations comes from: an expression, or a statement that assigns a
// variable though only a part of the workgroup may reach it; the other one is kNoId.
struct DivergenceOrigin {
  ExprId expr = kNoId;
  StmtId assignment = kNoId;
  // Of a load: a statement that may change the memory meanwhile; kNoId if an extension may.
  StmtId write = kNoId;
};

class Uniformity {
 public:
  // Whether all invocations of a workgroup execute the statement, in the same iterations of all
  // loops around it, if one of them does. (A loop itself: whether they enter it together.)
  bool is_together(StmtId stmt) const { return parted_by_[stmt] == kNoId; }
  // The if, loop or return because of which they may not; kNoId if they are together.
  StmtId parted_by(StmtId stmt) const { return parted_by_[stmt]; }
  // Whether all invocations that evaluate it together get the same value.
  bool is_uniform(ExprId expr) const { return expr_origins_[expr] == kNoId; }
  bool is_uniform_variable(VariableId variable) const {
    return variable_origins_[variable] == kNoId;
  }
  // Of an expression that is not uniform.
  const DivergenceOrigin& origin(ExprId expr) const { return origins_[expr_origins_[expr]]; }

 private:
  friend class UniformityAnalysis;
  std::vector<StmtId> parted_by_;
  std::vector<DivergenceOrigin> origins_;
  std::vector<uint32_t> expr_origins_;  // numbers in origins_, kNoId: uniform
  std::vector<uint32_t> variable_origins_;
};

// Linear in the size of the tables (nearly: with the inverse of Ackermann's function). The program
// may have errors: a name that is not bound counts as uniform. The tables must be complete.
Uniformity analyze_uniformity(const Resolved& resolved);

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which integers get into an index and may have left their type on the way there: those whose exact
// values a run that is checked for wrapped indices follows.
//
//   const IndexSlice slice = find_index_slice(resolved);
//   if (slice.expressions[id]) ...   // its exact value may be another one than its value
#pragma once

#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::interpreter {

struct IndexSlice {
  std::vector<bool> expressions;  // by ExprId
  std::vector<bool> variables;    // by VariableId
};

// Follows operations on integers and variables, not memory: what is loaded is exact. Linear.
IndexSlice find_index_slice(const Resolved& resolved);

// The operand whose value, or one of whose values, becomes the operation's: all of integer
// operations, the arms of select.
bool carries_integers(Op op, size_t operand);

}  // namespace vyre::interpreter

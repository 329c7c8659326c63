// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the expressions of one statement do to memory.
#pragma once

#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::interpreter {

class StatementEffects {
 public:
  StatementEffects(const Resolved& resolved, StmtId stmt);

  bool has_atomics() const { return !atomics_.empty(); }
  // Whether another lane may change, in this statement, what the load reads before it is read.
  bool changes_what_is_read(const ResolvedExpr& expr) const;
  // Whether its effects on memory are the same if all lanes do one part before any does the next:
  // no buffer is in the reach of two of its parts.
  bool parts_commute() const { return parts_commute_; }

 private:
  std::vector<uint32_t> atomics_;  // their buffers
  bool parts_commute_ = true;
};

}  // namespace vyre::interpreter

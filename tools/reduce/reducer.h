// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// reduce: makes a program as small as it can be while something that one looks for still holds of
// it: a crash, a wrong result, a diagnostic.
//
//   const auto differs = [&](const Program& p) { return run(p, cpu) != run(p, interpreter); };
//   StatusOr<ReduceResult> r = reduce(program, differs);
//   fmt::print("{}", print(r->program).value());
//
// It removes statements, puts bodies in the place of what they stand in, drops variables, replaces
// expressions by their operands, 0 or 1, removes and shrinks declarations and sizes, and shortens
// names, until nothing of that helps. A rewrite need not mean the same: the predicate decides. The
// same program and predicate give the same result.
#pragma once

#include <cstdint>
#include <functional>

#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

// As text would write it: what is shared counts at each use. Saturates.
struct ProgramSize {
  uint64_t statements = 0;
  uint64_t expressions = 0;
  uint64_t buffers = 0;
  uint64_t nodes() const;  // all three
};
ProgramSize size_of(const Program& program);

struct ReduceProgress {
  uint64_t tests = 0;
  uint64_t nodes = 0;  // of the smallest program so far
};

struct ReduceOptions {
  // The predicate is asked no more often than that.
  uint64_t max_tests = 10'000;
  // Ask about programs whose names and types do not resolve, too. Never needed for a program that
  // does not resolve itself.
  bool any_program = false;
  // Called after each test.
  std::function<void(const ReduceProgress&)> progress{};
  // Asked before each test; true ends the reduction with what it has.
  std::function<bool()> stop{};
};

struct ReduceResult {
  Program program;
  ProgramSize before;
  ProgramSize after;
  uint64_t tests = 0;
  bool finished = false;  // nothing else helps; not stopped by a limit
};

using Predicate = std::function<bool(const Program&)>;

// FailedPrecondition if the predicate does not hold of the program as it is.
StatusOr<ReduceResult> reduce(const Program& program, const Predicate& holds,
                              const ReduceOptions& options = {});

}  // namespace vyre::tools

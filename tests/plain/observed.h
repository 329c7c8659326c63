// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What can be seen of a run, to hold two evaluators against each other.
//
//   const Observed plain = observe_plain(program, memory, options);
//   const Observed lanes = observe_lanes(compiled, memory, options);
//   CHECK(difference(program, plain, lanes).empty());
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "vyre/interpreter/run_program.h"
#include "vyre/ir/program.h"
#include "vyre/ir/run.h"

namespace vyre::test {

struct Observed {
  std::string error;
  std::string trap;
  uint64_t steps = 0;  // 0 after a trap: how far the other invocations come is not fixed
  std::vector<std::vector<std::byte>> outputs{};  // of returned buffers; none without success

  bool ok() const { return error.empty() && trap.empty(); }
  friend bool operator==(const Observed&, const Observed&) = default;
};

// `memory` has one entry a buffer of the program, empty for scratch.
Observed observe_plain(const Program& program, std::vector<std::vector<std::byte>> memory,
                       const RunOptions& options);
Observed observe_lanes(const interpreter::CompiledProgram& compiled,
                       std::vector<std::vector<std::byte>> memory, const RunOptions& options);

// Says what the two saw differently and where outputs part; empty if nothing differs.
std::string difference(const Program& program, const Observed& plain, const Observed& lanes);

// Runs the program on both evaluators, the interpreter once for each instruction set of this
// machine: the first difference, or empty. `seen`, if given, is what the plain evaluator saw.
std::string judge(const Program& program, const std::vector<std::vector<std::byte>>& memory,
                  const RunOptions& options = {}, Observed* seen = nullptr);

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A second model of execution, for tests: every invocation of the whole grid has a program counter
// of its own, and a seeded scheduler picks which one executes its next statement. Nothing but
// barriers, grid barriers and subgroup operations orders them, so it runs a program as freely as a
// real machine may.
//
//   StatusOr<InterleavedRun> run = run_interleaved(resolve(program), bound, seed);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "vyre/ir/resolve.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::test {

struct InterleavedRun {
  std::optional<Trap> trap;  // the least, as run_plain reports it
  uint64_t turns = 0;
};

// Runs on the bound buffers, in place; they are those of run_plain. Errors: those of run_plain, and
// ResourceExhausted after very many turns.
StatusOr<InterleavedRun> run_interleaved(const Resolved& resolved,
                                         std::span<const std::span<std::byte>> bound,
                                         uint64_t seed);

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random programs that are legal and determinate by construction, for tests that compare two ways
// of running or rewriting them.
//
//   for (uint64_t seed = 1; seed <= 500; ++seed) {
//     INFO("seed " << seed);
//     const Program p = test::random_program(seed);
//     const std::vector<std::vector<std::byte>> inputs = test::random_inputs(p, seed);
//   }
//
// Any 1,000 consecutive seeds execute every operation on every type that the product evaluates,
// every conversion, atomic and subgroup operation, and loads and stores of every element type in
// every kind of buffer: tests/support/program_coverage.h counts them. Workgroups have one to three
// dimensions, grids none to a few workgroups. About one run in twenty traps.
//
// Free of races: between two barriers an element is written by one invocation and read by no other.
// The exceptions are inputs, which nobody writes, and words on which all invocations use one
// commutative atomic whose old value nobody uses. Barriers and subgroup operations stand only where
// control depends on literals, lengths, workgroup ids and what is computed from them. Accesses out
// of bounds have a defined result and stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/random.h"
#include "vyre/ir/program.h"

namespace vyre::test {

struct RandomProgramOptions {
  bool grid_sync = false;  // some programs have barriers of the grid
  bool async = false;      // some have asynchronous copies
};

Program random_program(uint64_t seed, const RandomProgramOptions& options = {});

// One list of bytes a buffer, empty where the caller supplies nothing: mostly edge values, NaNs,
// infinities and subnormals among them. A buffer without a count gets a few elements, one with a
// count now and then more than it asks for.
std::vector<std::vector<std::byte>> random_inputs(const Program& program, uint64_t seed);

}  // namespace vyre::test

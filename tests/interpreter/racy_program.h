// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random programs whose invocations read what others write, in the same statement and elsewhere.
// What they compute depends on the order of statements and invocations, and only on that: two
// evaluators that keep to the same order agree on them.
//
//   const Program p = test::racy_program(seed);
//   CHECK(test::judge(p, test::racy_memory(p, seed)).empty());
#pragma once

#include <cstddef>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::test {

struct RacyOptions {
  // Subgroup operations and barriers where all invocations go.
  bool collective = true;
};

Program racy_program(uint64_t seed, const RacyOptions& options = {});
std::vector<std::vector<std::byte>> racy_memory(const Program& program, uint64_t seed);

}  // namespace vyre::test

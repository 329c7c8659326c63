// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The interpreter against the plain evaluator, which follows the rules one invocation and one
// instruction at a time: bytes, traps, errors and step counts are the same.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

#include "tests/plain/observed.h"
#include "tests/support/random_program.h"

using namespace vyre;

namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("the interpreter gives the plain evaluator's bits on 5000 random programs") {
  const uint64_t first = from_environment("VYRE_SEED", 1);
  const uint64_t count = from_environment("VYRE_COUNT", 5000);
  size_t trapped = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const test::RandomProgramOptions kinds{.grid_sync = true, .async = true};
    const Program program = test::random_program(seed, kinds);
    const std::vector<std::vector<std::byte>> memory = test::random_inputs(program, seed);
    INFO("seed " << seed);
    test::Observed plain;
    const std::string found = test::judge(program, memory, {}, &plain);
    if (!found.empty()) FAIL_CHECK(found);
    trapped += plain.trap.empty() ? 0 : 1;
  }
  std::printf("seeds %llu to %llu, %zu trapped\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1), trapped);
}

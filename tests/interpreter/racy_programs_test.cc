// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs that are full of races, and random programs in workgroups of several strips: the
// interpreter keeps to the order of design rule E2 as the plain evaluator does, in every order of
// invocations that a run can ask for.
#include "tests/interpreter/racy_program.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

#include "tests/plain/observed.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Outcomes {
  int done = 0;
  int trapped = 0;
  int refused = 0;
  std::string last_error;

  void add(const test::Observed& seen) {
    if (!seen.error.empty()) {
      ++refused;
      last_error = seen.error;
    } else if (!seen.trap.empty()) {
      ++trapped;
    } else {
      ++done;
    }
  }
};

TEST_CASE("the interpreter runs racy programs in the plain evaluator's order") {
  const uint64_t first = from_environment("VYRE_SEED", 1);
  const uint64_t count = from_environment(
      "VYRE_COUNT", static_cast<uint64_t>(test::sized_for_build("racy programs", 1500)));
  Outcomes outcomes;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = test::racy_program(seed);
    RunOptions options;
    options.max_steps = 20'000;
    options.reversed = seed % 4 == 1;
    if (seed % 4 == 2) options.schedule_seed = seed;
    INFO("seed " << seed);
    test::Observed seen;
    const std::string found =
        test::judge(program, test::racy_memory(program, seed), options, &seen);
    if (!found.empty()) {
      FAIL_CHECK(found);
      if (std::getenv("VYRE_PRINT") != nullptr) std::puts(print(program).value_or("").c_str());
    }
    outcomes.add(seen);
  }
  std::printf("%d racy programs done, %d trapped, %d with errors, the last: %s\n", outcomes.done,
              outcomes.trapped, outcomes.refused, outcomes.last_error.c_str());
  CHECK(outcomes.done > static_cast<int>(count) / 2);
}

TEST_CASE("the interpreter gives the plain evaluator's bits in workgroups of several strips") {
  const uint64_t first = from_environment("VYRE_SEED", 1);
  const uint64_t count = from_environment(
      "VYRE_COUNT", static_cast<uint64_t>(test::sized_for_build("programs of strips", 300)));
  Outcomes outcomes;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Program random = test::random_program(seed, {.grid_sync = true, .async = true});
    const Dim3 sizes[] = {{300, 1, 1}, {1024, 1, 1}, {257, 1, 1}, {30, 10, 1}};
    const Program program =
        random.with_workgroup_size(sizes[seed % 4]).with_extent(sizes[seed % 4]);
    INFO("seed " << seed);
    RunOptions options;
    options.max_steps = 20'000;
    test::Observed seen;
    const std::string found =
        test::judge(program, test::random_inputs(program, seed), options, &seen);
    if (!found.empty()) {
      FAIL_CHECK(found);
      if (std::getenv("VYRE_PRINT") != nullptr) std::puts(print(program).value_or("").c_str());
    }
    outcomes.add(seen);
  }
  std::printf("%d programs of several strips done, %d trapped, %d with errors\n", outcomes.done,
              outcomes.trapped, outcomes.refused);
}

}  // namespace
}  // namespace vyre

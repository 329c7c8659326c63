// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The random programs themselves: they execute all that the evaluator knows, and they are
// determinate, so that other tests may hold two ways of running them against each other. A failure
// prints the seed; VYRE_SEEDS=from:count runs other seeds.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include <catch2/catch.hpp>

#include "tests/support/program_coverage.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/interpreter/plain_evaluator.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

using Bytes = std::vector<std::byte>;

struct Seeds {
  uint64_t from = 1;
  uint64_t count = 1000;
};

Seeds seeds() {
  const char* text = std::getenv("VYRE_SEEDS");
  unsigned long long from = 0;
  unsigned long long count = 0;
  if (text != nullptr && std::sscanf(text, "%llu:%llu", &from, &count) == 2) return {from, count};
  return {1, static_cast<uint64_t>(test::sized_for_build("seeds", 1000))};
}

struct Observed {
  std::string trap;  // empty if none
  std::vector<Bytes> outputs;
};

// The memory afterwards, or what the trap says.
Observed observe(const Resolved& resolved, std::vector<Bytes> memory, bool reversed) {
  RunOptions options;
  options.reversed = reversed;
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  const StatusOr<RunReport> report = interpreter::run_plain(resolved, bound, options);
  INFO((report.ok() ? std::string() : std::string(message_of(report.status()))));
  REQUIRE(report.ok());
  if (report->trap) return {report->trap->to_string(), {}};
  return {"", std::move(memory)};
}

Bytes probes(const Program& program, std::vector<Bytes> memory) {
  const Program probed = test::with_probes(program);
  memory.emplace_back(probed.buffers().back().static_byte_length().value());
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  REQUIRE(interpreter::run_plain(resolve(probed), bound, {}).ok());
  return memory.back();
}

TEST_CASE("random programs are legal and execute everything that the evaluator knows") {
  const Seeds range = seeds();
  test::Coverage coverage;
  for (uint64_t seed = range.from; seed < range.from + range.count; ++seed) {
    INFO("seed " << seed);
    const Program program = test::random_program(seed);
    const Resolved resolved = resolve(program);
    INFO(to_string(resolved.diagnostics));
    REQUIRE(resolved.ok());
    coverage.add(resolved, probes(program, test::random_inputs(program, seed * 2)));
  }
  coverage.print(range.from, range.count);
  if (range.count >= 1000) CHECK(coverage.missing() == "");
}

TEST_CASE("random programs do the same in both orders, and few of their runs trap") {
  const Seeds range = seeds();
  uint64_t trapped = 0;
  for (uint64_t seed = range.from; seed < range.from + range.count; ++seed) {
    const Program program = test::random_program(seed);
    const Resolved resolved = resolve(program);
    for (uint64_t input = 0; input < 2; ++input) {
      INFO("seed " << seed << ", input " << input);
      const std::vector<Bytes> memory = test::random_inputs(program, seed * 2 + input);
      const Observed forward = observe(resolved, memory, false);
      const Observed backward = observe(resolved, memory, true);
      trapped += forward.trap.empty() ? 0 : 1;
      CHECK(forward.trap == backward.trap);
      if (forward.outputs == backward.outputs) continue;
      INFO(print(program).value());
      FAIL("another order gives another result");
    }
  }
  fmt::print("seeds {} to {}: {} of {} runs trapped\n", range.from, range.from + range.count - 1,
             trapped, range.count * 2);
  if (range.count >= 1000) {
    CHECK(trapped * 100 >= range.count * 2 * 3);
    CHECK(trapped * 100 <= range.count * 2 * 10);
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The random programs themselves: they execute all that the evaluator knows, they depend on their
// inputs, and they are determinate, so that other tests may hold two ways of running them against
// each other. A failure prints the seed; VYRE_SEEDS=from:count runs other seeds.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include <catch2/catch.hpp>

#include "tests/support/program_coverage.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

using Bytes = std::vector<std::byte>;

struct Seeds {
  uint64_t from = 1;
  uint64_t count = 1000;
  uint64_t end() const { return from + count; }
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
  std::vector<Bytes> memory;
  friend bool operator==(const Observed&, const Observed&) = default;
};

// The memory afterwards, or what the trap says.
Observed observe(const Resolved& resolved, std::vector<Bytes> memory, bool reversed) {
  RunOptions options;
  options.reversed = reversed;
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  const StatusOr<RunReport> report = interpreter::run_program(resolved, bound, options);
  INFO((report.ok() ? std::string() : std::string(message_of(report.status()))));
  REQUIRE(report.ok());
  if (report->trap) return {report->trap->to_string(), {}};
  return {"", std::move(memory)};
}

Observed check_orders(const Program& program, const Resolved& resolved,
                      const std::vector<Bytes>& memory) {
  Observed forward = observe(resolved, memory, false);
  const Observed backward = observe(resolved, memory, true);
  CHECK(forward.trap == backward.trap);
  if (forward == backward) return forward;
  INFO(print(program).value());
  FAIL("another order gives another result");
  return forward;
}

Bytes probes(const Program& program, std::vector<Bytes> memory) {
  const Program probed = test::with_probes(program);
  memory.emplace_back(probed.buffers().back().static_byte_length().value());
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  REQUIRE(interpreter::run_program(resolve(probed), bound, {}).ok());
  return memory.back();
}

// Of the buffers that start as zero.
std::vector<Bytes> outputs(const Program& program, const Observed& observed) {
  std::vector<Bytes> all;
  for (size_t i = 0; i < observed.memory.size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (decl.is_returned() && !decl.is_input()) all.push_back(observed.memory[i]);
  }
  return all;
}

TEST_CASE("coverage counts what is executed, not what is written") {
  const Program program =
      Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(4)}, {4, 1, 1},
                       {Node::if_then(Expr::gt(Expr::gid_x(), 9U),
                                      {Node::store("y", 0U, Expr::popcount(Expr::gid_x()))}),
                        Node::loop_for("i", 0U, Expr::gid_x(),
                                       {Node::store("y", Expr::gid_x(), Expr::clz(1U))})})
          .with_extent(Dim3{4, 1, 1});
  test::Coverage coverage;
  const std::string before = coverage.missing();
  coverage.add(resolve(program), probes(program, {Bytes(16)}));
  const std::string after = coverage.missing();
  CHECK(before.find("operation: clz u32") != std::string::npos);
  CHECK(after.find("operation: clz u32") == std::string::npos);
  CHECK(after.find("operation: clz u64") != std::string::npos);
  CHECK(after.find("operation: popcount u32") != std::string::npos);
}

TEST_CASE("random programs are legal and execute everything that the evaluator knows") {
  const Seeds range = seeds();
  test::Coverage coverage;
  for (uint64_t seed = range.from; seed < range.end(); ++seed) {
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

// Sees who shares an element that he should not, and what depends on the order of atomics; not a
// barrier that is missing, since statements go one at a time in either order.
TEST_CASE("random programs do the same in both orders, and few of their runs trap") {
  const Seeds range = seeds();
  uint64_t trapped = 0;
  uint64_t finished = 0;  // programs that trapped on neither input
  uint64_t depends = 0;   // of these, those with other outputs on another input
  for (uint64_t seed = range.from; seed < range.end(); ++seed) {
    const Program program = test::random_program(seed);
    const Resolved resolved = resolve(program);
    std::vector<Observed> observed;
    for (uint64_t input = 0; input < 2; ++input) {
      INFO("seed " << seed << ", input " << input);
      const std::vector<Bytes> memory = test::random_inputs(program, seed * 2 + input);
      observed.push_back(check_orders(program, resolved, memory));
      trapped += observed.back().trap.empty() ? 0 : 1;
    }
    if (!observed[0].trap.empty() || !observed[1].trap.empty()) continue;
    ++finished;
    depends += outputs(program, observed[0]) != outputs(program, observed[1]) ? 1 : 0;
  }
  fmt::print(
      "seeds {} to {}: {} of {} runs trapped; outputs of {} of {} programs depend on inputs\n",
      range.from, range.end() - 1, trapped, range.count * 2, depends, finished);
  if (range.count >= 1000) {
    CHECK(trapped * 100 >= range.count * 2 * 3);
    CHECK(trapped * 100 <= range.count * 2 * 10);
    CHECK(depends * 100 >= finished * 92);
  }
}

// Legal in any case; run where the evaluator takes them.
TEST_CASE("random programs with barriers of the grid and asynchronous copies are as determinate") {
  const Seeds range = seeds();
  const test::RandomProgramOptions options{.grid_sync = true, .async = true};
  test::Coverage coverage(options);
  uint64_t with_grid_sync = 0;
  uint64_t with_async = 0;
  uint64_t refused = 0;
  for (uint64_t seed = range.from; seed < range.end(); ++seed) {
    const Program program = test::random_program(seed, options);
    const Resolved resolved = resolve(program);
    INFO("seed " << seed << "\n" << to_string(resolved.diagnostics));
    REQUIRE(resolved.ok());
    bool grid_sync = false;
    bool async = false;
    for (const Node& node : program.entry()) {
      grid_sync |= node.has(NodeEffects::kGridSync);
      async |= node.has(NodeEffects::kAsync);
    }
    with_grid_sync += grid_sync ? 1 : 0;
    with_async += async ? 1 : 0;
    if (absl::IsUnimplemented(interpreter::check_runnable(resolved))) {
      ++refused;
      continue;
    }
    const std::vector<Bytes> memory = test::random_inputs(program, seed);
    check_orders(program, resolved, memory);
    coverage.add(resolved, probes(program, memory));
  }
  fmt::print("seeds {} to {}: {} with barriers of the grid, {} with copies, {} refused\n",
             range.from, range.end() - 1, with_grid_sync, with_async, refused);
  if (range.count >= 1000) {
    CHECK(with_grid_sync > range.count / 10);
    CHECK(with_async > range.count / 10);
    if (refused == 0) CHECK(coverage.missing() == "");
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Threads change no bit: not of outputs, traps, errors or step counts, of programs with races
// either.
#include <atomic>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cstdio>

#include "tests/support/random_program.h"
#include "vyre/interpreter/dispatch.h"
#include "vyre/interpreter/grid_runner.h"
#include "vyre/interpreter/lane_kernels.h"
#include "vyre/interpreter/parallel_segment.h"

using namespace vyre;
using namespace vyre::literals;

namespace {

using Bytes = std::vector<std::byte>;
const Expr kI = Expr::gid_x();

struct Outcome {
  std::string error;
  std::string trap;
  uint64_t steps = 0;
  std::vector<Bytes> memory;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Runs on so many threads, however short the run is.
Outcome run_on_threads(const Program& program, std::vector<Bytes> memory, uint32_t threads,
                       RunOptions options = {}) {
  options.threads = threads;
  const Resolved resolved = resolve(program);
  const StatusOr<interpreter::LaneProgram> code =
      interpreter::compile_lanes(resolved, interpreter::best_instruction_set());
  REQUIRE(code.ok());
  const std::vector<interpreter::SegmentPlan> plans = interpreter::plan_segments(resolved);
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  std::vector<uint64_t> sizes;
  for (const Bytes& bytes : memory) sizes.push_back(bytes.size());
  interpreter::GridRunner runner(resolved, *code, plans, options, /*seconds_worth_threads=*/0);
  const StatusOr<RunReport> report =
      runner.run(bound, interpreter::choose_dispatch(program, sizes, options).value().dispatch);
  Outcome outcome;
  if (!report.ok()) {
    outcome.error = report.status().ToString();
    return outcome;
  }
  if (report->trap) {
    outcome.trap = report->trap->to_string();
    return outcome;
  }
  outcome.steps = report->steps;
  outcome.memory = std::move(memory);
  return outcome;
}

Outcome run_alone(const Program& program, const std::vector<Bytes>& memory) {
  return run_on_threads(program, memory, 1);
}

// Takes long enough for all threads to be at work, longer in even workgroups, and binds `late`, a
// zero that is known only then.
Body work() {
  const Expr count = 2000_u + (Expr::workgroup_x() & 1u) * 4000u;
  return {Node::let_bind("sum", 0_u),
          Node::loop_for("step", 0u, count,
                         {Node::assign("sum", Expr::var("sum") * 3u + Expr::var("step"))}),
          Node::let_bind("late", Expr::var("sum") & 0u)};
}

// One output of so many u32, `workgroups` of 8 invocations.
Program u32_program(uint32_t count, uint32_t workgroups, Body body) {
  return Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(count)}, {8, 1, 1},
                          {work(), std::move(body)})
      .with_extent({8 * workgroups, 1, 1});
}

std::vector<Bytes> zeros(uint32_t words) { return {Bytes(size_t{words} * 4)}; }

bool may_be_parallel(const Program& program) {
  return interpreter::plan_segments(resolve(program)).at(0).may_be_parallel;
}

// Whether the workgroups are found to be apart, whatever order the threads happened to take; if
// not, memory must be as it was.
bool are_apart(const Program& program, std::vector<Bytes> memory) {
  const Resolved resolved = resolve(program);
  const interpreter::LaneProgram code =
      interpreter::compile_lanes(resolved, interpreter::best_instruction_set()).value();
  const std::vector<Bytes> before = memory;
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  const RunOptions options;
  const Dim3 grid = Dispatch::covering(*program.extent(), program.workgroup_size()).workgroups;
  interpreter::RunControl control(resolved, options);
  const std::vector<interpreter::SegmentPlan> plans = interpreter::plan_segments(resolved);
  interpreter::ParallelSegment segment(resolved, code, plans[0], options, control,
                                       {0, grid, 0, grid.x, 2});
  const bool apart =
      segment.run(interpreter::Memory::create(program, bound, options).value(), [](uint64_t) {})
          .value();
  if (!apart) {
    CHECK(memory == before);
    CHECK(control.steps() == 0);
  }
  return apart;
}

void check_same(const Program& program, const std::vector<Bytes>& memory) {
  const Outcome alone = run_alone(program, memory);
  for (const uint32_t threads : {2U, 3U, 8U}) {
    INFO(threads << " threads");
    CHECK(run_on_threads(program, memory, threads) == alone);
  }
}

}  // namespace

TEST_CASE("every number of threads gives the bits of one on random programs") {
  size_t with_workgroups = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const Program program = test::random_program(seed, {.grid_sync = true, .async = true});
    const std::vector<Bytes> memory = test::random_inputs(program, seed);
    const Outcome alone = run_alone(program, memory);
    with_workgroups += alone.steps > 200 ? 1 : 0;
    REQUIRE(run_on_threads(program, memory, 2) == alone);
    REQUIRE(run_on_threads(program, memory, 5) == alone);
  }
  std::printf("seeds 1 to 1000 on 1, 2 and 5 threads\n");
  CHECK(with_workgroups > 100);
}

TEST_CASE("a store that several workgroups make gives the last one's value on every thread count") {
  const Program p = u32_program(4, 64, {Node::store("y", kI % 4u, kI)});
  check_same(p, zeros(4));
  CHECK_FALSE(are_apart(p, zeros(4)));
}

TEST_CASE("a workgroup that reads what an earlier one wrote reads it on every thread count") {
  const Program p =
      u32_program(512, 64, {Node::store("y", kI, Expr::load("y", kI - 8u) + kI + 1u)});
  check_same(p, zeros(512));
  CHECK_FALSE(are_apart(p, zeros(512)));
}

TEST_CASE("a workgroup that reads what a later one writes reads what was there before") {
  const Program p = u32_program(513, 64,
                                {Node::let_bind("next", Expr::load("y", kI + 8u)),
                                 Node::store("y", kI, Expr::var("next") + kI)});
  check_same(p, zeros(513));
}

TEST_CASE("workgroups that only some far ones meet are found out") {
  // The first two are apart, and so are neighbours; the last one writes where the third does.
  const Expr at = Expr::select(Expr::eq(Expr::workgroup_x(), 63u), 16u + Expr::local_x(), kI);
  const Program p = u32_program(512, 64, {Node::store("y", at, kI + 1u)});
  check_same(p, zeros(512));
  CHECK_FALSE(are_apart(p, zeros(512)));
}

TEST_CASE("workgroups that touch elements of their own are apart") {
  CHECK(are_apart(u32_program(512, 64, {Node::store("y", kI, kI)}), zeros(512)));
  CHECK(are_apart(u32_program(512, 64, {Node::store("y", 511u - kI, kI)}), zeros(512)));
  const Expr gathered = (kI / 8u) * 8u + (kI * 3u) % 8u;
  CHECK(are_apart(u32_program(512, 64, {Node::store("y", gathered, Expr::load("y", kI))}),
                  zeros(512)));
  // Beyond the end nobody touches anything.
  CHECK(are_apart(u32_program(8, 64, {Node::store("y", kI, kI)}), zeros(8)));
}

TEST_CASE("every kind of access is seen where workgroups meet") {
  const auto meets = [](Body body) {
    return !are_apart(u32_program(512, 64, std::move(body)), zeros(512));
  };
  const Expr zero = Expr::var("late");
  CHECK(meets({Node::store("y", 3u, 1u)}));
  CHECK(meets({Node::store("y", zero, 1u)}));
  CHECK(meets({Node::store("y", Expr::local_x(), 1u)}));
  CHECK(meets({Node::store("y", (kI * 7u) % 512u, 1u)}));
  CHECK(meets({Node::store("y", Expr::cast(DataType::U64, (kI * 7u) % 512u), 1u)}));
  CHECK(meets({Node::store("y", kI, Expr::load("y", 9u))}));
  CHECK(meets({Node::store("y", kI, Expr::load("y", kI + 1u))}));
  CHECK(meets({Node::store("y", kI, Expr::load("y", (kI * 7u) % 512u))}));
  CHECK(meets({Node::if_then(Expr::eq(kI % 5u, 0u), {Node::store("y", kI / 64u, kI)})}));
}

TEST_CASE("atomics whose old value is not used add up on every thread count") {
  const Program p =
      u32_program(3, 200, {Node::let_bind("old", Expr::atomic_add("y", kI % 3u, kI))});
  check_same(p, zeros(3));
  CHECK(run_on_threads(p, zeros(3), 4).memory[0] != zeros(3)[0]);
}

TEST_CASE("an old value that is used is the serial one on every thread count") {
  const Program p = Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(800),
                                      BufferDecl::output("n", 1, DataType::U32).with_count(1)},
                                     {8, 1, 1},
                                     {work(), Node::let_bind("old", Expr::atomic_add("n", 0u, 1u)),
                                      Node::store("y", Expr::var("old"), kI)})
                        .with_extent({800, 1, 1});
  check_same(p, {Bytes(3200), Bytes(4)});
  CHECK_FALSE(may_be_parallel(p));
}

TEST_CASE("different atomics on one buffer keep their order") {
  const Program p = u32_program(1, 100,
                                {Node::let_bind("a", Expr::atomic_add("y", 0u, kI)),
                                 Node::let_bind("b", Expr::atomic_xor("y", 0u, kI * 7u))});
  check_same(p, zeros(1));
  CHECK_FALSE(may_be_parallel(p));
}

TEST_CASE("what atomics allow on several threads") {
  const auto allowed = [](Body body) {
    return may_be_parallel(u32_program(8, 64, std::move(body)));
  };
  const auto unused = [](const Expr& atomic) { return Body(Node::let_bind("old", atomic)); };
  CHECK(allowed(unused(Expr::atomic_add("y", 0u, 1u))));
  CHECK(allowed(unused(Expr::atomic_max("y", 0u, 1u))));
  CHECK_FALSE(allowed(unused(Expr::atomic_exchange("y", 0u, kI))));
  CHECK_FALSE(allowed(unused(Expr::atomic_compare_exchange("y", 0u, 0u, kI))));
  CHECK_FALSE(allowed(unused(Expr::atomic_add("y", 0u, 1u) + 1u)));
  CHECK_FALSE(allowed({unused(Expr::atomic_add("y", 0u, 1u)), Node::store("y", 1u, kI)}));
  CHECK_FALSE(allowed(unused(Expr::atomic_add("y", 0u, Expr::load("y", 1u)))));
}

TEST_CASE("E9: the least trap is reported on every thread count") {
  const Program p = u32_program(
      800, 100,
      {Node::if_then(Expr::gt(kI % 50u, 40u), {Node::trap(kI, "late")}), Node::store("y", kI, kI)});
  check_same(p, zeros(800));
  CHECK_THAT(run_on_threads(p, zeros(800), 4).trap, Catch::Contains("address 41"));
}

TEST_CASE("a trap that a race causes or prevents is the serial one") {
  // Serially the first workgroup's 1 stops all later ones from trapping.
  const Program p = u32_program(
      1, 64,
      {Node::if_then(Expr::ne(Expr::load("y", 0u), Expr::select(Expr::eq(kI / 8u, 0u), 0u, 1u)),
                     {Node::trap(kI, "unset")}),
       Node::store("y", 0u, 1u)});
  check_same(p, zeros(1));
  CHECK(run_alone(p, zeros(1)).trap.empty());
}

TEST_CASE("a workgroup that would never end on what it must not see is stopped") {
  // In order each sees the 1 of the one before the last; too early it would see 0 and stay.
  const Expr w = Expr::workgroup_x();
  const Expr seen = Expr::select(Expr::lt(w, 2u), 1u, Expr::load("y", w - 2u));
  const Program p =
      Program::wrapped(
          {BufferDecl::output("y", 0, DataType::U32).with_count(64)}, {1, 1, 1},
          {Node::let_bind("sum", 0_u),
           Node::loop_for("step", 0u, 20'000u, {Node::assign("sum", Expr::var("sum") * 3u + 1u)}),
           Node::let_bind("seen", seen), Node::store("y", w, 1u),
           Node::if_then(Expr::eq(Expr::var("seen"), 0u),
                         {Node::forever({Node::assign("sum", 0u)})})})
          .with_extent({64, 1, 1});
  RunOptions options;
  options.max_steps = 0;
  options.max_seconds = 60;
  const Outcome alone = run_on_threads(p, zeros(64), 1, options);
  CHECK(alone.error.empty());
  CHECK(run_on_threads(p, zeros(64), 2, options) == alone);
  CHECK(run_on_threads(p, zeros(64), 8, options) == alone);
}

TEST_CASE("D11: a step limit is reached or not whatever the number of threads") {
  const Program p = u32_program(
      800, 100, {Node::loop_for("i", 0u, kI % 7u, {Node::store("y", kI, Expr::var("i"))})});
  const uint64_t steps = run_alone(p, zeros(800)).steps;
  for (const uint32_t threads : {1U, 2U, 8U}) {
    RunOptions options;
    options.max_steps = steps;
    CHECK(run_on_threads(p, zeros(800), threads, options).error.empty());
    options.max_steps = steps - 1;
    CHECK_THAT(run_on_threads(p, zeros(800), threads, options).error,
               Catch::Contains("the limit of"));
  }
}

TEST_CASE("progress grows to one, from one thread at a time") {
  const Program p = u32_program(800, 100, {Node::store("y", kI, kI)});
  for (const uint32_t threads : {1U, 4U}) {
    std::atomic<int> inside{0};
    double last = 0;
    RunOptions options;
    options.progress = [&](double fraction) {
      CHECK(++inside == 1);
      CHECK(fraction > last);
      last = fraction;
      --inside;
    };
    CHECK(run_on_threads(p, zeros(800), threads, options).error.empty());
    CHECK(last == 1.0);
  }
}

TEST_CASE("E12: the caller's rounding mode changes no bit on any thread, and stays") {
  const Program p = u32_program(
      800, 100,
      {Node::store("y", kI,
                   Expr::bitcast(DataType::U32, Expr::cast(DataType::F32, kI) / Expr::f32(3.0f)))});
  const Outcome expected = run_alone(p, zeros(800));
  std::fesetround(FE_UPWARD);
  const Outcome alone = run_alone(p, zeros(800));
  const Outcome several = run_on_threads(p, zeros(800), 4);
  const int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(alone == expected);
  CHECK(several == expected);
  CHECK(mode == FE_UPWARD);
}

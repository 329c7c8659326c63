// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// D11 and the orders of a run: where limits strike, and what programs give whose result depends on
// the order of invocations.
#include "tests/interpreter/judged.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

using namespace literals;
using test::counting;
using test::judged;
using test::over_x;

const Expr kI = Expr::gid_x();

Expr x(const Expr& index) { return Expr::load("x", index); }

// Branches and loops, of which some lanes take part; the grid has three workgroups.
Program walk(uint32_t size) {
  return over_x(4, {size, 1, 1},
                {Node::let_bind("n", 0_u),
                 Node::loop_for("k", 0u, 7u,
                                {Node::if_then_else(Expr::lt(kI & 7u, Expr::var("k")),
                                                    {Node::assign("n", Expr::var("n") + 1u)},
                                                    {Node::loop_for("m", 0u, kI & 3u, {})}),
                                 Node::if_then(Expr::eq(Expr::var("k"), 5u),
                                               {Node::store("x", kI & 3u, kI)})}),
                 Node::barrier(), Node::block({Node::store("x", 0u, Expr::var("n"))})})
      .with_extent({size * 3, 1, 1});
}

TEST_CASE("D11: the step limit strikes where it does in the plain evaluator") {
  for (const uint32_t size : {1u, 16u, 300u}) {
    const uint64_t steps = judged(walk(size), {{0, 0, 0, 0}}).seen.steps;
    REQUIRE(steps > 100);
    for (const uint64_t limit :
         {uint64_t{1}, uint64_t{2}, steps / 2, steps - 1, steps, steps + 1}) {
      INFO("limit " << limit << " of " << steps);
      RunOptions options;
      options.max_steps = limit;
      CHECK(judged(walk(size), {{0, 0, 0, 0}}, options).seen.ok() == (limit >= steps));
    }
  }
}

TEST_CASE("D11: limits just above and below what two counts of steps take") {
  // An interpreter that counts steps in batches must not be late or early at their ends.
  const Program p = over_x(1, {4, 1, 1}, {Node::loop_for("k", 0u, 9000u, {})});
  const uint64_t steps = judged(p, {{0}}).seen.steps;
  for (const uint64_t limit : {uint64_t{4095}, uint64_t{4096}, uint64_t{4097}, uint64_t{8192},
                               uint64_t{8193}, steps - 1, steps, steps + 1}) {
    INFO("limit " << limit << " of " << steps);
    RunOptions options;
    options.max_steps = limit;
    CHECK(judged(p, {{0}}, options).seen.ok() == (limit >= steps));
  }
}

// One statement that takes seconds, for lanes together and one after the other.
Program long_statement(bool together) {
  Expr sum = together ? kI : x(kI + 1u);
  for (uint32_t i = 0; i < 3000; ++i) sum = Expr::sin(Expr::cast(DataType::F32, sum)) * 3.0F + 0.5F;
  return over_x(2000, {1024, 64, 1}, {Node::store("x", kI, Expr::cast(DataType::U32, sum))});
}

TEST_CASE("D11: a long statement ends at the time limit, whether lanes are together or not") {
  for (const bool together : {true, false}) {
    std::vector<std::byte> memory(8000);
    const std::vector<std::span<std::byte>> views{memory};
    const auto compiled = interpreter::CompiledProgram::create(resolve(long_statement(together)));
    REQUIRE(compiled.ok());
    RunOptions timed;
    timed.max_seconds = 0.05;
    const StatusOr<RunReport> report = compiled->run(views, timed);
    CHECK(report.status().code() == absl::StatusCode::kDeadlineExceeded);
    RunOptions cancelled;
    cancelled.cancellation = std::make_shared<CancellationFlag>();
    cancelled.cancellation->cancel();
    CHECK(compiled->run(views, cancelled).status().code() == absl::StatusCode::kCancelled);
  }
}

TEST_CASE("D11: a run needs no more memory than it may have") {
  const Program p = walk(1024);
  const auto compiled = interpreter::CompiledProgram::create(resolve(p));
  REQUIRE(compiled.ok());
  std::vector<std::byte> memory(16);
  const std::vector<std::span<std::byte>> views{memory};
  RunOptions options;
  options.max_memory_bytes = 1000;
  const StatusOr<RunReport> refused = compiled->run(views, options);
  CHECK(refused.status().code() == absl::StatusCode::kResourceExhausted);
  CHECK_THAT(
      std::string(message_of(refused.status())),
      Catch::Contains("bytes of memory, and the run allows 1000.") && Catch::Contains("Fix: "));
  options.max_memory_bytes = 1 << 20;
  CHECK(compiled->run(views, options).ok());
}

TEST_CASE("E2: programs with races give what the order of the run says") {
  const Program programs[] = {
      // The last one stays.
      over_x(8, {300, 1, 1}, {Node::store("x", kI & 7u, kI), Node::store("x", 0u, kI)}),
      // Each reads what the one before it in the order has left.
      over_x(8, {300, 1, 1}, {Node::store("x", 0u, x(0_u) * 3u + kI)}),
      over_x(400, {300, 1, 1}, {Node::store("x", kI + 1u, x(kI) + x(kI + 1u) * 5u)}),
      over_x(400, {300, 1, 1}, {Node::store("x", kI, x(kI + 1u) + x(299u - kI))}),
      // Old values.
      over_x(400, {300, 1, 1}, {Node::store("x", kI, Expr::atomic_add("x", 399u, kI + 1u))}),
      over_x(400, {300, 1, 1},
             {Node::let_bind("a", Expr::atomic_exchange("x", kI & 3u, kI)),
              Node::store("x", kI + 4u, Expr::var("a"))}),
      over_x(400, {20, 15, 1},
             {Node::if_then(Expr::lt(Expr::atomic_add("x", 0u, 1u), 150u),
                            {Node::store("x", 1u, Expr::local_x())})}),
      over_x(400, {300, 1, 1},
             {Node::loop_for("k", 0u, kI & 3u,
                             {Node::store("x", Expr::var("k"), x(Expr::var("k")) * 2u + kI)})}),
      over_x(400, {300, 1, 1},
             {Node::store("x", kI & 15u, Expr::subgroup_add(kI) + Expr::atomic_add("x", 20u, kI))}),
  };
  for (const Program& program : programs) {
    const uint32_t count = *program.buffers()[0].count();
    const Program grid =
        program.with_extent({program.workgroup_size().x * 3, program.workgroup_size().y, 1});
    std::vector<std::vector<uint32_t>> results;
    for (int order = 0; order < 5; ++order) {
      INFO("program " << &program - &programs[0] << ", order " << order);
      RunOptions options;
      options.reversed = order == 1;
      if (order > 1) options.schedule_seed = static_cast<uint64_t>(order);
      results.push_back(judged(grid, {counting(count)}, options).words());
    }
    CHECK(results[0] != results[1]);
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Running programs of several segments (rule E20).
#include "tests/interpreter/run.h"
#include "vyre/interpreter/run_program.h"

namespace vyre {
namespace {

using namespace literals;
using test::error_of;
using test::run;
using test::u32_program;

const Expr kI = Expr::gid_x();
const Expr kLocal = Expr::local_x();

Node grid_sync() { return Node::barrier_with_ordering(MemoryOrdering::kGridSync); }

TEST_CASE("E20: the whole grid runs a segment before any workgroup starts the next") {
  // Each invocation reads what the last one of the grid wrote.
  const Program p = u32_program(12, 4,
                                {Node::store("t", kI, kI + 1u), grid_sync(),
                                 Node::store("y", kI, Expr::load("t", 11_u - kI))},
                                {BufferDecl::transient("t", 12, DataType::U32)});
  const std::vector<uint32_t> expected{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  CHECK(run<uint32_t>(p) == expected);
  RunOptions reversed;
  reversed.reversed = true;
  CHECK(run<uint32_t>(p, {}, reversed) == expected);
}

TEST_CASE("E20: workgroup memory and local arrays start as zero in each segment") {
  const Program p = u32_program(
      4, 4,
      {Node::store("w", kLocal, 5u), Node::store("l", 0u, 6u), Node::store("t", kI, 7u),
       grid_sync(),
       Node::store(
           "y", kI,
           Expr::load("w", kLocal) * 100u + Expr::load("l", 0u) * 10u + Expr::load("t", kI))},
      {BufferDecl::workgroup("w", 4, DataType::U32), BufferDecl::local("l", 1, DataType::U32),
       BufferDecl::transient("t", 4, DataType::U32)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{7, 7, 7, 7});
}

TEST_CASE("E20: an invocation that returned is back in the next segment") {
  const Program p = u32_program(
      4, 2,
      {Node::block({Node::if_then(Expr::lt(kI, 3u), {Node::return_()}), Node::store("y", kI, 1u),
                    grid_sync(), Node::store("y", kI, Expr::load("y", kI) + 10u), Node::return_()}),
       Node::store("y", kI, 0u)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{10, 10, 10, 11});
}

TEST_CASE("E20: a name may be bound again after a grid barrier, and names a new variable") {
  const Program p = u32_program(
      2, 2,
      {Node::let_bind("a", kI + 1u), Node::store("y", kI, Expr::var("a")), grid_sync(),
       Node::let_bind("a", 2.5f),
       Node::store("y", kI, Expr::load("y", kI) * Expr::cast(DataType::U32, Expr::var("a")))});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{2, 4});
  CHECK_THAT(
      error_of(u32_program(
          1, 1, {Node::let_bind("a", 1_u), grid_sync(), Node::store("y", 0u, Expr::var("a"))})),
      Catch::Contains("V066") && Catch::Contains("the grid barrier at entry[0].body[1]"));
}

TEST_CASE("E20: blocks around a grid barrier are flattened, also several times") {
  const Node count = Node::let_bind("old", Expr::atomic_add("y", 0u, 1u));
  const Program p = u32_program(
      1, 1,
      {Node::block({count, Node::region("inner", {},
                                        {grid_sync(), count, Node::block({grid_sync()}), count})}),
       count, grid_sync(), grid_sync(), count});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{5});
}

TEST_CASE("E9: after a trap no later segment starts") {
  std::vector<std::byte> y(16);
  const Program p = u32_program(
      4, 2,
      {Node::if_then(Expr::eq(kI, 1u), {Node::trap(kI, "first")}), Node::store("y", kI, 1u),
       grid_sync(), Node::store("y", kI, 2u), Node::trap(0u, "second")});
  for (const bool reversed : {false, true}) {
    RunOptions options;
    options.reversed = reversed;
    const std::vector<std::span<std::byte>> bound{y};
    const RunReport report = interpreter::run_program(resolve(p), bound, options).value();
    REQUIRE(report.trap.has_value());
    CHECK(report.trap->tag == "first");
    CHECK(decode<uint32_t>(y)[0] == 1);
  }
}

TEST_CASE("D11: steps are those of the statements of all segments, grid barriers not counted") {
  std::vector<std::byte> y(16);
  const std::vector<std::span<std::byte>> bound{y};
  const Program p =
      u32_program(4, 2,
                  {Node::block({Node::store("y", kI, 1u), grid_sync(), Node::store("y", kI, 2u)}),
                   Node::store("y", kI, 3u)});
  CHECK(interpreter::run_program(resolve(p), bound, {}).value().steps == 2 * 3);
}

TEST_CASE("progress counts the workgroups of all segments") {
  std::vector<double> fractions;
  RunOptions options;
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  run<uint32_t>(u32_program(4, 2, {grid_sync(), Node::store("y", kI, 1u)}), {}, options);
  CHECK(fractions == std::vector<double>{0.25, 0.5, 0.75, 1.0});
}

TEST_CASE("E4: a run of no workgroups runs no segment") {
  const Program p = u32_program(4, 2, {Node::store("y", kI, 1u), grid_sync(), Node::trap(0u, "t")});
  RunOptions options;
  options.dispatch = Dispatch::of_workgroups({0, 1, 1});
  CHECK(run<uint32_t>(p, {}, options) == std::vector<uint32_t>(4));
}

}  // namespace
}  // namespace vyre

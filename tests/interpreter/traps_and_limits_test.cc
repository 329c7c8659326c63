// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include "tests/interpreter/run.h"
#include "vyre/interpreter/run_program.h"

namespace vyre {
namespace {

using namespace literals;
using test::error_of;
using test::run;
using test::u32_program;

const Expr kI = Expr::gid_x();

// Runs a program with one u32 output `y` and gives the report.
StatusOr<RunReport> report_of(const Program& program, const RunOptions& options = {}) {
  std::vector<std::byte> y(1024);
  std::vector<std::span<std::byte>> bound(program.buffers().size());
  bound.back() = y;
  return interpreter::run_program(resolve(program), bound, options);
}

TEST_CASE("E9: a trap ends its invocation and the run reports where it happened") {
  const Program p =
      u32_program(8, 4, {Node::if_then(Expr::eq(kI, 6u), {Node::trap(kI * 100u, "bad row")})});
  const RunReport report = report_of(p).value();
  REQUIRE(report.trap.has_value());
  CHECK(report.trap->tag == "bad row");
  CHECK(report.trap->address == 600);
  CHECK(report.trap->workgroup == Dim3{1, 0, 0});
  CHECK(report.trap->invocation == Dim3{2, 0, 0});
  CHECK(report.trap->path == "entry[0].body[0].then[0]");
  CHECK(report.trap->place.line() != 0);
  CHECK_THAT(error_of(p), Catch::Contains("trap `bad row` at address 600"));
}

TEST_CASE("E9: of several traps the least workgroup and invocation is reported, in both orders") {
  // Invocation 3 traps first in time, invocation 1 later; both in workgroups 1 and 2.
  const Program p =
      u32_program(12, 4,
                  {Node::if_then(Expr::and_(Expr::ge(kI, 4u), Expr::eq(Expr::local_x(), 3u)),
                                 {Node::trap(3u, "third")}),
                   Node::if_then(Expr::and_(Expr::ge(kI, 4u), Expr::eq(Expr::local_x(), 1u)),
                                 {Node::trap(1u, "first")})});
  for (const bool reversed : {false, true}) {
    RunOptions options;
    options.reversed = reversed;
    const RunReport report = report_of(p, options).value();
    REQUIRE(report.trap.has_value());
    CHECK(report.trap->tag == "first");
    CHECK(report.trap->workgroup == Dim3{1, 0, 0});
  }
}

TEST_CASE("E9: after a trap a workgroup stops at its next barrier") {
  // Invocation 0 would trap after the barrier, and would win; the workgroup never gets there.
  const Program p = u32_program(4, 4,
                                {Node::if_then(Expr::eq(kI, 2u), {Node::trap(0u, "before")}),
                                 Node::barrier(), Node::trap(0u, "after")});
  CHECK(report_of(p).value().trap->tag == "before");
}

TEST_CASE("D6: signed division by zero and its overflow trap where unsigned division does not") {
  const auto divide = [](Expr a, Expr b) {
    return u32_program(1, 1, {Node::store("y", 0u, Expr::cast(DataType::U32, a / b))});
  };
  // Operands that no literal rule can see: products with the invocation id.
  const Expr zero = Expr::cast(DataType::I32, kI);
  CHECK(report_of(divide(7_i, zero)).value().trap->tag == "integer division by zero");
  CHECK(report_of(divide(-2147483648_i, zero - 1_i)).value().trap->tag ==
        "integer division overflow");
  CHECK(report_of(divide(7_i, zero)).value().trap->address == 0);
  CHECK(run<uint32_t>(divide(7_u, kI))[0] == 0xFFFFFFFFu);
  CHECK(run<uint32_t>(u32_program(1, 1, {Node::store("y", 0u, 7_u % kI)}))[0] == 0);
}

TEST_CASE("U38: a division by what cancels out has its defined result, or traps by name") {
  const Expr zero = kI - kI;
  const auto value_of = [](const Expr& value) {
    return run<uint32_t>(u32_program(4, 4, {Node::store("y", kI, value)}));
  };
  CHECK(value_of(7u / zero) == std::vector<uint32_t>(4, 0xFFFFFFFF));
  CHECK(value_of(7u % zero) == std::vector<uint32_t>(4, 0));
  CHECK(value_of(7u << (zero + 33u)) == std::vector<uint32_t>(4, 14));
  const Expr none = Expr::cast(DataType::I32, zero);
  for (const Expr& value : {7_i / none, 7_i % none}) {
    const Program p = u32_program(4, 4, {Node::store("y", kI, Expr::cast(DataType::U32, value))});
    const RunReport report = report_of(p).value();
    REQUIRE(report.trap.has_value());
    CHECK(report.trap->tag == "integer division by zero");
    CHECK(report.trap->path == "entry[0].body[0]");
    CHECK(report.trap->place.line() != 0);
  }
}

TEST_CASE("a division that traps keeps the statement from storing") {
  const Program p = u32_program(
      2, 2, {Node::store("y", kI, Expr::cast(DataType::U32, 6_i / Expr::cast(DataType::I32, kI)))});
  const StatusOr<RunReport> report = report_of(p);
  REQUIRE(report->trap.has_value());
  CHECK(report->trap->invocation == Dim3{0, 0, 0});
}

TEST_CASE("D11: an infinite loop stops at the step limit and the message names the loop") {
  RunOptions options;
  options.max_steps = 10'000;
  for (const Node& loop :
       {Node::forever({}), Node::forever({Node::let_bind("a", 1_u)}),
        Node::loop_for("spin", 0u, 0xFFFFFFFFu, {Node::if_then(Expr::bool_(true), {})})}) {
    const std::string error = error_of(u32_program(1, 1, {loop}), {}, options);
    CHECK_THAT(error, Catch::Contains("limit of 10000 steps"));
    CHECK_THAT(error, Catch::Contains(fmt::format("`{}`", loop.name())));
    CHECK_THAT(error, Catch::Contains("entry[0].body[0]"));
    CHECK_THAT(error, Catch::Contains("traps_and_limits_test.cc:"));
  }
}

TEST_CASE("D11: a run ends at its time limit and when it is cancelled") {
  const Program p = u32_program(1, 1, {Node::forever({})});
  RunOptions timed;
  timed.max_seconds = 0.01;
  CHECK(evaluate(p, {}, timed).status().code() == absl::StatusCode::kDeadlineExceeded);
  RunOptions cancelled;
  cancelled.cancellation = std::make_shared<CancellationFlag>();
  cancelled.cancellation->cancel();
  CHECK(evaluate(p, {}, cancelled).status().code() == absl::StatusCode::kCancelled);
}

TEST_CASE("D11: scratch memory has a budget") {
  const Program p = u32_program(1, 1, {}, {BufferDecl::workgroup("w", 1000, DataType::F32)});
  RunOptions options;
  options.max_workgroup_bytes = 3999;
  CHECK_THAT(error_of(p, {}, options), Catch::Contains("takes 4000 bytes"));
  options.max_workgroup_bytes = 4000;
  CHECK(error_of(p, {}, options).empty());
  const Program huge = u32_program(1, 1, {}, {BufferDecl::local("l", 0xFFFFFFFF, DataType::F64)});
  CHECK_THAT(error_of(huge), Catch::Contains("scratch memory"));
}

TEST_CASE("D11: outputs count as memory of the run, and are not allocated beyond it") {
  const auto output = [](uint32_t count) {
    return Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(count)},
                            {1, 1, 1}, {Node::store("y", 0u, 1u)})
        .with_extent({1, 1, 1});
  };
  RunOptions options;
  options.max_memory_bytes = 1000;
  CHECK(error_of(output(250), {}, options).empty());
  CHECK_THAT(error_of(output(251), {}, options), Catch::Contains("max_memory_bytes"));
  CHECK_THAT(error_of(output(0xFFFFFFFF)), Catch::Contains("max_memory_bytes"));
  // An invalid program gives its diagnostics, not a refusal of its memory.
  const Program invalid = output(0xFFFFFFFF).with_entry({Node::store("z", 0u, 1u)});
  CHECK_THAT(error_of(invalid), Catch::Contains("V064"));
}

TEST_CASE("D11: time limits and cancellation hold inside one statement of many invocations") {
  Expr long_sum = kI;
  for (uint32_t i = 0; i < 10'000; ++i) long_sum = long_sum / 3u + (kI ^ i);
  const Program p = Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)},
                                     {1024, 64, 1}, {Node::store("y", kI, long_sum)})
                        .with_extent({1024, 64, 1});
  RunOptions timed;
  timed.max_seconds = 0.05;
  CHECK(evaluate(p, {}, timed).status().code() == absl::StatusCode::kDeadlineExceeded);
}

TEST_CASE("a flag that is set before a short run cancels it") {
  RunOptions options;
  options.cancellation = std::make_shared<CancellationFlag>();
  options.cancellation->cancel();
  CHECK(evaluate(u32_program(1, 1, {Node::store("y", 0u, 1u)}), {}, options).status().code() ==
        absl::StatusCode::kCancelled);
}

TEST_CASE("D10: the trap of a status can be taken apart") {
  const Program p =
      u32_program(8, 4, {Node::if_then(Expr::eq(kI, 6u), {Node::trap(kI * 100u, "bad 7 row\n8")})});
  const StatusOr<Outputs> out = evaluate(p, {});
  const std::optional<Trap> trap = trap_of(out.status());
  REQUIRE(trap.has_value());
  CHECK(trap->tag == "bad 7 row\n8");
  CHECK(trap->address == 600);
  CHECK(trap->workgroup == Dim3{1, 0, 0});
  CHECK(trap->invocation == Dim3{2, 0, 0});
  CHECK(trap->path == "entry[0].body[0].then[0]");
  CHECK_FALSE(trap_of(absl::AbortedError("something else")).has_value());
}

TEST_CASE("an impossible workgroup is refused, not allocated") {
  const Program p =
      Program::wrapped({}, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {Node::let_bind("a", 1_u)});
  CHECK_THAT(error_of(p), Catch::Contains("a workgroup has 4294967295 x 4294967295 x 4294967295 "
                                          "invocations, and 1073741824 are allowed"));
  const Program too_large =
      Program::wrapped({}, {1024, 1024, 1024}, {Node::let_bind("a", 1_u)}).with_extent({1, 1, 1});
  CHECK_THAT(error_of(too_large), Catch::Matches(".*a workgroup of 1073741824 invocations .* needs "
                                                 "[0-9]+ bytes .* the run allows 4294967296\\. "
                                                 "Fix: .*"));
  CHECK_THAT(error_of(Program::wrapped({}, {0, 1, 1}, {})), Catch::Contains("V106"));
}

TEST_CASE("memory beyond the address space is refused whatever the limit") {
  const Program p = Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(4),
                                      BufferDecl::local("l", 0xFFFFFFFF, DataType::U64)},
                                     {1U << 29, 1, 1}, {Node::store("y", 0u, 1u)})
                        .with_extent({1, 1, 1});
  RunOptions options;
  options.max_memory_bytes = ~uint64_t{0};
  CHECK(evaluate(p, {}, options).status().code() == absl::StatusCode::kResourceExhausted);
}

TEST_CASE("D17: what is carried is refused with a reason") {
  CHECK_THAT(error_of(u32_program(1, 1, {Node::store("y", 0u, Expr::call("lib.op", {}))})),
             Catch::Contains("V016"));
  CHECK_THAT(error_of(u32_program(1, 1, {Node::all_reduce("y", CollectiveOp::kSum, 0)})),
             Catch::Contains("all_reduce"));
  CHECK_THAT(error_of(u32_program(1, 1, {Node::resume("t")})), Catch::Contains("resume"));
  CHECK_THAT(error_of(u32_program(1, 1, {Node::indirect_dispatch("y", 0)})),
             Catch::Contains("indirect_dispatch"));
  CHECK_THAT(error_of(u32_program(1, 1, {Node::opaque("kind", "")})), Catch::Contains("V031"));
}

TEST_CASE(
    "V105: an entry without statements, or with a store outside of regions first, is refused") {
  const Node store = Node::store("y", 0u, 1u);
  const auto raw = [](Body entry) {
    return Program::from_raw_parts({BufferDecl::output("y", 0, DataType::U32).with_count(1)},
                                   {1, 1, 1}, std::move(entry))
        .with_extent({1, 1, 1});
  };
  CHECK_THAT(error_of(raw({})), Catch::Contains("V105") && Catch::Contains("Fix: "));
  CHECK_THAT(error_of(raw({store})), Catch::Contains("V105") && Catch::Contains("Fix: "));
  CHECK(error_of(raw({Node::let_bind("a", 1_u), store})).empty());
  CHECK(error_of(raw({Node::block({store})})).empty());
  CHECK(error_of(raw({store}).reconcile_runnable_top_level()).empty());
}

TEST_CASE("deep expressions and nested statements are evaluated without recursion") {
  Expr deep = kI;
  for (uint32_t i = 0; i < 200'000; ++i) deep = Expr::select(Expr::bool_(true), deep, 5_u);
  CHECK(run<uint32_t>(u32_program(1, 1, {Node::store("y", 0u, deep + 3u)}))[0] == 3);
  Node nested = Node::store("y", 0u, 8u);
  for (int i = 0; i < 10'000; ++i) nested = Node::block({nested});
  CHECK(run<uint32_t>(u32_program(1, 1, {nested}))[0] == 8);
}

TEST_CASE("a shared graph of exponential tree size is evaluated once per object") {
  Expr sum = kI + 1u;
  for (int i = 0; i < 60; ++i) sum = sum + sum;
  CHECK(run<uint32_t>(u32_program(1, 1, {Node::store("y", 0u, sum)}))[0] == 0);
  Expr ticks = Expr::atomic_add("at", 0u, 1u);
  for (int i = 0; i < 60; ++i) ticks = ticks + ticks;
  CHECK_THAT(error_of(u32_program(1, 1, {Node::store("y", 0u, ticks)},
                                  {BufferDecl::transient("at", 1, DataType::U32)})),
             Catch::Contains("bind_shared"));
}

}  // namespace
}  // namespace vyre

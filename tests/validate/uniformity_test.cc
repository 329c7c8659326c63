// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/analysis/uniformity.h"

#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

using test::body_codes;

Expr v(std::string_view name) { return Expr::var(name); }
Expr lane() { return Expr::local_id(0); }
Node barrier() { return Node::barrier(); }
// Taken by some invocations of a workgroup.
Node some(Body body) { return Node::if_then(Expr::lt(lane(), 7u), std::move(body)); }
// A barrier that is reached by all exactly if the condition is the same for all.
std::string guarded(Expr condition, Dim3 size = {64, 1, 1}) {
  return body_codes({Node::if_then(std::move(condition), {barrier()})}, size);
}

TEST_CASE("V010: a barrier under a condition that is the same for all is legal") {
  CHECK(guarded(Expr::bool_(true)).empty());
  CHECK(guarded(Expr::eq(Expr::workgroup_id(0), 1u)).empty());
  CHECK(guarded(Expr::lt(Expr::buf_len("in"), 3u)).empty());
  CHECK(guarded(Expr::eq(Expr::subgroup_size(), 32u)).empty());
  CHECK(guarded(Expr::select(Expr::eq(Expr::workgroup_id(1), 0u), 1u, Expr::u32(0))).empty());
}

TEST_CASE("V010: a barrier under a condition that differs is refused") {
  CHECK(guarded(Expr::lt(lane(), 7u)) == "V010");
  CHECK(guarded(Expr::lt(Expr::invocation_id(0), 7u)) == "V010");
  CHECK(guarded(Expr::eq(Expr::subgroup_local_id(), 0u)) == "V010");
  CHECK(guarded(Expr::eq(Expr::atomic_add("state", 0u, 1u), 0u)) == "V010");
  CHECK(guarded(Expr::select(Expr::bool_(true), lane(), Expr::u32(0))) == "V010");
}

TEST_CASE("V010: an id along an axis of size 1 is the same for all") {
  CHECK(guarded(Expr::lt(Expr::local_id(1), 7u)).empty());
  CHECK(guarded(Expr::lt(Expr::invocation_id(2), 7u)).empty());
  CHECK(guarded(Expr::lt(Expr::local_id(1), 7u), {8, 2, 1}) == "V010");
  CHECK(guarded(Expr::lt(lane(), 7u), {1, 64, 1}).empty());
}

TEST_CASE("V010: nothing differs in a workgroup of one invocation") {
  CHECK(guarded(Expr::lt(lane(), 7u), {1, 1, 1}).empty());
  CHECK(guarded(Expr::eq(Expr::atomic_add("state", 0u, 1u), 0u), {1, 1, 1}).empty());
}

TEST_CASE("V010: a load is the same for all if its index is and nothing writes the buffer") {
  CHECK(guarded(Expr::load("in", 3u)).empty());
  CHECK(guarded(Expr::load("in", lane())) == "V010");
  CHECK(guarded(Expr::load("state", 3u)).empty());
  const Node guard = Node::if_then(Expr::load("state", 3u), {barrier()});
  CHECK(body_codes({Node::store("state", lane(), 1u), guard}) == "V010");
  // Writes that come later count, too: an invocation may be ahead.
  CHECK(body_codes({guard, Node::store("state", lane(), 1u)}) == "V010");
  CHECK(body_codes({Node::async_load_ext("in", "state", 0u, 4u, "t"), Node::async_wait("t"),
                    guard}) == "V010");
}

TEST_CASE("V010: a variable differs if something that differs is assigned to it") {
  const auto after = [](Body middle) {
    return body_codes({Node::let_bind("x", 0u), std::move(middle),
                       Node::if_then(Expr::eq(v("x"), 0u), {barrier()})});
  };
  CHECK(after({Node::assign("x", 1u)}).empty());
  CHECK(after({Node::assign("x", Expr::workgroup_id(0))}).empty());
  CHECK(after({Node::assign("x", lane())}) == "V010");
  CHECK(after({Node::let_bind("y", lane() + 1u), Node::assign("x", v("y"))}) == "V010");
}

TEST_CASE("V010: D12: a variable that a part of the workgroup assigns differs afterwards") {
  const auto after = [](Body middle) {
    return body_codes({Node::let_bind("x", 0u), std::move(middle),
                       Node::if_then(Expr::eq(v("x"), 0u), {barrier()})});
  };
  CHECK(after({some({Node::assign("x", 1u)})}) == "V010");
  CHECK(after({Node::if_then_else(Expr::lt(lane(), 7u), {}, {Node::assign("x", 1u)})}) == "V010");
  CHECK(after({Node::loop_for("i", 0u, lane(), {Node::assign("x", v("x") + 1u)})}) == "V010");
  CHECK(after({Node::loop_for("i", 0u, 8u, {Node::assign("x", v("x") + 1u)})}).empty());
  CHECK(after({Node::if_then(Expr::workgroup_id(0), {Node::assign("x", 1u)})}).empty());
}

TEST_CASE("V010: D12: a value carried from one iteration to the next is followed") {
  // y gets x in iteration 2, x has got the lane in iteration 1.
  const Body body = {Node::let_bind("x", 0u), Node::let_bind("y", 0u),
                     Node::loop_for("i", 0u, 3u,
                                    {Node::if_then(Expr::eq(v("y"), 0u), {barrier()}),
                                     Node::assign("y", v("x")), Node::assign("x", lane())})};
  CHECK(body_codes(body) == "V010");
}

TEST_CASE("V010: a barrier in a loop is legal if all make the same iterations") {
  const auto loop = [](Expr from, Expr to) {
    return body_codes({Node::loop_for("i", std::move(from), std::move(to), {barrier()})});
  };
  CHECK(loop(Expr::u32(0), Expr::load("in", 0u)).empty());
  CHECK(loop(Expr::u32(0), lane()) == "V010");
  CHECK(loop(lane(), Expr::u32(9)) == "V010");
  CHECK(
      body_codes({Node::loop_for("i", 0u, 4u, {Node::if_then(Expr::eq(v("i"), 2u), {barrier()})})})
          .empty());
}

TEST_CASE("V010: those that returned reach no barrier") {
  const Node leave = some({Node::return_()});
  CHECK(body_codes({leave, barrier()}) == "V010");
  CHECK(body_codes({barrier(), leave}).empty());
  CHECK(body_codes({Node::block({leave}), Node::region("r", std::nullopt, {barrier()})}) == "V010");
  CHECK(body_codes({Node::if_then(Expr::workgroup_id(0), {Node::return_()}), barrier()}).empty());
  // The other branch is not behind it.
  CHECK(body_codes({Node::if_then_else(Expr::workgroup_id(0), {leave}, {barrier()})}).empty());
  CHECK(body_codes({Node::if_then_else(Expr::workgroup_id(0), {leave}, {}), barrier()}) == "V010");
  CHECK(body_codes({Node::if_then_else(Expr::workgroup_id(0), {}, {leave}), barrier()}) == "V010");
}

TEST_CASE("V010: a return in a loop is behind everything in it, and before what follows") {
  const Node leave = some({Node::return_()});
  const auto loop = [](Body body) { return Node::loop_for("i", 0u, 3u, std::move(body)); };
  CHECK(body_codes({loop({barrier(), leave})}) == "V010");
  CHECK(body_codes({loop({Node::if_then(Expr::workgroup_id(0), {leave})}), barrier()}) == "V010");
  CHECK(body_codes({barrier(), loop({leave})}).empty());
  CHECK(body_codes({Node::loop_for("j", 0u, 2u, {barrier(), loop({leave})})}) == "V010");
}

TEST_CASE("V010: after two returns in one body, what stands between them is behind the first") {
  const auto leave = [](uint32_t i) {
    return Node::if_then(Expr::lt(lane(), i), {Node::return_()});
  };
  const Body body = {Node::if_then(Expr::workgroup_id(0), {leave(2), barrier(), leave(1)})};
  CHECK(body_codes(body) == "V010");
}

TEST_CASE("V010: E20: after a grid barrier all invocations are there again") {
  const Node leave = some({Node::return_()});
  const Node grid = Node::barrier_with_ordering(MemoryOrdering::kGridSync);
  CHECK(body_codes({leave, grid, barrier()}).empty());
  CHECK(body_codes({leave, grid, leave, barrier(), grid, barrier()}) == "V010");
  CHECK(body_codes({Node::block({leave}), Node::block({grid, leave}), barrier()}) == "V010");
}

TEST_CASE("V010: E9: a trap parts nobody, since the workgroup stops at the barrier") {
  CHECK(body_codes({some({Node::trap(0u, "t")}), barrier()}).empty());
}

// Workgroup memory, and a guard on what is loaded from it.
Node hand_over(Expr value) {
  return Node::if_then(Expr::eq(lane(), 0u), {Node::store("shared", 0u, std::move(value))});
}
Node guard() { return Node::if_then(Expr::load("shared", 0u), {barrier()}); }
Node guard_on_let() {
  return Node::block(
      {Node::let_bind("x", Expr::load("shared", 0u)), Node::if_then(v("x"), {barrier()})});
}

TEST_CASE("V010: a value is handed to all through workgroup memory between two barriers") {
  const Expr differs = Expr::atomic_add("state", 0u, 1u);
  CHECK(body_codes({hand_over(differs), barrier(), guard()}).empty());
  CHECK(body_codes(
            {hand_over(differs), barrier(), guard_on_let(), barrier(), hand_over(Expr::u32(1))})
            .empty());
  CHECK(body_codes({hand_over(differs), guard()}) == "V010");
  CHECK(body_codes({guard(), hand_over(differs)}) == "V010");
  // What the guard's barrier may be jumped over does not count as a barrier.
  CHECK(body_codes({hand_over(differs), barrier(), guard_on_let(), hand_over(Expr::u32(1))}) ==
        "V010");
  // Only a uniform index.
  CHECK(body_codes({hand_over(differs), barrier(),
                    Node::if_then(Expr::load("shared", lane()), {barrier()})}) == "V010");
  // Other workgroups write other memory whenever they like.
  CHECK(body_codes({Node::store("state", lane(), 1u), barrier(),
                    Node::if_then(Expr::load("state", 0u), {barrier()})}) == "V010");
}

TEST_CASE("V010: round a loop, the next store is behind a barrier, too") {
  const auto loop = [](Body body) { return Node::loop_for("i", 0u, 4u, std::move(body)); };
  const Expr job = Expr::atomic_add("state", 0u, 1u);
  const Node leave = Node::if_then(Expr::ge(Expr::load("shared", 0u), 16u), {Node::return_()});
  CHECK(body_codes({loop({hand_over(job), barrier(), leave, barrier()})}).empty());
  CHECK(body_codes({loop({hand_over(job), barrier(), leave})}) == "V010");
  CHECK(body_codes({loop({hand_over(job), barrier(), leave,
                          Node::if_then(Expr::workgroup_id(0), {barrier()})})}) == "V010 V010");
  CHECK(body_codes({loop({hand_over(job), barrier(), leave,
                          Node::if_then_else(Expr::workgroup_id(0), {barrier()}, {barrier()})})})
            .empty());
  // An inner loop may make no iteration, and its barriers with it.
  CHECK(body_codes({hand_over(job), loop({barrier()}), leave, barrier()}) == "V010");
  CHECK(body_codes({hand_over(job), loop({barrier()}), barrier(), leave, barrier()}).empty());
}

TEST_CASE("V010: what may write at any time makes loads of workgroup memory differ") {
  CHECK(body_codes({Node::async_load_ext("in", "shared", 0u, 4u, "t"), barrier(), guard(),
                    barrier(), Node::async_wait("t")}) == "V010");
  // One value that is evaluated in several phases, and written in one.
  const Expr shared = Expr::load("shared", 0u);
  const Node use = Node::if_then(shared, {Node::store("out", 0u, 1u)});
  CHECK(body_codes({hand_over(Expr::u32(1)), use, barrier(), Node::if_then(shared, {barrier()})}) ==
        "V010");
}

TEST_CASE("V010: the reason is named") {
  const auto reason = [](Body body) {
    return validate(test::with_body(std::move(body))).diagnostics.at(0).cause;
  };
  CHECK_THAT(reason({Node::if_then(lane(), {barrier()})}),
             Catch::Contains("the condition of the if at entry[0].body[0] ("));
  CHECK_THAT(reason({Node::loop_for("i", 0u, lane(), {barrier()})}),
             Catch::Contains("the bounds of the loop at entry[0].body[0] ("));
  CHECK_THAT(reason({some({Node::return_()}), barrier()}),
             Catch::Contains("the return at entry[0].body[0].then[0] ("));
}

TEST_CASE("V010: where the difference comes from is named, and what helps") {
  const auto report = [](Body body) {
    return validate(test::with_body(std::move(body))).diagnostics.at(0);
  };
  const Diagnostic id = report({Node::if_then(Expr::lt(lane() + 1u, 3u), {barrier()})});
  CHECK_THAT(id.cause, Catch::Contains("differs, since it depends on `local_id`"));
  CHECK_THAT(id.fix, Catch::Contains("let nothing that differs"));
  const Diagnostic assigned =
      report({Node::let_bind("x", 0u), some({Node::assign("x", 1u)}), Node::let_bind("y", v("x")),
              Node::loop_for("i", 0u, v("y"), {barrier()})});
  CHECK_THAT(assigned.cause,
             Catch::Contains("since only a part may assign `x` at entry[0].body[1].then[0] ("));
  const Diagnostic shared = report({hand_over(Expr::u32(1)), guard()});
  CHECK_THAT(shared.cause, Catch::Contains("since it depends on `shared`, which "
                                           "entry[0].body[0].then[0] ("));
  CHECK_THAT(shared.fix, Catch::Contains("Put a barrier between that store and the load"));
  const Diagnostic global = report(
      {Node::store("state", lane(), 1u), Node::if_then(Expr::load("state", 0u), {barrier()})});
  CHECK_THAT(global.cause,
             Catch::Contains("since it depends on `state`, which entry[0].body[0] ("));
  CHECK_THAT(global.fix, Catch::Contains("Let one invocation store the value to workgroup memory"));
  const Diagnostic atomic =
      report({Node::let_bind("old", Expr::u32(1) + Expr::atomic_add("state", 0u, 1u)),
              Node::if_then(Expr::load("state", 0u), {barrier()})});
  CHECK_THAT(atomic.cause,
             Catch::Contains("since it depends on `state`, which entry[0].body[0] ("));
}

TEST_CASE("V010: a condition with an error is not reported twice") {
  CHECK(guarded(v("nobody")) == "V066");
}

TEST_CASE("V131: a subgroup operation stands where all invocations go") {
  const auto sum = [] { return Node::let_bind("s", Expr::subgroup_add(lane())); };
  CHECK(body_codes({sum()}).empty());
  CHECK(body_codes({Node::if_then(Expr::workgroup_id(0), {sum()})}).empty());
  CHECK(body_codes({some({sum()})}) == "V131");
  CHECK(body_codes({some({Node::return_()}), sum()}) == "V131");
  CHECK(body_codes({some({Node::let_bind("b", Expr::subgroup_ballot(Expr::bool_(true)))})}) ==
        "V131");
  CHECK(body_codes({some({Node::let_bind("b", Expr::subgroup_shuffle(lane(), 1u))})}) == "V131");
  // The ids ask nobody else.
  CHECK(body_codes({some({Node::let_bind("i", Expr::subgroup_local_id() + Expr::subgroup_size())})})
            .empty());
}

TEST_CASE("V131: the path leads to the operation") {
  const Expr sum = Expr::subgroup_add(lane());
  const ValidationReport report = validate(
      test::with_body({Node::store("out", lane(), sum),
                       some({Node::store("out", lane(), Expr::max(1u, Expr::u32(2) * sum))})}));
  REQUIRE(test::codes(report) == "V131");
  CHECK(report.diagnostics[0].path == "entry[0].body[1].then[0].value.right.right");
}

TEST_CASE("V010: in a workgroup of one subgroup all get the same reduction") {
  const Dim3 one{32, 1, 1};
  CHECK(guarded(Expr::subgroup_add(lane()), one).empty());
  CHECK(guarded(Expr::subgroup_ballot(Expr::lt(lane(), 3u)), one).empty());
  CHECK(guarded(Expr::subgroup_shuffle(lane(), 3u), one).empty());
  CHECK(guarded(Expr::subgroup_shuffle(lane(), lane()), one) == "V010");
  CHECK(guarded(Expr::subgroup_add(lane()), {33, 1, 1}) == "V010");
  CHECK(guarded(Expr::subgroup_add(1u), {33, 1, 1}) == "V010");
}

TEST_CASE("the analysis tells values and variables apart") {
  const Resolved resolved = resolve(
      test::with_body({Node::let_bind("a", Expr::workgroup_id(0)), Node::let_bind("b", lane())}));
  const Uniformity uniformity = analyze_uniformity(resolved);
  REQUIRE(resolved.variables.size() == 2);
  CHECK(uniformity.is_uniform_variable(0));
  CHECK_FALSE(uniformity.is_uniform_variable(1));
  CHECK(uniformity.is_uniform(resolved.operands(resolved.statements[1])[0]));
  CHECK_FALSE(uniformity.is_uniform(resolved.operands(resolved.statements[2])[0]));
  CHECK(uniformity.is_together(2));
}

}  // namespace
}  // namespace vyre

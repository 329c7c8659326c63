// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/dce.h"

#include "tests/passes/bodies.h"
#include "vyre/interpreter/evaluate.h"

namespace vyre {
namespace {

using namespace literals;
using passes::dce;
using test::after;
using test::keeps;

const Expr kI = Expr::gid_x();
const Node kStore = Node::store("y", kI, 1.5f);

TEST_CASE("dce drops bindings that nothing reads, and what only they read") {
  CHECK(after(dce, {Node::let_bind("a", Expr::load("x", kI)),
                    Node::let_bind("b", Expr::var("a") * 2.0f), kStore}) ==
        "y[invocation_id.x] = 1.5\n");
  // A variable that only feeds itself.
  CHECK(after(dce, {Node::let_bind("a", 0_u),
                    Node::loop_for("k", 0u, 4u, {Node::assign("a", Expr::var("a") + 1u)}),
                    kStore}) == "y[invocation_id.x] = 1.5\n");
  CHECK(keeps(dce, {Node::let_bind("a", 0_u),
                    Node::loop_for("k", 0u, 4u, {Node::assign("a", Expr::var("a") + 1u)}),
                    Node::store("w", kI, Expr::var("a"))}));
}

TEST_CASE("dce keeps effects wherever their value goes") {
  const Expr signed_division = Expr::load("n", kI) / Expr::load("n", 0u);
  CHECK(keeps(dce, {Node::let_bind("a", signed_division)}));
  CHECK(keeps(dce, {Node::let_bind("a", Expr::load("n", kI) % 0_i)}));
  CHECK(keeps(dce, {Node::let_bind("a", Expr::load("n", kI) / -1_i)}));
  CHECK(keeps(dce, {Node::let_bind("a", Expr::atomic_add("words", kI, 1u))}));
  CHECK(keeps(dce, {Node::let_bind("a", Expr::subgroup_add(kI))}));
  CHECK(keeps(dce, {Node::if_then(Expr::eq(signed_division, 0_i), {})}));
  CHECK(keeps(dce, {Node::loop_for("k", Expr::cast(DataType::U32, signed_division), 4u, {})}));
  // An assignment with an effect keeps the binding it assigns to.
  CHECK(
      keeps(dce, {Node::let_bind("a", 0_u), Node::assign("a", Expr::atomic_add("words", kI, 1u))}));
}

TEST_CASE("dce drops divisions that cannot trap") {
  CHECK(after(dce, {Node::let_bind("a", Expr::load("u", kI) / Expr::load("u", 0u)),
                    Node::let_bind("b", Expr::load("x", kI) / 0.0f),
                    Node::let_bind("c", Expr::load("n", kI) / 3_i)}) == "");
}

TEST_CASE("dce drops control flow around nothing, at any depth") {
  CHECK(after(dce, {Node::if_then(Expr::lt(kI, 8u), {}),
                    Node::loop_for("k", 0u, kI, {Node::block({Node::let_bind("a", 1_u)})}),
                    Node::region("inner", std::nullopt, {}), kStore}) ==
        "y[invocation_id.x] = 1.5\n");
  CHECK(after(dce, {Node::if_then_else(Expr::lt(kI, 8u), {kStore}, {Node::let_bind("a", 1_u)})}) ==
        "if invocation_id.x < 8u {\n  y[invocation_id.x] = 1.5\n}\n");
}

TEST_CASE("dce keeps loops that need not end, and top-level regions") {
  CHECK(keeps(dce, {Node::forever({})}));
  CHECK(keeps(dce, {Node::if_then(Expr::lt(kI, 8u), {Node::forever({})})}));
  const Program empty = test::program_of({});
  const StatusOr<PassResult> result = dce(empty);
  CHECK(result->program == empty);
  CHECK(result->program.is_explicit_noop());
}

TEST_CASE("dce drops what follows a return or a trap on every way") {
  CHECK(after(dce, {kStore, Node::return_(), kStore}) == "y[invocation_id.x] = 1.5\nreturn\n");
  CHECK(after(dce, {Node::block({Node::trap(0u, "t"), kStore}), kStore}) ==
        "block {\n  trap \"t\" at 0u\n}\n");
  CHECK(after(dce, {Node::if_then_else(Expr::lt(kI, 8u), {Node::return_()}, {Node::return_()}),
                    kStore}) == "if invocation_id.x < 8u {\n  return\n} else {\n  return\n}\n");
  CHECK(keeps(dce, {Node::if_then(Expr::lt(kI, 8u), {Node::return_()}), kStore}));
  CHECK(keeps(dce, {Node::loop_for("k", 0u, kI, {Node::return_()}), kStore}));
}

TEST_CASE("dce keeps what a grid barrier makes reachable again") {
  CHECK(keeps(dce,
              {Node::return_(), Node::barrier_with_ordering(MemoryOrdering::kGridSync), kStore}));
}

TEST_CASE("dce keeps a value that an unreached statement shares with a reached one") {
  CHECK(after(dce, {Node::let_bind("a", Expr::load("x", kI)), Node::store("y", kI, Expr::var("a")),
                    Node::return_(), Node::assign("a", 2.0f)}) ==
        "let a = x[invocation_id.x]\ny[invocation_id.x] = a\nreturn\n");
}

TEST_CASE("dce keeps the last atomic of a program whose dispatch is inferred") {
  const std::vector<BufferDecl> buffers = {
      BufferDecl::read("x", 0, DataType::U32).with_count(64),
      BufferDecl::read_write("words", 1, DataType::U32).with_count(2)};
  const Body body = {Node::store("words", 0u, Expr::gid_x()), Node::return_(),
                     Node::let_bind("a", Expr::atomic_add("words", 1u, 1u))};
  const Program inferred = Program::wrapped(buffers, {2, 1, 1}, body);
  CHECK_FALSE(dce(inferred)->changed);
  CHECK(dce(inferred.with_extent(Dim3{64, 1, 1}))->changed);
}

TEST_CASE("dce refuses a program that does not resolve, naming the place") {
  const StatusOr<PassResult> result = dce(test::program_of({Node::assign("a", 1u)}));
  CHECK(result.status().code() == absl::StatusCode::kFailedPrecondition);
  CHECK_THAT(std::string(message_of(result.status())), Catch::Contains("V120"));
  CHECK_THAT(std::string(message_of(result.status())), Catch::Contains("entry[0].body[0]"));
}

TEST_CASE("dce is linear in deep programs and shared graphs") {
  Expr sum = kI + 1u;
  for (int i = 0; i < 60; ++i) sum = sum + sum;
  Expr deep = kI;
  for (int i = 0; i < 200'000; ++i) deep = deep + 1u;
  Node nested = kStore;
  for (int i = 0; i < 10'000; ++i) nested = Node::block({nested});
  const StatusOr<PassResult> result =
      dce(test::program_of({Node::let_bind("a", sum), Node::let_bind("b", deep), nested}));
  REQUIRE(result.ok());
  CHECK(result->program.entry()[0].body().size() == 1);
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/bind_shared.h"

#include "tests/passes/bodies.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

using namespace literals;
using passes::bind_shared;
using test::after;
using test::keeps;

const Expr kI = Expr::gid_x();

TEST_CASE("bind_shared binds what occurs more than once in a statement") {
  const Expr sum = Expr::load("x", kI) + 1.0f;
  CHECK(after(bind_shared, {Node::store("y", kI, sum * sum)}) ==
        "let shared.1 = x[invocation_id.x] + 1.0\n"
        "y[invocation_id.x] = shared.1 * shared.1\n");
  // Across the operands of a statement, innermost first.
  const Expr index = kI + 1u;
  const Expr twice = Expr::load("x", index) + Expr::load("x", index);
  CHECK(after(bind_shared, {Node::store("y", index, twice * twice)}) ==
        "let shared.1 = invocation_id.x + 1u\n"
        "let shared.2 = x[shared.1] + x[shared.1]\n"
        "y[shared.1] = shared.2 * shared.2\n");
}

TEST_CASE("bind_shared leaves leaves, and what occurs once, where they are") {
  const Expr literal = 2_u;
  CHECK(keeps(bind_shared, {Node::store("w", kI, kI * literal + literal * Expr::buf_len("x"))}));
  CHECK(keeps(bind_shared, {Node::let_bind("a", kI + 1u),
                            Node::store("w", Expr::var("a"), Expr::var("a") * Expr::var("a"))}));
  // Equal, but two objects.
  CHECK(keeps(bind_shared, {Node::store("w", kI + 1u, kI + 1u)}));
}

TEST_CASE("bind_shared does not carry a value from one statement to another") {
  const Expr value = Expr::load("w", kI);
  CHECK(keeps(bind_shared, {Node::store("w", kI, value), Node::store("w", kI, value)}));
}

TEST_CASE("bind_shared keeps one evaluation for each occurrence of an effect") {
  const Expr count = Expr::atomic_add("words", 0u, 1u);
  CHECK(keeps(bind_shared, {Node::store("w", kI, count + count)}));
  const Expr quotient = Expr::load("n", kI) / Expr::load("n", 0u);
  CHECK(keeps(bind_shared, {Node::store("z", kI, quotient * quotient)}));
  const Expr sum = Expr::subgroup_add(kI);
  CHECK(keeps(bind_shared, {Node::store("w", kI, sum + sum)}));
  // A load may see what an effect beside it changes; arithmetic may not.
  const Expr loaded = Expr::load("words", 0u) + 1u;
  const Expr plain = kI + 1u;
  CHECK(after(bind_shared, {Node::store("w", kI, loaded + count + loaded + plain * plain)}) ==
        "let shared.1 = invocation_id.x + 1u\n"
        "w[invocation_id.x] = words[0u] + 1u + atomic_add<seq_cst>(words[0u], 1u) + (words[0u] + "
        "1u) + "
        "shared.1 * shared.1\n");
}

TEST_CASE("bind_shared binds in front of the statement that has the operand, in its own body") {
  const Expr bound = kI + 1u;
  const Node body = Node::store("w", Expr::var("k"), Expr::var("k"));
  CHECK(after(bind_shared, {Node::loop_for("k", bound, bound * 2u, {body})}) ==
        "let shared.1 = invocation_id.x + 1u\n"
        "for k in shared.1..shared.1 * 2u {\n  w[k] = k\n}\n");
  const Expr square = (Expr::var("k") + 3u) * 2u;
  CHECK(after(bind_shared,
              {Node::loop_for("k", 0u, 4u,
                              {Node::if_then_else(Expr::lt(kI, 8u),
                                                  {Node::store("w", square, square)}, {})})}) ==
        "for k in 0u..4u {\n"
        "  if invocation_id.x < 8u {\n"
        "    let shared.1 = (k + 3u) * 2u\n"
        "    w[shared.1] = shared.1\n"
        "  }\n"
        "}\n");
}

TEST_CASE("bind_shared takes names that are new to the program") {
  const Expr sum = Expr::var("shared.1") + 1u;
  CHECK(after(bind_shared, {Node::let_bind("shared.1", kI), Node::store("w", kI, sum * sum)}) ==
        "let shared.1 = invocation_id.x\n"
        "let shared.2 = shared.1 + 1u\n"
        "w[invocation_id.x] = shared.2 * shared.2\n");
}

TEST_CASE("bind_shared makes a doubling chain as small as its graph, and keeps its value") {
  Expr chain = Expr::load("x", kI);
  for (int i = 0; i < 60; ++i) chain = chain + chain;
  const Program before = test::program_of({Node::store("y", kI, chain)});
  REQUIRE_FALSE(print(before).ok());
  const StatusOr<PassResult> result = bind_shared(before);
  REQUIRE(result.ok());
  CHECK(print(result->program).value().size() < 5000);
  const std::vector<NamedInput> inputs = {{"x", std::vector<float>(16, 0x1p-60f)},
                                          {"n", std::vector<int32_t>(16, 0)},
                                          {"u", std::vector<uint32_t>(16, 0)},
                                          {"words", std::vector<uint32_t>(16, 0)}};
  const StatusOr<Outputs> outputs = evaluate(result->program, inputs);
  REQUIRE(outputs.ok());
  CHECK(outputs->get<float>("y").value() == std::vector<float>(16, 1.0f));
}

TEST_CASE("bind_shared leaves nothing deep that may be bound, and changes nothing a second time") {
  Expr chain = kI;
  for (int i = 0; i < 200'000; ++i) chain = chain + 1u;
  const StatusOr<PassResult> result = bind_shared(test::program_of({Node::store("w", kI, chain)}));
  REQUIRE(result.ok());
  uint32_t deepest = 0;
  for_each_expr(result->program.entry(),
                [&](const Expr& e) { deepest = std::max(deepest, e.depth()); });
  CHECK(deepest == passes::kMaxBoundDepth);
  CHECK_FALSE(bind_shared(result->program)->changed);
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

using test::body_codes;

std::string linear(LinearType type, Body body) {
  return test::codes(Program::wrapped(
      {BufferDecl::read("x", 0, DataType::U32).with_count(4).with_linear_type(type),
       BufferDecl::output("y", 1, DataType::U32).with_count(4)},
      {4, 1, 1}, std::move(body)));
}
Expr x() { return Expr::load("x", Expr::local_id(0)); }
Node use() { return Node::store("y", Expr::local_id(0), x()); }
Expr some() { return Expr::lt(Expr::local_id(0), 2u); }

TEST_CASE("V070: a linear buffer is used once, an affine one at most, a relevant one at least") {
  CHECK(linear(LinearType::kLinear, {use()}).empty());
  CHECK(linear(LinearType::kLinear, {}) == "V070");
  CHECK(linear(LinearType::kLinear, {use(), use()}) == "V070");
  CHECK(linear(LinearType::kAffine, {use()}).empty());
  CHECK(linear(LinearType::kAffine, {}).empty());
  CHECK(linear(LinearType::kAffine, {use(), use()}) == "V070");
  CHECK(linear(LinearType::kRelevant, {use(), use()}).empty());
  CHECK(linear(LinearType::kRelevant, {}) == "V070");
  CHECK(linear(LinearType::kUnrestricted, {}).empty());
}

TEST_CASE("V070: the length of a buffer is no use of it") {
  CHECK(linear(LinearType::kRelevant, {Node::let_bind("n", Expr::buf_len("x"))}) == "V070");
  CHECK(linear(LinearType::kLinear, {Node::let_bind("n", Expr::buf_len("x")), use()}).empty());
}

TEST_CASE("V070: a use counts each time it stands there") {
  const Expr one = x();
  CHECK(linear(LinearType::kLinear, {Node::store("y", 0u, one + one)}) == "V070");
  CHECK(linear(LinearType::kLinear,
               {Node::let_bind("v", one), Node::store("y", 0u, Expr::var("v") + Expr::var("v"))})
            .empty());
}

TEST_CASE("V070: a use in a loop may happen more than once") {
  CHECK(linear(LinearType::kLinear, {Node::loop_for("i", 0u, 4u, {use()})}) == "V070");
  CHECK(linear(LinearType::kLinear, {Node::loop_for("i", 0u, x(), {})}).empty());
  CHECK(linear(LinearType::kRelevant, {Node::loop_for("i", 0u, 4u, {use()})}).empty());
}

TEST_CASE("V070: uses in the two bodies of an if exclude each other") {
  const Node both = Node::if_then_else(some(), {use()}, {use()});
  CHECK(linear(LinearType::kLinear, {both}).empty());
  CHECK(linear(LinearType::kLinear, {both, use()}) == "V070");
  CHECK(linear(LinearType::kLinear, {use(), both}) == "V070");
  CHECK(linear(LinearType::kLinear, {Node::if_then(x(), {use()})}) == "V070");
  CHECK(linear(LinearType::kLinear,
               {Node::if_then_else(some(), {Node::block({use()})},
                                   {Node::if_then_else(some(), {use()}, {use()})})})
            .empty());
  CHECK(linear(LinearType::kLinear, {Node::if_then_else(some(), {}, {use(), use()})}) == "V070");
}

TEST_CASE("V116: a barrier stands between atomic and other accesses to a buffer") {
  const Node add = Node::let_bind("old", Expr::atomic_add("state", 0u, 1u));
  const Node load = Node::store("out", Expr::gid_x(), Expr::load("state", 0u));
  const Node store = Node::store("state", Expr::gid_x(), 0u);
  CHECK(body_codes({add, load}) == "V116");
  CHECK(body_codes({store, add}) == "V116");
  CHECK(body_codes({store, Node::barrier(), add, Node::barrier(), load}).empty());
  CHECK(body_codes({store, Node::barrier_with_ordering(MemoryOrdering::kGridSync), add}).empty());
  CHECK(body_codes({add, Node::store("out", 0u, Expr::load("in", 0u))}).empty());
  // The length of a buffer does not change.
  CHECK(body_codes({add, Node::store("out", 0u, Expr::buf_len("state"))}).empty());
  CHECK(body_codes({Node::store(
            "out", 0u, Expr::atomic_add("state", Expr::load("state", 1u), 1u))}) == "V116");
}

TEST_CASE("V116: is reported once between two barriers") {
  const Expr old = Expr::atomic_add("state", 0u, 1u);
  const Node load = Node::store("out", Expr::gid_x(), Expr::load("state", 0u));
  CHECK(body_codes({Node::let_bind("a", old), load, load, Node::barrier(), Node::let_bind("b", old),
                    load}) == "V116 V116");
}

TEST_CASE("V116: a barrier stands on every way between the two") {
  const Node add = Node::let_bind("old", Expr::atomic_add("state", 0u, 1u));
  const Node load = Node::store("out", Expr::gid_x(), Expr::load("state", 0u));
  const Node barrier = Node::barrier();
  const auto loop = [](Body body) { return Node::loop_for("i", 0u, 4u, std::move(body)); };
  const auto sometimes = [](Body body) {
    return Node::if_then(Expr::eq(Expr::workgroup_id(0), 7u), std::move(body));
  };
  // Past an if whose barrier is not taken.
  CHECK(body_codes({add, sometimes({barrier}), load}) == "V116");
  CHECK(body_codes({add, Node::if_then_else(Expr::workgroup_id(0), {barrier}, {barrier}), load})
            .empty());
  CHECK(body_codes({add, loop({barrier}), load}) == "V116");
  // Round a loop.
  CHECK(body_codes({loop({add, barrier, load})}) == "V116");
  CHECK(body_codes({loop({add, barrier, load, barrier})}).empty());
  CHECK(body_codes({loop({Node::block({add, barrier, load}), sometimes({barrier})})}) == "V116");
  // Not past a return.
  CHECK(body_codes({sometimes({add, Node::return_()}), load}) == "V116");
  CHECK(body_codes({sometimes({barrier, add, Node::return_()}), load}).empty());
}

TEST_CASE("V116: the path leads to the access") {
  const Expr sum = Expr::u32(2) * (Expr::u32(3) + Expr::load("state", 0u));
  const ValidationReport report =
      validate(test::with_body({Node::let_bind("old", Expr::atomic_add("state", 0u, 1u)),
                                Node::store("out", Expr::gid_x(), sum)}));
  REQUIRE(test::codes(report) == "V116");
  CHECK(report.diagnostics[0].path == "entry[0].body[1].value.right.right");
  CHECK_THAT(report.diagnostics[0].cause, Catch::Contains("by an atomic at entry[0].body[0] ("));
}

}  // namespace
}  // namespace vyre

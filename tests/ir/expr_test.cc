// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/expr.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "vyre/ir/node.h"

namespace vyre {
namespace {

using namespace literals;

TEST_CASE("expressions compare by structure, not by handle") {
  const Expr a = Expr::var("x") * 4u + 1.5f;
  const Expr b = Expr::add(Expr::mul(Expr::var("x"), Expr::u32(4)), Expr::f32(1.5f));
  CHECK(a == b);
  CHECK(a.digest() == b.digest());
  CHECK_FALSE(a == Expr::var("x") * 5u + 1.5f);
  CHECK_FALSE(Expr::add(Expr::var("x"), Expr::var("y")) ==
              Expr::add(Expr::var("y"), Expr::var("x")));
}

TEST_CASE("literals compare by bits") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(Expr::f32(nan) == Expr::f32(nan));
  CHECK_FALSE(Expr::f32(nan) == Expr::literal(DataType::F32, 0x7F812345));
  CHECK_FALSE(Expr::f32(0.0f) == Expr::f32(-0.0f));
  CHECK_FALSE(Expr::u32(1) == Expr::i32(1));
  CHECK_FALSE(Expr::u32(1) == Expr::bool_(true));
}

TEST_CASE("number literals carry their IR type") {
  CHECK(Expr(7_u) == Expr::u32(7));
  CHECK(Expr(-3_i) == Expr::i32(-3));
  CHECK(Expr(-2147483648_i) == Expr::i32(std::numeric_limits<int32_t>::min()));
  CHECK(Expr(0.1_f) == Expr::f32(0.1f));
  CHECK(Expr(-1.5_f) == Expr::f32(-1.5f));
  CHECK(Expr(0x1.8p+1_f) == Expr::f32(3.0f));
  CHECK(Expr(3_f) == Expr::f32(3.0f));
  // Just above the midpoint of 1 and its successor: one rounding gives the successor.
  CHECK(Expr(1.00000005960464477539062500000000001_f) == Expr::f32(std::nextafter(1.0f, 2.0f)));
}

TEST_CASE("numbers whose IR type would be a guess are refused by the compiler") {
  CHECK(std::is_constructible_v<Operand, float>);
  CHECK(std::is_constructible_v<Operand, uint32_t>);
  CHECK_FALSE(std::is_constructible_v<Operand, int>);
  CHECK_FALSE(std::is_constructible_v<Operand, long>);
  CHECK_FALSE(std::is_constructible_v<Operand, double>);
  CHECK_FALSE(std::is_constructible_v<Operand, bool>);
}

TEST_CASE("a builder call notes where it was written") {
  const Expr e = Expr::var("x") + 1u;
  CHECK(e.place().line() == __LINE__ - 1);
  CHECK(e.place().file() == "tests/ir/expr_test.cc");
  CHECK(e.operand(1).place().line() == __LINE__ - 3);
}

TEST_CASE("deep chains are built, compared and freed without recursion") {
  const auto chain = [] {
    Expr e = Expr::var("x");
    for (uint32_t i = 0; i < 200'000; ++i) e = Expr::select(Expr::lt(e, i), e, Expr::u32(i));
    return e;
  };
  const Expr a = chain();
  const Expr b = chain();
  CHECK(a.depth() == 400'001);
  CHECK(a.size() == std::numeric_limits<uint64_t>::max());  // shared: the tree has 2^200000 nodes
  CHECK(a == b);
}

TEST_CASE("bodies are flattened from nodes, lists and braces") {
  const Node r = Node::return_();
  const std::vector<Node> list{r, r};
  CHECK(Body{r, list, {r, r}}.nodes().size() == 5);
  CHECK(Body{}.nodes().empty());
  CHECK(Node::if_then(Expr::bool_(true), {r}).body(0).size() == 1);
}

TEST_CASE("deeply nested blocks are built, compared and freed without recursion") {
  const auto nest = [] {
    Node node = Node::return_();
    for (int i = 0; i < 100'000; ++i) node = Node::block({node});
    return node;
  };
  const Node a = nest();
  CHECK(a.depth() == 100'001);
  CHECK(a == nest());
}

}  // namespace
}  // namespace vyre

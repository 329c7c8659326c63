// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/const_fold.h"

#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/passes/bodies.h"

namespace vyre {
namespace {

using namespace literals;
using passes::const_fold;
using test::after;
using test::keeps;
using test::value_after;

const Expr kI = Expr::gid_x();
const Expr kX = Expr::load("x", kI);

TEST_CASE("const_fold evaluates operations on literals in their own type") {
  CHECK(value_after(const_fold, "y", Expr::f32(2.0f) * 3.5f + kX) == "7.0 + x[invocation_id.x]");
  CHECK(value_after(const_fold, "w", Expr(0xFFFFFFFF_u) + 1_u) == "0u");
  CHECK(value_after(const_fold, "z", Expr(2147483647_i) + 1_i) == "-2147483648i");
  CHECK(value_after(const_fold, "w", Expr(1_u) << 33_u) == "2u");
  CHECK(value_after(const_fold, "w", Expr::cast(DataType::U32, Expr::f32(-1.5f))) == "0u");
  CHECK(value_after(const_fold, "w", Expr::saturating_add(0xFFFFFFF0_u, 32u)) == "4294967295u");
  // Through f16, in which 65535 is an infinity.
  CHECK(value_after(const_fold, "y",
                    Expr::cast(DataType::F16, Expr::f32(65535.0f)) * Expr::f32(0.0f)) == "nan");
}

TEST_CASE("const_fold makes NaN the canonical literal") {
  CHECK(value_after(const_fold, "y", Expr::f32(0.0f) / 0.0f) == "nan");
  CHECK(value_after(const_fold, "y", Expr::f32(std::numeric_limits<float>::infinity()) * 0.0f) ==
        "nan");
  CHECK(value_after(const_fold, "w", Expr::bitcast(DataType::U32, Expr::f32(0.0f) / 0.0f)) ==
        "2143289344u");
}

TEST_CASE("const_fold leaves a division that traps, and folds one that does not") {
  CHECK(keeps(const_fold, {Node::store("z", kI, Expr(7_i) / 0_i)}));
  CHECK(keeps(const_fold, {Node::store("z", kI, Expr(7_i) % 0_i)}));
  CHECK(keeps(const_fold, {Node::store("z", kI, Expr(-2147483648_i) / -1_i)}));
  CHECK(value_after(const_fold, "z", Expr(-7_i) / 2_i) == "-3i");
  CHECK(value_after(const_fold, "z", Expr(7_i) / -1_i) == "-7i");
  CHECK(value_after(const_fold, "w", Expr(7_u) / (Expr(3_u) - 3_u)) == "4294967295u");
}

TEST_CASE("const_fold leaves what is not known before the run") {
  CHECK(keeps(const_fold, {Node::store("y", 0u, kX)}));
  CHECK(keeps(const_fold, {Node::store("w", kI, Expr::buf_len("x"))}));
  CHECK(keeps(const_fold, {Node::store("w", kI, Expr::atomic_add("words", 0u, 1u))}));
  CHECK(keeps(const_fold, {Node::store("w", kI, Expr::subgroup_add(1u))}));
  CHECK(keeps(const_fold, {Node::store("w", kI, Expr::subgroup_size())}));
  CHECK(keeps(const_fold, {Node::let_bind("a", 2_u), Node::store("w", kI, Expr::var("a") + 1u)}));
}

TEST_CASE("const_fold chooses an arm only if the other has no effect") {
  CHECK(value_after(const_fold, "y", Expr::select(Expr::lt(1_u, 2_u), kX, 0.5f)) ==
        "x[invocation_id.x]");
  CHECK(value_after(const_fold, "w",
                    Expr::select(Expr::bool_(false), kI / Expr::load("u", 0u), kI)) ==
        "invocation_id.x");
  const Expr trapping = Expr::load("n", kI) / Expr::load("n", 0u);
  CHECK(keeps(const_fold, {Node::store("z", kI, Expr::select(Expr::bool_(true), 1_i, trapping))}));
  CHECK(value_after(const_fold, "z", Expr::select(Expr::bool_(true), trapping, 1_i)) ==
        "n[invocation_id.x] / n[0u]");
  CHECK(keeps(const_fold, {Node::store("w", kI,
                                       Expr::select(Expr::bool_(true), 1_u,
                                                    Expr::atomic_add("words", 0u, 1u)))}));
}

TEST_CASE("const_fold takes the only possible branch, as a scope of its own") {
  CHECK(after(const_fold, {Node::if_then_else(Expr::eq(4_u, 4_u), {Node::let_bind("a", 1_u)},
                                              {Node::store("y", kI, 0.0f)}),
                           Node::let_bind("a", 2_u)}) == "block {\n  let a = 1u\n}\nlet a = 2u\n");
  CHECK(after(const_fold, {Node::if_then(0_u, {Node::store("y", kI, 0.0f)})}) == "");
}

TEST_CASE("const_fold drops loops that are never entered") {
  const Node body = Node::store("y", kI, 0.0f);
  CHECK(after(const_fold, {Node::loop_for("k", 3u, 2u, {body})}) == "");
  CHECK(after(const_fold, {Node::loop_for("k", 3u, Expr(1_u) + 2_u, {body})}) == "");
  CHECK(keeps(const_fold, {Node::loop_for("k", 2u, 3u, {body})}));
  CHECK(keeps(const_fold, {Node::loop_for("k", kI, kI, {body})}));
}

TEST_CASE("const_fold does not depend on the caller's floating-point mode") {
  const Expr third = Expr::f32(1.0f) / 3.0f;
  const std::string expected = value_after(const_fold, "y", third);
  std::fesetround(FE_UPWARD);
  const StatusOr<PassResult> result = const_fold(test::program_of({Node::store("y", 0u, third)}));
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  CHECK(test::text_of(result->program) == "y[0u] = " + expected + "\n");
}

TEST_CASE("const_fold gives one handle the meaning it has in each scope") {
  // `v + 0u` and `v`: a u32 in one scope, and nothing that folds changes the other.
  const Expr shared = Expr::var("v") + (Expr(1_u) + 1_u);
  CHECK(
      after(const_fold, {Node::block({Node::let_bind("v", 1_u), Node::store("w", kI, shared)}),
                         Node::block({Node::let_bind("v", 2_u), Node::store("w", kI, shared)})}) ==
      "block {\n  let v = 1u\n  w[invocation_id.x] = v + 2u\n}\n"
      "block {\n  let v = 2u\n  w[invocation_id.x] = v + 2u\n}\n");
}

TEST_CASE("const_fold is linear in deep and shared graphs") {
  Expr sum = 1_u;
  for (int i = 0; i < 60; ++i) sum = sum + sum;
  CHECK(value_after(const_fold, "w", sum) == "0u");
  Expr deep = 1_u;
  for (int i = 0; i < 200'000; ++i) deep = Expr::select(Expr::bool_(true), deep + 1u, 5_u);
  CHECK(value_after(const_fold, "w", deep) == "200001u");
}

}  // namespace
}  // namespace vyre

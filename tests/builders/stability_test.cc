// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/stability.h"

#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "vyre/ir/node.h"

namespace vyre {
namespace {

const Expr kX = Expr::var("x");
const Expr kFloor = Expr::f32(-80.0F);
const Expr kZero = Expr::f32(0.0F);
const Expr kSmallest = Expr::literal(DataType::F32, 0x00800000);

Expr finite(const Expr& e) { return Expr::select(Expr::is_finite(e), e, kFloor); }

// How often x stands in the expression, each use of a shared subtree counted.
uint64_t uses_of_x(const Expr& root) {
  uint64_t uses = 0;
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (e == kX) ++uses;
    stack.insert(stack.end(), e.operands().begin(), e.operands().end());
  }
  return uses;
}

TEST_CASE("constants of the guards have their bits") {
  CHECK(std::bit_cast<uint32_t>(kMaxSentinel) == 0xFF7FFFFF);
  CHECK(std::bit_cast<uint32_t>(kTiny) == 0x00800000);
  CHECK(std::bit_cast<uint32_t>(kScoreFloor) == 0xC2A00000);
}

TEST_CASE("finite_or replaces NaN and infinities") {
  CHECK(finite_or(kX, kFloor) == finite(kX));
  CHECK(uses_of_x(finite_or(kX, kFloor)) == 2);
}

TEST_CASE("bounded_score lets NaN pass and bounds infinities") {
  CHECK(bounded_score(kX) == Expr::select(Expr::is_nan(kX), kX, finite(kX)));
  CHECK(uses_of_x(bounded_score(kX)) == 4);
}

TEST_CASE("bounded_exp_arg clamps to zero first, then to the floor") {
  const Expr low = Expr::select(Expr::gt(finite(kX), kZero), kZero, finite(kX));
  const Expr clamped = Expr::select(Expr::lt(low, kFloor), kFloor, low);
  CHECK(bounded_exp_arg(kX) == Expr::select(Expr::is_nan(kX), kX, clamped));
  CHECK(uses_of_x(bounded_exp_arg(kX)) == 10);
}

TEST_CASE("positive_denominator keeps normal positive numbers and NaN") {
  const Expr usable = Expr::and_(Expr::is_finite(kX), Expr::gt(kX, kSmallest));
  CHECK(positive_denominator(kX) ==
        Expr::select(Expr::is_nan(kX), kX, Expr::select(usable, kX, kSmallest)));
  CHECK(uses_of_x(positive_denominator(kX)) == 5);
}

TEST_CASE("flush_tiny gives zero up to the smallest normal number") {
  CHECK(flush_tiny(kX) == Expr::select(Expr::le(Expr::abs(kX), kSmallest), kZero, kX));
  CHECK(uses_of_x(flush_tiny(kX)) == 2);
}

TEST_CASE("guards of guards share their text, so nesting stays cheap to build") {
  Expr e = kX;
  for (int i = 0; i < 1000; ++i) e = bounded_exp_arg(e);
  CHECK(e.size() == std::numeric_limits<uint64_t>::max());
  CHECK(e.depth() == 7001);
}

}  // namespace
}  // namespace vyre

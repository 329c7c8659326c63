// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The f64 functions as sequences of other operations, against exact results that
// generate_f64_cases.py computed with many more bits.
#include "vyre/ir/derived_f64.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "vyre/ir/derived_ops.h"
#include "vyre/ir/derived_steps.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kInfinity = uint64_t{0x7FF} << 52;
constexpr uint64_t kNan = 0x7FF8000000000000;
constexpr uint64_t kOne = uint64_t{0x3FF} << 52;

struct Case {
  uint64_t input;
  uint64_t nearest;
  int rest;  // what the nearest f64 lacks to the exact result, in 1/128 of the distance to the next
};

struct Cases {
  Op op;
  std::vector<Case> cases;
};

const std::vector<Cases>& table() {
  static const std::vector<Cases> all = {
#include "f64_cases.inc"
  };
  return all;
}

// The bounds that the functions promise, and the lengths of their sequences, constants left out.
struct Promise {
  Op op;
  double error;
  size_t operations;
};
constexpr Promise kPromises[] = {
    {Op::kInverseSqrt, 0.51, 20}, {Op::kExp, 0.77, 60},   {Op::kExp2, 0.77, 60},
    {Op::kLog, 0.58, 60},         {Op::kLog2, 0.62, 60},  {Op::kSin, 0.58, 180},
    {Op::kCos, 0.58, 180},        {Op::kTan, 0.60, 190},  {Op::kAsin, 0.67, 50},
    {Op::kAcos, 0.67, 50},        {Op::kAtan, 0.70, 70},  {Op::kSinh, 0.60, 110},
    {Op::kCosh, 0.55, 90},        {Op::kTanh, 0.60, 120},
};

uint64_t folded(Op op, uint64_t x) {
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  const std::optional<uint64_t> value =
      evaluate_op(op, DataType::F64, DataType::F64, {&x, 1}, trap);
  REQUIRE(value.has_value());
  CHECK(trap == scalar::ArithmeticTrap::kNone);
  return scalar::canonical_nan(DataType::F64, *value);
}

uint64_t stepped(const std::vector<DerivedStep>& steps, uint64_t x) {
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  std::vector<uint64_t> values;
  for (const DerivedStep& step : steps) {
    uint64_t operands[3];
    for (size_t i = 0; i < 3; ++i) {
      const int32_t number = step.operands[i];
      // Operands that a kernel does not have count as step 0, which may not be there yet.
      const auto index = static_cast<size_t>(number);
      operands[i] = number < 0 ? x : index < values.size() ? values[index] : 0;
    }
    values.push_back(step.kernel == nullptr ? step.constant : step.kernel(operands, trap));
  }
  return scalar::canonical_nan(DataType::F64, values.back());
}

// Patterns in the order of their numbers; both zeros are 0.
int64_t position(uint64_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & ~kSign);
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

TEST_CASE("E16: f64 functions stay within their error bounds") {
  REQUIRE(table().size() == std::size(kPromises));
  for (size_t i = 0; i < table().size(); ++i) {
    const Cases& cases = table()[i];
    REQUIRE(cases.op == kPromises[i].op);
    REQUIRE(cases.cases.size() > 200);
    for (const Case& one : cases.cases) {
      const uint64_t found = folded(cases.op, one.input);
      CAPTURE(op_info(cases.op).name, std::bit_cast<double>(one.input), one.input, found,
              one.nearest, one.rest);
      if (one.nearest == kNan || (one.nearest & ~kSign) == 0) {
        CHECK(found == one.nearest);
        continue;
      }
      CHECK((found & kSign) == (one.nearest & kSign));
      const auto off = static_cast<double>(position(found) - position(one.nearest));
      const double error = std::fabs(off - one.rest / 128.0);
      CHECK(error <= kPromises[i].error + 0.5 / 128.0);
    }
  }
}

TEST_CASE("E16: f64 functions of zeros, infinities and NaN are those of Annex F") {
  struct Special {
    Op op;
    uint64_t at_zero, at_minus_zero, at_infinity, at_minus_infinity;
  };
  constexpr uint64_t half_pi = 0x3FF921FB54442D18;
  constexpr Special kSpecial[] = {
      {Op::kInverseSqrt, kInfinity, kInfinity | kSign, 0, kNan},
      {Op::kExp, kOne, kOne, kInfinity, 0},
      {Op::kExp2, kOne, kOne, kInfinity, 0},
      {Op::kLog, kInfinity | kSign, kInfinity | kSign, kInfinity, kNan},
      {Op::kLog2, kInfinity | kSign, kInfinity | kSign, kInfinity, kNan},
      {Op::kSin, 0, kSign, kNan, kNan},
      {Op::kCos, kOne, kOne, kNan, kNan},
      {Op::kTan, 0, kSign, kNan, kNan},
      {Op::kAsin, 0, kSign, kNan, kNan},
      {Op::kAcos, half_pi, half_pi, kNan, kNan},
      {Op::kAtan, 0, kSign, half_pi, half_pi | kSign},
      {Op::kSinh, 0, kSign, kInfinity, kInfinity | kSign},
      {Op::kCosh, kOne, kOne, kInfinity, kInfinity},
      {Op::kTanh, 0, kSign, kOne, kOne | kSign},
  };
  for (const Special& special : kSpecial) {
    CAPTURE(op_info(special.op).name);
    CHECK(folded(special.op, 0) == special.at_zero);
    CHECK(folded(special.op, kSign) == special.at_minus_zero);
    CHECK(folded(special.op, kInfinity) == special.at_infinity);
    CHECK(folded(special.op, kInfinity | kSign) == special.at_minus_infinity);
    for (const uint64_t nan : {kNan, kNan | kSign, kInfinity + 1, ~uint64_t{0}}) {
      CHECK(folded(special.op, nan) == kNan);
    }
  }
  // Results that are exact.
  CHECK(folded(Op::kLog, kOne) == 0);
  CHECK(folded(Op::kLog2, kOne) == 0);
  CHECK(folded(Op::kAcos, kOne) == 0);
  for (int k = -1074; k < 1024; ++k) {
    const uint64_t exponent = std::bit_cast<uint64_t>(static_cast<double>(k));
    const uint64_t power = std::bit_cast<uint64_t>(std::ldexp(1.0, k));
    CAPTURE(k);
    CHECK(folded(Op::kExp2, exponent) == power);
    CHECK(folded(Op::kLog2, power) == exponent);
  }
}

TEST_CASE("E16: even and odd f64 functions are so bit for bit") {
  const std::set<Op> odd = {Op::kSin, Op::kTan, Op::kAsin, Op::kAtan, Op::kSinh, Op::kTanh};
  for (const Cases& cases : table()) {
    const bool even = cases.op == Op::kCos || cases.op == Op::kCosh;
    if (!even && !odd.contains(cases.op)) continue;
    for (const Case& one : cases.cases) {
      CAPTURE(op_info(cases.op).name, one.input);
      const uint64_t value = folded(cases.op, one.input);
      const uint64_t mirrored = folded(cases.op, one.input ^ kSign);
      CHECK(mirrored == (even || value == kNan ? value : value ^ kSign));
    }
  }
}

TEST_CASE("E16: folding a constant gives the bits of the steps that engines run") {
  for (const Cases& cases : table()) {
    const std::vector<DerivedStep> steps = derived_steps(cases.op, DataType::F64);
    REQUIRE_FALSE(steps.empty());
    for (const Case& one : cases.cases) {
      CAPTURE(op_info(cases.op).name, one.input);
      CHECK(folded(cases.op, one.input) == stepped(steps, one.input));
    }
  }
}

TEST_CASE("E16: the sequences are short and made of operations that every engine has") {
  const std::set<Op> allowed = {
      Op::kVar,  Op::kLitF64,  Op::kLitU64, Op::kLitI64,  Op::kAdd,    Op::kSub,   Op::kMul,
      Op::kDiv,  Op::kMin,     Op::kMax,    Op::kMulHigh, Op::kBitAnd, Op::kBitOr, Op::kBitXor,
      Op::kShl,  Op::kShr,     Op::kEq,     Op::kNe,      Op::kLt,     Op::kGt,    Op::kLe,
      Op::kGe,   Op::kAnd,     Op::kNegate, Op::kClz,     Op::kAbs,    Op::kSqrt,  Op::kSelect,
      Op::kCast, Op::kBitcast, Op::kFma};
  const Expr operands[] = {Expr::var("x")};
  for (const Promise& promise : kPromises) {
    CAPTURE(op_info(promise.op).name);
    size_t operations = 0;
    for_each_expr(derived_meaning(promise.op, DataType::F64, operands), [&](const Expr& expr) {
      CHECK(allowed.contains(expr.op()));
      operations += expr.operands().empty() ? 0 : 1;
      // A signed division could trap.
      if (expr.op() == Op::kDiv) {
        for (const Expr& operand : expr.operands()) CHECK(operand.op() != Op::kLitI64);
      }
    });
    CHECK(operations <= promise.operations);
    CHECK(operations >= promise.operations * 4 / 5);
  }
}

TEST_CASE("E16: exactly the functions that are core on f32 only are derived on f64") {
  std::set<Op> derived;
  for (const OpInfo& info : all_ops()) {
    if (is_derived(info.op, DataType::F64) && !is_derived(info.op, DataType::F32)) {
      derived.insert(info.op);
      CHECK(info.derivation == Derivation::kDerivedOnF64);
      CHECK(derived_steps(info.op, DataType::F32).empty());
    }
  }
  std::set<Op> promised;
  for (const Promise& promise : kPromises) promised.insert(promise.op);
  CHECK(derived == promised);
}

}  // namespace
}  // namespace vyre

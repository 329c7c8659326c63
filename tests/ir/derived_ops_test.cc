// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Derived operations against oracles that compute them directly, and the evaluation of constants.
#include "vyre/ir/derived_ops.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "tests/support/edge_values.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/type_rules.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

using scalar::ArithmeticTrap;
using test::edge_values;
using test::kValueTypes;
__extension__ typedef __int128 Exact;

std::optional<uint64_t> evaluate(Op op, DataType::Kind type,
                                 std::initializer_list<uint64_t> operands) {
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  const std::optional<uint64_t> value =
      evaluate_op(op, type, type, {operands.begin(), operands.size()}, trap);
  CHECK(trap == ArithmeticTrap::kNone);
  return value;
}

template <typename T>
constexpr DataType::Kind kind_of() {
  if (std::is_same_v<T, uint32_t>) return DataType::U32;
  if (std::is_same_v<T, int32_t>) return DataType::I32;
  return std::is_same_v<T, uint64_t> ? DataType::U64 : DataType::I64;
}

TEMPLATE_TEST_CASE("derived integer operations agree with exact arithmetic", "", uint32_t, int32_t,
                   uint64_t, int64_t) {
  using T = TestType;
  using U = std::make_unsigned_t<T>;
  constexpr DataType::Kind type = kind_of<T>();
  constexpr int width = std::numeric_limits<U>::digits;
  const auto clamp = [](Exact exact) -> uint64_t {
    constexpr Exact low = std::numeric_limits<T>::min();
    constexpr Exact high = std::numeric_limits<T>::max();
    return static_cast<U>(exact < low ? low : exact > high ? high : exact);
  };
  for (const uint64_t left : edge_values(type)) {
    for (const uint64_t right : edge_values(type)) {
      CAPTURE(DataType(type).spelling(), left, right);
      const Exact a = static_cast<T>(left);
      const Exact b = static_cast<T>(right);
      CHECK(evaluate(Op::kAbsDiff, type, {left, right}) ==
            static_cast<uint64_t>(a < b ? b - a : a - b));
      CHECK(evaluate(Op::kSaturatingAdd, type, {left, right}) == clamp(a + b));
      CHECK(evaluate(Op::kSaturatingSub, type, {left, right}) == clamp(a - b));
      // The product of two u64 may not fit; then it is far above the largest u64.
      Exact product = 0;
      if (__builtin_mul_overflow(a, b, &product)) product = Exact{1} << 100;
      CHECK(evaluate(Op::kSaturatingMul, type, {left, right}) == clamp(product));
      CHECK(evaluate(Op::kWrappingAdd, type, {left, right}) == static_cast<U>(a + b));
      CHECK(evaluate(Op::kWrappingSub, type, {left, right}) == static_cast<U>(a - b));
      const auto count = static_cast<int>(right % width);
      CHECK(evaluate(Op::kRotateLeft, type, {left, right}) ==
            uint64_t{std::rotl(static_cast<U>(left), count)});
      CHECK(evaluate(Op::kRotateRight, type, {left, right}) ==
            uint64_t{std::rotr(static_cast<U>(left), count)});
    }
  }
}

TEST_CASE("unpack takes bits of the pattern as u32") {
  for (const DataType::Kind type : {DataType::U32, DataType::I32}) {
    for (const uint64_t x : edge_values(type)) {
      CHECK(evaluate(Op::kUnpack4Low, type, {x}) == x % 16);
      CHECK(evaluate(Op::kUnpack4High, type, {x}) == x / 16 % 16);
      CHECK(evaluate(Op::kUnpack8Low, type, {x}) == x % 256);
      CHECK(evaluate(Op::kUnpack8High, type, {x}) == x / 0x1000000);
    }
  }
}

template <typename T>
void check_float_operations(DataType::Kind type, uint64_t (*bits_of)(T), T (*value_of)(uint64_t)) {
  for (const uint64_t bits : edge_values(type)) {
    CAPTURE(DataType(type).spelling(), bits);
    const T x = value_of(bits);
    CHECK(evaluate(Op::kIsNan, type, {bits}) == (std::isnan(x) ? 1u : 0u));
    CHECK(evaluate(Op::kIsInf, type, {bits}) == (std::isinf(x) ? 1u : 0u));
    CHECK(evaluate(Op::kIsFinite, type, {bits}) == (std::isfinite(x) ? 1u : 0u));
    const T sign = std::isnan(x) ? x : x == 0 ? T{0} : std::copysign(T{1}, x);
    CHECK(scalar::canonical_nan(type, *evaluate(Op::kSign, type, {bits})) ==
          scalar::canonical_nan(type, bits_of(sign)));
    CHECK(scalar::canonical_nan(type, *evaluate(Op::kReciprocal, type, {bits})) ==
          scalar::canonical_nan(type, bits_of(T{1} / x)));
  }
}

TEST_CASE("derived float operations agree with the C library") {
  check_float_operations<float>(
      DataType::F32, [](float x) -> uint64_t { return std::bit_cast<uint32_t>(x); },
      [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); });
  check_float_operations<double>(
      DataType::F64, [](double x) { return std::bit_cast<uint64_t>(x); },
      [](uint64_t bits) { return std::bit_cast<double>(bits); });
}

// The type of a graph of literals and variables of one type, which must be free of errors.
std::optional<DataType::Kind> type_of(const Expr& root, DataType::Kind variable_type) {
  std::unordered_map<const void*, std::optional<DataType::Kind>> done;
  for_each_expr(root, [&](const Expr& expr) {
    if (expr.op() == Op::kVar) {
      done[expr.identity()] = variable_type;
      return;
    }
    std::vector<std::optional<DataType::Kind>> types;
    for (const Expr& operand : expr.operands()) types.push_back(done.at(operand.identity()));
    const TypeResult result = check_types(expr, types);
    CHECK(result.errors.empty());
    done[expr.identity()] = result.type;
  });
  return done.at(root.identity());
}

// Core on every type: the types of the operands do not matter.
bool holds_core_operations_only(const Expr& root) {
  bool all = true;
  for_each_expr(
      root, [&](const Expr& expr) { all = all && expr.info().derivation == Derivation::kCore; });
  return all;
}

// An operation on variables; the rows of ops.def that are unary or binary, by name.
Expr operation_on(Op op, const Expr& a, const Expr& b) {
  switch (op) {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                           \
    return Expr::builder(a, b);
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                          \
    return Expr::builder(a);
#include "vyre/ir/ops.def"
    default:  // only derived operations are asked for, and all of those are unary or binary
      FAIL("not a unary or binary operation");
      return a;
  }
}

TEST_CASE("a meaning is legal, of core operations, and has the operation's type") {
  const Expr operands[] = {Expr::var("a"), Expr::var("b")};
  int derived = 0;
  for (const OpInfo& info : all_ops()) {
    derived += info.derivation == Derivation::kCore ? 0 : 1;
    for (const DataType::Kind type : kValueTypes) {
      if (!takes_operand_type(info.op, type) || !is_derived(info.op, type)) continue;
      CAPTURE(info.name, DataType(type).spelling());
      const Expr meaning = derived_meaning(info.op, type, operands);
      CHECK(holds_core_operations_only(meaning));
      CHECK(type_of(meaning, type) ==
            type_of(operation_on(info.op, operands[0], operands[1]), type));
      // Division is what may trap, though not on floats.
      const bool may_divide = info.op == Op::kReciprocal || type == DataType::F64;
      CHECK((may_divide || !meaning.has(ExprEffects::kMayTrap)));
    }
  }
  CHECK(derived == 17 + 14);
}

TEST_CASE("a constant expression has the value that its operations give") {
  using namespace literals;
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  const Expr sum = Expr::add(2_u, 3_u) * 4u;
  CHECK(evaluate_constant(sum, trap) == Constant{DataType::U32, 20});
  CHECK(evaluate_constant(Expr::saturating_sub(2_i, -2147483648_i), trap) ==
        Constant{DataType::I32, 0x7FFFFFFF});
  CHECK(evaluate_constant(Expr::select(Expr::lt(1_u, 2_u), 1.5f, 2.5f), trap) ==
        Constant{DataType::F32, 0x3FC00000});
  CHECK(evaluate_constant(Expr::cast(DataType::BF16, 259_i), trap) ==
        Constant{DataType::F32, 0x43820000});
  CHECK(evaluate_constant(Expr::bitcast(DataType::U32, 1.0f), trap) ==
        Constant{DataType::U32, 0x3F800000});
  CHECK(trap == ArithmeticTrap::kNone);
}

TEST_CASE("what is no constant has no value") {
  using namespace literals;
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  CHECK_FALSE(evaluate_constant(Expr::var("x") + 1u, trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::load("q", 0u), trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::gid_x(), trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::buf_len("q"), trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::subgroup_add(1u), trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::atomic_add("q", 0u, 1u), trap).has_value());
  CHECK_FALSE(evaluate_constant(Expr::add(1_u, 1_i), trap).has_value());
  CHECK_FALSE(evaluate(Op::kSaturatingAdd, DataType::F32, {0, 0}).has_value());
  CHECK_FALSE(evaluate(Op::kAdd, DataType::Bool, {0, 0}).has_value());
}

TEST_CASE("the first trapping division in evaluation order is the one that is reported") {
  using namespace literals;
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  // Both arms are evaluated.
  const Expr overflow = Expr::div(-2147483648_i, -1_i);
  const Expr by_zero = Expr::rem(1_i, 0_i);
  CHECK(evaluate_constant(Expr::select(Expr::bool_(true), 0_i, by_zero), trap).has_value());
  CHECK(trap == ArithmeticTrap::kDivisionByZero);
  trap = ArithmeticTrap::kNone;
  CHECK(evaluate_constant(overflow + by_zero, trap).has_value());
  CHECK(trap == ArithmeticTrap::kDivisionOverflow);
}

TEST_CASE("deep and shared constants are evaluated without recursion and once") {
  Expr deep = Expr::u32(1);
  for (int i = 0; i < 200000; ++i) deep = deep + 1u;
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  CHECK(evaluate_constant(deep, trap) == Constant{DataType::U32, 200001});
  Expr shared = Expr::u32(1);
  for (int i = 0; i < 60; ++i) shared = shared + shared;
  CHECK(evaluate_constant(shared, trap) == Constant{DataType::U32, 0});
}

}  // namespace
}  // namespace vyre

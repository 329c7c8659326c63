// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every kernel at edge inputs against an oracle that shares no code with it: exact 128-bit integers
// for integers, doubles rounded once for f32, the hardware's or the C library's fma for f64.
#include "vyre/ir/scalar/kernels.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "tests/support/edge_values.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/type_rules.h"

namespace vyre::scalar {
namespace {

using test::edge_values;
using test::kValueTypes;
__extension__ typedef __int128 Exact;

template <typename T>
constexpr DataType::Kind kind_of() {
  if (std::is_same_v<T, uint32_t>) return DataType::U32;
  if (std::is_same_v<T, int32_t>) return DataType::I32;
  if (std::is_same_v<T, uint64_t>) return DataType::U64;
  if (std::is_same_v<T, int64_t>) return DataType::I64;
  return std::is_same_v<T, float> ? DataType::F32 : DataType::F64;
}

template <typename T>
uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return canonical_nan(DataType::F32, std::bit_cast<uint32_t>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return canonical_nan(DataType::F64, std::bit_cast<uint64_t>(value));
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}
template <typename T>
T value_of(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else {
    return static_cast<T>(bits);
  }
}

struct Outcome {
  uint64_t bits;
  ArithmeticTrap trap;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << std::hex << outcome.bits << " trap " << static_cast<int>(outcome.trap);
}

Outcome run(Op op, DataType::Kind type, std::initializer_list<uint64_t> operands) {
  const Kernel kernel = find_kernel(op, type);
  REQUIRE(kernel != nullptr);
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  const uint64_t bits = kernel(operands.begin(), trap);
  return {canonical_nan(
              op_info(op).rule == TypeRule::kOrdering || op_info(op).rule == TypeRule::kEquality
                  ? DataType::Bool
                  : type,
              bits),
          trap};
}
uint64_t cast(DataType::Kind from, DataType::Kind to, uint64_t bits) {
  const Kernel kernel = find_cast_kernel(from, to);
  REQUIRE(kernel != nullptr);
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  return canonical_nan(*value_type_of(to), kernel(&bits, trap));
}

// Calls `visit` for all pairs of edge values.
template <typename T, typename Visit>
void for_pairs(Visit visit) {
  for (const uint64_t a : edge_values(kind_of<T>())) {
    for (const uint64_t b : edge_values(kind_of<T>())) {
      CAPTURE(a, b, DataType(kind_of<T>()).spelling());
      visit(a, b);
    }
  }
}

TEMPLATE_TEST_CASE("integer kernels agree with exact arithmetic", "", uint32_t, int32_t, uint64_t,
                   int64_t) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  constexpr int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  const auto plain = [](Exact exact) { return Outcome{bits_of(static_cast<T>(exact)), {}}; };
  for_pairs<T>([&](uint64_t left, uint64_t right) {
    const Exact a = value_of<T>(left);
    const Exact b = value_of<T>(right);
    CHECK(run(Op::kAdd, type, {left, right}) == plain(a + b));
    CHECK(run(Op::kSub, type, {left, right}) == plain(a - b));
    CHECK(run(Op::kMin, type, {left, right}) == plain(a < b ? a : b));
    CHECK(run(Op::kMax, type, {left, right}) == plain(a < b ? b : a));
    CHECK(run(Op::kBitAnd, type, {left, right}) == Outcome{left & right, {}});
    CHECK(run(Op::kBitOr, type, {left, right}) == Outcome{left | right, {}});
    CHECK(run(Op::kBitXor, type, {left, right}) == Outcome{left ^ right, {}});

    // The product of two u64 needs 128 bits without a sign.
    __extension__ typedef unsigned __int128 Pattern;
    const Pattern product = static_cast<Pattern>(a) * static_cast<Pattern>(b);
    CHECK(run(Op::kMul, type, {left, right}) == plain(static_cast<Exact>(product)));
    CHECK(run(Op::kMulHigh, type, {left, right}) == plain(static_cast<Exact>(product >> width)));

    // Shifts as multiplications and floored divisions by powers of two.
    const Pattern power = static_cast<Pattern>(1) << (right % width);
    CHECK(run(Op::kShl, type, {left, right}) ==
          plain(static_cast<Exact>(static_cast<Pattern>(a) * power)));
    const Exact divisor = static_cast<Exact>(power);
    const Exact floored = a / divisor - (a % divisor < 0 ? 1 : 0);
    CHECK(run(Op::kShr, type, {left, right}) == plain(floored));

    CHECK(run(Op::kEq, type, {left, right}).bits == (a == b ? 1u : 0u));
    CHECK(run(Op::kNe, type, {left, right}).bits == (a == b ? 0u : 1u));
    CHECK(run(Op::kLt, type, {left, right}).bits == (a < b ? 1u : 0u));
    CHECK(run(Op::kLe, type, {left, right}).bits == (a <= b ? 1u : 0u));
    CHECK(run(Op::kGt, type, {left, right}).bits == (a > b ? 1u : 0u));
    CHECK(run(Op::kGe, type, {left, right}).bits == (a >= b ? 1u : 0u));
    CHECK(run(Op::kAnd, type, {left, right}).bits == (a != 0 && b != 0 ? 1u : 0u));
    CHECK(run(Op::kOr, type, {left, right}).bits == (a != 0 || b != 0 ? 1u : 0u));
  });
}

TEMPLATE_TEST_CASE("unsigned division by zero gives all ones and remainder 0", "", uint32_t,
                   uint64_t) {
  using T = TestType;
  for_pairs<T>([](uint64_t a, uint64_t b) {
    const Outcome quotient{b == 0 ? bits_of(static_cast<T>(-1)) : a / b, {}};
    const Outcome rest{b == 0 ? 0 : a % b, {}};
    CHECK(run(Op::kDiv, kind_of<T>(), {a, b}) == quotient);
    CHECK(run(Op::kMod, kind_of<T>(), {a, b}) == rest);
  });
}

TEMPLATE_TEST_CASE("signed division by zero and of MIN by -1 traps", "", int32_t, int64_t) {
  using T = TestType;
  for_pairs<T>([](uint64_t left, uint64_t right) {
    const Exact a = value_of<T>(left);
    const Exact b = value_of<T>(right);
    Outcome quotient{0, ArithmeticTrap::kDivisionByZero};
    Outcome rest = quotient;
    if (b == -1 && a == std::numeric_limits<T>::min()) {
      quotient = rest = {0, ArithmeticTrap::kDivisionOverflow};
    } else if (b != 0) {
      quotient = {bits_of(static_cast<T>(a / b)), {}};
      rest = {bits_of(static_cast<T>(a % b)), {}};
    }
    CHECK(run(Op::kDiv, kind_of<T>(), {left, right}) == quotient);
    CHECK(run(Op::kMod, kind_of<T>(), {left, right}) == rest);
  });
  CHECK(std::string(trap_tag(ArithmeticTrap::kDivisionByZero)) == "integer division by zero");
  CHECK(std::string(trap_tag(ArithmeticTrap::kDivisionOverflow)) == "integer division overflow");
  CHECK(std::string(trap_tag(ArithmeticTrap::kNone)).empty());
}

TEMPLATE_TEST_CASE("integer unary kernels agree with bit by bit loops", "", uint32_t, int32_t,
                   uint64_t, int64_t) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  constexpr int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  for (const uint64_t bits : edge_values(type)) {
    CAPTURE(bits);
    uint64_t ones = 0;
    uint64_t reversed = 0;
    uint64_t leading = width;
    uint64_t trailing = width;
    for (int i = 0; i < width; ++i) {
      if ((bits >> i & 1) == 0) continue;
      ++ones;
      reversed |= uint64_t{1} << (width - 1 - i);
      leading = static_cast<uint64_t>(width - 1 - i);
      if (trailing == width) trailing = static_cast<uint64_t>(i);
    }
    CHECK(run(Op::kPopcount, type, {bits}).bits == ones);
    CHECK(run(Op::kReverseBits, type, {bits}).bits == reversed);
    CHECK(run(Op::kClz, type, {bits}).bits == leading);
    CHECK(run(Op::kCtz, type, {bits}).bits == trailing);
    CHECK(run(Op::kLogicalNot, type, {bits}).bits == (bits == 0 ? 1u : 0u));
    CHECK(run(Op::kNegate, type, {bits}).bits ==
          bits_of(static_cast<T>(-Exact{value_of<T>(bits)})));
    CHECK(run(Op::kBitNot, type, {bits}).bits ==
          bits_of(static_cast<T>(-Exact{value_of<T>(bits)} - 1)));
  }
}

TEST_CASE("bool kernels are the truth tables") {
  for (const uint64_t a : {0u, 1u}) {
    CHECK(run(Op::kLogicalNot, DataType::Bool, {a}).bits == 1 - a);
    for (const uint64_t b : {0u, 1u}) {
      CHECK(run(Op::kAnd, DataType::Bool, {a, b}).bits == (a & b));
      CHECK(run(Op::kOr, DataType::Bool, {a, b}).bits == (a | b));
      CHECK(run(Op::kEq, DataType::Bool, {a, b}).bits == (a == b ? 1u : 0u));
      CHECK(run(Op::kNe, DataType::Bool, {a, b}).bits == (a == b ? 0u : 1u));
    }
  }
}

// A double holds the exact sum or product of most pairs, and rounding it again to f32 is harmless
// for all four operations, since 53 >= 2 * 24 + 2.
TEST_CASE("f32 arithmetic is rounded once and keeps subnormals") {
  for_pairs<float>([](uint64_t left, uint64_t right) {
    const double a = static_cast<double>(value_of<float>(left));
    const double b = static_cast<double>(value_of<float>(right));
    const auto rounded = [](double x) { return Outcome{bits_of(static_cast<float>(x)), {}}; };
    CHECK(run(Op::kAdd, DataType::F32, {left, right}) == rounded(a + b));
    CHECK(run(Op::kSub, DataType::F32, {left, right}) == rounded(a - b));
    CHECK(run(Op::kMul, DataType::F32, {left, right}) == rounded(a * b));
    CHECK(run(Op::kDiv, DataType::F32, {left, right}) == rounded(a / b));
  });
  CHECK(run(Op::kMul, DataType::F32, {0x00800000, 0x3F000000}).bits == 0x00400000);
  CHECK(run(Op::kAdd, DataType::F32, {0x00000001, 0x00000001}).bits == 0x00000002);
}

TEST_CASE("f64 arithmetic is the hardware's and keeps subnormals") {
  for_pairs<double>([](uint64_t left, uint64_t right) {
    const double a = value_of<double>(left);
    const double b = value_of<double>(right);
    CHECK(run(Op::kAdd, DataType::F64, {left, right}).bits == bits_of(a + b));
    CHECK(run(Op::kSub, DataType::F64, {left, right}).bits == bits_of(a - b));
    CHECK(run(Op::kMul, DataType::F64, {left, right}).bits == bits_of(a * b));
    CHECK(run(Op::kDiv, DataType::F64, {left, right}).bits == bits_of(a / b));
  });
}

TEMPLATE_TEST_CASE("float comparisons are false for NaN, but for ne", "", float, double) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  for_pairs<T>([](uint64_t left, uint64_t right) {
    const T a = value_of<T>(left);
    const T b = value_of<T>(right);
    const bool unordered = std::isnan(a) || std::isnan(b);
    CHECK(run(Op::kEq, type, {left, right}).bits == (!unordered && a == b ? 1u : 0u));
    CHECK(run(Op::kNe, type, {left, right}).bits == (unordered || a != b ? 1u : 0u));
    CHECK(run(Op::kLt, type, {left, right}).bits == (!unordered && a < b ? 1u : 0u));
    CHECK(run(Op::kLe, type, {left, right}).bits == (!unordered && a <= b ? 1u : 0u));
    CHECK(run(Op::kGt, type, {left, right}).bits == (!unordered && b < a ? 1u : 0u));
    CHECK(run(Op::kGe, type, {left, right}).bits == (!unordered && b <= a ? 1u : 0u));
  });
}

// The order of the numbers with -0 below +0 is the order of sign-magnitude bits.
template <typename T>
int64_t rank(uint64_t bits) {
  using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;
  const auto sign = Bits{1} << (std::numeric_limits<Bits>::digits - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
}

TEMPLATE_TEST_CASE("min and max prefer numbers to NaN and order -0 below +0", "", float, double) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  for_pairs<T>([](uint64_t a, uint64_t b) {
    uint64_t least = rank<T>(a) < rank<T>(b) ? a : b;
    uint64_t most = rank<T>(a) < rank<T>(b) ? b : a;
    if (std::isnan(value_of<T>(a))) least = most = b;
    if (std::isnan(value_of<T>(b))) least = most = a;
    CHECK(run(Op::kMin, type, {a, b}).bits == canonical_nan(type, least));
    CHECK(run(Op::kMax, type, {a, b}).bits == canonical_nan(type, most));
  });
  const uint64_t zero = bits_of(T{0});
  const uint64_t minus_zero = bits_of(-T{0});
  CHECK(run(Op::kMin, type, {zero, minus_zero}).bits == minus_zero);
  CHECK(run(Op::kMax, type, {minus_zero, zero}).bits == zero);
}

TEMPLATE_TEST_CASE("exact float functions agree with the C library", "", float, double) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  for (const uint64_t bits : edge_values(type)) {
    CAPTURE(bits);
    const T x = value_of<T>(bits);
    CHECK(run(Op::kAbs, type, {bits}).bits == bits_of(std::fabs(x)));
    CHECK(run(Op::kNegate, type, {bits}).bits == bits_of(-x));
    CHECK(run(Op::kFloor, type, {bits}).bits == bits_of(std::floor(x)));
    CHECK(run(Op::kCeil, type, {bits}).bits == bits_of(std::ceil(x)));
    CHECK(run(Op::kTrunc, type, {bits}).bits == bits_of(std::trunc(x)));
    CHECK(run(Op::kRound, type, {bits}).bits == bits_of(std::round(x)));
    CHECK(run(Op::kSqrt, type, {bits}).bits == bits_of(std::sqrt(x)));
  }
}

TEMPLATE_TEST_CASE("fma rounds once", "", float, double) {
  using T = TestType;
  constexpr DataType::Kind type = kind_of<T>();
  const std::vector<uint64_t> values = edge_values(type);
  for (const uint64_t a : values) {
    for (const uint64_t b : values) {
      for (const uint64_t c : values) {
        const uint64_t expected = bits_of(std::fma(value_of<T>(a), value_of<T>(b), value_of<T>(c)));
        const uint64_t found = run(Op::kFma, type, {a, b, c}).bits;
        if (found != expected) {
          CAPTURE(a, b, c);
          CHECK(found == expected);
        }
      }
    }
  }
  // Random significands with exponents that meet, cancel, underflow or overflow.
  constexpr uint64_t seed = 0x5EED;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  constexpr int max_exponent = std::numeric_limits<T>::max_exponent;
  for (int i = 0; i < 300000; ++i) {
    const auto pick = [&](int exponent) {
      const T significand = static_cast<T>(1) + static_cast<T>(random() % 8 == 0 ? 0 : random()) *
                                                    static_cast<T>(0x1p-64);
      return std::ldexp((random() & 1) != 0 ? significand : -significand, exponent);
    };
    const auto spread = [&](int range) {
      return static_cast<int>(random() % static_cast<uint64_t>(2 * range + 1)) - range;
    };
    const int exponent = spread(max_exponent);
    const int half = exponent / 2 + spread(20);
    const T a = pick(half);
    const T b = pick(exponent - half);
    const T c = (random() & 3) == 0 ? -(a * b) : pick(exponent + spread(120));
    const uint64_t expected = bits_of(std::fma(a, b, c));
    const uint64_t found = run(Op::kFma, type, {bits_of(a), bits_of(b), bits_of(c)}).bits;
    if (found != expected) {
      CAPTURE(i, a, b, c);
      CHECK(found == expected);
    }
  }
}

TEST_CASE("select takes its arms by the truth of its condition") {
  for (const DataType::Kind type : kValueTypes) {
    CHECK(run(Op::kSelect, type, {1, 1, 0}).bits == 1);
    CHECK(run(Op::kSelect, type, {0, 1, 0}).bits == 0);
    CHECK(run(Op::kSelect, type, {0x80000000, 1, 0}).bits == 1);
  }
}

TEST_CASE("an operation has a kernel for exactly the types it takes and is core on") {
  for (const OpInfo& info : all_ops()) {
    const bool scalar = !info.has(OpFlags::kSubgroup) && !info.has(OpFlags::kAtomic) &&
                        info.format != OpFormat::kCast;
    for (const DataType::Kind type : kValueTypes) {
      CAPTURE(info.name, DataType(type).spelling());
      const bool expected =
          scalar && takes_operand_type(info.op, type) && !is_derived(info.op, type);
      CHECK((find_kernel(info.op, type) != nullptr) == expected);
    }
  }
}

TEST_CASE("commutative operations commute bit for bit") {
  for (const OpInfo& info : all_ops()) {
    if (!info.has(OpFlags::kCommutative)) continue;
    for (const DataType::Kind type : kValueTypes) {
      if (find_kernel(info.op, type) == nullptr) continue;
      for (const uint64_t a : edge_values(type)) {
        for (const uint64_t b : edge_values(type)) {
          CAPTURE(info.name, a, b);
          CHECK(run(info.op, type, {a, b}) == run(info.op, type, {b, a}));
        }
      }
    }
  }
}

TEST_CASE("no result depends on the payload or sign of a NaN") {
  for (const DataType::Kind type : {DataType::F32, DataType::F64}) {
    const bool wide = type == DataType::F64;
    const uint64_t quiet = wide ? 0x7FF8000000000000 : 0x7FC00000;
    const uint64_t other = wide ? 0xFFF0000000000001 : 0xFF812345;
    for (const OpInfo& info : all_ops()) {
      if (find_kernel(info.op, type) == nullptr || info.op == Op::kSelect) continue;
      for (const uint64_t x : edge_values(type)) {
        CAPTURE(info.name, x);
        CHECK(run(info.op, type, {quiet, x, x}) == run(info.op, type, {other, x, x}));
        CHECK(run(info.op, type, {x, quiet, x}) == run(info.op, type, {x, other, x}));
        CHECK(run(info.op, type, {x, x, quiet}) == run(info.op, type, {x, x, other}));
      }
    }
    for (const DataType::Kind to : kValueTypes) {
      CHECK(cast(type, to, quiet) == cast(type, to, other));
    }
  }
}

TEST_CASE("atomics leave the word that their operation names") {
  CHECK(atomic_update(Op::kAtomicAdd, 0xFFFFFFFF, 2, 0) == 1u);
  CHECK(atomic_update(Op::kAtomicOr, 12, 10, 0) == 14u);
  CHECK(atomic_update(Op::kAtomicAnd, 12, 10, 0) == 8u);
  CHECK(atomic_update(Op::kAtomicXor, 12, 10, 0) == 6u);
  CHECK(atomic_update(Op::kAtomicMin, 0x80000000, 1, 0) == 1u);
  CHECK(atomic_update(Op::kAtomicMax, 0x80000000, 1, 0) == 0x80000000u);
  CHECK(atomic_update(Op::kAtomicLruUpdate, 3, 9, 0) == 9u);
  CHECK(atomic_update(Op::kAtomicExchange, 3, 9, 0) == 9u);
  CHECK(atomic_update(Op::kAtomicCompareExchange, 3, 9, 3) == 9u);
  CHECK(atomic_update(Op::kAtomicCompareExchange, 3, 9, 4) == 3u);
  for (const OpInfo& info : all_ops()) {
    const bool executed = is_atomic(info.op) && !info.has(OpFlags::kOpaque);
    CHECK(atomic_update(info.op, 3, 9, 0).has_value() == executed);
  }
}

TEST_CASE("a reduction's identity changes no number and its kernel is the plain operation") {
  const std::pair<Op, Op> reductions[] = {
      {Op::kSubgroupAdd, Op::kAdd},    {Op::kSubgroupMul, Op::kMul},
      {Op::kSubgroupMin, Op::kMin},    {Op::kSubgroupMax, Op::kMax},
      {Op::kSubgroupAnd, Op::kBitAnd}, {Op::kSubgroupOr, Op::kBitOr},
      {Op::kSubgroupXor, Op::kBitXor}};
  for (const auto& [op, plain] : reductions) {
    for (const DataType::Kind type : kValueTypes) {
      CAPTURE(op_info(op).name, DataType(type).spelling());
      const std::optional<Reduction> reduction = find_reduction(op, type);
      CHECK(reduction.has_value() == takes_operand_type(op, type));
      if (!reduction) continue;
      CHECK(reduction->combine == find_kernel(plain, type));
      for (const uint64_t x : edge_values(type)) {
        // +0 + -0 is +0, and a NaN loses to any number.
        const bool is_nan = is_float(type) && run(Op::kNe, type, {x, x}).bits == 1;
        const bool is_minus_zero = is_float(type) && op == Op::kSubgroupAdd &&
                                   x << 1 << (type == DataType::F32 ? 32 : 0) == 0;
        if (is_nan || is_minus_zero) continue;
        CHECK(run(plain, type, {reduction->identity, x}).bits == x);
      }
    }
  }
  CHECK_FALSE(find_reduction(Op::kAdd, DataType::U32).has_value());
}

}  // namespace
}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every operation with every combination of operand types: legal exactly where design rule E15 says
// so, and refused with the code of a table that is written here once more, by hand.
#include "vyre/ir/type_rules.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/edge_values.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;
using test::kValueTypes;
constexpr Kind Bool = DataType::Bool;
constexpr Kind U32 = DataType::U32;
constexpr Kind I32 = DataType::I32;
constexpr Kind U64 = DataType::U64;
constexpr Kind I64 = DataType::I64;
constexpr Kind F32 = DataType::F32;
constexpr Kind F64 = DataType::F64;

const Expr kA = Expr::var("a");
const Expr kB = Expr::var("b");
const Expr kC = Expr::var("c");

TypeResult check(const Expr& expr, std::vector<std::optional<Kind>> types) {
  const TypeResult result = check_types(expr, types);
  for (const TypeError& error : result.errors) {
    CHECK(std::string(error.code).size() == 4);
    CHECK_FALSE(error.cause.empty());
    CHECK_FALSE(error.fix.empty());
  }
  return result;
}
// "V088", "V027 V057", or "" for a legal expression.
std::string codes(const Expr& expr, std::vector<std::optional<Kind>> types) {
  std::string all;
  for (const TypeError& error : check(expr, std::move(types)).errors) {
    if (!all.empty()) all += ' ';
    all += error.code;
  }
  return all;
}

struct Operation {
  Op op;
  Expr expr;
};
// The binary or unary rows of ops.def on variables.
std::vector<Operation> binary_operations() {
  std::vector<Operation> all;
#define VYRE_OP(...)
#define VYRE_UNARY_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  all.push_back({Op::enumerator, Expr::builder(kA, kB)});
#include "vyre/ir/ops.def"
  return all;
}
std::vector<Operation> unary_operations() {
  std::vector<Operation> all;
#define VYRE_OP(...)
#define VYRE_BINARY_OP(...)
#define VYRE_UNARY_OP(enumerator, builder, ...) all.push_back({Op::enumerator, Expr::builder(kA)});
#include "vyre/ir/ops.def"
  return all;
}

std::string expected_code(Op op, Kind a, Kind b) {
  const bool same = a == b;
  const auto either = [&](Kind kind) { return a == kind || b == kind; };
  const bool integers = is_integer(a) && is_integer(b);
  switch (op_info(op).rule) {
    case TypeRule::kArithmetic:
      if (either(Bool)) return "V087";
      return same ? "" : "V088";
    case TypeRule::kRemainder:
      if (!integers) return "V089";
      return same ? "" : "V090";
    case TypeRule::kAbsDiff:
      if (either(Bool)) return "V087";
      if (same && integers) return "";
      return either(I32) || either(I64) ? "V086" : "V088";
    case TypeRule::kSaturating:
      return same && integers ? "" : "V085";
    case TypeRule::kInteger:
      if (is_integer(a) ? b == Bool : a == Bool) return "V087";
      return same && integers ? "" : "V088";
    case TypeRule::kBitwise:
      if (!is_integer(a)) return "V091";
      if (!is_integer(b)) return "V092";
      return same ? "" : "V093";
    case TypeRule::kShift:
      return same && integers ? "" : "V094";
    case TypeRule::kEquality:
      return same ? "" : "V096";
    case TypeRule::kOrdering:
      return same && a != Bool ? "" : "V096";
    case TypeRule::kLogical:
      if (is_float(a) || is_float(b)) return "V095";
      return same || either(Bool) ? "" : "V095";
    case TypeRule::kLegacySubgroup:
      return "V097";
    default:  // binary operations have no other rule
      FAIL("an unexpected rule");
      return "";
  }
}

TEST_CASE("every pair of operand types is legal by the table or refused with its code") {
  for (const Operation& operation : binary_operations()) {
    for (const Kind a : kValueTypes) {
      for (const Kind b : kValueTypes) {
        CAPTURE(op_info(operation.op).name, DataType(a).spelling(), DataType(b).spelling());
        CHECK(codes(operation.expr, {a, b}) == expected_code(operation.op, a, b));
        if (a == b)
          CHECK(codes(operation.expr, {a, b}).empty() == takes_operand_type(operation.op, a));
      }
    }
  }
}

std::string expected_code(Op op, Kind a) {
  const bool is_32_bit = a == U32 || a == I32;
  switch (op_info(op).rule) {
    case TypeRule::kNegate:
      return a == Bool ? "V099" : "";
    case TypeRule::kNot:
      return is_float(a) ? "V100" : "";
    case TypeRule::kIntegerUnary:
      return is_integer(a) ? "" : "V101";
    case TypeRule::kFloatUnary:
    case TypeRule::kFloatTest:
      return is_float(a) ? "" : "V102";
    case TypeRule::kUnpack:
      return is_32_bit ? "" : "V103";
    case TypeRule::kReduce:
      return a == Bool ? "V087" : "";
    case TypeRule::kReduceBits:
      return is_integer(a) ? "" : "V047";
    default:  // unary operations have no other rule
      FAIL("an unexpected rule");
      return "";
  }
}

TEST_CASE(
    "every operand type of a unary operation is legal by the table or refused with its code") {
  for (const Operation& operation : unary_operations()) {
    for (const Kind a : kValueTypes) {
      CAPTURE(op_info(operation.op).name, DataType(a).spelling());
      CHECK(codes(operation.expr, {a}) == expected_code(operation.op, a));
      CHECK(codes(operation.expr, {a}).empty() == takes_operand_type(operation.op, a));
    }
  }
}

TEST_CASE("a legal operation has the type that its rule states") {
  for (const Kind type : {U32, I32, U64, I64}) {
    const Kind unsigned_type = type == U32 || type == I32 ? U32 : U64;
    for (const Expr& expr :
         {kA + kB, kA % kB, kA & kB, kA << kB, Expr::saturating_add(kA, kB),
          Expr::wrapping_sub(kA, kB), Expr::mulhi(kA, kB), Expr::rotate_left(kA, kB)}) {
      CHECK(check(expr, {type, type}).type == type);
    }
    CHECK(check(Expr::abs_diff(kA, kB), {type, type}).type == unsigned_type);
    CHECK(check(Expr::popcount(kA), {type}).type == type);
    CHECK(check(Expr::not_(kA), {type}).type == Bool);
  }
  for (const Kind type : {F32, F64}) {
    CHECK(check(Expr::min(kA, kB), {type, type}).type == type);
    CHECK(check(Expr::sqrt(kA), {type}).type == type);
    CHECK(check(Expr::is_nan(kA), {type}).type == Bool);
    CHECK(check(Expr::fma(kA, kB, kC), {type, type, type}).type == type);
  }
  CHECK(check(Expr::lt(kA, kB), {F32, F32}).type == Bool);
  CHECK(check(Expr::and_(kA, kB), {Bool, U32}).type == Bool);
  CHECK(check(Expr::unpack8_high(kA), {I32}).type == U32);
  CHECK(check(Expr::subgroup_shuffle(kA, kB), {F64, U32}).type == F64);
  CHECK(check(Expr::subgroup_ballot(kA), {Bool}).type == U32);
  CHECK(check(Expr::subgroup_add(kA), {I64}).type == I64);
  CHECK(check(Expr::gid_x(), {}).type == U32);
  CHECK(check(Expr::buf_len("q"), {}).type == U32);
  CHECK(check(Expr::i64(3), {}).type == I64);
  CHECK_FALSE(check(kA, {}).type.has_value());
  CHECK_FALSE(check(Expr::load("q", kA), {U32}).type.has_value());
}

TEST_CASE("the blamed operand is the left one first") {
  CHECK(check(kA & kB, {F32, Bool}).errors[0].cause.find("left operand of `&` is f32") !=
        std::string::npos);
  CHECK(check(kA & kB, {U32, Bool}).errors[0].cause.find("right operand of `&` is bool") !=
        std::string::npos);
  CHECK(check(kA + kB, {U32, F32}).errors[0].cause ==
        "`+` has operands of different types: u32 and f32");
}

TEST_CASE("fma takes three operands of one float type") {
  const Expr fma = Expr::fma(kA, kB, kC);
  CHECK(codes(fma, {U32, U32, U32}) == "V028");
  CHECK(codes(fma, {F32, F32, Bool}) == "V028");
  CHECK(codes(fma, {F32, F64, F32}) == "V028");
  CHECK(codes(fma, {F32, F32, F64}) == "V028");
  CHECK(codes(fma, {F64, F64, F64}).empty());
}

TEST_CASE("select takes arms of one type and a bool or u32") {
  const Expr select = Expr::select(kA, kB, kC);
  for (const Kind arm : kValueTypes) {
    CHECK(check(select, {Bool, arm, arm}).type == arm);
    CHECK(codes(select, {U32, arm, arm}).empty());
    CHECK(codes(select, {Bool, arm, arm == U32 ? I32 : U32}) == "V029");
  }
  for (const Kind condition : {I32, U64, I64, F32, F64}) {
    CHECK(codes(select, {condition, U32, U32}) == "V123");
    CHECK(codes(Expr::subgroup_ballot(kA), {condition}) == "V123");
  }
  CHECK(codes(select, {F32, U32, F32}) == "V123 V029");
}

TEST_CASE("casts go from value types to value and memory types") {
  for (const Kind from : kValueTypes) {
    for (const Kind to : kValueTypes) {
      CHECK(check(Expr::cast(to, kA), {from}).type == to);
    }
    CHECK(check(Expr::cast(DataType::U8, kA), {from}).type == U32);
    CHECK(check(Expr::cast(DataType::I16, kA), {from}).type == I32);
    CHECK(check(Expr::cast(DataType::F8E4M3, kA), {from}).type == F32);
    CHECK(codes(Expr::cast(DataType::Bytes, kA), {from}) == "V023");
    CHECK(codes(Expr::cast(DataType::Vec2U32, kA), {from}) == "V012");
    CHECK(codes(Expr::cast(DataType::vec(DataType::U32, 3), kA), {from}) == "V012");
    CHECK(codes(Expr::cast(DataType::FP4, kA), {from}) == "V012");
  }
}

TEST_CASE("bitcasts keep the width and leave bools out") {
  for (const Kind from : kValueTypes) {
    for (const Kind to : kValueTypes) {
      const auto bits = [](Kind kind) {
        return kind == U32 || kind == I32 || kind == F32 ? 32 : 64;
      };
      const bool legal = from != Bool && to != Bool && bits(from) == bits(to);
      CHECK(codes(Expr::bitcast(to, kA), {from}) == (legal ? "" : "V012"));
    }
    CHECK(codes(Expr::bitcast(DataType::F16, kA), {from}) == "V012");
  }
}

TEST_CASE("an operand whose error stands elsewhere causes no further one") {
  for (const Operation& operation : binary_operations()) {
    if (op_info(operation.op).rule == TypeRule::kLegacySubgroup) continue;
    CAPTURE(op_info(operation.op).name);
    CHECK(codes(operation.expr, {std::nullopt, std::nullopt}).empty());
    CHECK(codes(operation.expr, {std::nullopt, U32}).empty());
    CHECK(codes(operation.expr, {U32, std::nullopt}).empty());
  }
  for (const Operation& operation : unary_operations()) {
    CHECK(codes(operation.expr, {std::nullopt}).empty());
  }
  CHECK(codes(kA & kB, {std::nullopt, F32}) == "V092");
  CHECK(codes(Expr::select(kA, kB, kC), {std::nullopt, std::nullopt, U32}).empty());
  CHECK(codes(Expr::fma(kA, kB, kC), {std::nullopt, F32, std::nullopt}).empty());
  CHECK(codes(Expr::cast(U32, kA), {std::nullopt}).empty());
  CHECK(codes(Expr::bitcast(U32, kA), {std::nullopt}).empty());
  CHECK(codes(Expr::load("q", kA), {std::nullopt}).empty());
  CHECK(codes(Expr::atomic_add("q", kA, kB), {std::nullopt, std::nullopt}).empty());
}

TEST_CASE("indices are u32 or u64") {
  for (const Kind type : kValueTypes) {
    const bool legal = type == U32 || type == U64;
    CHECK(codes(Expr::load("q", kA), {type}) == (legal ? "" : "V122"));
    CHECK(codes(Expr::atomic_add("q", kA, kB), {type, U32}) == (legal ? "" : "V027"));
    CHECK(check_index(IndexUse::kStore, type).has_value() != legal);
    CHECK(check_async_operand("offset", type).has_value() != legal);
  }
  CHECK(check_index(IndexUse::kStore, I32)->code == std::string("V122"));
  CHECK(check_async_operand("size", F32)->code == std::string("V133"));
}

TEST_CASE("atomics take u32 values") {
  CHECK(codes(Expr::atomic_max("q", kA, kB), {U32, I32}) == "V057");
  const Expr cas = Expr::atomic_compare_exchange("q", kA, kB, kC);
  CHECK(check(cas, {U64, U32, U32}).type == U32);
  CHECK(codes(cas, {U32, F32, U32}) == "V058");
  CHECK(codes(cas, {U32, U32, F32}) == "V057");
  CHECK(codes(cas, {I32, U64, Bool}) == "V027 V058 V057");
}

TEST_CASE("subgroup operations refuse what they cannot combine") {
  CHECK(codes(Expr::subgroup_shuffle(kA, kB), {F32, I32}) == "V134");
  CHECK(codes(Expr::subgroup_shuffle(kA, kB), {Bool, U32}).empty());
  CHECK(codes(Expr::subgroup_xor(kA), {F32}) == "V047");
}

TEST_CASE("a store takes the value type, its other sign, or bool and u32 for each other") {
  struct Accepted {
    Kind element;
    std::vector<Kind> values;
  };
  const Accepted accepted[] = {{U32, {U32, I32, Bool}},
                               {I32, {I32, U32}},
                               {U64, {U64, I64}},
                               {I64, {I64, U64}},
                               {Bool, {Bool, U32}},
                               {F32, {F32}},
                               {F64, {F64}},
                               {DataType::U8, {U32, I32, Bool}},
                               {DataType::I16, {I32, U32}},
                               {DataType::F16, {F32}},
                               {DataType::F8E5M2, {F32}}};
  for (const auto& [element, values] : accepted) {
    for (const Kind value : kValueTypes) {
      CAPTURE(DataType(element).spelling(), DataType(value).spelling());
      const bool legal = std::find(values.begin(), values.end(), value) != values.end();
      const std::optional<TypeError> error = check_store_value(element, value);
      CHECK(error.has_value() != legal);
      if (error) CHECK(error->code == std::string("V121"));
    }
  }
  CHECK_FALSE(check_store_value(DataType::Bytes, U32).has_value());
}

TEST_CASE("conditions, loop bounds and trap addresses have their types") {
  for (const Kind type : kValueTypes) {
    CHECK(check_condition(type).has_value() != (type == Bool || type == U32));
    CHECK(check_loop_bound(LoopBound::kFrom, type).has_value() != (type == U32));
    CHECK(check_loop_bound(LoopBound::kTo, type).has_value() != (type == U32));
    CHECK(check_trap_address(type).has_value() != (type == U32));
  }
  CHECK(check_condition(I32)->code == std::string("V123"));
  CHECK(check_loop_bound(LoopBound::kFrom, I32)->code == std::string("V124"));
  CHECK(check_loop_bound(LoopBound::kTo, I32)->code == std::string("V125"));
  CHECK(check_trap_address(F32)->code == std::string("V132"));
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/simplify_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "vyre/ir/check.h"

namespace vyre::passes {
namespace {

constexpr TypeSet kBool = DataType::Bool;
constexpr TypeSet kUnsigned = TypeSet(DataType::U32) | DataType::U64;
constexpr TypeSet kIntegers = kUnsigned | DataType::I32 | DataType::I64;
constexpr TypeSet kFloats = TypeSet(DataType::F32) | DataType::F64;
constexpr TypeSet kNumbers = kIntegers | kFloats;
constexpr TypeSet kAll = kNumbers | kBool;

enum class RuleConstant : uint8_t { kZero, kOne, kOnes, kMinusZero, kTrue, kFalse };

std::optional<RuleConstant> find_rule_constant(std::string_view name) {
  static constexpr std::pair<std::string_view, RuleConstant> kNames[] = {
      {"zero", RuleConstant::kZero}, {"one", RuleConstant::kOne},
      {"ones", RuleConstant::kOnes}, {"minus_zero", RuleConstant::kMinusZero},
      {"true", RuleConstant::kTrue}, {"false", RuleConstant::kFalse}};
  for (const auto& [known, constant] : kNames) {
    if (known == name) return constant;
  }
  return std::nullopt;
}

uint64_t one_of(DataType::Kind type) {
  if (type == DataType::F32) return 0x3F800000;
  if (type == DataType::F64) return 0x3FF0000000000000;
  return 1;
}

bool is_wide(DataType::Kind type) {
  return type == DataType::U64 || type == DataType::I64 || type == DataType::F64;
}

std::optional<uint64_t> bits_of(RuleConstant constant, DataType::Kind type) {
  const bool is_bool = type == DataType::Bool;
  switch (constant) {
    case RuleConstant::kZero:
      return is_bool ? std::nullopt : std::optional<uint64_t>(0);
    case RuleConstant::kOne:
      return is_bool ? std::nullopt : std::optional(one_of(type));
    case RuleConstant::kOnes:
      if (!is_integer(type)) return std::nullopt;
      return is_wide(type) ? ~uint64_t{0} : 0xFFFFFFFFU;
    case RuleConstant::kMinusZero:
      if (!is_float(type)) return std::nullopt;
      return is_wide(type) ? uint64_t{1} << 63 : uint64_t{1} << 31;
    case RuleConstant::kTrue:
      return is_bool ? std::optional<uint64_t>(1) : std::nullopt;
    case RuleConstant::kFalse:
      return is_bool ? std::optional<uint64_t>(0) : std::nullopt;
  }
  VYRE_UNREACHABLE("a rule constant without a value");
}

// The variables of a rule's side in the order of evaluation. Rules are shallow, so recursion is
// bounded by the table.
void append_variables(const Expr& side, std::string& variables) {
  if (side.op() == Op::kVar && !is_rule_constant(side.name())) {
    variables += side.name();
    variables += ' ';
  }
  for (const Expr& operand : side.operands()) append_variables(operand, variables);
}

std::vector<SimplifyRule> make_rules() {
  const Expr x = Expr::var("x");
  const Expr y = Expr::var("y");
  const Expr z = Expr::var("z");
  const Expr zero = Expr::var("zero");
  const Expr one = Expr::var("one");
  const Expr ones = Expr::var("ones");
  const Expr minus_zero = Expr::var("minus_zero");
  const Expr true_ = Expr::var("true");
  const Expr false_ = Expr::var("false");
  struct Row {
    Expr pattern;
    Expr replacement;
    TypeSet types;
  };
  const std::vector<Row> rows = {
      // Sums. For floats x + 0 is not x: -0 + 0 is +0.
      {x + zero, x, kIntegers},
      {x + minus_zero, x, kFloats},
      {x - zero, x, kNumbers},
      {x - x, zero, kIntegers},
      {Expr::saturating_add(x, zero), x, kIntegers},
      {Expr::saturating_sub(x, zero), x, kIntegers},
      {Expr::wrapping_add(x, zero), x, kIntegers},
      {Expr::wrapping_sub(x, zero), x, kIntegers},
      // Products. For floats x * 0 is not 0: NaN, infinities and signs show.
      {x * one, x, kNumbers},
      {x * zero, zero, kIntegers},
      {x / one, x, kNumbers},
      {x % one, zero, kIntegers},
      {Expr::saturating_mul(x, one), x, kIntegers},
      {Expr::saturating_mul(x, zero), zero, kIntegers},
      // Bits.
      {x & x, x, kIntegers},
      {x | x, x, kIntegers},
      {x ^ x, zero, kIntegers},
      {x & zero, zero, kIntegers},
      {x | zero, x, kIntegers},
      {x ^ zero, x, kIntegers},
      {x & ones, x, kIntegers},
      {x | ones, ones, kIntegers},
      {x ^ ones, ~x, kIntegers},
      {x << zero, x, kIntegers},
      {x >> zero, x, kIntegers},
      {Expr::rotate_left(x, zero), x, kIntegers},
      {Expr::rotate_right(x, zero), x, kIntegers},
      {~~x, x, kIntegers},
      {Expr::reverse_bits(Expr::reverse_bits(x)), x, kIntegers},
      // Signs and order.
      {-(-x), x, kNumbers},
      {Expr::min(x, x), x, kNumbers},
      {Expr::max(x, x), x, kNumbers},
      // Comparisons of a value with itself. A NaN equals nothing, and is below nothing.
      {Expr::eq(x, x), true_, kIntegers | kBool},
      {Expr::ne(x, x), false_, kIntegers | kBool},
      {Expr::le(x, x), true_, kIntegers},
      {Expr::ge(x, x), true_, kIntegers},
      {Expr::lt(x, x), false_, kNumbers},
      {Expr::gt(x, x), false_, kNumbers},
      {Expr::lt(x, zero), false_, kUnsigned},
      {Expr::ge(x, zero), true_, kUnsigned},
      // Logic. Only a bool is what `and` and `or` make of it.
      {Expr::and_(x, true_), x, kBool},
      {Expr::and_(x, false_), false_, kIntegers | kBool},
      {Expr::and_(x, x), x, kBool},
      {Expr::or_(x, false_), x, kBool},
      {Expr::or_(x, true_), true_, kIntegers | kBool},
      {Expr::or_(x, x), x, kBool},
      {Expr::eq(x, true_), x, kBool},
      {Expr::ne(x, false_), x, kBool},
      {Expr::not_(Expr::not_(x)), x, kBool},
      {Expr::not_(Expr::eq(x, y)), Expr::ne(x, y), kAll},
      {Expr::not_(Expr::ne(x, y)), Expr::eq(x, y), kAll},
      {Expr::not_(Expr::lt(x, y)), Expr::ge(x, y), kIntegers},
      {Expr::not_(Expr::le(x, y)), Expr::gt(x, y), kIntegers},
      {Expr::not_(Expr::gt(x, y)), Expr::le(x, y), kIntegers},
      {Expr::not_(Expr::ge(x, y)), Expr::lt(x, y), kIntegers},
      // Choices.
      {Expr::select(y, x, x), x, kAll},
      {Expr::select(x, true_, false_), x, kBool},
      {Expr::select(x, false_, true_), Expr::not_(x), kBool},
      {Expr::select(Expr::not_(x), y, z), Expr::select(x, z, y), kBool},
  };
  std::vector<SimplifyRule> rules;
  for (const Row& row : rows) {
    std::string before;
    std::string after;
    append_variables(row.pattern, before);
    append_variables(row.replacement, after);
    rules.push_back({row.pattern, row.replacement, row.types, before != after});
  }
  return rules;
}

}  // namespace

std::span<const SimplifyRule> simplify_rules() {
  static const std::vector<SimplifyRule> rules = make_rules();
  return rules;
}

bool is_rule_constant(std::string_view name) { return find_rule_constant(name).has_value(); }

std::optional<Expr> rule_constant(std::string_view name, DataType::Kind type, Place place) {
  const std::optional<RuleConstant> constant = find_rule_constant(name);
  if (!constant) return std::nullopt;
  const std::optional<uint64_t> bits = bits_of(*constant, type);
  if (!bits) return std::nullopt;
  return Expr::literal(type, *bits, std::move(place));
}

}  // namespace vyre::passes

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/type_rules.h"

#include <fmt/format.h>

#include "vyre/ir/check.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;
using Known = std::optional<Kind>;

std::string name_of(Kind kind) { return DataType(kind).spelling(); }

bool is_value(Kind kind) { return DataType(kind).role() == DataType::Role::kValue; }
bool is_number(Kind kind) { return is_integer(kind) || is_float(kind); }
bool has_truth(Kind kind) { return kind == DataType::Bool || is_integer(kind); }
bool is_condition(Kind kind) { return kind == DataType::Bool || kind == DataType::U32; }
bool is_index(Kind kind) { return kind == DataType::U32 || kind == DataType::U64; }
bool is_32_bit_integer(Kind kind) { return kind == DataType::U32 || kind == DataType::I32; }

Kind unsigned_of(Kind integer) {
  return integer == DataType::I64 || integer == DataType::U64 ? DataType::U64 : DataType::U32;
}

constexpr const char* kMakeEqual = "cast one operand so that both have the same type";
constexpr const char* kMakeInteger = "cast the operand to an integer type";

// The check of one expression. Each rule notes errors and gives the type.
class Checker {
 public:
  Checker(const Expr& expr, std::span<const Known> types) : expr_(expr), types_(types) {
    VYRE_CHECK(types.size() == expr.operands().size(), "one type for each operand");
  }

  TypeResult run() {
    TypeResult result;
    result.type = type_by_rule();
    result.errors = std::move(errors_);
    return result;
  }

 private:
  Known type_by_rule();

  Known arithmetic();
  Known remainder();
  Known abs_diff();
  Known saturating();
  Known integer();
  Known bitwise();
  Known shift();
  Known equality();
  Known ordering();
  Known logical();
  Known select();
  Known cast();
  Known bitcast();
  Known fma();
  Known shuffle();
  Known reduce();
  Known reduce_bits();
  Known atomic();
  void atomic_form();

  // One operand whose type must satisfy a predicate; gives that type if it does.
  template <typename Predicate>
  Known unary(Predicate legal, const char* code, const char* wanted, const char* fix) {
    if (known(0) && !legal(type(0))) error(code, operand_cause(0, wanted), fix);
    return known(0) && legal(type(0)) ? types_[0] : std::nullopt;
  }

  bool known(size_t i) const { return types_[i].has_value(); }
  Kind type(size_t i) const { return *types_[i]; }
  bool all_known() const {
    for (const Known& type : types_) {
      if (!type) return false;
    }
    return true;
  }
  // The first two operands have one type, or an error stands elsewhere.
  bool differ(size_t i, size_t j) const { return known(i) && known(j) && type(i) != type(j); }
  // The first operand whose type is known and fails the predicate.
  template <typename Predicate>
  std::optional<size_t> first_not(Predicate legal) const {
    for (size_t i = 0; i < types_.size(); ++i) {
      if (known(i) && !legal(type(i))) return i;
    }
    return std::nullopt;
  }
  // The type that both operands have.
  Known common() const { return all_known() && !differ(0, 1) ? types_[0] : std::nullopt; }

  void error(const char* code, std::string cause, std::string fix) {
    errors_.push_back({code, std::move(cause), std::move(fix)});
  }
  void add(std::optional<TypeError> found) {
    if (found) errors_.push_back(*std::move(found));
  }
  // "an operand" for one, "left" and "right" for two.
  std::string operand_name(size_t i) const {
    if (types_.size() == 1) return "the operand";
    if (types_.size() == 2) return i == 0 ? "the left operand" : "the right operand";
    return fmt::format("operand {}", i + 1);
  }
  std::string operand_cause(size_t i, const char* wanted) const {
    return fmt::format("{} of `{}` is {}; {} is needed", operand_name(i), expr_.info().mnemonic,
                       name_of(type(i)), wanted);
  }
  std::string mixed_cause() const {
    return fmt::format("`{}` has operands of different types: {} and {}", expr_.info().mnemonic,
                       name_of(type(0)), name_of(type(1)));
  }

  const Expr& expr_;
  std::span<const Known> types_;
  std::vector<TypeError> errors_;
};

Known Checker::arithmetic() {
  if (const auto bad = first_not(is_number)) {
    error("V087", operand_cause(*bad, "an integer or a float"), kMakeInteger);
    return std::nullopt;
  }
  if (differ(0, 1)) error("V088", mixed_cause(), kMakeEqual);
  return common();
}

Known Checker::remainder() {
  if (const auto bad = first_not(is_integer)) {
    error("V089", operand_cause(*bad, "an integer"),
          "cast both operands to one integer type; for floats write x - y * trunc(x / y)");
    return std::nullopt;
  }
  if (differ(0, 1)) error("V090", mixed_cause(), kMakeEqual);
  return common();
}

Known Checker::abs_diff() {
  const auto is_bool = [](Kind kind) { return kind == DataType::Bool; };
  const auto signed_one = first_not([](Kind kind) { return !is_signed_integer(kind); });
  if (const auto bad = first_not([&](Kind kind) { return !is_bool(kind); })) {
    error("V087", operand_cause(*bad, "an integer"), kMakeInteger);
    return std::nullopt;
  }
  // Two operands of one signed type are legal; with anything else it is the signed one's rule.
  if (differ(0, 1)) {
    error(signed_one ? "V086" : "V088", mixed_cause(), kMakeEqual);
    return std::nullopt;
  }
  if (const auto bad = first_not(is_integer)) {
    error("V088", operand_cause(*bad, "an integer"), "write abs(a - b) for floats");
    return std::nullopt;
  }
  const Known operand = common();
  return operand ? Known(unsigned_of(*operand)) : std::nullopt;
}

Known Checker::saturating() {
  if (const auto bad = first_not(is_integer)) {
    error("V085", operand_cause(*bad, "an integer"),
          "cast both operands to one integer type, or clamp with min and max");
    return std::nullopt;
  }
  if (differ(0, 1)) error("V085", mixed_cause(), kMakeEqual);
  return common();
}

Known Checker::integer() {
  if (const auto bad = first_not(is_integer)) {
    const bool is_bool = type(*bad) == DataType::Bool;
    error(is_bool ? "V087" : "V088", operand_cause(*bad, "an integer"), kMakeInteger);
    return std::nullopt;
  }
  if (differ(0, 1)) error("V088", mixed_cause(), kMakeEqual);
  return common();
}

Known Checker::bitwise() {
  if (const auto bad = first_not(is_integer)) {
    error(*bad == 0 ? "V091" : "V092", operand_cause(*bad, "an integer"),
          type(*bad) == DataType::Bool ? "use and, or, not or != for bools, or cast to u32"
                                       : "bitcast a float to the integer type of its width");
    return std::nullopt;
  }
  if (differ(0, 1)) error("V093", mixed_cause(), kMakeEqual);
  return common();
}

Known Checker::shift() {
  if (const auto bad = first_not(is_integer)) {
    error("V094", operand_cause(*bad, "an integer"), kMakeInteger);
    return std::nullopt;
  }
  if (differ(0, 1)) {
    error("V094",
          fmt::format("`{}` moves the bits of {} by an amount of type {}", expr_.info().mnemonic,
                      name_of(type(0)), name_of(type(1))),
          "cast the amount to the type of the value");
  }
  return common();
}

Known Checker::equality() {
  if (differ(0, 1)) {
    error("V096", mixed_cause(), kMakeEqual);
  } else if (const auto bad = first_not(is_value)) {
    error("V096", operand_cause(*bad, "a value type"), "compare values that can be computed with");
  }
  return DataType::Bool;
}

Known Checker::ordering() {
  if (differ(0, 1)) {
    error("V096", mixed_cause(), kMakeEqual);
  } else if (const auto bad = first_not(is_number)) {
    error("V096", operand_cause(*bad, "an integer or a float"),
          "compare bools with == and !=, or cast both to u32");
  }
  return DataType::Bool;
}

Known Checker::logical() {
  if (const auto bad = first_not(has_truth)) {
    error("V095", operand_cause(*bad, "bool or an integer"), "compare the operand with 0 by !=");
    return DataType::Bool;
  }
  // A bool goes with every integer, but two integers are of one type as everywhere else.
  if (differ(0, 1) && is_integer(type(0)) && is_integer(type(1))) {
    error("V095", mixed_cause(), "compare each operand with 0 by !=, or cast one of them");
  }
  return DataType::Bool;
}

Known Checker::select() {
  if (known(0) && !is_condition(type(0))) {
    error("V123",
          fmt::format("the condition of `select` is {}; bool or u32 is needed", name_of(type(0))),
          "compare it, for example with 0 by !=");
  }
  if (differ(1, 2)) {
    error("V029",
          fmt::format("the arms of `select` have different types: {} and {}", name_of(type(1)),
                      name_of(type(2))),
          "cast one arm so that both have the same type");
    return std::nullopt;
  }
  // An arm of unknown type is reported where it stands; the other one says what was meant.
  return known(1) ? types_[1] : types_[2];
}

Known Checker::cast() {
  const Kind target = expr_.type().kind();
  const Known result = value_type_of(target);
  if (target == DataType::Bytes) {
    error("V023", "a cast to bytes has no value", "cast to the type of one element");
    return std::nullopt;
  }
  if (!result) {
    error("V012",
          fmt::format("a cast to {} has no value: that type is carried, not computed with",
                      expr_.type().spelling()),
          "cast to a value type or to one of u8 u16 i8 i16 f16 bf16 f8e4m3 f8e5m2");
    return std::nullopt;
  }
  if (known(0) && !is_legal_cast(type(0), target)) {
    error("V012",
          fmt::format("a cast from {} to {} has no value", name_of(type(0)), name_of(target)),
          "cast a value that can be computed with");
  }
  return result;
}

Known Checker::bitcast() {
  const Kind target = expr_.type().kind();
  const bool has_type = is_legal_bitcast(target, target);
  if (!has_type || (known(0) && !is_legal_bitcast(type(0), target))) {
    error("V012",
          known(0) ? fmt::format("a bitcast from {} to {} has no value", name_of(type(0)),
                                 expr_.type().spelling())
                   : fmt::format("a bitcast to {} has no value", expr_.type().spelling()),
          "bitcast among u32, i32 and f32, or among u64, i64 and f64; cast converts the value");
  }
  return has_type ? Known(target) : std::nullopt;
}

Known Checker::fma() {
  if (const auto bad = first_not(is_float)) {
    error("V028", operand_cause(*bad, "a float"),
          "cast the operand, or write a * b + c for integers");
    return std::nullopt;
  }
  for (size_t i = 1; i < types_.size(); ++i) {
    if (!differ(0, i)) continue;
    error("V028",
          fmt::format("operand {} of `fma` is {}, the first is {}", i + 1, name_of(type(i)),
                      name_of(type(0))),
          "cast the operands to one float type");
    return std::nullopt;
  }
  return all_known() ? types_[0] : std::nullopt;
}

Known Checker::shuffle() {
  if (known(1) && type(1) != DataType::U32) {
    error("V134",
          fmt::format("the lane of `subgroup_shuffle` is {}; u32 is needed", name_of(type(1))),
          "cast the lane to u32");
  }
  return types_[0];
}

Known Checker::reduce() {
  return unary(is_number, "V087", "an integer or a float", "cast the operand to u32");
}

Known Checker::reduce_bits() {
  return unary(is_integer, "V047", "an integer",
               "use subgroup_ballot for bools; bitcast a float to the integer type of its width");
}

void Checker::atomic_form() {
  const bool cas = expr_.op() == Op::kAtomicCompareExchange;
  if (cas && !expr_.has_expected()) {
    error("V059", "compare and exchange has no expected value", "give the expected value");
  }
  if (!cas && expr_.has_expected()) {
    error("V060", fmt::format("`{}` takes no expected value", expr_.info().mnemonic),
          "use atomic_compare_exchange, or drop the expected value");
  }
  if (expr_.ordering() == MemoryOrdering::kGridSync) {
    error("V042", "grid_sync is an ordering of barriers, not of atomics", "use seq_cst");
  }
}

Known Checker::atomic() {
  atomic_form();
  if (known(0)) add(check_index(IndexUse::kAtomic, type(0)));
  const size_t value = types_.size() - 1;
  if (expr_.has_expected() && known(1) && type(1) != DataType::U32) {
    error("V058",
          fmt::format("the expected value of `{}` is {}; u32 is needed", expr_.info().mnemonic,
                      name_of(type(1))),
          "bitcast or cast the expected value to u32");
  }
  if (known(value) && type(value) != DataType::U32) {
    error("V057",
          fmt::format("the value of `{}` is {}; u32 is needed", expr_.info().mnemonic,
                      name_of(type(value))),
          "bitcast or cast the value to u32");
  }
  return DataType::U32;
}

Known Checker::type_by_rule() {
  switch (expr_.info().rule) {
    case TypeRule::kLiteral:
      return expr_.type().kind();
    case TypeRule::kBufLen:
    case TypeRule::kIndex:
      return DataType::U32;
    case TypeRule::kLoad:
      if (known(0)) add(check_index(IndexUse::kLoad, type(0)));
      return std::nullopt;
    case TypeRule::kVariable:
    case TypeRule::kBufferRef:
    case TypeRule::kCall:
    case TypeRule::kOpaque:
      return std::nullopt;
    case TypeRule::kArithmetic:
      return arithmetic();
    case TypeRule::kRemainder:
      return remainder();
    case TypeRule::kAbsDiff:
      return abs_diff();
    case TypeRule::kSaturating:
      return saturating();
    case TypeRule::kInteger:
      return integer();
    case TypeRule::kBitwise:
      return bitwise();
    case TypeRule::kShift:
      return shift();
    case TypeRule::kEquality:
      return equality();
    case TypeRule::kOrdering:
      return ordering();
    case TypeRule::kLogical:
      return logical();
    case TypeRule::kLegacySubgroup:
      error("V097", fmt::format("`{}` is carried and has no meaning", expr_.info().mnemonic),
            "use subgroup_shuffle, subgroup_ballot, subgroup_add and their kin");
      return std::nullopt;
    case TypeRule::kNegate:
      return unary(is_number, "V099", "an integer or a float", "use not for bools");
    case TypeRule::kNot:
      unary(has_truth, "V100", "bool or an integer", "compare the operand with 0 by ==");
      return DataType::Bool;
    case TypeRule::kIntegerUnary:
      return unary(is_integer, "V101", "an integer", kMakeInteger);
    case TypeRule::kUnpack:
      unary(is_32_bit_integer, "V103", "u32 or i32", "cast the operand to u32");
      return DataType::U32;
    case TypeRule::kFloatUnary:
      return unary(is_float, "V102", "a float", "cast the operand to f32");
    case TypeRule::kFloatTest:
      unary(is_float, "V102", "a float", "cast the operand to f32");
      return DataType::Bool;
    case TypeRule::kSelect:
      return select();
    case TypeRule::kCast:
      return cast();
    case TypeRule::kBitcast:
      return bitcast();
    case TypeRule::kFma:
      return fma();
    case TypeRule::kBallot:
      unary(is_condition, "V123", "bool or u32", "compare it, for example with 0 by !=");
      return DataType::U32;
    case TypeRule::kShuffle:
      return shuffle();
    case TypeRule::kReduce:
      return reduce();
    case TypeRule::kReduceBits:
      return reduce_bits();
    case TypeRule::kAtomic:
    case TypeRule::kAtomicCas:
      return atomic();
  }
  VYRE_UNREACHABLE("a type rule that is not evaluated");
}

}  // namespace

TypeResult check_types(const Expr& expr,
                       std::span<const std::optional<DataType::Kind>> operand_types) {
  return Checker(expr, operand_types).run();
}

bool takes_operand_type(Op op, DataType::Kind type) {
  switch (op_info(op).rule) {
    case TypeRule::kArithmetic:
    case TypeRule::kOrdering:
    case TypeRule::kNegate:
    case TypeRule::kReduce:
      return is_number(type);
    case TypeRule::kRemainder:
    case TypeRule::kAbsDiff:
    case TypeRule::kSaturating:
    case TypeRule::kInteger:
    case TypeRule::kBitwise:
    case TypeRule::kShift:
    case TypeRule::kIntegerUnary:
    case TypeRule::kReduceBits:
      return is_integer(type);
    case TypeRule::kLogical:
    case TypeRule::kNot:
      return has_truth(type);
    case TypeRule::kUnpack:
      return is_32_bit_integer(type);
    case TypeRule::kFloatUnary:
    case TypeRule::kFloatTest:
    case TypeRule::kFma:
      return is_float(type);
    case TypeRule::kEquality:
    case TypeRule::kSelect:
    case TypeRule::kCast:
    case TypeRule::kShuffle:
      return is_value(type);
    case TypeRule::kBitcast:
      return is_number(type);
    case TypeRule::kBallot:
      return is_condition(type);
    case TypeRule::kAtomic:
    case TypeRule::kAtomicCas:
      return type == DataType::U32 && !op_info(op).has(OpFlags::kOpaque);
    case TypeRule::kLiteral:
    case TypeRule::kVariable:
    case TypeRule::kBufLen:
    case TypeRule::kBufferRef:
    case TypeRule::kIndex:
    case TypeRule::kLoad:
    case TypeRule::kLegacySubgroup:
    case TypeRule::kCall:
    case TypeRule::kOpaque:
      return false;
  }
  VYRE_UNREACHABLE("a type rule that is not evaluated");
}

std::optional<TypeError> check_index(IndexUse use, DataType::Kind type) {
  if (is_index(type)) return std::nullopt;
  const char* code = use == IndexUse::kAtomic ? "V027" : "V122";
  const char* whose = use == IndexUse::kLoad    ? "a load"
                      : use == IndexUse::kStore ? "a store"
                                                : "an atomic";
  return TypeError{code,
                   fmt::format("the index of {} is {}; u32 or u64 is needed", whose, name_of(type)),
                   "cast the index to u32"};
}

std::optional<TypeError> check_store_value(DataType::Kind element, DataType::Kind type) {
  const Known wanted = value_type_of(element);
  if (!wanted || type == *wanted) return std::nullopt;
  if (is_integer(type) && is_integer(*wanted) && unsigned_of(type) == unsigned_of(*wanted)) {
    return std::nullopt;
  }
  if (is_condition(type) && is_condition(*wanted)) return std::nullopt;
  return TypeError{"V121",
                   fmt::format("a value of type {} is stored to an element of type {}",
                               name_of(type), name_of(element)),
                   fmt::format("cast the value to {}", name_of(*wanted))};
}

std::optional<TypeError> check_condition(DataType::Kind type) {
  if (is_condition(type)) return std::nullopt;
  return TypeError{
      "V123", fmt::format("the condition of an if is {}; bool or u32 is needed", name_of(type)),
      "compare it, for example with 0 by !="};
}

std::optional<TypeError> check_loop_bound(LoopBound which, DataType::Kind type) {
  if (type == DataType::U32) return std::nullopt;
  const bool is_from = which == LoopBound::kFrom;
  return TypeError{is_from ? "V124" : "V125",
                   fmt::format("the {} bound of a loop is {}; u32 is needed",
                               is_from ? "lower" : "upper", name_of(type)),
                   "cast the bound to u32"};
}

std::optional<TypeError> check_trap_address(DataType::Kind type) {
  if (type == DataType::U32) return std::nullopt;
  return TypeError{"V132", fmt::format("the address of a trap is {}; u32 is needed", name_of(type)),
                   "cast or bitcast the address to u32"};
}

std::optional<TypeError> check_async_operand(const char* what, DataType::Kind type) {
  if (is_index(type)) return std::nullopt;
  return TypeError{
      "V133",
      fmt::format("the {} of an async copy is {}; u32 or u64 is needed", what, name_of(type)),
      fmt::format("cast the {} to u32", what)};
}

bool is_legal_cast(DataType::Kind from, DataType::Kind to) {
  return is_value(from) && value_type_of(to).has_value();
}

bool is_legal_bitcast(DataType::Kind from, DataType::Kind to) {
  const auto is_narrow = [](Kind kind) { return is_32_bit_integer(kind) || kind == DataType::F32; };
  const auto is_wide = [](Kind kind) {
    return is_number(kind) && !is_32_bit_integer(kind) && kind != DataType::F32;
  };
  return (is_narrow(from) && is_narrow(to)) || (is_wide(from) && is_wide(to));
}

}  // namespace vyre

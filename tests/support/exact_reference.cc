// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/exact_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace vyre::test {
namespace {

__extension__ using Wide = __int128;

constexpr uint64_t kNan = 0x7FC00000;

struct IntegerType {
  unsigned bits;
  bool is_signed;

  uint64_t wrap(Wide value) const {
    return static_cast<uint64_t>(value) & (bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
  }
  Wide value(uint64_t pattern) const {
    const Wide sign = Wide{1} << (bits - 1);
    const Wide plain = static_cast<Wide>(pattern);
    return is_signed && plain >= sign ? plain - 2 * sign : plain;
  }
  Wide lowest() const { return is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}; }
  Wide highest() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
  uint64_t clamp(Wide value) const { return wrap(std::clamp(value, lowest(), highest())); }
};

std::optional<IntegerType> integer_type(DataType::Kind type) {
  if (type == DataType::U32) return IntegerType{32, false};
  if (type == DataType::I32) return IntegerType{32, true};
  if (type == DataType::U64) return IntegerType{64, false};
  if (type == DataType::I64) return IntegerType{64, true};
  if (type == DataType::U16) return IntegerType{16, false};
  if (type == DataType::I16) return IntegerType{16, true};
  if (type == DataType::U8) return IntegerType{8, false};
  if (type == DataType::I8) return IntegerType{8, true};
  return std::nullopt;
}

// High half of a product of unsigned 64-bit numbers, by halves: it need not fit Wide.
uint64_t high_half(uint64_t a, uint64_t b) {
  const Wide low = static_cast<Wide>(a & 0xFFFFFFFF) * static_cast<Wide>(b);
  const Wide high = static_cast<Wide>(a >> 32) * static_cast<Wide>(b);
  return static_cast<uint64_t>((high + (low >> 32)) >> 32);
}

std::optional<uint64_t> quotient(const IntegerType& type, Op op, Wide a, Wide b) {
  const bool is_division = op == Op::kDiv;
  if (b == 0) {
    if (type.is_signed) return std::nullopt;
    return is_division ? type.wrap(-1) : 0;
  }
  if (type.is_signed && b == -1 && a == type.lowest()) return std::nullopt;
  return type.wrap(is_division ? a / b : a % b);
}

template <typename T>
std::optional<uint64_t> comparison(Op op, T a, T b) {
  switch (op) {
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLt:
      return a < b;
    case Op::kLe:
      return a <= b;
    case Op::kGt:
      return a > b;
    case Op::kGe:
      return a >= b;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> integer_value(Op op, const IntegerType& type, Wide a, Wide b) {
  const auto amount = static_cast<unsigned>(b & (type.bits - 1));
  const uint64_t left = type.wrap(a);
  switch (op) {
    case Op::kAdd:
    case Op::kWrappingAdd:
      return type.wrap(a + b);
    case Op::kSub:
    case Op::kWrappingSub:
      return type.wrap(a - b);
    case Op::kMul:
      return static_cast<uint64_t>(left * type.wrap(b)) & type.wrap(-1);
    case Op::kDiv:
    case Op::kMod:
      return quotient(type, op, a, b);
    case Op::kMulHigh:
      if (type.bits == 64) return high_half(left, type.wrap(b));
      return type.wrap((a * b) >> type.bits);
    case Op::kAbsDiff:
      return type.wrap(a > b ? a - b : b - a);
    case Op::kSaturatingAdd:
      return type.clamp(a + b);
    case Op::kSaturatingSub:
      return type.clamp(a - b);
    case Op::kSaturatingMul:
      if (type.bits == 64)
        return high_half(left, type.wrap(b)) != 0 ? type.wrap(-1) : type.wrap(a * b);
      return type.clamp(a * b);
    case Op::kMin:
      return type.wrap(std::min(a, b));
    case Op::kMax:
      return type.wrap(std::max(a, b));
    case Op::kBitAnd:
      return left & type.wrap(b);
    case Op::kBitOr:
      return left | type.wrap(b);
    case Op::kBitXor:
      return left ^ type.wrap(b);
    case Op::kShl:
      return type.wrap(a << amount);
    case Op::kShr:
      return type.wrap(a >> amount);
    case Op::kRotateLeft:
      return type.wrap((static_cast<Wide>(left) << amount) |
                       static_cast<Wide>(left) >> (type.bits - amount));
    case Op::kRotateRight:
      return type.wrap((static_cast<Wide>(left) >> amount) |
                       (static_cast<Wide>(left) << (type.bits - amount)));
    case Op::kAnd:
      return a != 0 && b != 0;
    case Op::kOr:
      return a != 0 || b != 0;
    case Op::kNegate:
      return type.wrap(-a);
    case Op::kBitNot:
      return type.wrap(-1 - a);
    case Op::kLogicalNot:
      return a == 0;
    default:  // bit counting and unpacking are held to the recorded values alone
      return comparison(op, a, b);
  }
}

float f32_of(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t bits_of(double value) {
  const auto narrow = static_cast<float>(value);
  return std::isnan(narrow) ? kNan : std::bit_cast<uint32_t>(narrow);
}

// a * b + c rounded to odd in double, which has more than twice the digits and two: rounding that
// to f32 rounds the exact value. The product is exact, and the two-sum gives the sum's error.
double fma_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  const auto bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

// A number beats a NaN, -0 is less than +0.
uint64_t extremum(double a, double b, bool larger) {
  if (std::isnan(a)) return bits_of(b);
  if (std::isnan(b)) return bits_of(a);
  const bool a_is_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return bits_of(a_is_less == larger ? b : a);
}

// One rounding of a quotient, square root, sum or product of two f32 in double and one to f32 give
// what a single rounding gives, subnormal results too: 53 >= 2 * 24 + 2.
std::optional<uint64_t> f32_binary(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd:
      return bits_of(a + b);
    case Op::kSub:
      return bits_of(a - b);
    case Op::kMul:
      return bits_of(a * b);
    case Op::kDiv:
      return bits_of(a / b);
    case Op::kMin:
      return extremum(a, b, false);
    case Op::kMax:
      return extremum(a, b, true);
    default:
      return comparison(op, a, b);
  }
}

std::optional<uint64_t> f32_unary(Op op, double a) {
  switch (op) {
    case Op::kNegate:
      return bits_of(-a);
    case Op::kAbs:
      return bits_of(std::abs(a));
    case Op::kFloor:
      return bits_of(std::floor(a));
    case Op::kCeil:
      return bits_of(std::ceil(a));
    case Op::kRound:
      return bits_of(std::round(a));
    case Op::kTrunc:
      return bits_of(std::trunc(a));
    case Op::kSign:
      return bits_of(std::isnan(a) ? a : static_cast<double>((a > 0) - (a < 0)));
    case Op::kSqrt:
      return bits_of(std::sqrt(a));
    case Op::kReciprocal:
      return bits_of(1.0 / a);
    case Op::kInverseSqrt:
      return bits_of(1.0 / std::sqrt(a));
    case Op::kExp:
      return bits_of(std::exp(a));
    case Op::kExp2:
      return bits_of(std::exp2(a));
    case Op::kLog:
      return bits_of(std::log(a));
    case Op::kLog2:
      return bits_of(std::log2(a));
    case Op::kSin:
      return bits_of(std::sin(a));
    case Op::kCos:
      return bits_of(std::cos(a));
    case Op::kTan:
      return bits_of(std::tan(a));
    case Op::kAsin:
      return bits_of(std::asin(a));
    case Op::kAcos:
      return bits_of(std::acos(a));
    case Op::kAtan:
      return bits_of(std::atan(a));
    case Op::kSinh:
      return bits_of(std::sinh(a));
    case Op::kCosh:
      return bits_of(std::cosh(a));
    case Op::kTanh:
      return bits_of(std::tanh(a));
    case Op::kIsNan:
      return std::isnan(a);
    case Op::kIsInf:
      return std::isinf(a);
    case Op::kIsFinite:
      return std::isfinite(a);
    default:
      return std::nullopt;
  }
}

struct FloatType {
  int digits;
  int min_exponent;  // of the least normal number
  int max_exponent;
};

// The nearest number of the type, ties to even, subnormals included. The ratio to the unit in the
// last place is exact, and rounding it is the only rounding.
long double rounded(long double value, const FloatType& type) {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), type.min_exponent);
  const int unit = exponent - type.digits + 1;
  const long double result = std::scalbn(std::nearbyint(std::scalbn(value, -unit)), unit);
  return std::ilogb(result) > type.max_exponent && result != 0
             ? std::copysign(std::numeric_limits<long double>::infinity(), value)
             : result;
}

uint64_t integer_from(long double value, const IntegerType& type) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<long double>(type.lowest())) return type.wrap(type.lowest());
  if (value >= static_cast<long double>(type.highest())) return type.wrap(type.highest());
  return type.wrap(static_cast<Wide>(std::trunc(value)));
}

// A memory type's value is of its value type.
uint64_t widened(uint64_t bits, const IntegerType& type) {
  return IntegerType{type.bits == 64 ? 64U : 32U, type.is_signed}.wrap(type.value(bits));
}

}  // namespace

std::optional<uint64_t> exact_value(Op op, DataType::Kind type, std::span<const uint64_t> inputs) {
  if (const std::optional<IntegerType> integer = integer_type(type)) {
    if (inputs.size() > 2) return std::nullopt;
    return integer_value(op, *integer, integer->value(inputs[0]),
                         inputs.size() == 2 ? integer->value(inputs[1]) : Wide{0});
  }
  if (type != DataType::F32) return std::nullopt;
  const double a = f32_of(inputs[0]);
  if (inputs.size() == 1) return f32_unary(op, a);
  const double b = f32_of(inputs[1]);
  if (inputs.size() == 2) return f32_binary(op, a, b);
  if (op != Op::kFma) return std::nullopt;
  return bits_of(fma_to_odd(a, b, f32_of(inputs[2])));
}

std::optional<uint64_t> exact_cast(DataType::Kind from, DataType::Kind to, uint64_t bits) {
  const std::optional<IntegerType> source = integer_type(from);
  const std::optional<IntegerType> target = integer_type(to);
  const bool is_float = from == DataType::F32;
  if (!source && !is_float && from != DataType::Bool) return std::nullopt;
  const Wide integer = source ? source->value(bits) : static_cast<Wide>(bits);
  const long double value =
      is_float ? static_cast<long double>(f32_of(bits)) : static_cast<long double>(integer);
  if (to == DataType::Bool) return value != 0;
  if (target) {
    return widened(is_float ? integer_from(value, *target) : target->wrap(integer), *target);
  }
  if (to == DataType::F32) return bits_of(static_cast<double>(rounded(value, {24, -126, 127})));
  if (to == DataType::F16) return bits_of(static_cast<double>(rounded(value, {11, -14, 15})));
  if (to == DataType::BF16) return bits_of(static_cast<double>(rounded(value, {8, -126, 127})));
  if (to == DataType::F64) {
    const auto narrow = static_cast<double>(value);
    return std::isnan(narrow) ? 0x7FF8000000000000 : std::bit_cast<uint64_t>(narrow);
  }
  return std::nullopt;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/kernels.h"

#include <type_traits>

#include "vyre/ir/check.h"
#include "vyre/ir/scalar/bit_pattern.h"
#include "vyre/ir/scalar/f32_math.h"
#include "vyre/ir/scalar/f64_math.h"
#include "vyre/ir/scalar/integer_math.h"

namespace vyre::scalar {
namespace detail {
namespace {

template <std::floating_point T>
T add(T a, T b) {
  return a + b;
}
template <std::floating_point T>
T sub(T a, T b) {
  return a - b;
}
template <std::floating_point T>
T mul(T a, T b) {
  return a * b;
}
float min(float a, float b) { return f32_min(a, b); }
double min(double a, double b) { return f64_min(a, b); }
float max(float a, float b) { return f32_max(a, b); }
double max(double a, double b) { return f64_max(a, b); }
float negate(float a) { return f32_negate(a); }
double negate(double a) { return f64_negate(a); }
float fma(float a, float b, float c) { return f32_fma(a, b, c); }
double fma(double a, double b, double c) { return f64_fma(a, b, c); }

// What a signed division cannot give; unsigned ones give all ones, their remainders 0 (D6).
template <std::signed_integral T>
ArithmeticTrap division_trap(T a, T b) {
  if (b == 0) return ArithmeticTrap::kDivisionByZero;
  if (a == std::numeric_limits<T>::min() && b == -1) return ArithmeticTrap::kDivisionOverflow;
  return ArithmeticTrap::kNone;
}

template <typename T>
uint64_t divide(const uint64_t* operands, ArithmeticTrap& trap) {
  const T a = from_bits<T>(operands[0]);
  const T b = from_bits<T>(operands[1]);
  if constexpr (std::is_floating_point_v<T>) {
    return to_bits<T>(a / b);
  } else if constexpr (std::is_unsigned_v<T>) {
    return to_bits<T>(b == 0 ? std::numeric_limits<T>::max() : a / b);
  } else {
    const ArithmeticTrap found = division_trap(a, b);
    if (found == ArithmeticTrap::kNone) return to_bits<T>(a / b);
    trap = found;
    return 0;
  }
}

template <std::integral T>
uint64_t remainder(const uint64_t* operands, ArithmeticTrap& trap) {
  const T a = from_bits<T>(operands[0]);
  const T b = from_bits<T>(operands[1]);
  if constexpr (std::is_unsigned_v<T>) {
    return to_bits<T>(b == 0 ? T{0} : a % b);
  } else {
    const ArithmeticTrap found = division_trap(a, b);
    if (found == ArithmeticTrap::kNone) return to_bits<T>(a % b);
    trap = found;
    return 0;
  }
}

template <typename T>
bool equal(T a, T b) {
  return a == b;
}
template <typename T>
bool not_equal(T a, T b) {
  return a != b;
}
template <typename T>
bool less(T a, T b) {
  return a < b;
}
template <typename T>
bool greater(T a, T b) {
  return a > b;
}
template <typename T>
bool less_equal(T a, T b) {
  return a <= b;
}
template <typename T>
bool greater_equal(T a, T b) {
  return a >= b;
}

// Truth is a bit pattern other than zero, for bool and all integers alike.
bool both(uint64_t a, uint64_t b) { return a != 0 && b != 0; }
bool either(uint64_t a, uint64_t b) { return a != 0 || b != 0; }
bool is_zero(uint64_t a) { return a == 0; }
uint64_t select(uint64_t condition, uint64_t if_true, uint64_t if_false) {
  return condition != 0 ? if_true : if_false;
}

bool is_value(DataType::Kind type) { return DataType(type).role() == DataType::Role::kValue; }
bool has_truth(DataType::Kind type) { return type == DataType::Bool || is_integer(type); }

// An f32 function and, where it is core for f64 too, its f64 counterpart. The other f64 functions
// are derived (E16).
Kernel for_float_pair(DataType::Kind type, Kernel f32, Kernel f64 = nullptr) {
  if (type == DataType::F32) return f32;
  return type == DataType::F64 ? f64 : nullptr;
}

}  // namespace
}  // namespace detail

// The kernel of an overload set, chosen by C++ type.
#define VYRE_BINARY(function) \
  []<typename T>() { return kernel<static_cast<T (*)(T, T)>(&function)>; }
#define VYRE_UNARY(function) []<typename T>() { return kernel<static_cast<T (*)(T)>(&function)>; }
#define VYRE_COMPARE(function) []<typename T>() { return kernel<function<T>>; }

Kernel find_kernel(Op op, DataType::Kind type) {
  using namespace detail;
  switch (op) {
    case Op::kAdd:
      return for_numbers(type, VYRE_BINARY(add));
    case Op::kSub:
      return for_numbers(type, VYRE_BINARY(sub));
    case Op::kMul:
      return for_numbers(type, VYRE_BINARY(mul));
    case Op::kDiv:
      return for_numbers(type, []<typename T>() -> Kernel { return &divide<T>; });
    case Op::kMod:
      return for_integers(type, []<typename T>() -> Kernel { return &remainder<T>; });
    case Op::kMin:
      return for_numbers(type, VYRE_BINARY(min));
    case Op::kMax:
      return for_numbers(type, VYRE_BINARY(max));
    case Op::kMulHigh:
      return for_integers(type, VYRE_BINARY(mulhi));

    case Op::kBitAnd:
      return for_integers(type, VYRE_BINARY(bit_and));
    case Op::kBitOr:
      return for_integers(type, VYRE_BINARY(bit_or));
    case Op::kBitXor:
      return for_integers(type, VYRE_BINARY(bit_xor));
    case Op::kShl:
      return for_integers(type, VYRE_BINARY(shift_left));
    case Op::kShr:
      return for_integers(type, VYRE_BINARY(shift_right));

    case Op::kEq:
      return for_values(type, VYRE_COMPARE(equal));
    case Op::kNe:
      return for_values(type, VYRE_COMPARE(not_equal));
    case Op::kLt:
      return for_numbers(type, VYRE_COMPARE(less));
    case Op::kGt:
      return for_numbers(type, VYRE_COMPARE(greater));
    case Op::kLe:
      return for_numbers(type, VYRE_COMPARE(less_equal));
    case Op::kGe:
      return for_numbers(type, VYRE_COMPARE(greater_equal));
    case Op::kAnd:
      return has_truth(type) ? kernel<both> : nullptr;
    case Op::kOr:
      return has_truth(type) ? kernel<either> : nullptr;
    case Op::kLogicalNot:
      return has_truth(type) ? kernel<is_zero> : nullptr;

    case Op::kNegate:
      return for_numbers(type, VYRE_UNARY(negate));
    case Op::kBitNot:
      return for_integers(type, VYRE_UNARY(bit_not));
    case Op::kPopcount:
      return for_integers(type, VYRE_UNARY(popcount));
    case Op::kClz:
      return for_integers(type, VYRE_UNARY(leading_zeros));
    case Op::kCtz:
      return for_integers(type, VYRE_UNARY(trailing_zeros));
    case Op::kReverseBits:
      return for_integers(type, VYRE_UNARY(reverse_bits));

    case Op::kAbs:
      return for_float_pair(type, kernel<f32_abs>, kernel<f64_abs>);
    case Op::kFloor:
      return for_float_pair(type, kernel<f32_floor>, kernel<f64_floor>);
    case Op::kCeil:
      return for_float_pair(type, kernel<f32_ceil>, kernel<f64_ceil>);
    case Op::kRound:
      return for_float_pair(type, kernel<f32_round>, kernel<f64_round>);
    case Op::kTrunc:
      return for_float_pair(type, kernel<f32_trunc>, kernel<f64_trunc>);
    case Op::kSqrt:
      return for_float_pair(type, kernel<f32_sqrt>, kernel<f64_sqrt>);
    case Op::kInverseSqrt:
      return for_float_pair(type, kernel<f32_inverse_sqrt>);
    case Op::kExp:
      return for_float_pair(type, kernel<f32_exp>);
    case Op::kExp2:
      return for_float_pair(type, kernel<f32_exp2>);
    case Op::kLog:
      return for_float_pair(type, kernel<f32_log>);
    case Op::kLog2:
      return for_float_pair(type, kernel<f32_log2>);
    case Op::kSin:
      return for_float_pair(type, kernel<f32_sin>);
    case Op::kCos:
      return for_float_pair(type, kernel<f32_cos>);
    case Op::kTan:
      return for_float_pair(type, kernel<f32_tan>);
    case Op::kAsin:
      return for_float_pair(type, kernel<f32_asin>);
    case Op::kAcos:
      return for_float_pair(type, kernel<f32_acos>);
    case Op::kAtan:
      return for_float_pair(type, kernel<f32_atan>);
    case Op::kSinh:
      return for_float_pair(type, kernel<f32_sinh>);
    case Op::kCosh:
      return for_float_pair(type, kernel<f32_cosh>);
    case Op::kTanh:
      return for_float_pair(type, kernel<f32_tanh>);

    case Op::kFma:
      return for_floats(
          type, []<typename T>() { return kernel<static_cast<T (*)(T, T, T)>(&detail::fma)>; });
    case Op::kSelect:
      return is_value(type) ? kernel<detail::select> : nullptr;

    // Derived.
    case Op::kAbsDiff:
    case Op::kSaturatingAdd:
    case Op::kSaturatingSub:
    case Op::kSaturatingMul:
    case Op::kWrappingAdd:
    case Op::kWrappingSub:
    case Op::kRotateLeft:
    case Op::kRotateRight:
    case Op::kUnpack4Low:
    case Op::kUnpack4High:
    case Op::kUnpack8Low:
    case Op::kUnpack8High:
    case Op::kSign:
    case Op::kIsNan:
    case Op::kIsInf:
    case Op::kIsFinite:
    case Op::kReciprocal:
    // No function of scalar operands alone.
    case Op::kLitU32:
    case Op::kLitI32:
    case Op::kLitBool:
    case Op::kLitF32:
    case Op::kLitU64:
    case Op::kLitI64:
    case Op::kLitF64:
    case Op::kVar:
    case Op::kBufLen:
    case Op::kBufferRef:
    case Op::kInvocationId:
    case Op::kWorkgroupId:
    case Op::kLocalId:
    case Op::kSubgroupLocalId:
    case Op::kSubgroupSize:
    case Op::kLoad:
    case Op::kShuffle:
    case Op::kBallot:
    case Op::kWaveReduce:
    case Op::kWaveBroadcast:
    case Op::kBinOpaque:
    case Op::kUnOpaque:
    case Op::kCast:
    case Op::kBitcast:
    case Op::kCallOp:
    case Op::kOpaque:
    case Op::kSubgroupBallot:
    case Op::kSubgroupShuffle:
    case Op::kSubgroupAdd:
    case Op::kSubgroupMul:
    case Op::kSubgroupMin:
    case Op::kSubgroupMax:
    case Op::kSubgroupAnd:
    case Op::kSubgroupOr:
    case Op::kSubgroupXor:
    case Op::kAtomicAdd:
    case Op::kAtomicOr:
    case Op::kAtomicAnd:
    case Op::kAtomicXor:
    case Op::kAtomicMin:
    case Op::kAtomicMax:
    case Op::kAtomicExchange:
    case Op::kAtomicCompareExchange:
    case Op::kAtomicCompareExchangeWeak:
    case Op::kAtomicNand:
    case Op::kAtomicLruUpdate:
    case Op::kAtomicOpaque:
      return nullptr;
  }
  VYRE_UNREACHABLE("an operation without a row");
}

#undef VYRE_BINARY
#undef VYRE_UNARY
#undef VYRE_COMPARE

const char* trap_tag(ArithmeticTrap trap) {
  switch (trap) {
    case ArithmeticTrap::kNone:
      return "";
    case ArithmeticTrap::kDivisionByZero:
      return "integer division by zero";
    case ArithmeticTrap::kDivisionOverflow:
      return "integer division overflow";
  }
  VYRE_UNREACHABLE("an arithmetic trap without a tag");
}

}  // namespace vyre::scalar

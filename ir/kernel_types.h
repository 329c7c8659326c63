// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorder's types in C++: what a value or a buffer element may be, which numbers go with it,
// and which operations take it. vyre/ir/kernel.h is the header to include.
//
//   static_assert(ValueType<f32>);                        // f32 is float: values and elements
//   static_assert(std::same_as<value_of<f16>, f32>);      // f16 is an element; a load widens it
//   static_assert(NumberFor<int, f32> && !NumberFor<double, u32>);
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "vyre/ir/data_type.h"
#include "vyre/ir/op.h"

namespace vyre {

// Value types: arithmetic is defined on them. bool is the seventh.
using f32 = float;
using f64 = double;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

// Memory types: elements of buffers and targets of casts. A load widens exactly, a store rounds to
// nearest even or keeps the low bits. They name a layout; there are no C++ values of them.
struct f16 {};
struct bf16 {};
struct f8e4m3 {};
struct f8e5m2 {};
struct u8 {};
struct u16 {};
struct i8 {};
struct i16 {};

namespace internal {

template <typename T>
struct ElementInfo;
#define VYRE_KERNEL_ELEMENT(type, kind, value)              \
  template <>                                               \
  struct ElementInfo<type> {                                \
    static constexpr DataType::Kind kKind = DataType::kind; \
    using Value = value;                                    \
  };
VYRE_KERNEL_ELEMENT(f32, F32, f32)
VYRE_KERNEL_ELEMENT(f64, F64, f64)
VYRE_KERNEL_ELEMENT(u32, U32, u32)
VYRE_KERNEL_ELEMENT(i32, I32, i32)
VYRE_KERNEL_ELEMENT(u64, U64, u64)
VYRE_KERNEL_ELEMENT(i64, I64, i64)
VYRE_KERNEL_ELEMENT(bool, Bool, bool)
VYRE_KERNEL_ELEMENT(f16, F16, f32)
VYRE_KERNEL_ELEMENT(bf16, BF16, f32)
VYRE_KERNEL_ELEMENT(f8e4m3, F8E4M3, f32)
VYRE_KERNEL_ELEMENT(f8e5m2, F8E5M2, f32)
VYRE_KERNEL_ELEMENT(u8, U8, u32)
VYRE_KERNEL_ELEMENT(u16, U16, u32)
VYRE_KERNEL_ELEMENT(i8, I8, i32)
VYRE_KERNEL_ELEMENT(i16, I16, i32)
#undef VYRE_KERNEL_ELEMENT

template <typename N, typename... Others>
inline constexpr bool is_one_of = (std::same_as<N, Others> || ...);

}  // namespace internal

// What a buffer may hold.
template <typename T>
concept ElementType = requires {
  internal::ElementInfo<T>::kKind;
};

// What a load of an element gives; the type itself for value types.
template <ElementType T>
using value_of = typename internal::ElementInfo<T>::Value;

// An element that loads as a T.
template <typename E, typename T>
concept ElementOf = ElementType<E> && std::same_as<value_of<E>, T>;

template <ElementType T>
inline constexpr DataType::Kind kind_of = internal::ElementInfo<T>::kKind;

// What an expression may have as its type.
template <typename T>
concept ValueType = ElementType<T> && std::same_as<value_of<T>, T>;

// A C++ number. Characters, bool and long double are none.
template <typename N>
concept Number = std::is_arithmetic_v<N> &&
    !internal::is_one_of<N, bool, char, wchar_t, char8_t, char16_t, char32_t, long double>;

// Whether a C++ number or bool can stand for a value of type T. Its value must be representable
// too, except that a double next to an f32 is rounded once; that is checked when it is recorded.
template <typename N, typename T>
concept NumberFor = (Number<N> && !std::same_as<T, bool> &&
                     (std::integral<N> || std::floating_point<T>)) ||
                    (std::same_as<N, bool> && std::same_as<T, bool>);

namespace internal {

// Whether the operation's rule takes operands that all have this type. False for rules that are
// not of that shape: their operations have functions of their own in kernel_values.h.
constexpr bool rule_takes(TypeRule rule, DataType::Kind type) {
  const bool integer = is_integer(type);
  const bool number = integer || is_float(type);
  switch (rule) {
    case TypeRule::kArithmetic:
    case TypeRule::kOrdering:
    case TypeRule::kNegate:
    case TypeRule::kReduce:
      return number;
    case TypeRule::kRemainder:
    case TypeRule::kAbsDiff:
    case TypeRule::kSaturating:
    case TypeRule::kInteger:
    case TypeRule::kBitwise:
    case TypeRule::kShift:
    case TypeRule::kIntegerUnary:
    case TypeRule::kReduceBits:
      return integer;
    case TypeRule::kEquality:
      return true;
    case TypeRule::kLogical:
    case TypeRule::kNot:
      return integer || type == DataType::Bool;
    case TypeRule::kUnpack:
      return type == DataType::U32 || type == DataType::I32;
    case TypeRule::kFloatUnary:
    case TypeRule::kFloatTest:
    case TypeRule::kFma:
      return is_float(type);
    case TypeRule::kLiteral:
    case TypeRule::kVariable:
    case TypeRule::kBufLen:
    case TypeRule::kBufferRef:
    case TypeRule::kIndex:
    case TypeRule::kLoad:
    case TypeRule::kLegacySubgroup:
    case TypeRule::kSelect:
    case TypeRule::kCast:
    case TypeRule::kBitcast:
    case TypeRule::kCall:
    case TypeRule::kOpaque:
    case TypeRule::kBallot:
    case TypeRule::kShuffle:
    case TypeRule::kAtomic:
    case TypeRule::kAtomicCas:
      return false;
  }
  return false;
}

template <typename T, TypeRule rule>
concept Takes = rule_takes(rule, kind_of<T>);

constexpr bool gives_bool(TypeRule rule) {
  return rule == TypeRule::kEquality || rule == TypeRule::kOrdering || rule == TypeRule::kLogical ||
         rule == TypeRule::kNot || rule == TypeRule::kFloatTest;
}

// Whether the operation looks at other lanes, so that where it stands matters.
constexpr bool is_reduction(TypeRule rule) {
  return rule == TypeRule::kReduce || rule == TypeRule::kReduceBits;
}

template <typename T>
struct UnsignedOf {
  using Type = T;
};
template <>
struct UnsignedOf<i32> {
  using Type = u32;
};
template <>
struct UnsignedOf<i64> {
  using Type = u64;
};

// What an operation with that rule gives for operands of type T.
template <TypeRule rule, typename T>
using ResultOf =
    std::conditional_t<gives_bool(rule), bool,
                       std::conditional_t<rule == TypeRule::kAbsDiff, typename UnsignedOf<T>::Type,
                                          std::conditional_t<rule == TypeRule::kUnpack, u32, T>>>;

}  // namespace internal
}  // namespace vyre

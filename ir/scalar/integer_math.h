// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The integer operations, once for all four integer types. All wrap modulo 2^n; shift amounts count
// modulo n.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vyre::scalar::detail {

template <std::integral T>
using Unsigned = std::make_unsigned_t<T>;
template <std::integral T>
inline constexpr int kWidth = std::numeric_limits<Unsigned<T>>::digits;

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// Unsigned arithmetic, where overflow is defined. It is done in at least 32 bits, which uint32_t
// and uint64_t have.
template <std::integral T>
constexpr T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <std::integral T>
constexpr T sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <std::integral T>
constexpr T mul(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
}
template <std::integral T>
constexpr T mulhi(T a, T b) {
  using Product = std::conditional_t<std::is_signed_v<T>, Wide, UnsignedWide>;
  return static_cast<T>((static_cast<Product>(a) * static_cast<Product>(b)) >> kWidth<T>);
}
template <std::integral T>
constexpr T negate(T a) {
  return sub<T>(0, a);
}

template <std::integral T>
constexpr T bit_and(T a, T b) {
  return a & b;
}
template <std::integral T>
constexpr T bit_or(T a, T b) {
  return a | b;
}
template <std::integral T>
constexpr T bit_xor(T a, T b) {
  return a ^ b;
}
template <std::integral T>
constexpr T bit_not(T a) {
  return ~a;
}

template <std::integral T>
constexpr T shift_left(T a, T amount) {
  const auto count = static_cast<Unsigned<T>>(amount) % kWidth<T>;
  return static_cast<T>(static_cast<Unsigned<T>>(a) << count);
}
// Arithmetic for signed types.
template <std::integral T>
constexpr T shift_right(T a, T amount) {
  const auto count = static_cast<Unsigned<T>>(amount) % kWidth<T>;
  return static_cast<T>(a >> count);
}

template <std::integral T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <std::integral T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

template <std::integral T>
constexpr T popcount(T a) {
  return static_cast<T>(std::popcount(static_cast<Unsigned<T>>(a)));
}
template <std::integral T>
constexpr T leading_zeros(T a) {
  return static_cast<T>(std::countl_zero(static_cast<Unsigned<T>>(a)));
}
template <std::integral T>
constexpr T trailing_zeros(T a) {
  return static_cast<T>(std::countr_zero(static_cast<Unsigned<T>>(a)));
}

// Swaps ever larger groups of bits: single ones, pairs, ..., halves.
template <std::integral T>
constexpr T reverse_bits(T a) {
  auto bits = static_cast<Unsigned<T>>(a);
  auto low_groups = static_cast<Unsigned<T>>(~Unsigned<T>{0});
  for (int group = kWidth<T> / 2; group > 0; group /= 2) {
    low_groups = static_cast<Unsigned<T>>(low_groups ^ (low_groups << group));
    bits =
        static_cast<Unsigned<T>>(((bits >> group) & low_groups) | ((bits << group) & ~low_groups));
  }
  return static_cast<T>(bits);
}

}  // namespace vyre::scalar::detail

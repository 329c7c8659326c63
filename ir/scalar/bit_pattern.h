// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Kernels from functions over C++ types. A value type and a C++ type stand for each other: u32 and
// uint32_t, ..., f64 and double, bool and bool.
//
//   float half(float x) { return x * 0.5f; }
//   Kernel k = kernel<half>;
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "vyre/ir/data_type.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre::scalar::detail {

template <typename T>
constexpr T from_bits(uint64_t bits) {
  if constexpr (std::same_as<T, bool>) {
    return bits != 0;
  } else if constexpr (std::same_as<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else if constexpr (std::same_as<T, double>) {
    return std::bit_cast<double>(bits);
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T>
constexpr uint64_t to_bits(T value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::same_as<T, float>) {
    return std::bit_cast<uint32_t>(value);
  } else if constexpr (std::same_as<T, double>) {
    return std::bit_cast<uint64_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <auto kFunction>
struct Adapter;

template <typename R, typename... Ts, R (*kFunction)(Ts...)>
struct Adapter<kFunction> {
  static uint64_t call(const uint64_t* operands, ArithmeticTrap&) {
    return spread(operands, std::index_sequence_for<Ts...>{});
  }

 private:
  template <size_t... kIndex>
  static uint64_t spread(const uint64_t* operands, std::index_sequence<kIndex...>) {
    return to_bits<R>(kFunction(from_bits<Ts>(operands[kIndex])...));
  }
};

// The kernel of a function over C++ types.
template <auto kFunction>
inline constexpr Kernel kernel = &Adapter<kFunction>::call;

// make.operator()<T>() for the C++ type T of the value type, if it is in the group; else null.
template <typename Make>
constexpr Kernel for_integers(DataType::Kind type, Make make) {
  if (type == DataType::U32) return make.template operator()<uint32_t>();
  if (type == DataType::I32) return make.template operator()<int32_t>();
  if (type == DataType::U64) return make.template operator()<uint64_t>();
  if (type == DataType::I64) return make.template operator()<int64_t>();
  return nullptr;
}
template <typename Make>
constexpr Kernel for_floats(DataType::Kind type, Make make) {
  if (type == DataType::F32) return make.template operator()<float>();
  if (type == DataType::F64) return make.template operator()<double>();
  return nullptr;
}
template <typename Make>
constexpr Kernel for_numbers(DataType::Kind type, Make make) {
  const Kernel found = for_integers(type, make);
  return found != nullptr ? found : for_floats(type, make);
}
template <typename Make>
constexpr Kernel for_values(DataType::Kind type, Make make) {
  if (type == DataType::Bool) return make.template operator()<bool>();
  return for_numbers(type, make);
}

}  // namespace vyre::scalar::detail

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Casts act on the exact value (E13): they round or saturate once, straight to the target's format.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "vyre/ir/scalar/bit_pattern.h"
#include "vyre/ir/scalar/convert.h"
#include "vyre/ir/scalar/kernels.h"
#include "vyre/ir/scalar/memory.h"

namespace vyre::scalar {
namespace {

using detail::for_values;
using detail::kernel;

// Truncates; saturates; NaN gives 0. The bounds are powers of two, so they are exact.
template <typename To, typename From>
To float_to_integer(From x) {
  using Limits = std::numeric_limits<To>;
  constexpr auto kAboveMax = static_cast<From>(uint64_t{1} << (Limits::digits - 1)) * From{2};
  constexpr From kMin = std::is_signed_v<To> ? -kAboveMax : From{0};
  if (x >= kAboveMax) return Limits::max();
  if (x > kMin) return static_cast<To>(x);
  return x <= kMin ? Limits::min() : To{0};
}

// To is the integer type of the element, Value the value type that holds it.
template <typename To, typename Value, typename From>
Value to_integer(From x) {
  if constexpr (std::is_floating_point_v<From>) {
    return static_cast<Value>(float_to_integer<To>(x));
  } else {
    return static_cast<Value>(static_cast<To>(x));
  }
}

template <typename From>
bool to_bool(From x) {
  return x != From{0};
}

template <typename To, typename From>
To to_float(From x) {
  return static_cast<To>(x);
}

template <typename From>
float through_f16(From x) {
  if constexpr (std::is_same_v<From, float>) {
    return f16_to_f32(f32_to_f16(x));
  } else if constexpr (std::is_same_v<From, double>) {
    return f16_to_f32(f64_to_f16(x));
  } else if constexpr (std::is_signed_v<From>) {
    return f16_to_f32(int64_to_f16(x));
  } else {
    return f16_to_f32(uint64_to_f16(x));
  }
}

template <typename From>
float through_bf16(From x) {
  if constexpr (std::is_same_v<From, float>) {
    return bf16_to_f32(f32_to_bf16(x));
  } else if constexpr (std::is_same_v<From, double>) {
    return bf16_to_f32(f64_to_bf16(x));
  } else if constexpr (std::is_signed_v<From>) {
    return bf16_to_f32(int64_to_bf16(x));
  } else {
    return bf16_to_f32(uint64_to_bf16(x));
  }
}

// Rounded to odd: toward zero, with the last bit set if anything was cut off. Rounding the result
// again to a format with at least two bits less is then the same as rounding the exact value once.
float to_f32_odd(double x) {
  const auto nearest = static_cast<float>(x);
  if (static_cast<double>(nearest) == x || x != x) return nearest;
  const double magnitude_error =
      x < 0 ? x - static_cast<double>(nearest) : static_cast<double>(nearest) - x;
  auto bits = std::bit_cast<uint32_t>(nearest);
  if (magnitude_error > 0) --bits;  // was rounded away from zero
  return std::bit_cast<float>(bits | 1);
}

double to_f64_odd(uint64_t x) {
  const int drop = std::max(0, static_cast<int>(std::bit_width(x)) - 53);
  const uint64_t kept = x >> drop;
  const bool exact = kept << drop == x;
  return static_cast<double>((kept | (exact ? 0 : 1)) << drop);
}

// Bits are cut from the end, so doing it twice is doing it once.
template <typename From>
float to_f32_odd_from(From x) {
  if constexpr (std::is_same_v<From, float>) {
    return x;
  } else if constexpr (std::is_same_v<From, double>) {
    return to_f32_odd(x);
  } else if constexpr (std::is_signed_v<From>) {
    const auto bits = static_cast<uint64_t>(static_cast<int64_t>(x));
    const float magnitude = to_f32_odd(to_f64_odd(x < 0 ? 0 - bits : bits));
    return x < 0 ? -magnitude : magnitude;
  } else {
    return to_f32_odd(to_f64_odd(x));
  }
}

template <typename From>
float through_f8e4m3(From x) {
  return f8e4m3_to_f32(f32_to_f8e4m3(to_f32_odd_from(x)));
}
template <typename From>
float through_f8e5m2(From x) {
  return f8e5m2_to_f32(f32_to_f8e5m2(to_f32_odd_from(x)));
}

template <typename From>
Kernel cast_from(DataType::Kind to) {
  if (to == DataType::U32) return kernel<to_integer<uint32_t, uint32_t, From>>;
  if (to == DataType::I32) return kernel<to_integer<int32_t, int32_t, From>>;
  if (to == DataType::U64) return kernel<to_integer<uint64_t, uint64_t, From>>;
  if (to == DataType::I64) return kernel<to_integer<int64_t, int64_t, From>>;
  if (to == DataType::U8) return kernel<to_integer<uint8_t, uint32_t, From>>;
  if (to == DataType::U16) return kernel<to_integer<uint16_t, uint32_t, From>>;
  if (to == DataType::I8) return kernel<to_integer<int8_t, int32_t, From>>;
  if (to == DataType::I16) return kernel<to_integer<int16_t, int32_t, From>>;
  if (to == DataType::Bool) return kernel<to_bool<From>>;
  if (to == DataType::F32) return kernel<to_float<float, From>>;
  if (to == DataType::F64) return kernel<to_float<double, From>>;
  if (to == DataType::F16) return kernel<through_f16<From>>;
  if (to == DataType::BF16) return kernel<through_bf16<From>>;
  if (to == DataType::F8E4M3) return kernel<through_f8e4m3<From>>;
  if (to == DataType::F8E5M2) return kernel<through_f8e5m2<From>>;
  return nullptr;
}

uint64_t same_bits(uint64_t bits) { return bits; }
template <DataType::Kind kFloat>
uint64_t visible_bits(uint64_t bits) {
  return canonical_nan(kFloat, bits);
}

bool is_32_bit_number(DataType::Kind type) {
  return type == DataType::U32 || type == DataType::I32 || type == DataType::F32;
}
bool is_64_bit_number(DataType::Kind type) {
  return type == DataType::U64 || type == DataType::I64 || type == DataType::F64;
}

}  // namespace

Kernel find_cast_kernel(DataType::Kind from, DataType::Kind to) {
  return for_values(from, [to]<typename From>() { return cast_from<From>(to); });
}

Kernel find_bitcast_kernel(DataType::Kind from, DataType::Kind to) {
  const bool same_width = (is_32_bit_number(from) && is_32_bit_number(to)) ||
                          (is_64_bit_number(from) && is_64_bit_number(to));
  if (!same_width) return nullptr;
  if (is_float(to) || !is_float(from)) return kernel<same_bits>;
  return from == DataType::F32 ? kernel<visible_bits<DataType::F32>>
                               : kernel<visible_bits<DataType::F64>>;
}

}  // namespace vyre::scalar

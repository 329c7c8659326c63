// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/memory.h"

#include <bit>
#include <cstring>

#include "vyre/ir/check.h"
#include "vyre/ir/scalar/bit_pattern.h"
#include "vyre/ir/scalar/convert.h"
#include "vyre/ir/scalar/f32_math.h"
#include "vyre/ir/scalar/f64_math.h"

namespace vyre::scalar {
namespace {

using detail::from_bits;
using detail::to_bits;

// Elements are copied as they lie.
static_assert(std::endian::native == std::endian::little);

uint32_t canonical_f32(uint32_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000 ? kF32NanBits : bits;
}
uint64_t canonical_f64(uint64_t bits) {
  return (bits & ~uint64_t{0} >> 1) > uint64_t{0x7FF} << 52 ? kF64NanBits : bits;
}

template <typename T>
T read(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

// Integers: extended by the sign of T to R.
template <typename T, typename R>
uint64_t load_integer(const std::byte* element) {
  return to_bits<R>(static_cast<R>(read<T>(element)));
}
// The low bits; they are the same whatever the sign of the value's type.
template <typename T>
void store_integer(std::byte* element, uint64_t value) {
  const auto low = static_cast<T>(value);
  std::memcpy(element, &low, sizeof low);
}

uint64_t load_bool(const std::byte* element) { return read<uint32_t>(element) != 0 ? 1 : 0; }
void store_bool(std::byte* element, uint64_t value) {
  store_integer<uint32_t>(element, value != 0 ? 1 : 0);
}

void store_f32(std::byte* element, uint64_t value) {
  store_integer<uint32_t>(element, canonical_f32(static_cast<uint32_t>(value)));
}
void store_f64(std::byte* element, uint64_t value) {
  store_integer<uint64_t>(element, canonical_f64(value));
}

// Narrow floats: the conversions to them give canonical NaNs.
template <typename T, float (*kWiden)(T)>
uint64_t load_narrow(const std::byte* element) {
  return to_bits<float>(kWiden(read<T>(element)));
}
template <typename T, T (*kNarrow)(float)>
void store_narrow(std::byte* element, uint64_t value) {
  store_integer<T>(element, kNarrow(from_bits<float>(value)));
}

struct Access {
  Loader load = nullptr;
  Storer store = nullptr;
};

Access find_access(DataType::Kind element) {
  if (element == DataType::U32 || element == DataType::I32) {
    return {load_integer<uint32_t, uint32_t>, store_integer<uint32_t>};
  }
  if (element == DataType::U64 || element == DataType::I64) {
    return {load_integer<uint64_t, uint64_t>, store_integer<uint64_t>};
  }
  if (element == DataType::F32) return {load_integer<uint32_t, uint32_t>, store_f32};
  if (element == DataType::F64) return {load_integer<uint64_t, uint64_t>, store_f64};
  if (element == DataType::Bool) return {load_bool, store_bool};
  if (element == DataType::U8) return {load_integer<uint8_t, uint32_t>, store_integer<uint8_t>};
  if (element == DataType::U16) return {load_integer<uint16_t, uint32_t>, store_integer<uint16_t>};
  if (element == DataType::I8) return {load_integer<int8_t, int32_t>, store_integer<uint8_t>};
  if (element == DataType::I16) return {load_integer<int16_t, int32_t>, store_integer<uint16_t>};
  if (element == DataType::F16) {
    return {load_narrow<uint16_t, f16_to_f32>, store_narrow<uint16_t, f32_to_f16>};
  }
  if (element == DataType::BF16) {
    return {load_narrow<uint16_t, bf16_to_f32>, store_narrow<uint16_t, f32_to_bf16>};
  }
  if (element == DataType::F8E4M3) {
    return {load_narrow<uint8_t, f8e4m3_to_f32>, store_narrow<uint8_t, f32_to_f8e4m3>};
  }
  if (element == DataType::F8E5M2) {
    return {load_narrow<uint8_t, f8e5m2_to_f32>, store_narrow<uint8_t, f32_to_f8e5m2>};
  }
  return {};
}

}  // namespace

Loader find_loader(DataType::Kind element) { return find_access(element).load; }
Storer find_storer(DataType::Kind element) { return find_access(element).store; }

uint64_t load_element(DataType::Kind element, const std::byte* bytes) {
  const Loader load = find_loader(element);
  VYRE_CHECK(load != nullptr, "a load of a carried type");
  return load(bytes);
}

void store_element(DataType::Kind element, std::byte* bytes, uint64_t value) {
  const Storer store = find_storer(element);
  VYRE_CHECK(store != nullptr, "a store to a carried type");
  store(bytes, value);
}

uint64_t canonical_nan(DataType::Kind type, uint64_t bits) {
  if (type == DataType::F32) return canonical_f32(static_cast<uint32_t>(bits));
  if (type == DataType::F64) return canonical_f64(bits);
  if (type == DataType::F16) return (bits & 0x7FFF) > 0x7C00 ? kF16NanBits : bits;
  if (type == DataType::BF16) return (bits & 0x7FFF) > 0x7F80 ? kBf16NanBits : bits;
  if (type == DataType::F8E4M3) return (bits & 0x7F) == 0x7F ? kF8e4m3NanBits : bits;
  if (type == DataType::F8E5M2) return (bits & 0x7F) > 0x7C ? kF8e5m2NanBits : bits;
  return bits;
}

}  // namespace vyre::scalar

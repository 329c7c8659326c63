// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Value: the bytes of one buffer, in or out, and the helpers that make fixtures of them.
//
//   Value q = Value::from(std::vector<float>{1, 2, 3});
//   std::vector<float> back = decode_f32(q.to_bytes());
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "vyre/ir/data_type.h"

namespace vyre {

class Value {
 public:
  Value() = default;
  // The elements' bytes, little endian, one after the other.
  template <typename T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) static Value
      from(std::span<const T> elements) {
    Value value;
    value.bytes_.resize(elements.size_bytes());
    if (!elements.empty()) {
      std::memcpy(value.bytes_.data(), elements.data(), elements.size_bytes());
    }
    return value;
  }
  template <typename T>
  static Value from(const std::vector<T>& elements) {
    return from(std::span<const T>(elements));
  }
  static Value from_bytes(std::vector<std::byte> bytes) {
    Value value;
    value.bytes_ = std::move(bytes);
    return value;
  }
  static Value zeros(size_t bytes) { return from_bytes(std::vector<std::byte>(bytes)); }

  const std::vector<std::byte>& to_bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  std::vector<std::byte> take() && { return std::move(bytes_); }
  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::vector<std::byte> bytes_;
};

// Elements of little-endian bytes; a last partial element is dropped.
template <typename T>
std::vector<T> decode(std::span<const std::byte> bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}
inline std::vector<float> decode_f32(std::span<const std::byte> bytes) {
  return decode<float>(bytes);
}
inline std::vector<uint32_t> decode_u32(std::span<const std::byte> bytes) {
  return decode<uint32_t>(bytes);
}
// The bytes of a list of floats, as the original's fixtures keep them.
inline std::vector<std::byte> f32_bytes(std::span<const float> elements) {
  return Value::from(elements).take();
}
inline std::vector<std::byte> u32_bytes(std::span<const uint32_t> elements) {
  return Value::from(elements).take();
}

// Whether a list of T holds elements of that type: float for f32, uint32_t for u32 and bool,
// uint16_t for u16, f16 and bf16, uint8_t for u8 and the f8 types, and so on.
template <typename T>
constexpr bool holds_elements_of(DataType::Kind element) {
  switch (element) {
    case DataType::F32:
      return std::is_same_v<T, float>;
    case DataType::F64:
      return std::is_same_v<T, double>;
    case DataType::U32:
    case DataType::Bool:
      return std::is_same_v<T, uint32_t>;
    case DataType::I32:
      return std::is_same_v<T, int32_t>;
    case DataType::U64:
      return std::is_same_v<T, uint64_t>;
    case DataType::I64:
      return std::is_same_v<T, int64_t>;
    case DataType::U16:
    case DataType::F16:
    case DataType::BF16:
      return std::is_same_v<T, uint16_t>;
    case DataType::I16:
      return std::is_same_v<T, int16_t>;
    case DataType::U8:
    case DataType::F8E4M3:
    case DataType::F8E5M2:
      return std::is_same_v<T, uint8_t>;
    case DataType::I8:
      return std::is_same_v<T, int8_t>;
    default:
      return false;
  }
}

}  // namespace vyre

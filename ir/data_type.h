// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// DataType: the type of a value, of a buffer's elements, or of a cast's target.
//
//   DataType t = DataType::F32;
//   t.spelling();                       // "f32"
//   t.role() == DataType::Role::kValue  // arithmetic is defined on it
//   DataType::vec(DataType::U32, 3);    // "vec<u32;3>", carried but not executed
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vyre {

class DataType {
 public:
  enum Kind : uint8_t {
#define VYRE_DATA_TYPE(name, tag, spelling, size, stride, bits, role) name = tag,
#include "vyre/ir/data_types.def"
  };

  // What the IR can do with a type.
  enum class Role : uint8_t {
    kValue,    // arithmetic is defined on it
    kMemory,   // an element type that a load widens to a value type
    kCarried,  // kept, printed and encoded; refused when a program is run
  };

  // How quantised values map back to real ones. Parameters: the axis, or the group size.
  enum class Granularity : uint8_t { kNone, kPerTensor, kPerChannel, kPerGroup };
  struct Quantization {
    Granularity granularity = Granularity::kPerTensor;
    uint32_t parameter = 0;
    friend bool operator==(const Quantization&, const Quantization&) = default;
  };

  // NOLINTNEXTLINE(google-explicit-constructor): a kind without a payload is a type.
  DataType(Kind kind) : kind_(kind) {}
  DataType() : DataType(U32) {}

  static DataType array(uint32_t element_size);
  static DataType handle(uint32_t id);
  static DataType vec(DataType element, uint8_t count);
  static DataType tensor(DataType element, std::vector<uint32_t> shape);
  static DataType sparse_csr(DataType element);
  static DataType sparse_coo(DataType element);
  static DataType sparse_bsr(DataType element, uint32_t block_rows, uint32_t block_columns);
  static DataType device_mesh(std::vector<uint32_t> axes);
  static DataType quantized(DataType storage, Quantization scale, Quantization zero_point);
  static DataType opaque(uint32_t extension_id);

  Kind kind() const { return kind_; }
  // Whether a constructor above gave it a payload. A kind that needs one and has none can be told
  // from all others, and has no size.
  bool has_payload() const { return payload_ != nullptr; }
  Role role() const;

  // Payloads; each is meaningful for the kinds that its constructor above names.
  uint32_t id() const;                         // handle, opaque; element size of an array
  DataType element() const;                    // vec, tensor, sparse_*, quantised storage
  const std::vector<uint32_t>& shape() const;  // vec: {count}; tensor; sparse_bsr; device_mesh
  Quantization scale() const;
  Quantization zero_point() const;

  // Bytes of one element in a layout; none where the type has no size of its own.
  std::optional<uint64_t> size_bytes() const;
  // Bytes between two elements of a bound buffer; 0 where such a buffer cannot be addressed.
  uint32_t stride_bytes() const;
  // Width that counts a buffer's elements; none where the type has none.
  std::optional<uint64_t> bit_width() const;

  // As text spells it: "f32", "vec<u32;3>", "handle<0x2a>".
  std::string spelling() const;

  friend bool operator==(const DataType& a, const DataType& b);

 private:
  struct Payload;
  DataType(Kind kind, Payload payload);
  static DataType with_payload(Kind kind, uint32_t id, std::optional<DataType> element = {},
                               std::vector<uint32_t> shape = {});

  Kind kind_;
  std::shared_ptr<const Payload> payload_;
};

// The type a load of this element gives: u8 -> u32, i8 -> i32, f16 -> f32, itself for value types.
// None for a carried type.
std::optional<DataType::Kind> value_type_of(DataType::Kind element);

// The type with that spelling and no payload, if there is one.
std::optional<DataType::Kind> data_type_from_spelling(std::string_view spelling);

constexpr bool is_float(DataType::Kind kind) {
  return kind == DataType::F32 || kind == DataType::F64;
}
constexpr bool is_unsigned_integer(DataType::Kind kind) {
  return kind == DataType::U32 || kind == DataType::U64;
}
constexpr bool is_signed_integer(DataType::Kind kind) {
  return kind == DataType::I32 || kind == DataType::I64;
}
constexpr bool is_integer(DataType::Kind kind) {
  return is_unsigned_integer(kind) || is_signed_integer(kind);
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/type_codec.h"

#include <fmt/format.h>

#include <vector>

#include "vyre/ir/wire/limits.h"

namespace vyre::wire {
namespace {

using Granularity = DataType::Granularity;
using Quantization = DataType::Quantization;

std::optional<DataType::Kind> kind_of(uint64_t tag) {
  switch (tag) {
#define VYRE_DATA_TYPE(name, tag_value, ...) \
  case tag_value:                            \
    return DataType::name;
#include "vyre/ir/data_types.def"
  }
  return std::nullopt;
}

bool has_element(DataType::Kind kind) {
  return kind == DataType::Vec || kind == DataType::TensorShaped || kind == DataType::SparseCsr ||
         kind == DataType::SparseCoo || kind == DataType::SparseBsr;
}

bool needs_payload(DataType::Kind kind) {
  return has_element(kind) || kind == DataType::Array || kind == DataType::Handle ||
         kind == DataType::DeviceMesh || kind == DataType::Quantized || kind == DataType::Opaque;
}

bool is_quantized_storage(DataType::Kind kind) {
  return kind == DataType::I4 || kind == DataType::I8 || kind == DataType::I16 ||
         kind == DataType::U8 || kind == DataType::U16 || kind == DataType::F8E4M3 ||
         kind == DataType::F8E5M2 || kind == DataType::FP4 || kind == DataType::NF4;
}

DataType::Kind read_kind(ByteReader& in) {
  const size_t start = in.position();
  const uint8_t tag = in.u8();
  const std::optional<DataType::Kind> kind = kind_of(tag);
  if (!kind) in.fail_at(start, kTagIsKnown, fmt::format("{:#04x} is not a data type's tag", tag));
  return kind.value_or(DataType::U32);
}

std::vector<uint32_t> read_shape(ByteReader& in, std::string_view what) {
  const uint64_t rank = in.limited(in.u32(), kMaxRank, what);
  std::vector<uint32_t> shape;
  for (uint64_t i = 0; i < rank && in.ok(); ++i) shape.push_back(in.u32());
  return shape;
}

// Scales have no tag for kNone, so that theirs are one less.
struct QuantizationCode {
  uint64_t tag = 0;
  uint32_t parameter = 0;
};
constexpr uint64_t kFirstScale = 1;
constexpr uint64_t kFirstZeroPoint = 0;

Quantization quantization_of(ByteReader& in, QuantizationCode code, uint64_t first) {
  const uint64_t number = code.tag + first;
  if (code.tag > 3 || number > static_cast<uint64_t>(Granularity::kPerGroup)) {
    in.fail(kTagIsKnown, fmt::format("{} is not a tag of a scale or zero point", code.tag));
    return {};
  }
  const auto granularity = static_cast<Granularity>(number);
  if (granularity < Granularity::kPerChannel && code.parameter != 0) {
    in.fail(kTypeIsWhole, "a scale or zero point without a parameter has one");
  }
  if (granularity == Granularity::kPerGroup && code.parameter == 0) {
    in.fail(kTypeIsWhole, "a group of a quantised type has no elements");
  }
  return {granularity, code.parameter};
}

DataType quantized(ByteReader& in, uint64_t storage_tag, QuantizationCode scale,
                   QuantizationCode zero_point) {
  const std::optional<DataType::Kind> storage = kind_of(storage_tag);
  if (!storage || !is_quantized_storage(*storage)) {
    in.fail(kTypeIsWhole,
            fmt::format("{:#04x} is no type that stores quantised values", storage_tag));
    return {};
  }
  const Quantization first = quantization_of(in, scale, kFirstScale);
  return DataType::quantized(*storage, first, quantization_of(in, zero_point, kFirstZeroPoint));
}

DataType read_quantized(ByteReader& in) {
  const uint8_t storage = in.u8();
  const auto read_code = [&in] {
    const uint8_t tag = in.u8();
    return QuantizationCode{tag, in.u32()};
  };
  const QuantizationCode scale = read_code();
  const QuantizationCode zero_point = read_code();
  return quantized(in, storage, scale, zero_point);
}

// A type that has no type in it.
DataType read_leaf(ByteReader& in, DataType::Kind kind) {
  if (kind == DataType::Array) return DataType::array(in.u32());
  if (kind == DataType::Handle) return DataType::handle(in.u32());
  if (kind == DataType::Opaque) return DataType::opaque(in.extension_id());
  if (kind == DataType::DeviceMesh) return DataType::device_mesh(read_shape(in, "mesh axes"));
  if (kind == DataType::Quantized) return read_quantized(in);
  return kind;
}

DataType read_around(ByteReader& in, DataType::Kind kind, DataType element) {
  if (kind == DataType::Vec) return DataType::vec(std::move(element), in.u8());
  if (kind == DataType::SparseCsr) return DataType::sparse_csr(std::move(element));
  if (kind == DataType::SparseCoo) return DataType::sparse_coo(std::move(element));
  if (kind == DataType::TensorShaped) {
    return DataType::tensor(std::move(element), read_shape(in, "dimensions"));
  }
  const uint32_t rows = in.u32();
  return DataType::sparse_bsr(std::move(element), rows, in.u32());
}

void write_shape(ByteWriter& out, const std::vector<uint32_t>& shape, std::string_view what) {
  out.limited(shape.size(), kMaxRank, what);
  for (const uint32_t size : shape) out.u32(size);
}

// False, and an error, where there is no way to say it.
bool check_quantized(ByteWriter& out, const DataType& type) {
  const bool groups_are_empty =
      (type.scale().granularity == Granularity::kPerGroup && type.scale().parameter == 0) ||
      (type.zero_point().granularity == Granularity::kPerGroup && type.zero_point().parameter == 0);
  if (!is_quantized_storage(type.element().kind()) || groups_are_empty ||
      type.scale().granularity == Granularity::kNone) {
    out.fail(kTypeIsWhole, fmt::format("{} is no quantised type that VIR0 has", type.spelling()));
  }
  return out.ok();
}

QuantizationCode code_of(Quantization q, uint64_t first) {
  return {static_cast<uint64_t>(q.granularity) - first, q.parameter};
}

void write_quantized(ByteWriter& out, const DataType& type) {
  if (!check_quantized(out, type)) return;
  out.u8(type.element().kind());
  for (const QuantizationCode code :
       {code_of(type.scale(), kFirstScale), code_of(type.zero_point(), kFirstZeroPoint)}) {
    out.u8(static_cast<uint8_t>(code.tag));
    out.u32(code.parameter);
  }
}

void write_leaf(ByteWriter& out, const DataType& type) {
  const DataType::Kind kind = type.kind();
  if (kind == DataType::Array || kind == DataType::Handle) out.u32(type.id());
  if (kind == DataType::Opaque) out.extension_id(type.id());
  if (kind == DataType::DeviceMesh) write_shape(out, type.shape(), "mesh axes");
  if (kind == DataType::Quantized) write_quantized(out, type);
}

// What stands behind the type in it.
void write_around(ByteWriter& out, const DataType& type) {
  if (type.kind() == DataType::Vec) out.u8(static_cast<uint8_t>(type.shape().front()));
  if (type.kind() == DataType::TensorShaped) write_shape(out, type.shape(), "dimensions");
  if (type.kind() == DataType::SparseBsr) {
    out.u32(type.shape()[0]);
    out.u32(type.shape()[1]);
  }
}

bool check_payload(ByteWriter& out, const DataType& type) {
  if (needs_payload(type.kind()) && !type.has_payload()) {
    out.fail(kTypeIsWhole, fmt::format("the type {} is not complete", type.spelling()));
  }
  return out.ok();
}

}  // namespace

DataType read_type(ByteReader& in, uint64_t& budget) {
  std::vector<DataType::Kind> around;
  DataType::Kind kind = read_kind(in);
  for (; in.ok() && has_element(kind); kind = read_kind(in)) {
    around.push_back(kind);
    if (--budget == 0) in.fail(kLimitIsKept, "the program has too many data types");
  }
  DataType type = in.ok() ? read_leaf(in, kind) : DataType();
  for (; in.ok() && !around.empty(); around.pop_back()) {
    type = read_around(in, around.back(), std::move(type));
  }
  return type;
}

uint32_t type_depth(const DataType& type) {
  uint32_t depth = 1;
  for (DataType t = type; has_element(t.kind()) && t.has_payload(); t = t.element()) ++depth;
  return depth;
}

void write_type(ByteWriter& out, const DataType& type) {
  std::vector<DataType> around;
  DataType inner = type;
  for (; check_payload(out, inner) && has_element(inner.kind()); inner = inner.element()) {
    out.u8(inner.kind());
    around.push_back(inner);
  }
  if (!out.ok()) return;
  out.u8(inner.kind());
  write_leaf(out, inner);
  for (; !around.empty(); around.pop_back()) write_around(out, around.back());
}

bool is_dense_element(DataType::Kind kind) {
  return !has_element(kind) && kind != DataType::DeviceMesh;
}

uint8_t read_element_tag(ByteReader& in) {
  const size_t start = in.position();
  const DataType::Kind kind = read_kind(in);
  if (!is_dense_element(kind)) {
    in.fail_at(start, kElementIsDense,
               fmt::format("{:#04x} is the tag of a type that a buffer "
                           "cannot have as elements",
                           static_cast<unsigned>(kind)));
  }
  return kind;
}

DataType read_element(ByteReader& in, uint8_t tag) {
  const DataType::Kind kind = kind_of(tag).value_or(DataType::U32);
  if (kind == DataType::Array) return DataType::array(in.leb32());
  if (kind == DataType::Handle) return DataType::handle(in.leb32());
  if (kind == DataType::Opaque) {
    const uint32_t id = in.leb32();
    if ((id & kExtensionBit) == 0) {
      in.fail(kExtensionHasBit, fmt::format("the extension id {:#010x} has bit 31 clear", id));
    }
    return DataType::opaque(id);
  }
  if (kind != DataType::Quantized) return kind;
  const uint64_t storage = in.leb();
  const auto read_code = [&in] {
    const uint64_t code = in.leb();
    return QuantizationCode{code, in.leb32()};
  };
  const QuantizationCode scale = read_code();
  const QuantizationCode zero_point = read_code();
  return quantized(in, storage, scale, zero_point);
}

void write_element(ByteWriter& out, const DataType& type) {
  if (!check_payload(out, type)) return;
  const DataType::Kind kind = type.kind();
  if (kind == DataType::Array || kind == DataType::Handle) out.leb(type.id());
  if (kind == DataType::Opaque) {
    if ((type.id() & kExtensionBit) == 0) {
      out.fail(kExtensionHasBit,
               fmt::format("the extension id {:#010x} has bit 31 clear", type.id()));
    }
    out.leb(type.id());
  }
  if (kind != DataType::Quantized || !check_quantized(out, type)) return;
  out.leb(type.element().kind());
  for (const QuantizationCode code :
       {code_of(type.scale(), kFirstScale), code_of(type.zero_point(), kFirstZeroPoint)}) {
    out.leb(code.tag);
    out.leb(code.parameter);
  }
}

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/data_type.h"

#include <fmt/format.h>

#include "vyre/ir/check.h"

namespace vyre {

struct DataType::Payload {
  uint32_t id = 0;
  std::optional<DataType> element;
  std::vector<uint32_t> shape;
  Quantization scale;
  Quantization zero_point;

  Payload() = default;
  // Element types nest without a limit, so a chain of them is freed by a loop.
  ~Payload() {
    std::shared_ptr<const Payload> next = detach_element();
    while (next && next.use_count() == 1) {
      next = const_cast<Payload&>(*next).detach_element();
    }
  }
  Payload(Payload&&) = default;

 private:
  std::shared_ptr<const Payload> detach_element() {
    return element ? std::move(element->payload_) : nullptr;
  }
};

namespace {

struct Row {
  DataType::Kind kind;
  const char* spelling;
  uint32_t size;
  uint32_t stride;
  uint32_t bits;
  DataType::Role role;
};

constexpr Row kRows[] = {
#define VYRE_DATA_TYPE(name, tag, spelling, size, stride, bits, role) \
  {DataType::name, spelling, size, stride, bits, DataType::Role::role},
#include "vyre/ir/data_types.def"
};

const Row& row_of(DataType::Kind kind) {
  for (const Row& row : kRows) {
    if (row.kind == kind) return row;
  }
  VYRE_UNREACHABLE("a DataType::Kind without a row");
}

std::string spell_shape(const std::vector<uint32_t>& shape) {
  // Apart from a type without a payload, which is spelled with nothing between <>.
  return shape.empty() ? "none" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string spell_quantization(DataType::Quantization q) {
  switch (q.granularity) {
    case DataType::Granularity::kNone:
      return "none";
    case DataType::Granularity::kPerTensor:
      return "per_tensor";
    case DataType::Granularity::kPerChannel:
      return fmt::format("per_channel({})", q.parameter);
    case DataType::Granularity::kPerGroup:
      return fmt::format("per_group({})", q.parameter);
  }
  VYRE_UNREACHABLE("a granularity without a spelling");
}

}  // namespace

DataType::DataType(Kind kind, Payload payload)
    : kind_(kind), payload_(std::make_shared<const Payload>(std::move(payload))) {}

DataType DataType::with_payload(Kind kind, uint32_t id, std::optional<DataType> element,
                                std::vector<uint32_t> shape) {
  Payload payload;
  payload.id = id;
  payload.element = std::move(element);
  payload.shape = std::move(shape);
  return {kind, std::move(payload)};
}

DataType DataType::array(uint32_t element_size) { return with_payload(Array, element_size); }
DataType DataType::handle(uint32_t id) { return with_payload(Handle, id); }
DataType DataType::opaque(uint32_t extension_id) { return with_payload(Opaque, extension_id); }
DataType DataType::vec(DataType element, uint8_t count) {
  return with_payload(Vec, 0, std::move(element), {count});
}
DataType DataType::tensor(DataType element, std::vector<uint32_t> shape) {
  return with_payload(TensorShaped, 0, std::move(element), std::move(shape));
}
DataType DataType::sparse_csr(DataType element) {
  return with_payload(SparseCsr, 0, std::move(element));
}
DataType DataType::sparse_coo(DataType element) {
  return with_payload(SparseCoo, 0, std::move(element));
}
DataType DataType::sparse_bsr(DataType element, uint32_t block_rows, uint32_t block_columns) {
  return with_payload(SparseBsr, 0, std::move(element), {block_rows, block_columns});
}
DataType DataType::device_mesh(std::vector<uint32_t> axes) {
  return with_payload(DeviceMesh, 0, std::nullopt, std::move(axes));
}
DataType DataType::quantized(DataType storage, Quantization scale, Quantization zero_point) {
  // Only axes and group sizes have a parameter; two spellings of one type would compare unequal.
  const auto canonical = [](Quantization q) {
    const bool has_parameter =
        q.granularity == Granularity::kPerChannel || q.granularity == Granularity::kPerGroup;
    return Quantization{q.granularity, has_parameter ? q.parameter : 0};
  };
  Payload payload;
  payload.element = std::move(storage);
  payload.scale = canonical(scale);
  payload.zero_point = canonical(zero_point);
  return {Quantized, std::move(payload)};
}
DataType::Role DataType::role() const { return row_of(kind_).role; }

uint32_t DataType::id() const { return payload_ ? payload_->id : 0; }

DataType DataType::element() const {
  VYRE_CHECK(payload_ && payload_->element, "this type has no element type");
  return *payload_->element;
}

const std::vector<uint32_t>& DataType::shape() const {
  static const std::vector<uint32_t> kNoShape;
  return payload_ ? payload_->shape : kNoShape;
}

DataType::Quantization DataType::scale() const {
  return payload_ ? payload_->scale : Quantization{};
}
DataType::Quantization DataType::zero_point() const {
  return payload_ ? payload_->zero_point : Quantization{};
}

std::optional<uint64_t> DataType::size_bytes() const {
  if ((kind_ == Array || kind_ == Vec || kind_ == Quantized) && !payload_) return std::nullopt;
  switch (kind_) {
    case Array:
      return id();
    case Vec: {
      // A vector of vectors is legal, so the walk is a loop, not a recursion.
      uint64_t count = 1;
      DataType type = *this;
      for (; type.kind() == Vec && type.has_payload(); type = type.element()) {
        if (__builtin_mul_overflow(count, type.shape().front(), &count)) return std::nullopt;
      }
      const std::optional<uint64_t> element = type.size_bytes();
      if (!element || __builtin_mul_overflow(count, *element, &count)) return std::nullopt;
      return count;
    }
    case Quantized:
      return element().kind() == Quantized ? std::nullopt : element().size_bytes();
    default: {
      const uint32_t size = row_of(kind_).size;
      return size == 0 ? std::nullopt : std::optional<uint64_t>(size);
    }
  }
}

uint32_t DataType::stride_bytes() const { return row_of(kind_).stride; }

std::optional<uint64_t> DataType::bit_width() const {
  const uint32_t bits = row_of(kind_).bits;
  if (bits != 0) return bits;
  if (kind_ == Quantized && payload_ && element().kind() != Quantized) return element().bit_width();
  if (kind_ != Vec) return std::nullopt;
  const std::optional<uint64_t> bytes = size_bytes();
  if (!bytes) return std::nullopt;
  return *bytes * 8;
}

std::string DataType::spelling() const {
  // Element types nest; the closing parts are collected so that depth costs no stack.
  std::string text;
  std::vector<std::string> closing;
  DataType type = *this;
  const auto needs_payload = [](Kind kind) {
    return kind == Array || kind == Handle || kind == Opaque || kind == DeviceMesh || kind == Vec ||
           kind == TensorShaped || kind == SparseCsr || kind == SparseCoo || kind == SparseBsr ||
           kind == Quantized;
  };
  const auto finish = [&](std::string_view innermost) {
    text += innermost;
    for (auto it = closing.rbegin(); it != closing.rend(); ++it) text += *it;
    return text;
  };
  while (true) {
    const char* base = row_of(type.kind()).spelling;
    if (needs_payload(type.kind()) && !type.has_payload()) return finish(fmt::format("{}<>", base));
    std::string close;
    switch (type.kind()) {
      case Array:
        return finish(fmt::format("array<{}B>", type.id()));
      case Handle:
      case Opaque:
        return finish(fmt::format("{}<{:#x}>", base, type.id()));
      case DeviceMesh:
        return finish(fmt::format("device_mesh<{}>", spell_shape(type.shape())));
      case Vec:
        close = fmt::format(";{}>", type.shape().front());
        break;
      case TensorShaped:
        close = fmt::format(";{}>", spell_shape(type.shape()));
        break;
      case SparseCsr:
      case SparseCoo:
        close = ">";
        break;
      case SparseBsr:
        close = fmt::format(";{}>", spell_shape(type.shape()));
        break;
      case Quantized:
        close = fmt::format(";{};{}>", spell_quantization(type.scale()),
                            spell_quantization(type.zero_point()));
        break;
      default:
        return finish(base);
    }
    text += base;
    text += '<';
    closing.push_back(std::move(close));
    type = type.element();
  }
}

bool operator==(const DataType& a, const DataType& b) {
  const DataType* left = &a;
  const DataType* right = &b;
  while (true) {
    if (left->kind_ != right->kind_) return false;
    if (left->payload_ == right->payload_) return true;
    if (!left->payload_ || !right->payload_) return false;
    const DataType::Payload& x = *left->payload_;
    const DataType::Payload& y = *right->payload_;
    if (x.id != y.id || x.shape != y.shape || x.scale != y.scale || x.zero_point != y.zero_point) {
      return false;
    }
    if (x.element.has_value() != y.element.has_value()) return false;
    if (!x.element) return true;
    left = &*x.element;
    right = &*y.element;
  }
}

std::optional<DataType::Kind> value_type_of(DataType::Kind element) {
  switch (row_of(element).role) {
    case DataType::Role::kValue:
      return element;
    case DataType::Role::kCarried:
      return std::nullopt;
    case DataType::Role::kMemory:
      break;
  }
  if (element == DataType::U8 || element == DataType::U16) return DataType::U32;
  if (element == DataType::I8 || element == DataType::I16) return DataType::I32;
  return DataType::F32;
}

std::optional<DataType::Kind> data_type_from_spelling(std::string_view spelling) {
  for (const Row& row : kRows) {
    if (spelling == row.spelling) return row.kind;
  }
  return std::nullopt;
}

}  // namespace vyre

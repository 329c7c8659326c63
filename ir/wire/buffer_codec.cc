// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/buffer_codec.h"

#include <fmt/format.h>

#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/predicate_codec.h"
#include "vyre/ir/wire/type_codec.h"

namespace vyre::wire {
namespace {

constexpr uint8_t kDense = 0;  // the one shape there is

// The last value of each enumeration; all below it exist.
constexpr uint8_t kLastAccess = static_cast<uint8_t>(BufferAccess::kWriteOnly);
constexpr uint8_t kLastKind = static_cast<uint8_t>(MemoryKind::kPersistent);
constexpr uint8_t kLastLocality = static_cast<uint8_t>(CacheLocality::kRandom);
constexpr uint8_t kLastLinearType = static_cast<uint8_t>(LinearType::kUnrestricted);

uint8_t read_tag(ByteReader& in, uint8_t last, std::string_view what) {
  const size_t start = in.position();
  const uint8_t tag = in.u8();
  if (tag <= last) return tag;
  in.fail_at(start, kTagIsKnown, fmt::format("{:#04x} is not {}", tag, what));
  return 0;
}

MemoryHints read_hints(ByteReader& in) {
  MemoryHints hints;
  if (in.boolean()) hints.coalesce_axis = in.u8();
  hints.preferred_alignment = in.u32();
  hints.cache_locality =
      static_cast<CacheLocality>(read_tag(in, kLastLocality, "a tag of cache locality"));
  return hints;
}

void write_hints(ByteWriter& out, const MemoryHints& hints) {
  out.boolean(hints.coalesce_axis.has_value());
  if (hints.coalesce_axis) out.u8(*hints.coalesce_axis);
  out.u32(hints.preferred_alignment);
  out.u8(static_cast<uint8_t>(hints.cache_locality));
}

BufferDecl read_traits(ByteReader& in, const BufferDecl& buffer) {
  const auto linear =
      static_cast<LinearType>(read_tag(in, kLastLinearType, "a tag of a linear type"));
  const BufferDecl decl = buffer.with_linear_type(linear).with_bytes_extraction(in.boolean());
  const std::optional<ShapePredicate> predicate = read_predicate(in);
  return predicate ? decl.with_shape_predicate(*predicate) : decl;
}

BufferDecl read_metadata_buffer(ByteReader& in, uint16_t version) {
  const std::string_view name = in.text();
  const uint32_t binding = in.u32();
  BufferDecl buffer = BufferDecl::storage(name, binding, BufferAccess::kReadOnly, {}, Place());
  // Zero stands for no count.
  if (const uint32_t count = in.u32(); count != 0) buffer = buffer.with_count(count);
  buffer = buffer.with_output(in.boolean());
  buffer = buffer.with_pipeline_live_out(in.boolean());
  if (in.boolean()) {
    const uint64_t begin = in.leb();
    buffer = buffer.with_output_byte_range({begin, in.leb()});
  }
  buffer = buffer.with_hints(read_hints(in));
  return version < kVersionWithBufferTraits ? buffer : read_traits(in, buffer);
}

struct Problem {
  const Rule& rule;
  std::string cause;
};

// What the original refuses in a declaration.
std::optional<Problem> problem_of(const BufferDecl& buffer) {
  const uint64_t count = buffer.count().value_or(0);
  const auto about = [&buffer](std::string_view what) {
    return fmt::format("buffer `{}` {}", buffer.name(), what);
  };
  if (count == 0 && buffer.access() == BufferAccess::kWorkgroup) {
    return Problem{kCountIsPositive, about("is scratch memory without a count")};
  }
  if (count == 0 && (buffer.is_output() || buffer.pipeline_live_out())) {
    return Problem{kCountIsPositive, about("is an output without a count")};
  }
  if (!buffer.output_byte_range()) return std::nullopt;
  const ByteRange range = *buffer.output_byte_range();
  if (range.begin > range.end) {
    return Problem{kRangeFits, about("has an output range that starts behind its end")};
  }
  const std::optional<uint64_t> size = buffer.element().size_bytes();
  if (!size) return Problem{kRangeFits, about("has an output range and elements without a size")};
  // Neither factor has more than 32 bits.
  if (range.end > count * *size) {
    return Problem{kRangeFits, about("has an output range that ends behind it")};
  }
  return std::nullopt;
}

BufferDecl read_region(ByteReader& in, const BufferDecl& buffer) {
  const auto kind = static_cast<MemoryKind>(read_tag(in, kLastKind, "a memory kind"));
  const auto access = static_cast<BufferAccess>(read_tag(in, kLastAccess, "a buffer access"));
  const uint8_t element_tag = read_element_tag(in);
  (void)read_tag(in, kDense, "the tag of a dense shape");
  size_t outer = in.enter(in.limited(in.leb(), kMaxRegionPartBytes, "bytes of a shape"));
  const uint32_t count = in.leb32();
  const DataType element = read_element(in, element_tag);
  in.leave(outer, "a shape");
  outer = in.enter(in.limited(in.leb(), kMaxRegionPartBytes, "bytes of hints"));
  const MemoryHints hints = read_hints(in);
  in.leave(outer, "hints");
  if (count != buffer.count().value_or(0) || hints != buffer.hints()) {
    in.fail(kRegionsAgree, fmt::format("the count or hints of buffer `{}` are not those of the "
                                       "metadata",
                                       buffer.name()));
  }
  const BufferDecl decl =
      BufferDecl::storage(buffer.name(), buffer.binding(), access, element, Place())
          .with_kind(kind)
          .with_output(buffer.is_output())
          .with_pipeline_live_out(buffer.pipeline_live_out())
          .with_hints(hints)
          .with_linear_type(buffer.linear_type())
          .with_bytes_extraction(buffer.bytes_extraction());
  BufferDecl whole = buffer.count() ? decl.with_count(*buffer.count()) : decl;
  if (buffer.output_byte_range()) whole = whole.with_output_byte_range(*buffer.output_byte_range());
  if (buffer.shape_predicate()) whole = whole.with_shape_predicate(*buffer.shape_predicate());
  return whole;
}

void write_region(ByteWriter& out, const BufferDecl& buffer) {
  out.u8(static_cast<uint8_t>(buffer.kind()));
  out.u8(static_cast<uint8_t>(buffer.access()));
  out.u8(buffer.element().kind());
  out.u8(kDense);
  ByteWriter shape(kMaxRegionPartBytes);
  shape.leb(buffer.count().value_or(0));
  write_element(shape, buffer.element());
  out.part(shape);
  ByteWriter hints(kMaxRegionPartBytes);
  write_hints(hints, buffer.hints());
  out.part(hints);
}

void write_range(ByteWriter& out, const std::optional<ByteRange>& range) {
  out.boolean(range.has_value());
  if (!range) return;
  out.leb(range->begin);
  out.leb(range->end);
}

void write_metadata_buffer(ByteWriter& out, const BufferDecl& buffer) {
  out.text(buffer.name());
  out.u32(buffer.binding());
  out.u32(buffer.count().value_or(0));
  out.boolean(buffer.is_output());
  out.boolean(buffer.pipeline_live_out());
  write_range(out, buffer.output_byte_range());
  write_hints(out, buffer.hints());
  out.u8(static_cast<uint8_t>(buffer.linear_type()));
  out.boolean(buffer.bytes_extraction());
  write_predicate(out, buffer.shape_predicate());
}

bool can_be_written(const BufferDecl& buffer) {
  return buffer.access() == BufferAccess::kReadWrite || buffer.access() == BufferAccess::kWriteOnly;
}

std::vector<uint64_t> output_set(const std::vector<BufferDecl>& buffers) {
  std::vector<uint64_t> outputs;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (can_be_written(buffers[i])) outputs.push_back(i);
  }
  return outputs;
}

// The original numbers two memory kinds otherwise in its keys than on the wire.
uint8_t key_tag(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kPush:
      return 6;
    case MemoryKind::kPersistent:
      return 5;
    case MemoryKind::kGlobal:
    case MemoryKind::kShared:
    case MemoryKind::kUniform:
    case MemoryKind::kLocal:
    case MemoryKind::kReadonly:
      break;
  }
  return static_cast<uint8_t>(kind);
}

}  // namespace

std::vector<BufferDecl> read_metadata_buffers(ByteReader& in, uint16_t version) {
  std::vector<BufferDecl> buffers;
  const uint64_t count = in.limited(in.leb(), kMaxBuffers, "buffers");
  while (in.ok() && buffers.size() < count) buffers.push_back(read_metadata_buffer(in, version));
  return buffers;
}

void read_memory_regions(ByteReader& in, std::vector<BufferDecl>& buffers) {
  if (const uint64_t count = in.leb(); count != buffers.size()) {
    in.fail(kRegionsAgree,
            fmt::format("{} memory regions stand for {} buffers", count, buffers.size()));
  }
  for (size_t i = 0; i < buffers.size() && in.ok(); ++i) {
    if (const uint64_t id = in.leb(); id != i) {
      in.fail(kRegionsAgree, fmt::format("memory region {} has the number {}", i, id));
    }
    buffers[i] = read_region(in, buffers[i]);
    if (const std::optional<Problem> problem = problem_of(buffers[i])) {
      in.fail(problem->rule, problem->cause);
    }
  }
}

void read_output_set(ByteReader& in, const std::vector<BufferDecl>& buffers) {
  const uint64_t count = in.limited(in.leb(), kMaxBuffers, "outputs");
  std::vector<uint64_t> outputs;
  while (in.ok() && outputs.size() < count) outputs.push_back(in.leb());
  if (outputs != output_set(buffers)) {
    in.fail(kOutputsAgree, "the output set is not that of the buffers that can be written");
  }
}

void write_metadata_buffers(ByteWriter& out, const std::vector<BufferDecl>& buffers) {
  if (buffers.size() > kMaxBuffers) {
    out.fail(kLimitIsKept, fmt::format("{} buffers are more than {}", buffers.size(), kMaxBuffers));
  }
  out.leb(buffers.size());
  for (const BufferDecl& buffer : buffers) {
    out.set_place(buffer.place());
    if (!is_dense_element(buffer.element().kind())) {
      out.fail(kElementIsDense, fmt::format("buffer `{}` has elements of type {}", buffer.name(),
                                            buffer.element().spelling()));
    }
    if (const std::optional<Problem> problem = problem_of(buffer)) {
      out.fail(problem->rule, problem->cause);
    }
    if (!out.ok()) return;
    write_metadata_buffer(out, buffer);
  }
}

void write_memory_regions(ByteWriter& out, const std::vector<BufferDecl>& buffers) {
  out.leb(buffers.size());
  for (size_t i = 0; i < buffers.size() && out.ok(); ++i) {
    out.set_place(buffers[i].place());
    out.leb(i);
    write_region(out, buffers[i]);
  }
}

void write_output_set(ByteWriter& out, const std::vector<BufferDecl>& buffers) {
  const std::vector<uint64_t> outputs = output_set(buffers);
  out.leb(outputs.size());
  for (const uint64_t output : outputs) out.leb(output);
}

std::string canonical_key(const BufferDecl& buffer) {
  ByteWriter key(kMaxBytes);
  key.text(buffer.name());
  key.u32(buffer.binding());
  key.u8(static_cast<uint8_t>(buffer.access()));
  key.u8(key_tag(buffer.kind()));
  write_type(key, buffer.element());
  key.u32(buffer.count().value_or(0));
  key.boolean(buffer.is_output());
  key.boolean(buffer.pipeline_live_out());
  key.boolean(buffer.output_byte_range().has_value());
  if (const std::optional<ByteRange>& range = buffer.output_byte_range()) {
    key.u32(static_cast<uint32_t>(range->begin));
    key.u32(static_cast<uint32_t>(range->end));
  }
  write_hints(key, buffer.hints());
  key.boolean(buffer.bytes_extraction());
  key.u8(static_cast<uint8_t>(buffer.linear_type()));
  write_predicate(key, buffer.shape_predicate());
  return std::move(key).take();
}

}  // namespace vyre::wire

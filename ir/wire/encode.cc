// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <map>

#include "vyre/ir/walk.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/body_reader.h"
#include "vyre/ir/wire/body_writer.h"
#include "vyre/ir/wire/buffer_codec.h"
#include "vyre/ir/wire/encode_program.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::wire {
namespace {

void write_record(ByteWriter& out, std::string_view name, const ByteWriter& payload) {
  out.leb_text(name);
  out.part(payload);
  out.leb(0);  // operands
}

void write_metadata(ByteWriter& out, const Program& program) {
  out.raw(kMetadataMarker);
  out.boolean(program.entry_op_id().has_value());
  if (program.entry_op_id()) out.text(*program.entry_op_id());
  const Dim3 size = program.workgroup_size();
  if (size.x == 0 || size.y == 0 || size.z == 0) {
    out.fail(kWorkgroupIsPositive, "a size of the workgroup is 0");
  }
  for (size_t axis = 0; axis < 3; ++axis) out.u32(size[axis]);
  out.boolean(program.non_composable_with_self());
  write_metadata_buffers(out, program.buffers());
}

// A literal of 64 bits that is spelled as the opaque expression that it is on the wire.
bool is_spelled_literal(const Expr& expr) {
  return expr.op() == Op::kOpaque && expr.payload().size() == sizeof(uint64_t) &&
         literal64_type(expr.name()).has_value();
}

Expr literal_of(const Expr& expr) {
  return Expr::literal(*literal64_type(expr.name()), ByteReader(expr.payload()).u64(),
                       expr.place());
}

BufferDecl without_zero_count(const BufferDecl& buffer) {
  if (buffer.count() != 0U) return buffer;
  const BufferDecl bare = BufferDecl::storage(buffer.name(), buffer.binding(), buffer.access(),
                                              buffer.element(), buffer.place())
                              .with_kind(buffer.kind())
                              .with_output(buffer.is_output())
                              .with_pipeline_live_out(buffer.pipeline_live_out())
                              .with_hints(buffer.hints())
                              .with_linear_type(buffer.linear_type())
                              .with_bytes_extraction(buffer.bytes_extraction());
  const BufferDecl ranged =
      buffer.output_byte_range() ? bare.with_output_byte_range(*buffer.output_byte_range()) : bare;
  return buffer.shape_predicate() ? ranged.with_shape_predicate(*buffer.shape_predicate()) : ranged;
}

// One note a type: there may be as many such expressions as there are bytes.
void note_spelled_literals(const Program& program, std::vector<std::string>& notes) {
  std::map<std::string_view, uint64_t> counts;
  for_each_expr(program.entry(), [&counts](const Expr& expr) {
    if (is_spelled_literal(expr)) ++counts[expr.name()];
  });
  for (const auto& [kind, count] : counts) {
    notes.push_back(fmt::format("that {} of kind `{}` {} opaque: with 8 bytes {} a literal",
                                count == 1 ? "an expression" : fmt::format("{} expressions", count),
                                kind, count == 1 ? "is" : "are",
                                count == 1 ? "it reads as" : "each reads as"));
  }
}

std::vector<std::string> not_carried(const Program& program) {
  std::vector<std::string> notes;
  if (const std::optional<Dim3>& extent = program.extent()) {
    notes.push_back(fmt::format("the extent ({}, {}, {})", extent->x, extent->y, extent->z));
  }
  for (const BufferDecl& buffer : program.buffers()) {
    if (buffer.count() == 0U) {
      notes.push_back(
          fmt::format("the count 0 of buffer `{}`, which reads as no count", buffer.name()));
    }
    if (buffer.is_local() || buffer.is_transient()) {
      notes.push_back(fmt::format(
          "what {} means for buffer `{}`: the original has the kind {}, "
          "and nothing that runs so",
          buffer.is_local() ? "local" : "transient", buffer.name(), spelling(buffer.kind())));
    }
  }
  note_spelled_literals(program, notes);
  return notes;
}

}  // namespace

ByteWriter encode_program(const Program& program, const EncodeLimits& limits) {
  ByteWriter body(kMaxBytes - kHeaderBytes);
  if (program.entry().size() >= kMaxNodes) {
    body.fail(kLimitIsKept, fmt::format("the entry has {} statements, {} or more",
                                        program.entry().size(), kMaxNodes));
  }
  body.leb(1 + program.entry().size());
  ByteWriter metadata(limits.record_bytes);
  write_metadata(metadata, program);
  write_record(body, kMetadataRecord, metadata);
  for (size_t i = 0; i < program.entry().size() && body.ok(); ++i) {
    ByteWriter record(limits.record_bytes, fmt::format("entry[{}]", i));
    write_node(record, program.entry()[i], limits.depth);
    write_record(body, record_name(program.entry()[i]), record);
  }
  write_memory_regions(body, program.buffers());
  write_output_set(body, program.buffers());
  if (!body.ok()) return body;
  ByteWriter file(kMaxBytes);
  file.raw(kMagic);
  file.u16(kVersion);
  file.u16(kFlags);
  for (const uint8_t byte : blake3(body.bytes())) file.u8(byte);
  file.raw(body.bytes());
  return file;
}

Encoded encode(const Program& program) {
  ByteWriter file = encode_program(program, {});
  Encoded encoded;
  if (!file.ok()) {
    encoded.diagnostics.push_back(file.error());
    return encoded;
  }
  encoded.bytes = std::move(file).take();
  encoded.not_carried = not_carried(program);
  return encoded;
}

Program vir0_view(const Program& program) {
  Rewriter literals;
  literals.expr = [](const Expr& expr) {
    return is_spelled_literal(expr) ? literal_of(expr) : expr;
  };
  std::vector<BufferDecl> buffers;
  for (const BufferDecl& buffer : program.buffers()) buffers.push_back(without_zero_count(buffer));
  return rewrite(program, literals).with_buffers(std::move(buffers)).without_extent();
}

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/body_reader.h"
#include "vyre/ir/wire/buffer_codec.h"
#include "vyre/ir/wire/byte_reader.h"
#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::wire {
namespace {

struct Metadata {
  std::optional<std::string> entry_op_id;
  Dim3 workgroup_size;
  bool non_composable_with_self = false;
  std::vector<BufferDecl> buffers;
};

// Up to the body. Gives the version.
uint16_t read_header(ByteReader& in, std::string_view bytes) {
  if (!looks_like_vir0(bytes)) in.fail(kIsVir0, "the file does not start with VYRE");
  in.take(kMagic.size());
  const uint16_t version = in.u16();
  if (version < kOldestVersion || version > kVersion) {
    in.fail_at(
        kMagic.size(), kVersionIsKnown,
        fmt::format("the file is of revision {}, not {} to {}", version, kOldestVersion, kVersion));
  }
  const size_t flags_at = in.position();
  const uint16_t flags = in.u16();
  const std::string_view digest = in.take(kHeaderBytes - kDigestOffset);
  if (flags != kFlags) {
    in.fail_at(flags_at, kFlagsAreKnown,
               fmt::format("the flags are {:#06x}, not {:#06x}", flags, kFlags));
  }
  if (!in.ok()) return version;
  const Blake3Digest expected = blake3(bytes.substr(kHeaderBytes));
  const auto same = [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; };
  if (!std::ranges::equal(digest, expected, same)) {
    in.fail_at(kDigestOffset, kDigestMatches,
               fmt::format("the digest of what follows is {}", to_hex(expected)));
  }
  return version;
}

Metadata read_metadata(ByteReader& in, uint16_t version) {
  const size_t start = in.position();
  if (in.take(kMetadataMarker.size()) != kMetadataMarker) {
    in.fail_at(start, kMetadataIsMarked, "the metadata does not start with VYRE-META");
  }
  Metadata metadata;
  if (in.boolean()) metadata.entry_op_id = in.text();
  const size_t sizes_at = in.position();
  metadata.workgroup_size.x = in.u32();
  metadata.workgroup_size.y = in.u32();
  metadata.workgroup_size.z = in.u32();
  const Dim3 size = metadata.workgroup_size;
  if (size.x == 0 || size.y == 0 || size.z == 0) {
    in.fail_at(sizes_at, kWorkgroupIsPositive, "a size of the workgroup is 0");
  }
  metadata.non_composable_with_self = in.boolean();
  metadata.buffers = read_metadata_buffers(in, version);
  return metadata;
}

// Calls read() on the payload of a record and gives the record's name.
template <typename Read>
std::string_view read_record(ByteReader& in, Read read) {
  const std::string_view name = in.leb_text();
  const size_t outer = in.enter(in.limited(in.leb(), kMaxRecordBytes, "bytes of a record"));
  read();
  in.leave(outer, "a record's contents");
  const size_t operands_at = in.position();
  if (const uint64_t operands = in.leb(); operands != 0) {
    in.fail_at(operands_at, kOperandsAreEmpty, fmt::format("a record has {} operands", operands));
  }
  return name;
}

void check_name(ByteReader& in, size_t position, std::string_view name, std::string_view expected) {
  if (name == expected) return;
  in.fail_at(position, kRecordIsNamed,
             fmt::format("a record of `{}` is named `{}`", expected, name));
}

std::vector<Node> read_entry(ByteReader& in, uint64_t records, uint64_t budget) {
  std::vector<Node> entry;
  for (uint64_t i = 0; i < records && in.ok(); ++i) {
    in.set_path(fmt::format("entry[{}]", i));
    const size_t start = in.position();
    const std::string_view name = read_record(in, [&] {
      if (std::optional<Node> node = read_node(in, budget)) entry.push_back(*std::move(node));
    });
    if (in.ok()) check_name(in, start, name, record_name(entry.back()));
  }
  in.set_path("");
  return entry;
}

std::optional<Program> read_program(ByteReader& in, std::string_view bytes,
                                    const DecodeOptions& options) {
  const uint16_t version = read_header(in, bytes);
  const uint64_t records = in.limited(in.leb(), kMaxNodes, "records");
  const size_t start = in.position();
  if (in.ok() && records == 0) in.fail(kRecordIsNamed, "there is no metadata record");
  Metadata metadata;
  const std::string_view name = read_record(in, [&] { metadata = read_metadata(in, version); });
  check_name(in, start, name, kMetadataRecord);
  std::vector<Node> entry;
  if (in.ok()) entry = read_entry(in, records - 1, options.max_nodes + 1);
  read_memory_regions(in, metadata.buffers);
  read_output_set(in, metadata.buffers);
  if (in.remaining() > 0) {
    in.fail(kNothingFollows, fmt::format("{} bytes follow the program", in.remaining()));
  }
  if (!in.ok()) return std::nullopt;
  return Program::from_raw_parts(std::move(metadata.buffers), metadata.workgroup_size,
                                 std::move(entry))
      .with_entry_op_id(std::move(metadata.entry_op_id))
      .with_non_composable_with_self(metadata.non_composable_with_self);
}

}  // namespace

bool looks_like_vir0(std::string_view bytes) { return bytes.starts_with(kMagic); }

Decoded decode(std::string_view bytes, const DecodeOptions& options) {
  ByteReader in(bytes);
  in.limited(bytes.size(), kMaxBytes, "bytes of a file");
  Decoded decoded;
  decoded.program = read_program(in, bytes, options);
  if (!in.ok()) decoded.diagnostics.push_back(in.take_error());
  return decoded;
}

}  // namespace vyre::wire

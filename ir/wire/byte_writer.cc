// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/byte_writer.h"

#include <fmt/format.h>

#include <array>

#include "vyre/ir/names.h"
#include "vyre/ir/wire/limits.h"

namespace vyre::wire {

void ByteWriter::fail(const Rule& rule, std::string cause) {
  if (!ok()) return;
  error_ = broken(rule, path_, std::move(cause));
  if (place_ != nullptr) error_->place = *place_;
}

void ByteWriter::raw(std::string_view bytes) {
  if (!ok()) return;
  if (bytes.size() > limit_ - bytes_.size()) {
    fail(kLimitIsKept, fmt::format("more than {} bytes are needed", limit_));
    return;
  }
  bytes_ += bytes;
}

void ByteWriter::part(const ByteWriter& part) {
  if (ok() && !part.ok()) error_ = part.error();
  leb(part.bytes().size());
  raw(part.bytes());
}

void ByteWriter::little_endian(uint64_t value, int size) {
  std::array<char, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  raw({bytes.data(), static_cast<size_t>(size)});
}

void ByteWriter::leb(uint64_t value) {
  for (; value >= 0x80; value >>= 7) u8(static_cast<uint8_t>(value | 0x80));
  u8(static_cast<uint8_t>(value));
}

void ByteWriter::limited(uint64_t count, uint64_t limit, std::string_view what) {
  if (count > limit) fail(kLimitIsKept, fmt::format("{} {} are more than {}", count, what, limit));
  u32(static_cast<uint32_t>(count));
}

bool ByteWriter::check_text(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    fail(kLimitIsKept,
         fmt::format("a text has {} bytes, more than {}", text.size(), kMaxTextBytes));
  } else if (!is_valid_utf8(text)) {
    fail(kTextIsUtf8, "a text is not UTF-8");
  }
  return ok();
}

void ByteWriter::text(std::string_view text) {
  if (!check_text(text)) return;
  u32(static_cast<uint32_t>(text.size()));
  raw(text);
}

void ByteWriter::leb_text(std::string_view text) {
  if (!check_text(text)) return;
  leb(text.size());
  raw(text);
}

void ByteWriter::extension_id(uint64_t id) {
  if ((id & kExtensionBit) == 0) {
    fail(kExtensionHasBit, fmt::format("the extension id {:#010x} has bit 31 clear", id));
  }
  u32(static_cast<uint32_t>(id));
}

}  // namespace vyre::wire

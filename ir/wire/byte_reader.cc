// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/byte_reader.h"

#include <fmt/format.h>

#include <limits>

#include "vyre/ir/names.h"
#include "vyre/ir/wire/limits.h"

namespace vyre::wire {

void ByteReader::fail_at(size_t position, const Rule& rule, std::string_view cause) {
  if (!ok()) return;
  error_ = broken(rule, path_, fmt::format("byte {}: {}", position, cause));
}

std::string_view ByteReader::take(uint64_t size) {
  if (!ok()) return {};
  if (size > remaining()) {
    fail(kIsComplete, fmt::format("{} bytes are due and {} are left", size, remaining()));
    return {};
  }
  const std::string_view taken = bytes_.substr(position_, size);
  position_ += size;
  return taken;
}

template <typename T>
T ByteReader::little_endian() {
  const std::string_view bytes = take(sizeof(T));
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return static_cast<T>(value);
}

uint8_t ByteReader::u8() { return little_endian<uint8_t>(); }
uint16_t ByteReader::u16() { return little_endian<uint16_t>(); }
uint32_t ByteReader::u32() { return little_endian<uint32_t>(); }
uint64_t ByteReader::u64() { return little_endian<uint64_t>(); }

uint64_t ByteReader::leb() {
  const size_t start = position_;
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = u8();
    if (shift == 63 && byte > 1) {
      fail_at(start, kNumberIsMinimal, "a number has more than 64 bits");
      return 0;
    }
    value |= uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80) != 0) continue;
    if (byte == 0 && shift > 0) {
      fail_at(start, kNumberIsMinimal, "a number is longer than it need be");
    }
    return value;
  }
  return value;
}

uint32_t ByteReader::leb32() {
  const size_t start = position_;
  const uint64_t value = leb();
  if (value > std::numeric_limits<uint32_t>::max()) {
    fail_at(start, kNumberIsMinimal, fmt::format("{} does not fit 32 bits", value));
  }
  return static_cast<uint32_t>(value);
}

bool ByteReader::boolean() {
  const size_t start = position_;
  const uint8_t byte = u8();
  if (byte > 1) {
    fail_at(start, kBooleanIsBit, fmt::format("{:#04x} stands where 0 or 1 is due", byte));
  }
  return byte == 1;
}

uint64_t ByteReader::limited(uint64_t count, uint64_t limit, std::string_view what) {
  if (count <= limit) return count;
  fail(kLimitIsKept, fmt::format("{} {} are announced, more than {}", count, what, limit));
  return 0;
}

std::string_view ByteReader::utf8(uint64_t size) {
  const size_t start = position_;
  const std::string_view text = take(limited(size, kMaxTextBytes, "bytes of a text"));
  if (!is_valid_utf8(text)) fail_at(start, kTextIsUtf8, "a text is not UTF-8");
  return text;
}

uint32_t ByteReader::extension_id() {
  const size_t start = position_;
  const uint32_t id = u32();
  if ((id & kExtensionBit) == 0) {
    fail_at(start, kExtensionHasBit, fmt::format("the extension id {:#010x} has bit 31 clear", id));
  }
  return id;
}

size_t ByteReader::enter(uint64_t size) {
  const size_t outer_end = end_;
  if (ok() && size > remaining()) {
    fail(kIsComplete, fmt::format("{} bytes are due and {} are left", size, remaining()));
  }
  if (ok()) end_ = position_ + static_cast<size_t>(size);
  return outer_end;
}

void ByteReader::leave(size_t outer_end, std::string_view what) {
  if (remaining() > 0) {
    fail(kNothingFollows, fmt::format("{} bytes follow {}", remaining(), what));
  }
  end_ = outer_end;
}

}  // namespace vyre::wire

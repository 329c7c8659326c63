// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reads the primitives of VIR0 from bytes, up to the first error.
//
//   ByteReader in(bytes);
//   const uint32_t count = in.u32();   // 0 after an error
//   if (!in.ok()) return in.take_error();
//
// After an error every read gives zero or nothing: a caller checks ok() where it loops and at the
// end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "vyre/ir/wire/rules.h"

namespace vyre::wire {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes), end_(bytes.size()) {}

  bool ok() const { return !error_.has_value(); }
  // The error there was.
  Diagnostic take_error() { return *std::exchange(error_, std::nullopt); }
  // What errors from here on are about: "entry[3]".
  void set_path(std::string path) { path_ = std::move(path); }

  // Names the byte in front of the cause. Only the first error counts.
  void fail(const Rule& rule, std::string_view cause) { fail_at(position_, rule, cause); }
  void fail_at(size_t position, const Rule& rule, std::string_view cause);

  size_t position() const { return position_; }
  size_t remaining() const { return end_ - position_; }

  uint8_t u8();
  uint16_t u16();
  uint32_t u32();
  uint64_t u64();
  uint64_t leb();
  // A number that must fit 32 bits.
  uint32_t leb32();
  bool boolean();
  // A count of that many of `what` at most.
  uint64_t limited(uint64_t count, uint64_t limit, std::string_view what);
  // u32 length, UTF-8.
  std::string_view text() { return utf8(u32()); }
  // LEB128 length, UTF-8.
  std::string_view leb_text() { return utf8(leb()); }
  // An extension's id: bit 31 is set.
  uint32_t extension_id();
  std::string_view take(uint64_t size);

  // Makes the next `size` bytes all there is until leave(), which expects that they were read.
  // Gives the end to restore.
  size_t enter(uint64_t size);
  void leave(size_t outer_end, std::string_view what);

 private:
  std::string_view utf8(uint64_t size);
  template <typename T>
  T little_endian();

  std::string_view bytes_;
  size_t position_ = 0;
  size_t end_;
  std::string path_;
  std::optional<Diagnostic> error_;
};

}  // namespace vyre::wire

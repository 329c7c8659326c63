// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Writes the primitives of VIR0, up to the first thing that it cannot say.
//
//   ByteWriter out(kMaxRecordBytes);
//   out.text(node.name());
//   if (!out.ok()) return out.error();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/ir/wire/rules.h"

namespace vyre::wire {

class ByteWriter {
 public:
  // `limit`: how many bytes there may be.
  explicit ByteWriter(size_t limit, std::string path = "")
      : limit_(limit), path_(std::move(path)) {}

  bool ok() const { return !error_.has_value(); }
  const Diagnostic& error() const { return *error_; }
  const std::string& bytes() const { return bytes_; }
  std::string take() && { return std::move(bytes_); }

  // What errors from here on are about; the place must live on.
  void set_place(const Place& place) { place_ = &place; }
  // Only the first error counts.
  void fail(const Rule& rule, std::string cause);

  void u8(uint8_t value) { little_endian(value, 1); }
  void u16(uint16_t value) { little_endian(value, 2); }
  void u32(uint32_t value) { little_endian(value, 4); }
  void u64(uint64_t value) { little_endian(value, 8); }
  void leb(uint64_t value);
  void boolean(bool value) { u8(value ? 1 : 0); }
  // A count that may be at most `limit`, as u32.
  void limited(uint64_t count, uint64_t limit, std::string_view what);
  // u32 length, UTF-8.
  void text(std::string_view text);
  // LEB128 length, UTF-8.
  void leb_text(std::string_view text);
  void extension_id(uint64_t id);
  void raw(std::string_view bytes);
  // LEB128 length and what another writer wrote, or that one's error.
  void part(const ByteWriter& part);

 private:
  void little_endian(uint64_t value, int size);
  bool check_text(std::string_view text);

  size_t limit_;
  std::string path_;
  const Place* place_ = nullptr;
  std::string bytes_;
  std::optional<Diagnostic> error_;
};

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/digest.h"

#include <fmt/format.h>

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace vyre {

std::string Digest::to_hex() const {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", words[0], words[1], words[2], words[3]);
}

void DigestBuilder::append(const void* data, size_t size) {
  if (long_.empty() && size_ + size <= short_.size()) {
    std::memcpy(short_.data() + size_, data, size);
    size_ += size;
    return;
  }
  if (long_.empty()) long_.assign(short_.data(), size_);
  long_.append(static_cast<const char*>(data), size);
}

DigestBuilder& DigestBuilder::add_u8(uint8_t value) {
  append(&value, 1);
  return *this;
}

DigestBuilder& DigestBuilder::add_u32(uint32_t value) {
  const std::array<uint8_t, 4> bytes{static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8),
                                     static_cast<uint8_t>(value >> 16),
                                     static_cast<uint8_t>(value >> 24)};
  append(bytes.data(), bytes.size());
  return *this;
}

DigestBuilder& DigestBuilder::add_u64(uint64_t value) {
  add_u32(static_cast<uint32_t>(value));
  return add_u32(static_cast<uint32_t>(value >> 32));
}

DigestBuilder& DigestBuilder::add_text(std::string_view text) {
  add_u64(text.size());
  append(text.data(), text.size());
  return *this;
}

DigestBuilder& DigestBuilder::add(const Digest& digest) {
  for (const uint64_t word : digest.words) add_u64(word);
  return *this;
}

Digest DigestBuilder::finish() const {
  // XXH3 gives 128 bits; two seeds give 256.
  const char* data = long_.empty() ? short_.data() : long_.data();
  const size_t size = long_.empty() ? size_ : long_.size();
  const XXH128_hash_t a = XXH3_128bits_withSeed(data, size, 0);
  const XXH128_hash_t b = XXH3_128bits_withSeed(data, size, 0x9E3779B97F4A7C15ULL);
  return Digest{{a.high64, a.low64, b.high64, b.low64}};
}

}  // namespace vyre

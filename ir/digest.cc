// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/digest.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace vyre {

std::string Digest::to_hex() const {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", words[0], words[1], words[2], words[3]);
}

DigestBuilder& DigestBuilder::add_u8(uint8_t value) {
  bytes_.push_back(static_cast<char>(value));
  return *this;
}

DigestBuilder& DigestBuilder::add_u32(uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) add_u8(static_cast<uint8_t>(value >> shift));
  return *this;
}

DigestBuilder& DigestBuilder::add_u64(uint64_t value) {
  add_u32(static_cast<uint32_t>(value));
  return add_u32(static_cast<uint32_t>(value >> 32));
}

DigestBuilder& DigestBuilder::add_text(std::string_view text) {
  add_u64(text.size());
  bytes_ += text;
  return *this;
}

DigestBuilder& DigestBuilder::add(const Digest& digest) {
  for (const uint64_t word : digest.words) add_u64(word);
  return *this;
}

Digest DigestBuilder::finish() const {
  // XXH3 gives 128 bits; two seeds give 256.
  const XXH128_hash_t a = XXH3_128bits_withSeed(bytes_.data(), bytes_.size(), 0);
  const XXH128_hash_t b =
      XXH3_128bits_withSeed(bytes_.data(), bytes_.size(), 0x9E3779B97F4A7C15ULL);
  return Digest{{a.high64, a.low64, b.high64, b.low64}};
}

}  // namespace vyre

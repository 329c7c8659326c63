// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Digest: 256 bits over a bit-exact serialisation. Equal inputs give equal digests in every process
// and on every machine. It guards against accidents, not against an adversary.
//
//   DigestBuilder b;
//   b.add_u32(7).add_text("row");
//   Digest d = b.finish();
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vyre {

struct Digest {
  std::array<uint64_t, 4> words{};

  // 64 lowercase hexadecimal digits.
  std::string to_hex() const;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

// Collects fields, little endian, texts with their length in front.
class DigestBuilder {
 public:
  DigestBuilder& add_u8(uint8_t value);
  DigestBuilder& add_u32(uint32_t value);
  DigestBuilder& add_u64(uint64_t value);
  DigestBuilder& add_text(std::string_view text);
  DigestBuilder& add(const Digest& digest);
  Digest finish() const;

 private:
  void append(const void* data, size_t size);

  // Most serialisations are short, and one is made for each expression: no allocation for those.
  std::array<char, 256> short_;
  size_t size_ = 0;
  std::string long_;  // everything, once it is longer than short_
};

}  // namespace vyre

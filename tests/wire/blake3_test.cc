// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The published test vectors: inputs are the bytes 0, 1, ..., 250, 0, 1, ... of several lengths.
#include "vyre/ir/wire/blake3.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

namespace vyre::wire {
namespace {

std::string hex_of_length(size_t length) {
  std::string input;
  for (size_t i = 0; i < length; ++i) input += static_cast<char>(i % 251);
  std::string digits;
  for (const uint8_t byte : blake3(input)) digits += fmt::format("{:02x}", byte);
  return digits;
}

TEST_CASE("BLAKE3 gives the published digests, around every boundary of blocks and chunks") {
  const struct {
    size_t length;
    const char* digest;
  } vectors[] = {
      {0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
      {1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
      {1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
      {1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
      {1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
      {2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"},
      {2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"},
      {3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"},
      {3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
      {4096, "015094013f57a5277b59d8475c0501042c0b642e531b0a1c8f58d2163229e969"},
      {8192, "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63"},
      {8193, "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"},
      {31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
      {102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"},
  };
  for (const auto& vector : vectors) {
    INFO(vector.length << " bytes");
    CHECK(hex_of_length(vector.length) == vector.digest);
  }
}

}  // namespace
}  // namespace vyre::wire

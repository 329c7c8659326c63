// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The header of a safetensors file: read, or refused with a fix.
#include "tests/fuzz/fuzz_target.h"
#include "vyre/tools/support/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto entries = tools::parse_safetensors_header(bytes, size);
  if (!entries.ok()) {
    test::fuzz_check(message_of(entries.status()).find("Fix: ") != std::string_view::npos,
                     "an error without a fix");
    return 0;
  }
  uint64_t end = tools::safetensors_header_size(bytes, size).value();
  for (const tools::SafetensorsEntry& entry : *entries) {
    test::fuzz_check(entry.data_offset == end, "a hole between two tensors");
    end += entry.bytes;
  }
  test::fuzz_check(end == size, "the tensors do not fill the file");
  return 0;
}

// Makes the length that of the text up to the last brace, so that a mutated header is read at all.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size < 8 || seed % 4 == 0) return size;
  const std::string_view text = vyre::test::as_text(data + 8, size - 8);
  const size_t brace = text.rfind('}');
  const uint64_t length = brace == std::string_view::npos ? text.size() : brace + 1;
  for (size_t i = 0; i < 8; ++i) data[i] = static_cast<uint8_t>(length >> (8 * i));
  return size;
}

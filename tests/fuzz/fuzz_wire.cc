// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// VIR0: a program that encodes to bytes which decode to it, or diagnostics with a fix.
#include <cstring>

#include "tests/fuzz/fuzz_target.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/vir0.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const wire::Decoded decoded = wire::decode(test::as_text(data, size));
  for (const Diagnostic& diagnostic : decoded.diagnostics) {
    test::fuzz_check(find_diagnostic(diagnostic.code) != nullptr, "a code not in the table");
    test::fuzz_check(!diagnostic.cause.empty() && !diagnostic.fix.empty(), "no fix");
  }
  test::fuzz_check(decoded.program.has_value() == decoded.diagnostics.empty(),
                   "neither a program nor diagnostics, or both");
  if (!decoded.program) return 0;
  const wire::Encoded encoded = wire::encode(*decoded.program);
  if (!encoded.ok()) return 0;  // deeper than the original reads
  const wire::Decoded again = wire::decode(encoded.bytes);
  test::fuzz_check(again.program.has_value(), "what was encoded cannot be decoded");
  test::fuzz_check(*again.program == *decoded.program, "encoding changes the program");
  return 0;
}

// Mutates what lies behind the header, and makes the digest right again.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  constexpr size_t kHeader = 40;
  if (size < kHeader || seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  size = kHeader + LLVMFuzzerMutate(data + kHeader, size - kHeader, max_size - kHeader);
  const auto digest = vyre::wire::blake3(vyre::test::as_text(data + kHeader, size - kHeader));
  std::memcpy(data + 8, digest.data(), digest.size());
  return size;
}

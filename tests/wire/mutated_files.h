// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Damaged VIR0 files: each is refused with a diagnostic, or is a program.
#pragma once

#include <cstdint>
#include <string>

namespace vyre::test {

struct MutationCounts {
  uint64_t tried = 0;
  uint64_t programs = 0;  // damaged in a way that gives another program
};

// Truncations at every `stride`-th byte, and every `stride`-th byte set to 0x00, 0x7F, 0x80, 0xFF
// and to its value plus and minus one; each with the digest as it was, and made right again.
// Checks with Catch2 that the decoder gives a program that encodes, or one error with a known code.
MutationCounts check_mutations(const std::string& file, size_t stride);

}  // namespace vyre::test

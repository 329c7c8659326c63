// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What a fuzz target defines. Each target is linked twice: with libFuzzer, to search for long, and
// with driver.cc, which mutates the corpus by a seed as a part of the tests.
//
//   extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
//     const auto header = parse(test::as_text(data, size));
//     test::fuzz_check(header.ok() || has_fix(header.status()), "an error without a fix");
//     return 0;
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's names.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// Optional: a target with inputs that plain mutation would only spoil. Changes `data` in place, to
// at most max_size bytes, and returns the new size.
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                                                size_t max_size, unsigned int seed);
// Plain mutation, for custom mutators; libFuzzer's or the driver's.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
// NOLINTEND(readability-identifier-naming)

namespace vyre::test {

inline std::string_view as_text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process, as sanitizers do, if the condition does not hold.
inline void fuzz_check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

}  // namespace vyre::test

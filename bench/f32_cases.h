// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Writes inputs and results of f32 functions as rows of a C++ table for tests: those nearest to a
// boundary between two f32 that a check met, and random ones.
//
//   bench::CaseWriter writer("f32_cases.inc", {.hard = 40, .random = 80, .seed = 1});
//   writer.write(function, hard_cases);
//   if (!writer.finish()) ...  // the file could not be written
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "bench/f32_functions.h"

namespace vyre::bench {

struct HardCase {
  double distance;  // of the exact result from the boundary, relative to the result
  std::uint32_t input;
  std::uint32_t expected;
};

class CaseWriter {
 public:
  struct Counts {
    std::size_t hard = 0;
    std::size_t random = 0;
    std::uint64_t seed = 1;
  };

  CaseWriter(const std::string& path, Counts counts);

  void write(const Function& function, std::vector<HardCase> hard);
  bool finish();

 private:
  std::ofstream file_;
  Counts counts_;
};

}  // namespace vyre::bench

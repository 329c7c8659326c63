// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/f32_cases.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/f32_oracle.h"

namespace vyre::bench {

namespace {

struct Case {
  std::uint32_t input;
  std::uint32_t expected;
};

// Random inputs with a result that says something: no zero, infinity or NaN, not 1, not the input.
std::vector<Case> random_cases(const Function& function, std::uint64_t seed, std::size_t count) {
  Oracle oracle;
  std::mt19937_64 random(seed);
  std::vector<Case> cases;
  while (cases.size() < count) {
    const float x = float_of(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(x)) continue;
    const float y = oracle.round(function, x);
    if (!std::isfinite(y) || y == 0.0f || std::fabs(y) == 1.0f || y == x) continue;
    cases.push_back({bits_of(x), bits_of(y)});
  }
  return cases;
}

}  // namespace

CaseWriter::CaseWriter(const std::string& path, Counts counts) : file_(path), counts_(counts) {
  file_ << "// SPDX-License-Identifier: Apache-2.0 OR MIT\n"
           "// Written by vyre-verify-f32 --write: bits of inputs and of their correctly rounded "
           "results.\n";
}

void CaseWriter::write(const Function& function, std::vector<HardCase> hard) {
  std::sort(hard.begin(), hard.end(), [](const HardCase& a, const HardCase& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.input < b.input;
  });
  hard.resize(std::min(hard.size(), counts_.hard));
  std::vector<Case> cases;
  for (const HardCase& one : hard) cases.push_back({one.input, one.expected});
  const std::vector<Case> more = random_cases(function, counts_.seed, counts_.random);
  cases.insert(cases.end(), more.begin(), more.end());
  char text[160];
  if (!hard.empty()) {
    const double least = hard.front().distance;
    std::snprintf(text, sizeof text, "// %zu hard cases, the hardest ", hard.size());
    file_ << text;
    std::snprintf(text, sizeof text, "2^%.1f from a boundary\n", std::log2(least));
    file_ << (least == 0.0 ? "a tie\n" : text);
  }
  file_ << "{\"" << function.name << "\", vyre::scalar::f32_" << function.name << ", {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::snprintf(text, sizeof text, "{0x%08" PRIX32 "u, 0x%08" PRIX32 "u},%s", cases[i].input,
                  cases[i].expected, i % 4 == 3 || i + 1 == cases.size() ? "\n" : " ");
    file_ << text;
  }
  file_ << "}},\n";
}

bool CaseWriter::finish() { return static_cast<bool>(file_.flush()); }

}  // namespace vyre::bench

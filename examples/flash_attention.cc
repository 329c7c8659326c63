// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// FlashAttention-2 from a builder, compared with a float64 softmax.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vyre/builders/attention_oracle.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/evaluate.h"

using namespace vyre;

std::vector<float> wave(size_t count, float frequency, float offset) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = std::sin(static_cast<float>(i) * frequency) + offset;
  }
  return values;
}

int main() {
  constexpr uint32_t kSequence = 33;
  constexpr uint32_t kDim = 16;
  const std::vector<float> q = wave(kSequence * kDim, 0.13f, -0.5f);
  const std::vector<float> k = wave(kSequence * kDim, 0.07f, 0.25f);
  const std::vector<float> v = wave(kSequence * kDim, 0.19f, 0.0f);

  // 33 keys in tiles of 8: the last tile is ragged.
  const Program program = flash_attention_2("q", "k", "v", "out", kSequence, kDim, 8);
  const StatusOr<Outputs> out = evaluate(program, {{"q", q}, {"k", k}, {"v", v}});
  if (!out.ok()) {
    fmt::print(stderr, "{}\n", message_of(out.status()));
    return 1;
  }
  const std::vector<float> got = out->get<float>("out").value();
  const std::vector<double> exact = attention_float64(q, k, v, kSequence, kDim).value();
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::fabs(got[i] - exact[i]));
  fmt::print("{} outputs, largest difference from float64: {:.1e}\n", got.size(), worst);
  return worst < 1e-5 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdio>
#include <vector>

#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/evaluate.h"

int main() {
  const vyre::Program program = vyre::flash_attention_2("q", "k", "v", "out", 1, 2, 1);
  const auto out = vyre::evaluate(program, {{"q", std::vector<float>{1, 2}},
                                            {"k", std::vector<float>{3, 4}},
                                            {"v", std::vector<float>{5, 6}}});
  if (!out.ok()) return 1;
  // A single key passes its value through.
  const std::vector<float> row = out->get<float>("out").value();
  std::printf("%g %g\n", static_cast<double>(row[0]), static_cast<double>(row[1]));
  return row == std::vector<float>{5, 6} ? 0 : 1;
}

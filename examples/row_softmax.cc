// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Softmax of each row of a matrix: loops and variables, in three passes over the row.
#include <fmt/format.h>

#include <cmath>

#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/kernel.h"

using namespace vyre;

StatusOr<Program> row_softmax(uint32_t rows, uint32_t columns) {
  Kernel k("row_softmax", {64, 1, 1});
  auto x = k.read<f32>("x", rows * columns);
  auto y = k.output<f32>("y", rows * columns);
  auto row = k.let("row", k.invocation_id());
  k.if_(row < rows, [&] {
    auto start = k.let("start", row * columns);
    auto largest = k.var("largest", x[start]);
    k.for_("j", 1, columns, [&](Val<u32> j) { largest = max(largest, x[start + j]); });
    auto sum = k.var("sum", 0.0f);
    k.for_("j", 0, columns, [&](Val<u32> j) {
      auto weight = k.let("weight", exp(x[start + j] - largest));
      sum += weight;
      y[start + j] = weight;
    });
    k.for_("j", 0, columns, [&](Val<u32> j) { y[start + j] = y[start + j] / sum; });
  });
  return k.finish({rows});
}

int main() {
  const std::vector<float> x{0, 1, 2, -1000, 1000, 1000};
  const StatusOr<Outputs> out = evaluate(row_softmax(2, 3), {{"x", x}});
  if (!out.ok()) {
    fmt::print(stderr, "{}\n", message_of(out.status()));
    return 1;
  }
  const std::vector<float> y = out->get<float>("y").value();
  fmt::print("{:.6f} {:.6f} {:.6f}\n{:.6f} {:.6f} {:.6f}\n", y[0], y[1], y[2], y[3], y[4], y[5]);
  // Large scores neither overflow nor turn into NaN, since the largest is subtracted first.
  return std::fabs(y[0] + y[1] + y[2] - 1.0f) < 1e-6f && y[3] == 0.0f && y[4] == 0.5f ? 0 : 1;
}

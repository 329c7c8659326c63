// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A first kernel: y = a * x + y, written with the recorder and evaluated by the interpreter.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/kernel.h"
#include "vyre/ir/print.h"

using namespace vyre;

StatusOr<Program> saxpy(uint32_t n, float a) {
  Kernel k("saxpy", {256, 1, 1});
  auto x = k.read<f32>("x", n);
  auto y = k.read_write<f32>("y", n);
  auto i = k.let("i", k.invocation_id());
  k.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  return k.finish({n});
}

int main() {
  const StatusOr<Program> program = saxpy(4, 2.0f);
  const StatusOr<Outputs> out = evaluate(
      program, {{"x", std::vector<float>{1, 2, 3, 4}}, {"y", std::vector<float>{10, 20, 30, 40}}});
  if (!out.ok()) {
    fmt::print(stderr, "{}\n", message_of(out.status()));
    return 1;
  }
  fmt::print("{}\n", print(*program).value());
  const std::vector<float> y = out->get<float>("y").value();
  fmt::print("y = {}\n", y);
  return y == std::vector<float>{12, 24, 36, 48} ? 0 : 1;
}

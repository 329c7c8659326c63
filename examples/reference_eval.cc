// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program as plain values, evaluated over byte buffers in declaration order: the call that a
// driver's test makes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vyre/interpreter/evaluate.h"

using namespace vyre;

// y[row] = the sum of row `row` of x, which is [rows, columns].
Program row_sums(uint32_t rows, uint32_t columns) {
  const Expr row = Expr::var("row");
  return Program::wrapped(
             {BufferDecl::read("x", 0, DataType::F32).with_count(rows * columns),
              BufferDecl::output("y", 1, DataType::F32).with_count(rows)},
             /*workgroup_size=*/{64, 1, 1},
             {Node::let_bind("row", Expr::gid_x()),
              Node::if_then(
                  Expr::lt(row, rows),
                  {Node::let_bind("sum", 0.0f),
                   Node::loop_for(
                       "k", 0u, columns,
                       {Node::assign("sum", Expr::var("sum") +
                                                Expr::load("x", row * columns + Expr::var("k")))}),
                   Node::store("y", row, Expr::var("sum"))})})
      .with_extent(Dim3{rows});
}

int main() {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const StatusOr<std::vector<Value>> outputs =
      reference_eval(row_sums(2, 3), std::vector<Value>{Value::from(x)});
  if (!outputs.ok()) {
    fmt::print(stderr, "{}\n", message_of(outputs.status()));
    return 1;
  }
  const std::vector<float> y = decode_f32(outputs->front().to_bytes());
  fmt::print("row sums: {}\n", y);
  return y == std::vector<float>{6, 15} ? 0 : 1;
}

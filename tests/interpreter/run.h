// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Short ways to run a small program in a test.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "vyre/interpreter/evaluate.h"

namespace vyre::test {

// The elements of the only output, or a failed requirement with the error.
template <typename T>
std::vector<T> run(const Program& program, const std::vector<NamedInput>& inputs = {},
                   const RunOptions& options = {}) {
  const StatusOr<Outputs> out = evaluate(program, inputs, options);
  INFO((out.ok() ? std::string() : std::string(message_of(out.status()))));
  REQUIRE(out.ok());
  REQUIRE(out->entries().size() == 1);
  return out->get<T>(out->entries()[0].name).value();
}

// The error's message, or empty if there was none.
inline std::string error_of(const Program& program, const std::vector<NamedInput>& inputs = {},
                            const RunOptions& options = {}) {
  const StatusOr<Outputs> out = evaluate(program, inputs, options);
  return out.ok() ? std::string() : std::string(message_of(out.status()));
}

// A program with one u32 output `y` of `count` elements, one invocation each, one workgroup of
// `size` invocations at least.
inline Program u32_program(uint32_t count, uint32_t size, Body body,
                           std::vector<BufferDecl> more = {}) {
  more.push_back(BufferDecl::output("y", 9, DataType::U32).with_count(count));
  return Program::wrapped(std::move(more), {size, 1, 1}, std::move(body))
      .with_extent(Dim3{count, 1, 1});
}

}  // namespace vyre::test

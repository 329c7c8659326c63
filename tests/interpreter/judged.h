// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Short ways to run a small program on the interpreter under the eyes of the plain evaluator.
//
//   const Program p = test::over_x(300, {300, 1, 1}, {Node::store("x", i, Expr::load("x", i +
//   1))}); CHECK(test::judged(p, {words}).words() == expected);
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/plain/observed.h"

namespace vyre::test {

// What both evaluators saw.
struct Agreed {
  Observed seen;

  // The elements of a returned buffer.
  std::vector<uint32_t> words(size_t output = 0) const {
    REQUIRE(seen.ok());
    REQUIRE(output < seen.outputs.size());
    std::vector<uint32_t> words(seen.outputs[output].size() / sizeof(uint32_t));
    if (!words.empty()) {
      std::memcpy(words.data(), seen.outputs[output].data(), words.size() * sizeof(uint32_t));
    }
    return words;
  }
};

// Runs the program on both evaluators and requires that they agree. `inputs` has a list for each
// buffer that the caller supplies; outputs are zeros.
inline Agreed judged(const Program& program, const std::vector<std::vector<uint32_t>>& inputs = {},
                     const RunOptions& options = {}) {
  std::vector<std::vector<std::byte>> memory;
  size_t next = 0;
  for (const BufferDecl& decl : program.buffers()) {
    std::vector<std::byte>& bytes = memory.emplace_back();
    if (decl.is_input()) {
      REQUIRE(next < inputs.size());
      const std::vector<uint32_t>& words = inputs[next++];
      bytes.resize(words.size() * sizeof(uint32_t));
      if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
    } else if (decl.is_bound()) {
      bytes.resize(size_t{decl.count().value_or(0)} * decl.element().size_bytes().value_or(0));
    }
  }
  Agreed agreed;
  const std::string found = judge(program, memory, options, &agreed.seen);
  CHECK(found == "");
  return agreed;
}

// A program over a buffer `x` of u32 that it reads and writes, as one workgroup of that size.
inline Program over_x(uint32_t count, Dim3 size, Body body, std::vector<BufferDecl> more = {}) {
  more.insert(more.begin(), BufferDecl::read_write("x", 0, DataType::U32).with_count(count));
  return Program::wrapped(std::move(more), size, std::move(body)).with_extent(size);
}

// start, start + step, …
inline std::vector<uint32_t> counting(uint32_t count, uint32_t start = 0, uint32_t step = 1) {
  std::vector<uint32_t> words(count);
  for (uint32_t i = 0; i < count; ++i) words[i] = start + step * i;
  return words;
}

}  // namespace vyre::test

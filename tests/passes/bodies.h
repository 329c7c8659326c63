// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Passes on small programs, before and after as text.
//
//   CHECK(after(passes::dce, {Node::let_bind("a", 1u)}) == "");
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "vyre/ir/print.h"
#include "vyre/ir/resolve.h"
#include "vyre/passes/pass.h"

namespace vyre::test {

// A program with inputs x: f32, n: i32, u: u32, words: u32 (atomics) and an output y: f32, z: i32,
// w: u32, of 16 elements each.
inline Program program_of(Body body) {
  return Program::wrapped({BufferDecl::read("x", 0, DataType::F32).with_count(16),
                           BufferDecl::read("n", 1, DataType::I32).with_count(16),
                           BufferDecl::read("u", 2, DataType::U32).with_count(16),
                           BufferDecl::read_write("words", 3, DataType::U32).with_count(16),
                           BufferDecl::output("y", 4, DataType::F32).with_count(16),
                           BufferDecl::output("z", 5, DataType::I32).with_count(16),
                           BufferDecl::output("w", 6, DataType::U32).with_count(16)},
                          {16, 1, 1}, std::move(body))
      .with_extent(Dim3{16, 1, 1});
}

// The statements of the only region, one a line, nested ones indented.
inline std::string text_of(const Program& program) {
  REQUIRE(program.entry().size() == 1);
  std::string text;
  for (const Node& node : program.entry()[0].body()) text += print_node(node).value() + "\n";
  return text;
}

// What the pass makes of a body. Also checks that the result resolves and `changed` is right.
inline std::string after(PassFunction pass, Body body) {
  const Program before = program_of(std::move(body));
  INFO(to_string(resolve(before).diagnostics));
  const StatusOr<PassResult> result = pass(before);
  REQUIRE(result.ok());
  CHECK(result->changed == (result->program.hash() != before.hash()));
  INFO(to_string(resolve(result->program).diagnostics));
  CHECK(resolve(result->program).ok());
  return text_of(result->program);
}

// The pass leaves the body as it is.
inline bool keeps(PassFunction pass, const Body& body) {
  const Program before = program_of(body);
  const StatusOr<PassResult> result = pass(before);
  REQUIRE(result.ok());
  return !result->changed && result->program == before;
}

// The value that the pass makes of one stored to y, z or w at element 0, as text.
inline std::string value_after(PassFunction pass, const char* buffer, const Expr& value) {
  const std::string text = after(pass, {Node::store(buffer, Expr::u32(0), value)});
  const std::string prefix = std::string(buffer) + "[0u] = ";
  REQUIRE(text.substr(0, prefix.size()) == prefix);
  return text.substr(prefix.size(), text.size() - prefix.size() - 1);
}

}  // namespace vyre::test

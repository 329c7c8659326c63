// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/dispatch.h"

#include <catch2/catch.hpp>

namespace vyre::interpreter {
namespace {

Dispatch infer(Dim3 size, std::vector<BufferDecl> buffers, std::vector<uint64_t> bytes,
               Body body = {}) {
  return infer_dispatch(Program::wrapped(std::move(buffers), size, std::move(body)), bytes);
}
Dispatch groups(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
  return Dispatch::of_workgroups({x, y, z});
}

const BufferDecl kOut = BufferDecl::output("out", 1, DataType::U32).with_count(2);
const BufferDecl kIn = BufferDecl::read("in", 0, DataType::U32);

TEST_CASE("integer roots round up exactly") {
  CHECK(ceil_root(0, 2) == 0);
  CHECK(ceil_root(1, 3) == 1);
  CHECK(ceil_root(9, 2) == 3);
  CHECK(ceil_root(10, 2) == 4);
  CHECK(ceil_root(27, 3) == 3);
  CHECK(ceil_root(28, 3) == 4);
  CHECK(ceil_root(uint64_t{0xFFFFFFFF} * 0xFFFFFFFF, 2) == 0xFFFFFFFF);
}

TEST_CASE("inference covers the largest returned buffer") {
  CHECK(infer({1, 1, 1}, {kIn, kOut}, {400, 40}) == groups(10));
  CHECK(infer({4, 1, 1}, {kIn, kOut}, {400, 40}) == groups(3));
  CHECK(infer({4, 1, 1}, {kIn, kOut}, {400, 0}) == groups(1));
}

TEST_CASE("inference counts other buffers with workgroup memory, atomics or no result") {
  CHECK(infer({1, 1, 1}, {kIn, kOut, BufferDecl::workgroup("w", 1, DataType::U32)}, {400, 8, 0}) ==
        groups(100));
  CHECK(infer({1, 1, 1}, {kIn, kOut}, {400, 8},
              {Node::let_bind("a", Expr::atomic_add("out", 0u, 1u))}) == groups(100));
  CHECK(infer({1, 1, 1}, {kIn}, {400}) == groups(100));
}

TEST_CASE("inference spreads workgroups over the axes in use") {
  CHECK(infer({2, 2, 1}, {kIn, kOut}, {0, 160}) == groups(4, 4));
  CHECK(infer({2, 2, 2}, {kIn, kOut}, {0, 4 * 8 * 9}) == groups(3, 3, 3));
  CHECK(infer({1, 8, 1}, {kIn, kOut}, {0, 160}) == groups(1, 5));
}

TEST_CASE("a dispatch whose ids leave 32 bits is refused") {
  const Program p = Program::wrapped({}, {2, 1, 1}, {});
  RunOptions options;
  options.dispatch = groups(0x80000000);
  CHECK(choose_dispatch(p, {}, options).ok());
  options.dispatch = groups(0x80000001);
  CHECK_FALSE(choose_dispatch(p, {}, options).ok());
}

TEST_CASE("a dispatch of more workgroups than 64 bits count is refused") {
  const Program p = Program::wrapped({}, {1, 1, 1}, {});
  RunOptions options;
  options.dispatch = groups(1U << 31, 1U << 31, 3);
  CHECK(choose_dispatch(p, {}, options).ok());
  options.dispatch = groups(1U << 31, 1U << 31, 4);
  CHECK_FALSE(choose_dispatch(p, {}, options).ok());
  options.dispatch = groups(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF);
  CHECK_FALSE(choose_dispatch(p, {}, options).ok());
}

}  // namespace
}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Short names for what most recorded scenarios are made of.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::test::scenario_parts {

inline BufferDecl in(std::string_view name, uint32_t binding, uint32_t count) {
  return BufferDecl::read(name, binding, DataType::U32).with_count(count);
}
inline BufferDecl rw(std::string_view name, uint32_t binding, uint32_t count) {
  return BufferDecl::read_write(name, binding, DataType::U32).with_count(count);
}
inline BufferDecl out(uint32_t count) {
  return BufferDecl::output("out", 0, DataType::U32).with_count(count);
}

inline Expr v(std::string_view name) { return Expr::var(name); }
inline Node grid_sync() { return Node::barrier_with_ordering(MemoryOrdering::kGridSync); }
// An atomic that no function of its own builds.
inline Expr raw_atomic(Op op, std::string_view buffer, Expr index, const Expr* expected,
                       Expr value) {
  return Expr::atomic(op, buffer, std::move(index), expected, std::move(value),
                      MemoryOrdering::kSeqCst);
}

// A program of workgroups of that many invocations.
inline Program lanes(uint32_t count, std::vector<BufferDecl> buffers, Body body) {
  return Program::wrapped(std::move(buffers), {count, 1, 1}, std::move(body));
}

}  // namespace vyre::test::scenario_parts

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random programs that are legal and determinate by construction, for tests that compare two ways
// of running or rewriting them.
//
//   for (uint64_t seed = 1; seed <= 500; ++seed) {
//     INFO("seed " << seed);
//     const Program p = test::random_program(seed);
//     const std::vector<std::vector<std::byte>> inputs = test::random_inputs(p, seed);
//   }
//
// Every invocation reads shared inputs and writes only elements of its own. Programs hold lets,
// assignments, nested loops with ragged bounds, ifs, blocks, regions, private scratch in workgroup
// and Local memory, atomics on words of their own, shared subexpressions, early returns, explicit
// traps and divisions that trap; some have barriers and subgroup operations instead of what could
// make those diverge. Literals and inputs favour the values at which operations go wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::test {

// A generator of our own: the standard's distributions differ between libraries.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567) {}
  uint64_t next();
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }
  bool percent(uint32_t chance) { return below(100) < chance; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[next() % from.size()];
  }

 private:
  uint64_t state_;
};

Program random_program(uint64_t seed);

// One list of bytes a buffer, empty where the caller supplies nothing: mostly edge values, NaNs,
// infinities and subnormals among them.
std::vector<std::vector<std::byte>> random_inputs(const Program& program, uint64_t seed);

}  // namespace vyre::test

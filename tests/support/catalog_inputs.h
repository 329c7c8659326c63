// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Inputs for any program whose inputs are f32, the same everywhere.
#pragma once

#include <vector>

#include "vyre/builders/catalog.h"
#include "vyre/interpreter/value.h"

namespace vyre::test {

// One value an input, in declaration order: multiples of 2^-15 in [-1, 1), exact in f32, from a
// linear congruential generator.
inline std::vector<Value> catalog_inputs(const Program& program) {
  std::vector<Value> inputs;
  uint32_t state = 1;
  for (const BufferDecl& decl : program.buffers()) {
    if (!decl.is_input()) continue;
    std::vector<float> elements(decl.count().value_or(0));
    for (float& x : elements) {
      state = state * 1664525U + 1013904223U;
      x = static_cast<float>(static_cast<int32_t>(state >> 16) - 32768) * 0x1p-15F;
    }
    inputs.push_back(Value::from(elements));
  }
  return inputs;
}

}  // namespace vyre::test

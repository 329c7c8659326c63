// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What flash_attention_2 computes, written as plain C++ in the program's own shape: one row after
// the other, each with its scratch, every guard in place and the weight of a key computed again for
// each output column. It is what an interpreter has to be measured against.
#pragma once

#include <cstdint>
#include <span>

namespace vyre::bench {

struct AttentionShape {
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t tile = 0;
};

// q, k, v and out have rows * columns elements.
void seed_program(AttentionShape shape, std::span<const float> q, std::span<const float> k,
                  std::span<const float> v, std::span<float> out);

}  // namespace vyre::bench

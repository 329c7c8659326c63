// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One attention problem: its sizes and inputs, and the two programs that compute it.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/value.h"

namespace vyre::test {

struct AttentionCase {
  uint32_t seq_len = 0;
  uint32_t head_dim = 0;
  uint32_t tile_size = 0;
  std::vector<float> q{};
  std::vector<float> k{};
  std::vector<float> v{};

  size_t elements() const { return size_t{seq_len} * head_dim; }
  std::vector<Value> inputs() const { return {Value::from(q), Value::from(k), Value::from(v)}; }
  Program tiled() const {
    return flash_attention_2("q", "k", "v", "out", seq_len, head_dim, tile_size);
  }
  Program reference() const {
    return flash_attention_2_reference("q", "k", "v", "out", seq_len, head_dim);
  }
};

}  // namespace vyre::test

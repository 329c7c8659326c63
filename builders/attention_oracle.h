// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Attention in float64 on the host, straight from the definition, to measure the error of programs.
//
//   StatusOr<std::vector<double>> exact = attention_float64(q, k, v, /*seq_len=*/8,
//                                                           /*head_dim=*/16);
//
// No guards and no clamps: NaN and infinities go through as IEEE-754 has them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre {

// softmax(q k^T / sqrt(head_dim)) v with the maximum of each row subtracted first. q, k, v and the
// result are [seq_len, head_dim], row-major; takes time in seq_len^2 * head_dim. InvalidArgument if
// an input's size is not seq_len * head_dim.
StatusOr<std::vector<double>> attention_float64(std::span<const float> q, std::span<const float> k,
                                                std::span<const float> v, uint32_t seq_len,
                                                uint32_t head_dim);

}  // namespace vyre

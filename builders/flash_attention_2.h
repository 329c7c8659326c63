// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// FlashAttention-2: out = softmax(q k^T / sqrt(head_dim)) v, one invocation a query row, by an
// online softmax that never holds a whole row of scores.
//
//   Program p = flash_attention_2("q", "k", "v", "out", /*seq_len=*/8, /*head_dim=*/16,
//                                 /*tile_size=*/4);
//
// q, k, v and out are [seq_len, head_dim], row-major f32, at bindings 0 to 3; the program's extent
// is {seq_len, 1, 1}. Scores and exponents pass through the guards of stability.h: NaN propagates
// to its row, an infinite score becomes -80, results up to 2^-126 become +0.
//
// Invalid dimensions give a trap program (trap.h) whose message says what to fix.
#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/ir/program.h"

namespace vyre {

inline constexpr std::string_view kFlashAttention2OpId = "vyre-libs::nn::flash_attention_2";
inline constexpr std::string_view kFlashAttention2ReferenceOpId =
    "vyre-libs::nn::flash_attention_2_reference";

// Takes the keys in tiles of `tile_size`: the scores of a tile first, then one update of the
// softmax state. Workgroups of 64 lanes; scratch q_scratch, score_tile and o_acc, 64 * (2 *
// head_dim + tile_size) elements of workgroup memory. A tile may be longer than the sequence.
Program flash_attention_2(std::string_view q, std::string_view k, std::string_view v,
                          std::string_view out, uint32_t seq_len, uint32_t head_dim,
                          uint32_t tile_size);

// The same function key by key, as simply as it can be written, to compare with. Workgroups of one
// lane; scratch o_ref, seq_len * head_dim elements. Sums are rounded in another order than those of
// flash_attention_2, so results agree closely but not bit for bit.
Program flash_attention_2_reference(std::string_view q, std::string_view k, std::string_view v,
                                    std::string_view out, uint32_t seq_len, uint32_t head_dim);

}  // namespace vyre

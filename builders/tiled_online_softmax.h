// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The tiled online softmax: attention over tiles of keys, with the scores and the weighted sum of
// values left to the caller. An invocation owns one item (a query row, a head, ...); the softmax
// state of the item is updated once a tile.
//
//   q_scratch = q[item];  m = lowest;  l = 0;  o_acc = 0
//   for each tile of keys:
//     <compute_tile_scores>                                 score_tile[j] = ..., j < tile_len
//     m_new = max(m, scores of the tile);  rescale = exp(m - m_new)
//     l = rescale * l + sum of exp(score_tile[j] - m_new)
//     <update_o_acc>                                        o_acc = rescale * o_acc + ...
//     m = m_new
//   out[item] = o_acc / l
//
// The program declares three workgroup buffers of f32, in which each lane has a slice of its own,
// so that no barriers are needed:
//
//   q_scratch   lanes * head_dim    the item's query:  q_scratch[local * head_dim + d]
//   score_tile  lanes * tile_size   the tile's scores: score_tile[local * tile_size + j]
//   o_acc       lanes * head_dim    the sum of values: o_acc[local * head_dim + d]
//
// compute_tile_scores may read the item variable, local, tile_idx, tile_start, tile_end, tile_len
// and q_scratch, and stores score_tile[j] for each j < tile_len; key j of the tile is key
// tile_start + j of the sequence. update_o_acc may read these and m_new and rescale, and updates
// o_acc. Both may bind any names that are not live: m, l, tile_max, m_new, rescale and tile_sum are
// the softmax's.
//
// A causal mask, for example, is a score body of its own (masked keys keep the weight exp(-80), the
// least that the guards of stability.h let through):
//
//   Expr key = Expr::var("tile_start") + Expr::var("tile_j");
//   Node scores = Node::loop_for(
//       "tile_j", 0U, Expr::var("tile_len"),
//       {Node::let_bind("dot_val", 0.0F),
//        Node::loop_for("score_d", 0U, head_dim,
//                       {Node::assign("dot_val",
//                                     Expr::var("dot_val") +
//                                         Expr::load("q_scratch", Expr::var("local") * head_dim +
//                                                                     Expr::var("score_d")) *
//                                             Expr::load("k", key * head_dim +
//                                                                 Expr::var("score_d")))}),
//        Node::store("score_tile", Expr::var("local") * tile_size + Expr::var("tile_j"),
//                    Expr::select(Expr::le(key, Expr::var("row")),
//                                 bounded_score(Expr::var("dot_val") * scale), kMaxSentinel))});
//   std::vector<Node> body = tiled_online_softmax_body(spec, scores, update_o_acc);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/ir/node.h"

namespace vyre {

struct TiledOnlineSoftmaxSpec {
  std::string q;            // buffer [item_count, head_dim] of f32
  std::string out;          // buffer [item_count, head_dim] of f32
  std::string item_var;     // the variable that holds the item, invocation_id.x
  uint32_t item_count = 0;  // invocations from here on do nothing
  uint32_t seq_len = 0;     // keys
  uint32_t head_dim = 0;
  uint32_t tile_size = 0;  // keys
  // ceil(seq_len / tile_size). tile_count * tile_size must fit u32, or the end of the last tile
  // wraps.
  uint32_t tile_count = 0;
};

// The statements of the kernel, to be put into a region. They use the guards of stability.h.
std::vector<Node> tiled_online_softmax_body(const TiledOnlineSoftmaxSpec& spec,
                                            Body compute_tile_scores, Body update_o_acc);

}  // namespace vyre

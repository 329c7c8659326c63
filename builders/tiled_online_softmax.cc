// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/tiled_online_softmax.h"

#include <string_view>
#include <utility>

#include "vyre/builders/stability.h"

namespace vyre {
namespace {

// Element `offset` of slice `slice`.
Expr at(std::string_view slice, uint32_t slice_size, std::string_view offset) {
  return Expr::var(slice) * slice_size + Expr::var(offset);
}

std::vector<Node> load_query(const TiledOnlineSoftmaxSpec& spec) {
  return {Node::loop_for(
      "load_d", 0U, spec.head_dim,
      {Node::store("q_scratch", at("local", spec.head_dim, "load_d"),
                   Expr::load(spec.q, at(spec.item_var, spec.head_dim, "load_d")))})};
}

std::vector<Node> start_state(const TiledOnlineSoftmaxSpec& spec) {
  return {Node::let_bind("m", kMaxSentinel), Node::let_bind("l", 0.0F),
          Node::loop_for("zero_d", 0U, spec.head_dim,
                         {Node::store("o_acc", at("local", spec.head_dim, "zero_d"), 0.0F)})};
}

std::vector<Node> tile_bounds(const TiledOnlineSoftmaxSpec& spec) {
  const Expr start = Expr::var("tile_start");
  return {Node::let_bind("tile_start", Expr::var("tile_idx") * spec.tile_size),
          Node::let_bind("tile_end", Expr::min(start + spec.tile_size, spec.seq_len)),
          Node::let_bind("tile_len", Expr::var("tile_end") - start)};
}

// tile_max, m_new and rescale, from score_tile and m.
std::vector<Node> new_maximum(const TiledOnlineSoftmaxSpec& spec) {
  const Expr tile_max = Expr::var("tile_max");
  const Expr m = Expr::var("m");
  const Expr m_new = Expr::var("m_new");
  const Expr score = Expr::load("score_tile", at("local", spec.tile_size, "max_j"));
  return {
      Node::let_bind("tile_max", kMaxSentinel),
      Node::loop_for("max_j", 0U, Expr::var("tile_len"),
                     {Node::assign("tile_max", Expr::select(Expr::is_nan(tile_max), tile_max,
                                                            Expr::select(Expr::gt(score, tile_max),
                                                                         score, tile_max)))}),
      Node::let_bind("m_new", Expr::select(Expr::gt(tile_max, m), tile_max, m)),
      Node::let_bind("rescale", Expr::exp(bounded_exp_arg(m - m_new))),
  };
}

// l, from score_tile, m_new and rescale.
std::vector<Node> new_denominator(const TiledOnlineSoftmaxSpec& spec) {
  const Expr score = Expr::load("score_tile", at("local", spec.tile_size, "sum_j"));
  const Expr weight = Expr::exp(bounded_exp_arg(score - Expr::var("m_new")));
  return {
      Node::let_bind("tile_sum", 0.0F),
      Node::loop_for("sum_j", 0U, Expr::var("tile_len"),
                     {Node::assign("tile_sum", Expr::var("tile_sum") + weight)}),
      Node::assign("l", Expr::var("rescale") * Expr::var("l") + Expr::var("tile_sum")),
  };
}

std::vector<Node> write_output(const TiledOnlineSoftmaxSpec& spec) {
  const Expr o = Expr::load("o_acc", at("local", spec.head_dim, "final_d"));
  return {Node::let_bind("denom", positive_denominator(Expr::var("l"))),
          Node::loop_for("final_d", 0U, spec.head_dim,
                         {Node::store(spec.out, at(spec.item_var, spec.head_dim, "final_d"),
                                      flush_tiny(o / Expr::var("denom")))})};
}

}  // namespace

std::vector<Node> tiled_online_softmax_body(const TiledOnlineSoftmaxSpec& spec,
                                            Body compute_tile_scores, Body update_o_acc) {
  const Node tiles = Node::loop_for(
      "tile_idx", 0U, spec.tile_count,
      {tile_bounds(spec), std::move(compute_tile_scores), new_maximum(spec), new_denominator(spec),
       std::move(update_o_acc), Node::assign("m", Expr::var("m_new"))});
  return {
      Node::let_bind(spec.item_var, Expr::invocation_id(0)),
      Node::let_bind("local", Expr::local_id(0)),
      Node::if_then(Expr::lt(Expr::var(spec.item_var), spec.item_count),
                    {load_query(spec), start_state(spec), tiles, write_output(spec)}),
  };
}

}  // namespace vyre

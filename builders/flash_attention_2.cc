// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/flash_attention_2.h"

#include <fmt/format.h>

#include <cfenv>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "vyre/builders/planner.h"
#include "vyre/builders/stability.h"
#include "vyre/builders/tiled_online_softmax.h"
#include "vyre/builders/trap.h"
#include "vyre/ir/region.h"

namespace vyre {
namespace {

// 1 / sqrt(head_dim) in f32, each step rounded to nearest even, whatever the caller's
// floating-point environment is.
float score_scale(uint32_t head_dim) {
  std::fenv_t caller;
  std::fegetenv(&caller);
  std::fesetenv(FE_DFL_ENV);
  // volatile keeps the arithmetic between the two changes of the environment. The builtin is the
  // correctly rounded instruction; std::sqrt could be a library's.
  const volatile uint32_t dim = head_dim;
  const volatile float scale = 1.0F / __builtin_sqrtf(static_cast<float>(dim));
  std::fesetenv(&caller);
  return scale;
}

Expr element(const Expr& row, uint32_t head_dim, std::string_view column) {
  return row * head_dim + Expr::var(column);
}

// score_tile[local, j] = bounded_score(scale * dot(q row, k[tile_start + j])).
Node tile_scores(std::string_view k, const FlashAttentionWorkPlan& plan) {
  const Expr key = Expr::var("tile_start") + Expr::var("tile_j");
  const Expr product =
      Expr::load("q_scratch", element(Expr::var("local"), plan.head_dim, "score_d")) *
      Expr::load(k, element(key, plan.head_dim, "score_d"));
  return Node::loop_for(
      "tile_j", 0U, Expr::var("tile_len"),
      {Node::let_bind("dot_val", 0.0F),
       Node::loop_for("score_d", 0U, plan.head_dim,
                      {Node::assign("dot_val", Expr::var("dot_val") + product)}),
       Node::let_bind("raw_score", Expr::var("dot_val") * score_scale(plan.head_dim)),
       Node::let_bind("score", bounded_score(Expr::var("raw_score"))),
       Node::store("score_tile", element(Expr::var("local"), plan.tile_size, "tile_j"),
                   Expr::var("score"))});
}

// o_acc[local, d] = rescale * o_acc[local, d] + sum of exp(score_tile[j] - m_new) * v[j, d].
Node tile_output(std::string_view v, const FlashAttentionWorkPlan& plan) {
  const Expr score = Expr::load("score_tile", element(Expr::var("local"), plan.tile_size, "v_j"));
  const Expr weight = Expr::exp(bounded_exp_arg(score - Expr::var("m_new")));
  const Expr key = Expr::var("tile_start") + Expr::var("v_j");
  const Expr value = Expr::load(v, element(key, plan.head_dim, "out_d"));
  const Expr slot = element(Expr::var("local"), plan.head_dim, "out_d");
  return Node::loop_for(
      "out_d", 0U, plan.head_dim,
      {Node::let_bind("weighted_v", 0.0F),
       Node::loop_for("v_j", 0U, Expr::var("tile_len"),
                      {Node::assign("weighted_v", Expr::var("weighted_v") + weight * value)}),
       Node::store("o_acc", slot,
                   Expr::var("rescale") * Expr::load("o_acc", slot) + Expr::var("weighted_v"))});
}

// The score of row and key j, m_new, rescale, prob and l_new.
std::vector<Node> reference_softmax_step(std::string_view q, std::string_view k,
                                         uint32_t head_dim) {
  const Expr m = Expr::var("m");
  const Expr m_new = Expr::var("m_new");
  const Expr score = Expr::var("score");
  const Expr product = Expr::load(q, element(Expr::var("row"), head_dim, "kd")) *
                       Expr::load(k, element(Expr::var("j"), head_dim, "kd"));
  return {
      Node::let_bind("dot_val", 0.0F),
      Node::loop_for("kd", 0U, head_dim, {Node::assign("dot_val", Expr::var("dot_val") + product)}),
      Node::let_bind("raw_score", Expr::var("dot_val") * score_scale(head_dim)),
      Node::let_bind("score", bounded_score(Expr::var("raw_score"))),
      Node::let_bind("m_new", Expr::select(Expr::gt(score, m), score, m)),
      Node::let_bind("rescale", Expr::exp(bounded_exp_arg(m - m_new))),
      Node::let_bind("prob", Expr::exp(bounded_exp_arg(score - m_new))),
      Node::let_bind("l_new", Expr::var("rescale") * Expr::var("l") + Expr::var("prob")),
  };
}

// One key: o_ref and the softmax state take it in.
std::vector<Node> reference_key(std::string_view q, std::string_view k, std::string_view v,
                                uint32_t head_dim) {
  const Expr slot = element(Expr::var("row"), head_dim, "od");
  const Expr value = Expr::load(v, element(Expr::var("j"), head_dim, "od"));
  return Body{reference_softmax_step(q, k, head_dim),
              Node::loop_for("od", 0U, head_dim,
                             {Node::store("o_ref", slot,
                                          Expr::var("rescale") * Expr::load("o_ref", slot) +
                                              Expr::var("prob") * value)}),
              Node::assign("m", Expr::var("m_new")), Node::assign("l", Expr::var("l_new"))}
      .nodes();
}

std::vector<Node> reference_row(std::string_view q, std::string_view k, std::string_view v,
                                std::string_view out, uint32_t seq_len, uint32_t head_dim) {
  const Expr row = Expr::var("row");
  const Expr written = element(row, head_dim, "write_d");
  return {
      Node::let_bind("m", kMaxSentinel),
      Node::let_bind("l", 0.0F),
      Node::loop_for("init_d", 0U, head_dim,
                     {Node::store("o_ref", element(row, head_dim, "init_d"), 0.0F)}),
      Node::loop_for("j", 0U, seq_len, reference_key(q, k, v, head_dim)),
      Node::let_bind("denom", positive_denominator(Expr::var("l"))),
      Node::loop_for("write_d", 0U, head_dim,
                     {Node::store(out, written,
                                  flush_tiny(Expr::load("o_ref", written) / Expr::var("denom")))}),
  };
}

BufferDecl input(std::string_view name, uint32_t binding, uint32_t count) {
  return BufferDecl::storage(name, binding, BufferAccess::kReadOnly, DataType::F32)
      .with_count(count);
}

}  // namespace

Program flash_attention_2(std::string_view q, std::string_view k, std::string_view v,
                          std::string_view out, uint32_t seq_len, uint32_t head_dim,
                          uint32_t tile_size) {
  const auto trap = [out](std::string_view message) {
    return invalid_builder_trap_program(kFlashAttention2OpId, out, DataType::F32, message);
  };
  if (seq_len == 0 || head_dim == 0 || tile_size == 0) {
    return trap("Fix: flash_attention_2 seq_len, head_dim, and tile_size must all be > 0");
  }
  const StatusOr<FlashAttentionWorkPlan> plan =
      plan_flash_attention_tiled(seq_len, head_dim, tile_size);
  if (!plan.ok()) return trap(message_of(plan.status()));
  // tile_start + tile_size would wrap in the last tile, which would then take in keys that do not
  // exist.
  if (uint64_t{plan->tile_count} * tile_size > std::numeric_limits<uint32_t>::max()) {
    return trap(
        fmt::format("Fix: flash_attention_2 end of the last tile overflows u32: {}*{}; use "
                    "a tile_size that divides seq_len={}.",
                    plan->tile_count, tile_size, seq_len));
  }
  const TiledOnlineSoftmaxSpec spec{.q = std::string(q),
                                    .out = std::string(out),
                                    .item_var = "row",
                                    .item_count = seq_len,
                                    .seq_len = seq_len,
                                    .head_dim = head_dim,
                                    .tile_size = tile_size,
                                    .tile_count = plan->tile_count};
  std::vector<Node> body =
      tiled_online_softmax_body(spec, tile_scores(k, *plan), tile_output(v, *plan));
  return Program::wrapped(
             {input(q, 0, plan->logical_elements), input(k, 1, plan->logical_elements),
              input(v, 2, plan->logical_elements),
              BufferDecl::workgroup("q_scratch", plan->q_scratch_elements, DataType::F32),
              BufferDecl::workgroup("score_tile", plan->score_scratch_elements, DataType::F32),
              BufferDecl::workgroup("o_acc", plan->o_acc_scratch_elements, DataType::F32),
              BufferDecl::output(out, 3, DataType::F32).with_count(plan->logical_elements)},
             {plan->workgroup_lanes, 1, 1}, wrap_anonymous(kFlashAttention2OpId, std::move(body)))
      .with_extent(Dim3{seq_len, 1, 1});
}

Program flash_attention_2_reference(std::string_view q, std::string_view k, std::string_view v,
                                    std::string_view out, uint32_t seq_len, uint32_t head_dim) {
  const auto trap = [out](std::string_view message) {
    return invalid_builder_trap_program(kFlashAttention2ReferenceOpId, out, DataType::F32, message);
  };
  if (seq_len == 0 || head_dim == 0) {
    return trap("Fix: flash_attention_2_reference seq_len and head_dim must be > 0");
  }
  uint32_t elements = 0;
  if (__builtin_mul_overflow(seq_len, head_dim, &elements)) {
    return trap("Fix: flash_attention_2_reference seq_len*head_dim overflows u32");
  }
  std::vector<Node> body{Node::let_bind("row", Expr::invocation_id(0)),
                         Node::if_then(Expr::lt(Expr::var("row"), seq_len),
                                       reference_row(q, k, v, out, seq_len, head_dim))};
  return Program::wrapped({input(q, 0, elements), input(k, 1, elements), input(v, 2, elements),
                           BufferDecl::workgroup("o_ref", elements, DataType::F32),
                           BufferDecl::output(out, 3, DataType::F32).with_count(elements)},
                          {1, 1, 1}, wrap_anonymous(kFlashAttention2ReferenceOpId, std::move(body)))
      .with_extent(Dim3{seq_len, 1, 1});
}

}  // namespace vyre

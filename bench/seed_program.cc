// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/seed_program.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vyre::bench {
namespace {

constexpr float kLowest = -3.4028235e+38f;
constexpr float kSmallest = 1.1754944e-38f;

float bounded_score(float raw) {
  if (std::isnan(raw)) return raw;
  return std::isfinite(raw) ? raw : -80.0f;
}

float bounded_exp(float x) {
  if (std::isnan(x)) return x;
  const float finite = std::isfinite(x) ? x : -80.0f;
  const float capped = finite > 0.0f ? 0.0f : finite;
  return std::exp(capped < -80.0f ? -80.0f : capped);
}

float flush_tiny(float x) { return std::abs(x) <= kSmallest ? 0.0f : x; }

void attend_row(AttentionShape shape, uint32_t row, std::span<const float> q,
                std::span<const float> k, std::span<const float> v, std::span<float> out,
                std::span<float> q_scratch, std::span<float> score_tile, std::span<float> o_acc) {
  const uint32_t columns = shape.columns;
  for (uint32_t d = 0; d < columns; ++d) q_scratch[d] = q[size_t{row} * columns + d];
  float m = kLowest;
  float l = 0.0f;
  for (uint32_t d = 0; d < columns; ++d) o_acc[d] = 0.0f;
  const float scale = 1.0f / std::sqrt(static_cast<float>(columns));
  for (uint32_t start = 0; start < shape.rows; start += shape.tile) {
    const uint32_t length = std::min(start + shape.tile, shape.rows) - start;
    for (uint32_t j = 0; j < length; ++j) {
      float dot = 0.0f;
      for (uint32_t d = 0; d < columns; ++d) {
        dot = dot + q_scratch[d] * k[size_t{start + j} * columns + d];
      }
      score_tile[j] = bounded_score(dot * scale);
    }
    float tile_max = kLowest;
    for (uint32_t j = 0; j < length; ++j) {
      if (!std::isnan(tile_max)) tile_max = score_tile[j] > tile_max ? score_tile[j] : tile_max;
    }
    const float m_new = tile_max > m ? tile_max : m;
    const float rescale = bounded_exp(m - m_new);
    float tile_sum = 0.0f;
    for (uint32_t j = 0; j < length; ++j) tile_sum = tile_sum + bounded_exp(score_tile[j] - m_new);
    l = rescale * l + tile_sum;
    for (uint32_t d = 0; d < columns; ++d) {
      float weighted = 0.0f;
      for (uint32_t j = 0; j < length; ++j) {
        weighted =
            weighted + bounded_exp(score_tile[j] - m_new) * v[size_t{start + j} * columns + d];
      }
      o_acc[d] = rescale * o_acc[d] + weighted;
    }
    m = m_new;
  }
  const float denominator = std::isnan(l) ? l : std::isfinite(l) && l > kSmallest ? l : kSmallest;
  for (uint32_t d = 0; d < columns; ++d) {
    out[size_t{row} * columns + d] = flush_tiny(o_acc[d] / denominator);
  }
}

}  // namespace

void seed_program(AttentionShape shape, std::span<const float> q, std::span<const float> k,
                  std::span<const float> v, std::span<float> out) {
  std::vector<float> q_scratch(shape.columns);
  std::vector<float> score_tile(shape.tile);
  std::vector<float> o_acc(shape.columns);
  for (uint32_t row = 0; row < shape.rows; ++row) {
    attend_row(shape, row, q, k, v, out, q_scratch, score_tile, o_acc);
  }
}

}  // namespace vyre::bench

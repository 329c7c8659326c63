// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/attention_oracle.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

namespace vyre {
namespace {

Status check_size(std::string_view name, std::span<const float> input, uint32_t seq_len,
                  uint32_t head_dim) {
  const uint64_t elements = uint64_t{seq_len} * head_dim;
  if (input.size() == elements) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} has {} elements, but seq_len*head_dim = {}*{} = {}. Fix: pass {} as a "
                  "[seq_len, head_dim] tensor.",
                  name, input.size(), seq_len, head_dim, elements, name));
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

// Scores to weights that add up to 1. A NaN score makes every weight NaN.
void softmax(std::span<double> scores) {
  double maximum = -std::numeric_limits<double>::infinity();
  for (const double score : scores) {
    if (score > maximum || std::isnan(score)) maximum = score;
  }
  double sum = 0;
  for (double& score : scores) {
    score = std::exp(score - maximum);
    sum += score;
  }
  for (double& score : scores) score /= sum;
}

}  // namespace

StatusOr<std::vector<double>> attention_float64(std::span<const float> q, std::span<const float> k,
                                                std::span<const float> v, uint32_t seq_len,
                                                uint32_t head_dim) {
  if (Status s = check_size("q", q, seq_len, head_dim); !s.ok()) return s;
  if (Status s = check_size("k", k, seq_len, head_dim); !s.ok()) return s;
  if (Status s = check_size("v", v, seq_len, head_dim); !s.ok()) return s;
  std::vector<double> out(q.size());
  // Without elements there may still be 2^32 rows.
  if (out.empty()) return out;

  const double scale = 1.0 / std::sqrt(static_cast<double>(head_dim));
  const auto row_of = [head_dim](std::span<const float> x, size_t row) {
    return x.subspan(row * head_dim, head_dim);
  };
  std::vector<double> weights(seq_len);
  for (size_t row = 0; row < seq_len; ++row) {
    for (size_t j = 0; j < seq_len; ++j) weights[j] = scale * dot(row_of(q, row), row_of(k, j));
    softmax(weights);
    for (size_t j = 0; j < seq_len; ++j) {
      const std::span<const float> value = row_of(v, j);
      for (size_t d = 0; d < head_dim; ++d) {
        out[row * head_dim + d] += weights[j] * static_cast<double>(value[d]);
      }
    }
  }
  return out;
}

}  // namespace vyre

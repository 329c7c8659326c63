// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/attention_oracle.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace vyre {
namespace {

TEST_CASE("equal scores weigh all values alike") {
  const std::vector<float> q(4, 0.0F);
  const std::vector<float> v{1.0F, 2.0F, 3.0F, 6.0F};
  CHECK(*attention_float64(q, q, v, 2, 2) == std::vector<double>{2.0, 4.0, 2.0, 4.0});
}

TEST_CASE("weights are the softmax of the scaled scores") {
  const std::vector<float> q{2.0F, 0.0F, 0.0F, 0.0F};
  const std::vector<float> k{1.0F, 0.0F, 3.0F, 0.0F};
  const std::vector<float> v{1.0F, 0.0F, 0.0F, 1.0F};
  const std::vector<double> out = *attention_float64(q, k, v, 2, 2);
  const double w = 1.0 / (1.0 + std::exp(4.0 / std::sqrt(2.0)));
  CHECK(out[0] == Approx(w).epsilon(1e-14));
  CHECK(out[1] == Approx(1.0 - w).epsilon(1e-14));
  CHECK(out[2] == 0.5);
  CHECK(out[3] == 0.5);
}

TEST_CASE("large scores do not overflow") {
  const std::vector<float> q{1e30F, 1e30F};
  const std::vector<float> v{5.0F, 7.0F};
  CHECK(*attention_float64(q, q, v, 2, 1) == std::vector<double>{6.0, 6.0});
}

TEST_CASE("a NaN stays in its row") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> q{nan, 1.0F};
  const std::vector<float> ones{1.0F, 1.0F};
  const std::vector<double> out = *attention_float64(q, ones, ones, 2, 1);
  CHECK(std::isnan(out[0]));
  CHECK(out[1] == 1.0);
}

TEST_CASE("sizes that do not fit are refused, by name") {
  const std::vector<float> two(2);
  const std::vector<float> three(3);
  const auto message = [](const StatusOr<std::vector<double>>& result) {
    return std::string(message_of(result.status()));
  };
  CHECK(message(attention_float64(two, three, two, 2, 1)) ==
        "k has 3 elements, but seq_len*head_dim = 2*1 = 2. Fix: pass k as a [seq_len, head_dim] "
        "tensor.");
  CHECK_FALSE(attention_float64(two, two, two, 4294967295, 4294967295).ok());
  CHECK(attention_float64({}, {}, {}, 4294967295, 0)->empty());
  CHECK(attention_float64({}, {}, {}, 0, 4294967295)->empty());
}

}  // namespace
}  // namespace vyre

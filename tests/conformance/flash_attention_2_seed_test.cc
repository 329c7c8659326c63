// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The original's five tests of flash_attention_2, under their own names.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/evaluate.h"

namespace vyre {
namespace {

// Four values: the original's call takes one that stands for the output, too.
std::vector<float> run_program(const Program& program, const std::vector<float>& q,
                               const std::vector<float>& k, const std::vector<float>& v) {
  const auto out = std::ranges::find(program.buffers(), "out", &BufferDecl::name);
  REQUIRE(out != program.buffers().end());
  const size_t out_bytes = size_t{out->count().value()} * sizeof(float);
  const std::vector<Value> inputs{Value::from(q), Value::from(k), Value::from(v),
                                  Value::zeros(out_bytes)};
  const StatusOr<std::vector<Value>> outputs = reference_eval(program, inputs);
  INFO((outputs.ok() ? std::string() : std::string(message_of(outputs.status()))));
  REQUIRE(outputs.ok());
  return decode_f32((*outputs)[0].to_bytes());
}

std::vector<float> filled(size_t elements, const std::function<float(float)>& value) {
  std::vector<float> list(elements);
  for (size_t i = 0; i < elements; ++i) list[i] = value(static_cast<float>(i));
  return list;
}

void check_tiled_matches_reference(uint32_t seq_len, uint32_t head_dim, uint32_t tile_size,
                                   const std::vector<float>& q, const std::vector<float>& k,
                                   const std::vector<float>& v) {
  const std::vector<float> actual =
      run_program(flash_attention_2("q", "k", "v", "out", seq_len, head_dim, tile_size), q, k, v);
  const std::vector<float> expected =
      run_program(flash_attention_2_reference("q", "k", "v", "out", seq_len, head_dim), q, k, v);
  REQUIRE(actual.size() == expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    INFO("element " << i << ": " << actual[i] << " and " << expected[i]);
    CHECK(std::abs(actual[i] - expected[i]) <= 1.0e-3F);
  }
}

TEST_CASE("flash_attention_2_matches_reference") {
  const auto q = filled(8 * 16, [](float i) { return std::sin(i * 0.13F) - 0.5F; });
  const auto k = filled(8 * 16, [](float i) { return std::cos(i * 0.07F) + 0.25F; });
  const auto v = filled(8 * 16, [](float i) { return std::sin(i * 0.19F) * 2.0F; });
  check_tiled_matches_reference(8, 16, 4, q, k, v);
}

TEST_CASE("flash_attention_2_output_shape") {
  const size_t elements = 5 * 7;
  const std::vector<float> out = run_program(
      flash_attention_2("q", "k", "v", "out", 5, 7, 3), std::vector<float>(elements, 1.0F),
      std::vector<float>(elements, 0.5F), std::vector<float>(elements, 2.0F));
  CHECK(out.size() == elements);
}

TEST_CASE("flash_attention_2_seq_len_one") {
  check_tiled_matches_reference(1, 4, 1, {1.0F, 2.0F, 3.0F, 4.0F}, {0.5F, 1.5F, 2.5F, 3.5F},
                                {10.0F, 20.0F, 30.0F, 40.0F});
}

TEST_CASE("flash_attention_2_seq_len_eq_tile_size") {
  const auto q = filled(4 * 8, [](float i) { return i * 0.1F; });
  const auto k = filled(4 * 8, [](float i) { return i * 0.05F + 0.2F; });
  const auto v = filled(4 * 8, [](float i) { return i * 0.3F - 0.1F; });
  check_tiled_matches_reference(4, 8, 4, q, k, v);
}

TEST_CASE("flash_attention_2_seq_len_eq_tile_size_plus_one") {
  const auto q = filled(5 * 8, [](float i) { return i * 0.11F; });
  const auto k = filled(5 * 8, [](float i) { return i * 0.06F + 0.15F; });
  const auto v = filled(5 * 8, [](float i) { return i * 0.25F - 0.05F; });
  check_tiled_matches_reference(5, 8, 4, q, k, v);
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random shapes: the tiled program against the reference program, and both against float64.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "tests/support/attention_case.h"
#include "tests/support/engine_run.h"
#include "tests/support/test_size.h"
#include "vyre/builders/attention_oracle.h"

namespace vyre {
namespace {

using test::AttentionCase;

constexpr uint32_t kSeed = 20240611;
constexpr int kShapes = 200;
// Between the two programs, whose sums are rounded in different orders.
constexpr double kBetween = 1e-5;
// From float64. The inputs are in [-1, 1), so outputs are too; a score of 96 products is off by
// some 2^-24 * sqrt(96), which moves its weight by as much, and the exponential and the two
// running sums add about as much again.
constexpr double kFromExact = 1e-5;

float uniform(std::mt19937& random) { return static_cast<float>(random() >> 8) * 0x1p-23F - 1.0F; }

std::vector<float> uniform_list(std::mt19937& random, size_t elements) {
  std::vector<float> list(elements);
  for (float& x : list) x = uniform(random);
  return list;
}

// 1 to `limit`, small numbers more often than large ones.
uint32_t dimension(std::mt19937& random, uint32_t limit) {
  const auto below = 1 + static_cast<uint32_t>(random() % limit);
  return 1 + static_cast<uint32_t>(random() % below);
}

// The first shapes are the corners and the edges of a workgroup of 64; the others are random.
AttentionCase shape(int number, std::mt19937& random) {
  static const std::vector<AttentionCase> corners{
      {1, 1, 1},   {1, 96, 130}, {130, 1, 1},  {130, 96, 130}, {130, 2, 129},
      {64, 3, 64}, {65, 3, 64},  {128, 2, 64}, {129, 2, 64},   {63, 4, 2},
  };
  AttentionCase problem;
  if (static_cast<size_t>(number) < corners.size()) {
    problem = corners[static_cast<size_t>(number)];
  } else {
    problem.seq_len = dimension(random, 130);
    problem.head_dim = dimension(random, 96);
    problem.tile_size = dimension(random, 130);
  }
  problem.q = uniform_list(random, problem.elements());
  problem.k = uniform_list(random, problem.elements());
  problem.v = uniform_list(random, problem.elements());
  return problem;
}

std::vector<float> run(Engine& engine, const Program& program, const AttentionCase& problem) {
  const test::EngineRun result = test::run_on(engine, program, problem.inputs());
  INFO(message_of(result.status));
  REQUIRE(result.ok());
  std::vector<float> out = decode_f32(result.outputs.at(0).to_bytes());
  REQUIRE(out.size() == problem.elements());
  return out;
}

// The largest difference; infinite if one of the two is a NaN.
template <typename T>
double distance(const std::vector<float>& a, const std::vector<T>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double{a[i]} - double{b[i]});
    if (std::isnan(difference)) return HUGE_VAL;
    largest = std::max(largest, difference);
  }
  return largest;
}

TEST_CASE("tiled attention equals the reference and float64 on random shapes") {
  const int shapes = test::sized_for_build("attention shapes", kShapes);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    std::mt19937 random(kSeed);
    int ragged = 0;
    int longer_than_sequence = 0;
    double between = 0;
    double from_exact = 0;
    for (int i = 0; i < shapes; ++i) {
      const AttentionCase problem = shape(i, random);
      INFO(engine->name() << ", seed " << kSeed << ", shape " << i << ": seq_len "
                          << problem.seq_len << ", head_dim " << problem.head_dim << ", tile_size "
                          << problem.tile_size);
      longer_than_sequence += problem.tile_size > problem.seq_len ? 1 : 0;
      ragged += problem.seq_len % problem.tile_size != 0 ? 1 : 0;
      const std::vector<float> tiled = run(*engine, problem.tiled(), problem);
      const std::vector<float> reference = run(*engine, problem.reference(), problem);
      const std::vector<double> exact =
          attention_float64(problem.q, problem.k, problem.v, problem.seq_len, problem.head_dim)
              .value();
      CHECK(distance(tiled, reference) <= kBetween);
      CHECK(distance(tiled, exact) <= kFromExact);
      CHECK(distance(reference, exact) <= kFromExact);
      between = std::max(between, distance(tiled, reference));
      from_exact = std::max({from_exact, distance(tiled, exact), distance(reference, exact)});
    }
    CHECK(longer_than_sequence >= shapes / 10);
    CHECK(ragged > longer_than_sequence);
    std::printf("%s: %d attention shapes, seed %u: at most %.2g apart, %.2g from float64\n",
                engine->name().c_str(), shapes, kSeed, between, from_exact);
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/random_inputs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "vyre/interpreter/value.h"
#include "vyre/ir/scalar/convert.h"

namespace vyre::tools {
namespace {

TEST_CASE("random inputs are those that the documentation defines") {
  const auto mix = [](uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  };
  // SplitMix64's published first results from state 0, which is mix(0) + 0.
  CHECK(random_bits(0, 0, 0) == 0xE220A8397B1DCDAF);
  CHECK(random_bits(0, 0, 1) == 0x6E789E6AA1B965F4);
  const std::vector<float> x = decode_f32(generate({}, DataType::F32, 1000, 2));
  for (uint64_t i = 0; i < x.size(); ++i) {
    const uint64_t r = mix(mix(1) + 2 + (i + 1) * 0x9E3779B97F4A7C15);
    CHECK(x[i] == std::ldexp(static_cast<float>(r >> 40), -23) - 1);
  }
}

TEST_CASE("random floats lie from -1 to below 1 and reach both ends' neighbourhoods") {
  const std::vector<float> x = decode_f32(generate({}, DataType::F32, 100000, 0));
  CHECK(*std::min_element(x.begin(), x.end()) >= -1);
  CHECK(*std::min_element(x.begin(), x.end()) < -0.999f);
  CHECK(*std::max_element(x.begin(), x.end()) < 1);
  CHECK(*std::max_element(x.begin(), x.end()) > 0.999f);
  for (const uint16_t bits : decode<uint16_t>(generate({}, DataType::F16, 1000, 0))) {
    const float value = scalar::f16_to_f32(bits);
    CHECK((value >= -1 && value < 1));
    CHECK(std::ldexp(value, 10) == std::floor(std::ldexp(value, 10)));
  }
}

TEST_CASE("random integers are small and of both signs") {
  for (const int32_t value : decode<int32_t>(generate({}, DataType::I32, 1000, 0))) {
    CHECK((value >= -16 && value < 16));
  }
  for (const uint8_t value : decode<uint8_t>(generate({}, DataType::U8, 1000, 0))) {
    CHECK(value < 32);
  }
  for (const uint32_t value : decode<uint32_t>(generate({}, DataType::Bool, 1000, 0))) {
    CHECK(value < 2);
  }
}

TEST_CASE("seeds and positions give different numbers, the same ones the same") {
  const auto bytes = [](uint64_t seed, uint64_t position) {
    return generate({Generator::Kind::kRandom, seed}, DataType::F32, 64, position);
  };
  CHECK(bytes(1, 0) == bytes(1, 0));
  CHECK(bytes(1, 0) != bytes(2, 0));
  CHECK(bytes(1, 0) != bytes(1, 1));
  CHECK(bytes(1, 1) != bytes(2, 0));
}

TEST_CASE("arange, zeros and ones are what they say, in every type") {
  CHECK(decode_f32(generate({Generator::Kind::kArange}, DataType::F32, 3, 5)) ==
        std::vector<float>{0, 1, 2});
  CHECK(decode<double>(generate({Generator::Kind::kOnes}, DataType::F64, 2, 0)) ==
        std::vector<double>{1, 1});
  CHECK(decode<uint8_t>(generate({Generator::Kind::kArange}, DataType::U8, 257, 0)).back() == 0);
  CHECK(decode_u32(generate({Generator::Kind::kArange}, DataType::Bool, 3, 0)) ==
        std::vector<uint32_t>{0, 1, 1});
  CHECK(decode<int64_t>(generate({Generator::Kind::kZeros}, DataType::I64, 1, 0)) ==
        std::vector<int64_t>{0});
}

TEST_CASE("generators are told from files") {
  CHECK(parse_generator("random").value()->seed == 1);
  CHECK(parse_generator("random:18446744073709551615").value()->seed == UINT64_MAX);
  CHECK_FALSE(parse_generator("random.npy").value().has_value());
  CHECK_FALSE(parse_generator("./random").value().has_value());
  for (const char* bad : {"random:", "random:-1", "random:1x", "random:18446744073709551616"}) {
    CHECK(message_of(parse_generator(bad).status()).find("the seed is") != std::string::npos);
  }
  CHECK(message_of(parse_generator("arrange").status()).find("did you mean `arange`?") !=
        std::string::npos);
  CHECK_FALSE(parse_generator("").ok());
}

}  // namespace
}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/compare.h"

#include <bit>
#include <catch2/catch.hpp>
#include <limits>

#include "vyre/interpreter/value.h"

namespace vyre::tools {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

uint64_t differing(float got, float expected, const Tolerance& tolerance = {}) {
  return compare(DataType::F32, f32_bytes(std::vector{got}), f32_bytes(std::vector{expected}),
                 tolerance)
      .count;
}

TEST_CASE("without a tolerance floats are compared by bits, any NaN equal to any other") {
  CHECK(differing(1.0f, 1.0f) == 0);
  CHECK(differing(1.0f, 1.0000001f) == 1);
  CHECK(differing(0.0f, -0.0f) == 1);
  CHECK(differing(kNaN, std::bit_cast<float>(0xFF812345u)) == 0);
  CHECK(differing(kInf, kInf) == 0);
}

TEST_CASE("U02: a NaN differs from every number, both ways and under every tolerance") {
  for (const Tolerance& tolerance :
       {Tolerance{}, Tolerance{1e30, 0}, Tolerance{0, 1e30}, Tolerance{1e300, 1e300}}) {
    for (const float number : {0.0f, 1.0f, kInf, -kInf}) {
      CHECK(differing(kNaN, number, tolerance) == 1);
      CHECK(differing(number, kNaN, tolerance) == 1);
    }
    CHECK(differing(kNaN, kNaN, tolerance) == 0);
  }
}

TEST_CASE("tolerances hold between finite numbers only") {
  CHECK(differing(1.5f, 1.0f, {0.5, 0}) == 0);
  CHECK(differing(1.5f, 1.0f, {0.25, 0}) == 1);
  CHECK(differing(3.0f, 2.0f, {0, 0.5}) == 0);
  CHECK(differing(2.0f, 3.5f, {0, 0.25}) == 1);
  CHECK(differing(0.0f, -0.0f, {1e-9, 0}) == 0);
  for (const float number : {0.0f, 3e38f, -kInf}) {
    CHECK(differing(number, kInf, {1e300, 1e300}) == 1);
    CHECK(differing(kInf, number, {1e300, 1e300}) == 1);
  }
  CHECK(differing(kInf, kInf, {1, 1}) == 0);
}

TEST_CASE("integers are compared exactly, tolerance or not") {
  const auto got = u32_bytes(std::vector<uint32_t>{1, 2, 3, 4});
  const auto expected = u32_bytes(std::vector<uint32_t>{1, 2, 4, 5});
  const Difference difference = compare(DataType::U32, got, expected, {10, 10});
  CHECK(difference.count == 2);
  CHECK(difference.to_string("y") ==
        "y: 2 of 4 elements differ, first element 2: got 3, expected 4");
}

TEST_CASE("a difference names the first element and both values with their bits") {
  const auto got = f32_bytes(std::vector{1.0f, -0.0f, 2.0f});
  const auto expected = f32_bytes(std::vector{1.0f, 0.0f, kNaN});
  CHECK(compare(DataType::F32, got, expected).to_string("out") ==
        "out: 2 of 3 elements differ, first element 1: got -0 (0x80000000), expected 0 "
        "(0x00000000)");
  CHECK(compare(DataType::F32, got, got).to_string("out") == "out: 3 elements equal");
  CHECK(compare(DataType::F32, got, got, {1, 0}).to_string("out") ==
        "out: 3 elements equal within the tolerance");
}

TEST_CASE("elements of every type are shown by value") {
  const auto text = [](DataType::Kind element, uint64_t bits) {
    return element_text(element, reinterpret_cast<const std::byte*>(&bits));
  };
  CHECK(text(DataType::Bool, 7) == "true");
  CHECK(text(DataType::I8, 0xFF) == "-1");
  CHECK(text(DataType::U8, 0xFF) == "255");
  CHECK(text(DataType::I32, 0xFFFFFFFE) == "-2");
  CHECK(text(DataType::I64, UINT64_MAX) == "-1");
  CHECK(text(DataType::U64, UINT64_MAX) == "18446744073709551615");
  CHECK(text(DataType::F16, 0x3C00) == "1 (0x3c00)");
  CHECK(text(DataType::BF16, 0x3F80) == "1 (0x3f80)");
  CHECK(text(DataType::F8E4M3, 0x38) == "1 (0x38)");
  CHECK(text(DataType::F64, 0x3FF8000000000000) == "1.5 (0x3ff8000000000000)");
}

TEST_CASE("the distance from exact results counts what is not finite apart") {
  const auto got = f32_bytes(std::vector{1.0f, 2.5f, kNaN, kNaN, kInf, kInf});
  const std::vector<double> exact = {1.0, 2.0, kNaN, 1.0, kInf, 1.0};
  const OracleError error = oracle_error(got, exact);
  CHECK(error.largest == 0.5);
  CHECK(error.nan_mismatches == 2);
  CHECK(error.to_string() == "0.5, 2 not finite");
}

}  // namespace
}  // namespace vyre::tools

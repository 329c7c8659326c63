// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/exact_roots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vyre::bench {

namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// significand * 2^exponent with 2^23 <= significand < 2^24.
struct Parts {
  std::uint64_t significand;
  int exponent;
};

// Of a finite number above zero, or of the magnitude of one below.
Parts parts_of(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const int exponent = static_cast<int>((bits >> 23) & 0xFF);
  const std::uint32_t fraction = bits & 0x007FFFFF;
  if (exponent != 0) return {fraction | 0x00800000, exponent - 150};
  const int shift = std::countl_zero(fraction) - 8;
  return {std::uint64_t{fraction} << shift, -149 - shift};
}

// The largest integer whose square is at most `square`, which is below 2^49: a double holds it, and
// its root is off by less than one.
std::uint64_t integer_root(std::uint64_t square) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

float scaled(std::uint64_t significand, int exponent) {
  return std::ldexp(static_cast<float>(significand), exponent);
}

}  // namespace

float exact_sqrt(float x) {
  if (x != x || x < 0.0f) return kNan;
  if (x == 0.0f || x == kInfinity) return x;
  // The root of significand * 2^shift, 2^46 up to 2^48, has the 24 bits of the result.
  const Parts parts = parts_of(x);
  const int shift = (parts.exponent & 1) != 0 ? 23 : 24;
  const std::uint64_t square = parts.significand << shift;
  const std::uint64_t root = integer_root(square);
  // Above root + 1/2? Never equal: 4 * square is even, the square of 2 * root + 1 odd.
  const bool up = 4 * square > (2 * root + 1) * (2 * root + 1);
  return scaled(root + (up ? 1 : 0), (parts.exponent - shift) / 2);
}

float exact_inverse_sqrt(float x) {
  if (x != x || x < 0.0f) return kNan;
  if (x == 0.0f) return std::copysign(kInfinity, x);
  if (x == kInfinity) return 0.0f;
  // The root of 2^shift / significand, 2^46 up to 2^48, has the 24 bits of the result.
  const Parts parts = parts_of(x);
  const int shift = (parts.exponent & 1) != 0 ? 71 : 70;
  const Wide power = Wide{1} << shift;
  const std::uint64_t root = integer_root(static_cast<std::uint64_t>(power / parts.significand));
  // Never equal: a power of two is no multiple of the odd square, which is above one.
  const Wide middle = Wide{2 * root + 1} * Wide{2 * root + 1} * parts.significand;
  const bool up = 4 * power > middle;
  return scaled(root + (up ? 1 : 0), (-parts.exponent - shift) / 2);
}

float exact_reciprocal(float x) {
  if (x != x) return kNan;
  if (x == 0.0f) return std::copysign(kInfinity, x);
  if (std::fabs(x) == kInfinity) return std::copysign(0.0f, x);
  // 2^47 / significand lies above 2^23 and has the 24 bits of the result, and more than it has room
  // for where that is subnormal.
  const Parts parts = parts_of(x);
  const int quantum = std::max(-parts.exponent - 47, -149);
  const std::uint64_t power = std::uint64_t{1} << (-parts.exponent - quantum);
  const std::uint64_t quotient = power / parts.significand;
  const std::uint64_t twice_rest = 2 * (power % parts.significand);
  const bool up =
      twice_rest > parts.significand || (twice_rest == parts.significand && (quotient & 1) != 0);
  return std::copysign(scaled(quotient + (up ? 1 : 0), quantum), x);
}

}  // namespace vyre::bench

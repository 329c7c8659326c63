// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reduction of any finite f32 to a quadrant and a remainder in [-pi/4, pi/4].
#pragma once

#include <bit>
#include <cstdint>

#include "vyre/ir/scalar/double_double.h"
#include "vyre/ir/scalar/f32_paths.h"
#include "vyre/ir/scalar/f32_trig_table.h"

namespace vyre::scalar::detail {

// x = quadrant pi/2 + remainder, the quadrant modulo 4, and |error| bounds how far the remainder
// is off, apart from half an ulp of its own.
struct Reduced {
  std::uint64_t quadrant;
  double remainder;
  double error;
};

struct ExactReduced {
  std::uint64_t quadrant;
  DoubleDouble remainder;
};

// From this magnitude on the remainder needs more of pi than two doubles hold.
inline constexpr std::uint32_t kLargeAngleBits = 0x48800000u;  // 2^18

// For 2^18 <= |x| < infinity. Up to the rounding of the remainder the error is 2^-61: 62 bits of
// x 2/pi after the point are kept, and what lies below their window adds 2^-70.
Reduced reduce_large_angle(float x);

// The remainder's relative error is under 2^-98 for every finite x.
ExactReduced reduce_exactly(float x);

// For |x| < 2^18 the quotient has 18 bits, so its product with the upper 33 bits of pi/2 is exact,
// and so is the difference. The product with the lower 53 rounds by 2^-87 for each quadrant, the
// bits of pi/2 left out are 2^-88 each. For |x| < pi/4 the remainder is x itself.
inline Reduced reduce_angle(float x) {
  if (magnitude_bits(x) >= kLargeAngleBits) [[unlikely]] {
    return reduce_large_angle(x);
  }
  constexpr double kShift = 0x1.8p52;  // rounds to an integer, kept in the low bits
  const double angle = static_cast<double>(x);
  const double shifted = angle * kTwoOverPi + kShift;
  const double count = shifted - kShift;
  const double remainder = (angle - count * kHalfPiHi) - count * kHalfPiLo;
  return {std::bit_cast<std::uint64_t>(shifted) & 3, remainder, magnitude(count) * 0x1p-86};
}

}  // namespace vyre::scalar::detail

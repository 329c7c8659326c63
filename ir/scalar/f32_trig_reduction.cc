// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reduction by integers: |x| = m 2^e with a 24-bit m, and only a window of the bits of 2/pi matters
// for x 2/pi modulo 4: those above it contribute multiples of 4, those below it nothing visible.
#include "vyre/ir/scalar/f32_trig_reduction.h"

#include "vyre/ir/scalar/double_double_constants.h"

namespace vyre::scalar::detail {

namespace {

// m times the window, as a number of `kWords` 32-bit words, the most significant first: two bits
// before the point (the integer part modulo 4), the rest after it. Needs |x| >= 2^-1.
template <int kWords>
struct Quotient {
  std::uint32_t words[kWords];

  explicit Quotient(float x) {
    const std::uint32_t magnitude = magnitude_bits(x);
    const std::uint64_t m = (magnitude & 0x007FFFFFu) | 0x00800000u;
    const int exponent = static_cast<int>(magnitude >> 23) - 150;
    // The table has 32 zeros before the bit of weight 2^-1; the window's first bit times 2^exponent
    // has weight 2.
    const int position = exponent + 30;
    const int first = position / 32;
    const int shift = position % 32;
    std::uint64_t carry = 0;
    for (int i = kWords - 1; i >= 0; --i) {
      const std::uint64_t two_words =
          (std::uint64_t{kTwoOverPiBits[first + i]} << 32) | kTwoOverPiBits[first + i + 1];
      const std::uint64_t word = (two_words >> (32 - shift)) & 0xFFFFFFFFu;
      const std::uint64_t product = m * word + carry;
      words[i] = static_cast<std::uint32_t>(product);
      carry = product >> 32;
    }
  }
};

}  // namespace

Reduced reduce_large_angle(float x) {
  if (magnitude_bits(x) >= kInfinityBits) return {0, static_cast<double>(f32_nan()), 0.0};
  const Quotient<3> quotient(x);
  const std::uint64_t fixed = (std::uint64_t{quotient.words[0]} << 32) | quotient.words[1];
  // Rounding to the nearest quadrant leaves a signed fraction of 62 bits.
  const std::uint64_t quadrant = (fixed + (std::uint64_t{1} << 61)) >> 62;
  const std::int64_t fraction = static_cast<std::int64_t>(fixed - (quadrant << 62));
  const double remainder = static_cast<double>(fraction) * kHalfPiScaled;
  const bool negative = x < 0.0f;
  return {negative ? (4 - quadrant) & 3 : quadrant, negative ? -remainder : remainder, 0x1p-61};
}

ExactReduced reduce_exactly(float x) {
  const double angle = static_cast<double>(x);
  if (magnitude(angle) <= 0.78125) return {0, {angle, 0.0}};  // under pi/4
  const Quotient<6> quotient(x);
  std::uint64_t words[3];
  for (int i = 0; i < 3; ++i) {
    words[i] = (std::uint64_t{quotient.words[2 * i]} << 32) | quotient.words[2 * i + 1];
  }
  std::uint64_t quadrant = (words[0] + (std::uint64_t{1} << 61)) >> 62;
  words[0] -= quadrant << 62;
  bool negative = (words[0] >> 63) != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (int i = 2; i >= 0; --i) {
      words[i] = ~words[i] + carry;
      carry = carry != 0 && words[i] == 0 ? 1 : 0;
    }
  }
  // Shift the leading one to the top. No f32 but 0 comes within 2^-40 of a multiple of pi/2, so the
  // first word is not zero.
  const int shift = std::countl_zero(words[0]);
  const std::uint64_t top = (words[0] << shift) | ((words[1] >> 1) >> (63 - shift));
  const std::uint64_t next = (words[1] << shift) | ((words[2] >> 1) >> (63 - shift));
  const std::uint64_t high = top >> 11;
  const std::uint64_t low = (top << 42) | (next >> 22);
  const double scale = power_of_two(-62 - shift);
  const DoubleDouble fraction =
      quick_two_sum(static_cast<double>(high) * 0x1p11 * scale,
                    static_cast<double>(low & ((std::uint64_t{1} << 53) - 1)) * 0x1p-42 * scale);
  DoubleDouble remainder = fraction * DoubleDouble{kExactHalfPiHi, kExactHalfPiLo};
  if (x < 0.0f) {
    negative = !negative;
    quadrant = 4 - quadrant;
  }
  return {quadrant & 3, negative ? -remainder : remainder};
}

}  // namespace vyre::scalar::detail

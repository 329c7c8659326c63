// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Functions whose result is always an f32: rounding to integers, signs, minimum and maximum.
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {

namespace {

using detail::f32_nan;
using detail::magnitude_bits;

constexpr std::uint32_t kSignBit = 0x80000000u;

inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

inline float with_sign_of(float magnitude, float sign_source) {
  return std::bit_cast<float>(bits_of(magnitude) | (bits_of(sign_source) & kSignBit));
}

// From 2^23 on every f32 is an integer; infinity and NaN compare as larger still.
inline bool has_no_fraction(float x) { return magnitude_bits(x) >= 0x4B000000u; }

inline float number_or_nan(float x) { return x == x ? x : f32_nan(); }

inline float chop(float x) { return static_cast<float>(static_cast<std::int32_t>(x)); }

}  // namespace

float f32_trunc(float x) {
  if (has_no_fraction(x)) return number_or_nan(x);
  return with_sign_of(chop(std::bit_cast<float>(magnitude_bits(x))), x);
}

float f32_floor(float x) {
  if (has_no_fraction(x)) return number_or_nan(x);
  const std::int32_t chopped = static_cast<std::int32_t>(x);
  const std::int32_t result = chopped - static_cast<std::int32_t>(x < static_cast<float>(chopped));
  return with_sign_of(static_cast<float>(result), x);
}

float f32_ceil(float x) {
  if (has_no_fraction(x)) return number_or_nan(x);
  const std::int32_t chopped = static_cast<std::int32_t>(x);
  const std::int32_t result = chopped + static_cast<std::int32_t>(x > static_cast<float>(chopped));
  return with_sign_of(static_cast<float>(result), x);
}

// The difference below is exact, unlike x + 0.5, which would carry the f32 just under 0.5 to 1.
float f32_round(float x) {
  if (has_no_fraction(x)) return number_or_nan(x);
  const float size = std::bit_cast<float>(magnitude_bits(x));
  const float chopped = chop(size);
  return with_sign_of(size - chopped >= 0.5f ? chopped + 1.0f : chopped, x);
}

float f32_sign(float x) {
  if (x > 0.0f) return 1.0f;
  if (x < 0.0f) return -1.0f;
  return x == 0.0f ? 0.0f : f32_nan();
}

float f32_abs(float x) { return std::bit_cast<float>(magnitude_bits(x)); }

float f32_negate(float x) { return std::bit_cast<float>(bits_of(x) ^ kSignBit); }

float f32_min(float a, float b) {
  if (a < b) return a;
  if (b < a) return b;
  // Equal: the same bits but for zeros, of which a negative one wins.
  if (a == b) return std::bit_cast<float>(bits_of(a) | bits_of(b));
  if (a == a) return a;
  return number_or_nan(b);
}

float f32_max(float a, float b) {
  if (a > b) return a;
  if (b > a) return b;
  if (a == b) return std::bit_cast<float>(bits_of(a) & bits_of(b));
  if (a == a) return a;
  return number_or_nan(b);
}

}  // namespace vyre::scalar

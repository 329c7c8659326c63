// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/convert.h"

#include <bit>

#include "vyre/ir/scalar/f32_math.h"

namespace vyre::scalar {

namespace {

// A format of exponent_bits and fraction_bits after the sign. Encodings grow with magnitude, so
// rounding may carry into the exponent, and whatever exceeds `largest` has overflowed.
struct Format {
  int exponent_bits;
  int fraction_bits;
  std::uint32_t largest;
  std::uint32_t nan;
  bool has_infinity;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};

constexpr Format kF16{5, 10, 0x7BFF, kF16NanBits, true};
constexpr Format kBf16{8, 7, 0x7F7F, kBf16NanBits, true};
constexpr Format kF8e5m2{5, 2, 0x7B, kF8e5m2NanBits, true};
constexpr Format kF8e4m3{4, 3, 0x7E, kF8e4m3NanBits, false};

constexpr std::uint32_t overflow(const Format& format, bool negative) {
  if (!format.has_infinity) return format.nan;
  return (format.largest + 1) | (negative ? format.sign() : 0);
}

// The encoding nearest to significand * 2^exponent, significand != 0.
constexpr std::uint32_t encode(const Format& format, bool negative, std::uint64_t significand,
                               int exponent) {
  const int shift = std::countl_zero(significand);
  significand <<= shift;
  // The leading one is now at 2^63.
  const int biased = exponent - shift + 63 + format.bias();
  if (biased >= 1 << format.exponent_bits) return overflow(format, negative);
  // A subnormal result keeps fewer bits, one less for each step below the least exponent.
  const int dropped = 63 - format.fraction_bits + (biased < 1 ? 1 - biased : 0);
  std::uint32_t bits = 0;
  if (dropped <= 64) {
    const std::uint64_t kept = dropped == 64 ? 0 : significand >> dropped;
    const std::uint64_t rest = significand << (64 - dropped);
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
    const bool up = rest > kHalf || (rest == kHalf && (kept & 1) != 0);
    bits = static_cast<std::uint32_t>(kept) + (up ? 1 : 0);
    // The kept leading one adds the last 1 to the exponent.
    if (biased > 1) bits += static_cast<std::uint32_t>(biased - 1) << format.fraction_bits;
  }
  if (bits > format.largest) return overflow(format, negative);
  return bits | (negative ? format.sign() : 0);
}

constexpr std::uint32_t encode_f64(const Format& format, double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const bool negative = (bits >> 63) != 0;
  const int exponent = static_cast<int>((bits >> 52) & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) return fraction != 0 ? format.nan : overflow(format, negative);
  if (exponent == 0 && fraction == 0) return negative ? format.sign() : 0;
  if (exponent == 0) return encode(format, negative, fraction, -1074);
  return encode(format, negative, fraction | (std::uint64_t{1} << 52), exponent - 1075);
}

constexpr std::uint32_t encode_f32(const Format& format, float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const bool negative = (bits >> 31) != 0;
  const int exponent = static_cast<int>((bits >> 23) & 0xFF);
  const std::uint32_t fraction = bits & 0x007FFFFFu;
  if (exponent == 0xFF) return fraction != 0 ? format.nan : overflow(format, negative);
  if (exponent == 0 && fraction == 0) return negative ? format.sign() : 0;
  if (exponent == 0) return encode(format, negative, fraction, -149);
  return encode(format, negative, fraction | 0x00800000u, exponent - 150);
}

constexpr std::uint32_t encode_integer(const Format& format, bool negative, std::uint64_t size) {
  return size == 0 ? 0 : encode(format, negative, size, 0);
}

constexpr std::uint32_t encode_int64(const Format& format, std::int64_t x) {
  const std::uint64_t bits = static_cast<std::uint64_t>(x);
  return encode_integer(format, x < 0, x < 0 ? std::uint64_t{0} - bits : bits);
}

constexpr float decode(const Format& format, std::uint32_t bits) {
  const std::uint32_t size = bits & (format.sign() - 1);
  const std::uint32_t sign = (bits & format.sign()) != 0 ? 0x80000000u : 0;
  if (size > format.largest) {
    const bool infinite = format.has_infinity && size == format.largest + 1;
    return std::bit_cast<float>(infinite ? sign | 0x7F800000u : kF32NanBits);
  }
  const std::uint32_t fraction_mask = (1u << format.fraction_bits) - 1;
  int exponent = static_cast<int>(size >> format.fraction_bits);
  std::uint32_t fraction = size & fraction_mask;
  if (exponent == 0) {
    if (fraction == 0) return std::bit_cast<float>(sign);
    // bf16 has the exponents of f32, so its subnormals stay subnormal; all others become
    // normal.
    if (format.exponent_bits == 8)
      return std::bit_cast<float>(sign | (size << (23 - format.fraction_bits)));
    const int shift = std::countl_zero(fraction) - (31 - format.fraction_bits);
    fraction = (fraction << shift) & fraction_mask;
    exponent = 1 - shift;
  }
  const std::uint32_t rebiased = static_cast<std::uint32_t>(exponent + 127 - format.bias());
  return std::bit_cast<float>(sign | (rebiased << 23) | (fraction << (23 - format.fraction_bits)));
}

}  // namespace

std::uint16_t f32_to_f16(float x) { return static_cast<std::uint16_t>(encode_f32(kF16, x)); }
std::uint16_t f64_to_f16(double x) { return static_cast<std::uint16_t>(encode_f64(kF16, x)); }
std::uint16_t int64_to_f16(std::int64_t x) {
  return static_cast<std::uint16_t>(encode_int64(kF16, x));
}
std::uint16_t uint64_to_f16(std::uint64_t x) {
  return static_cast<std::uint16_t>(encode_integer(kF16, false, x));
}
float f16_to_f32(std::uint16_t bits) { return decode(kF16, bits); }

std::uint16_t f32_to_bf16(float x) { return static_cast<std::uint16_t>(encode_f32(kBf16, x)); }
std::uint16_t f64_to_bf16(double x) { return static_cast<std::uint16_t>(encode_f64(kBf16, x)); }
std::uint16_t int64_to_bf16(std::int64_t x) {
  return static_cast<std::uint16_t>(encode_int64(kBf16, x));
}
std::uint16_t uint64_to_bf16(std::uint64_t x) {
  return static_cast<std::uint16_t>(encode_integer(kBf16, false, x));
}
float bf16_to_f32(std::uint16_t bits) { return decode(kBf16, bits); }

std::uint8_t f32_to_f8e4m3(float x) { return static_cast<std::uint8_t>(encode_f32(kF8e4m3, x)); }
float f8e4m3_to_f32(std::uint8_t bits) { return decode(kF8e4m3, bits); }

std::uint8_t f32_to_f8e5m2(float x) { return static_cast<std::uint8_t>(encode_f32(kF8e5m2, x)); }
float f8e5m2_to_f32(std::uint8_t bits) { return decode(kF8e5m2, bits); }

}  // namespace vyre::scalar

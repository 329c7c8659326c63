// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Conversions between f32 or f64, integers, and the narrow floating-point formats, which are kept
// as bits. Narrowing rounds the source's exact value once, to nearest with ties to even, and keeps
// subnormals; widening is exact.
//
//   std::uint16_t h = vyre::scalar::f32_to_f16(65520.0f);      // 0x7C00, infinity
//   std::uint16_t b = vyre::scalar::f64_to_bf16(1.00390625000001);  // 0x3F81: above the tie
//   float x = vyre::scalar::f16_to_f32(0x0001);                // 2^-24
//
// format   sign+exponent+fraction bits   overflow   NaN (the only one produced)
// f16      1+5+10                        infinity   0x7E00
// bf16     1+8+7                         infinity   0x7FC0
// f8e5m2   1+5+2                         infinity   0x7E
// f8e4m3   1+4+3                         NaN        0x7F
//
// f8e4m3 is the OCP format without infinities: its largest value is 448, and what would round to
// more, infinity too, is NaN. Every NaN loses its sign and payload; widened it is 0x7FC00000.
#pragma once

#include <cstdint>

namespace vyre::scalar {

inline constexpr std::uint16_t kF16NanBits = 0x7E00;
inline constexpr std::uint16_t kBf16NanBits = 0x7FC0;
inline constexpr std::uint8_t kF8e5m2NanBits = 0x7E;
inline constexpr std::uint8_t kF8e4m3NanBits = 0x7F;

std::uint16_t f32_to_f16(float x);
std::uint16_t f64_to_f16(double x);
std::uint16_t int64_to_f16(std::int64_t x);
std::uint16_t uint64_to_f16(std::uint64_t x);
float f16_to_f32(std::uint16_t bits);

std::uint16_t f32_to_bf16(float x);
std::uint16_t f64_to_bf16(double x);
std::uint16_t int64_to_bf16(std::int64_t x);
std::uint16_t uint64_to_bf16(std::uint64_t x);
float bf16_to_f32(std::uint16_t bits);

std::uint8_t f32_to_f8e4m3(float x);
float f8e4m3_to_f32(std::uint8_t bits);

std::uint8_t f32_to_f8e5m2(float x);
float f8e5m2_to_f32(std::uint8_t bits);

}  // namespace vyre::scalar

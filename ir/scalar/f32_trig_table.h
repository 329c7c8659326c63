// SPDX-License-Identifier: Apache-2.0 OR MIT
// Constants of sin, cos and tan: argument reduction and polynomials on [-pi/4, pi/4].
// Written by generate_f32_tables.py; change that, not this.
#pragma once

namespace vyre::scalar::detail {

// clang-format off
// 2/pi; pi/2 in two parts (33 bits, then 53); pi/2 * 2^-62.
inline constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
inline constexpr double kHalfPiHi = 0x1.921fb54400000p+0;
inline constexpr double kHalfPiLo = 0x1.0b4611a626331p-34;
inline constexpr double kHalfPiScaled = 0x1.921fb54442d18p-62;

// 32 zero bits, then the first 320 bits of 2/pi after the point.
inline constexpr unsigned kTwoOverPiBits[11] = {
    0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u,
    0x3C439041u, 0xFE5163ABu, 0xDEBBC561u, 0xB7246E3Au, 0x424DD2E0u,
};

// With z = r^2, |r| <= pi/4 (1 + 1e-4): row 0, sin(r) = r + r z S(z), relative error
// 2^-57.1; row 1, cos(r) = 1 + z C(z), relative error 2^-60.5.
inline constexpr double kTrigPoly[2][7] = {
    {-0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019936p-13, 0x1.71de3a54605eep-19,
     -0x1.ae64541266378p-26, 0x1.61217ec01749cp-33, -0x1.ab17a792379c1p-41},
    {-0x1p-1, 0x1.5555555555551p-5, -0x1.6c16c16c15d75p-10, 0x1.a01a019de0bd9p-16,
     -0x1.27e4f8e43de29p-22, 0x1.1eea7ed58e4c5p-29, -0x1.8ff9a50ab90f2p-37},
};
// clang-format on

}  // namespace vyre::scalar::detail

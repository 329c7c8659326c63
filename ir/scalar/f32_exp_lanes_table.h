// SPDX-License-Identifier: Apache-2.0 OR MIT
// Constants of an exponential without a table, which vector instructions prefer.
// Written by generate_f32_tables.py; change that, not this.
#pragma once

namespace vyre::scalar::detail {

// clang-format off
// 1/ln 2, and ln 2 in two parts (40 bits, then 53).
inline constexpr double kExpLanesPerUnit = 0x1.71547652b82fep+0;
inline constexpr double kExpLanesHi = 0x1.62e42fefa2000p-1;
inline constexpr double kExpLanesLo = 0x1.9ef35793c7673p-41;

// exp(r) = 1 + r + r^2 q(r) for |r| <= ln 2/2: relative error 2^-55.8.
inline constexpr double kExpLanesPoly[10] = {
    0x1.0000000000001p-1, 0x1.5555555555556p-3, 0x1.5555555553d68p-5, 0x1.11111111109b5p-7,
    0x1.6c16c17889f3cp-10, 0x1.a01a01a7c2f2cp-13, 0x1.a019b914881bap-16, 0x1.71de0db2eb873p-19,
    0x1.28917c9f3a495p-22, 0x1.af389eea54156p-26,
};
// clang-format on

}  // namespace vyre::scalar::detail

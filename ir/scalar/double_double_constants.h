// SPDX-License-Identifier: Apache-2.0 OR MIT
// Constants of the double-double functions.
// Written by generate_f32_tables.py; change that, not this.
#pragma once

namespace vyre::scalar::detail {

// clang-format off
// ln 2 in three parts: 40 bits, so that a small integer times it is exact, then two doubles.
inline constexpr double kLn2Head = 0x1.62e42fefa2000p-1;
inline constexpr double kLn2Middle = 0x1.9ef35793c7673p-41;
inline constexpr double kLn2Tail = 0x1.f97b57a079a19p-103;

// ln 2 as an unevaluated sum.
inline constexpr double kExactLn2Hi = 0x1.62e42fefa39efp-1;
inline constexpr double kExactLn2Lo = 0x1.abc9e3b39803fp-56;

// 1/ln 2 as an unevaluated sum.
inline constexpr double kExactInverseLn2Hi = 0x1.71547652b82fep+0;
inline constexpr double kExactInverseLn2Lo = 0x1.777d0ffda0d24p-56;

// pi/2 as an unevaluated sum.
inline constexpr double kExactHalfPiHi = 0x1.921fb54442d18p+0;
inline constexpr double kExactHalfPiLo = 0x1.1a62633145c07p-54;
// clang-format on

}  // namespace vyre::scalar::detail

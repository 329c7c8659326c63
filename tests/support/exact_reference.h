// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Operations computed another way than the library computes them: integers in 128 bits, f32 in
// wider arithmetic that rounds to the right f32, casts by rounding the exact value.
//
//   exact_value(Op::kMulHigh, DataType::I32, {0x80000000, 2});   // 0xFFFFFFFF
//
// Values are bit patterns, zero-extended; a NaN is the canonical one, a bool is 0 or 1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vyre/ir/data_type.h"
#include "vyre/ir/op.h"

namespace vyre::test {

// Of u32, i32, u64 or f32 operands; none where there is no other way here, and for divisions that
// trap.
std::optional<uint64_t> exact_value(Op op, DataType::Kind type, std::span<const uint64_t> inputs);

// What a load gives after a store to the target type, as bits of the target's value type. From
// bool, u32, i32, u64 or f32.
std::optional<uint64_t> exact_cast(DataType::Kind from, DataType::Kind to, uint64_t bits);

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The scalar kernels: what each core operation computes, as functions over bit patterns. The
// interpreter and constant folding both call these, so they cannot disagree; engines that generate
// code must give the same bits.
//
//   ArithmeticTrap trap = ArithmeticTrap::kNone;
//   const Kernel add = find_kernel(Op::kAdd, DataType::I32);
//   const uint64_t operands[] = {0x7FFFFFFF, 1};
//   add(operands, trap);                                // 0x80000000
//
// A value is a uint64_t that holds its bits: u32, i32 and f32 in the low 32 with zeros above, bool
// as 0 or 1, the 64-bit types in all of them. Kernels take and give only such patterns.
//
// A NaN inside an expression has no payload (design rule E11): a kernel may leave any NaN bits, and
// no kernel's other results depend on those bits. They become canonical where they can be seen: in
// store_element, in a bitcast to an integer, and through canonical_nan for values that are
// returned.
//
// Kernels need the default floating-point environment: nearest-even, no flushing of subnormals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "vyre/ir/data_type.h"
#include "vyre/ir/op.h"

namespace vyre::scalar {

// Why a division has no value. A kernel that traps returns 0 and sets its trap argument, which it
// leaves alone otherwise.
enum class ArithmeticTrap : uint8_t { kNone, kDivisionByZero, kDivisionOverflow };

// The tag of the trap that the run reports: "integer division by zero", "integer division
// overflow"; empty for kNone.
const char* trap_tag(ArithmeticTrap trap);

// Reads as many operands as the operation has, in their order.
using Kernel = uint64_t (*)(const uint64_t* operands, ArithmeticTrap& trap);

// The kernel of a core operation on operands of that type; for select and shuffle-like operations
// the type of the arms, for `and`, `or`, `not` any of the operands' types. Null where the pair is
// not legal, where the operation is derived (see evaluate_op), and for operations that are no
// function of scalars (loads, ids, casts, subgroups, atomics, calls).
Kernel find_kernel(Op op, DataType::Kind operand_type);

// Conversion of the exact value from a value type to a value or memory type. A memory type gives
// what storing to it and loading it back gives, as its value type. Null for other pairs.
Kernel find_cast_kernel(DataType::Kind from, DataType::Kind to);

// The same bits as another value type of the same width; none but f32, u32, i32 and f64, u64, i64.
// From a float to an integer a NaN's bits are canonical. Null for other pairs.
Kernel find_bitcast_kernel(DataType::Kind from, DataType::Kind to);

// The word that an atomic leaves in memory. `expected` matters for compare-and-exchange only.
// None for operations that are carried but not executed.
std::optional<uint32_t> atomic_update(Op op, uint32_t old, uint32_t value, uint32_t expected);

// A subgroup reduction folds from the identity, in ascending lane order: accumulator =
// combine({accumulator, lane's value}). None where the type has no such reduction.
struct Reduction {
  uint64_t identity;
  Kernel combine;
};
std::optional<Reduction> find_reduction(Op op, DataType::Kind type);

}  // namespace vyre::scalar

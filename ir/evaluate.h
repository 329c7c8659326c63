// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Operations on constants: the one evaluation that constant folding and tests use. Core operations
// go through their kernels, derived ones through their meanings.
//
//   scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
//   const uint64_t operands[] = {0xFFFFFFF0, 32};
//   evaluate_op(Op::kSaturatingAdd, DataType::U32, DataType::U32, operands, trap);  // 0xFFFFFFFF
//
// Values are bit patterns as in vyre/ir/scalar/kernels.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"
#include "vyre/ir/op.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre {

// A value type and the bits of a value of it.
struct Constant {
  DataType::Kind type;
  uint64_t bits;
  friend bool operator==(const Constant&, const Constant&) = default;
};

// The value of an operation on constants of the given type (of select: of the arms; of `and` and
// `or`: of either operand). `target` matters for cast and bitcast only. A division without a value
// gives 0 and sets `trap`, which is left alone otherwise. None where the operation has no value of
// its own (loads, ids, variables, subgroups, atomics, calls) or not for that type.
std::optional<uint64_t> evaluate_op(Op op, DataType::Kind operand_type, DataType::Kind target,
                                    std::span<const uint64_t> operands,
                                    scalar::ArithmeticTrap& trap);

// The value of an expression of literals and operations on them, or none if something in it has no
// value or the types are not legal. A division that traps anywhere in it sets `trap` to the first
// one in evaluation order; the value is then not to be used.
std::optional<Constant> evaluate_constant(const Expr& expr, scalar::ArithmeticTrap& trap);

}  // namespace vyre

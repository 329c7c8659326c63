// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The type rules: which operand types an operation takes and which type it gives (design rules E13
// to E17). What depends on names (variables, buffers, calls) is resolved by the caller.
//
//   const std::optional<DataType::Kind> types[] = {DataType::U32, DataType::F32};
//   TypeResult r = check_types(Expr::var("i") + Expr::var("x"), types);
//   r.errors[0].code;   // "V088"
//   r.errors[0].fix;    // "cast one operand so that both have the same type"
//
// Types are value types, the ones that D4 defines arithmetic on. A missing operand type means that
// an error was reported where that operand stands; it causes no further one.
//
// Codes are the original's where it refused the pair when it validated. Where it failed only when
// the program ran, or not at all, the code of the nearest rule is used:
//   V087  bool given to wrapping_add, wrapping_sub, mulhi, or to an arithmetic subgroup reduction
//   V088  mixed types, or a float, given to wrapping_add, wrapping_sub, mulhi; a float given to
//         abs_diff; two types of which one is 64 bits wide (its V084 is no rule of ours)
//   V096  bool given to < <= > >=
//   V122  the index of a load
//   V123  the condition of select and subgroup_ballot
//   V012  a bitcast
// and three numbers that it does not use:
//   V132  the address of a trap      V133  an offset or size of an async copy
//   V134  the lane of subgroup_shuffle
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"

namespace vyre {

struct TypeError {
  const char* code;   // "V088"
  std::string cause;  // "`+` has operands of different types: u32 and f32"
  std::string fix;    // "cast one operand so that both have the same type"
};

struct TypeResult {
  // Missing where the operands do not determine it, and for loads, variables, buffer references,
  // calls and opaque expressions, whose type the caller knows. Given despite errors where the
  // operation always has that type (a comparison is bool).
  std::optional<DataType::Kind> type;
  std::vector<TypeError> errors;
};

// `operand_types` has one entry an operand of the expression.
TypeResult check_types(const Expr& expr,
                       std::span<const std::optional<DataType::Kind>> operand_types);

// Whether the operation is defined on operands that are all of that type (the arms of select, the
// value of a shuffle): the columns of the table of design rule E15. False for operations without
// operands of a value type.
bool takes_operand_type(Op op, DataType::Kind type);

// The rules for places outside expressions. Each gives the error, if there is one.
enum class IndexUse : uint8_t { kLoad, kStore, kAtomic };
std::optional<TypeError> check_index(IndexUse use, DataType::Kind type);
// The value of a store: the element's value type, the integer type of the same width and other
// sign, or bool for u32 and back. Elements of a carried type are refused elsewhere.
std::optional<TypeError> check_store_value(DataType::Kind element, DataType::Kind type);
// Of an if.
std::optional<TypeError> check_condition(DataType::Kind type);
enum class LoopBound : uint8_t { kFrom, kTo };
std::optional<TypeError> check_loop_bound(LoopBound which, DataType::Kind type);
std::optional<TypeError> check_trap_address(DataType::Kind type);
// `what` names the operand: "offset", "size".
std::optional<TypeError> check_async_operand(const char* what, DataType::Kind type);

// Whether a value of that type converts to the target (E13), or keeps its bits in it.
bool is_legal_cast(DataType::Kind from, DataType::Kind to);
bool is_legal_bitcast(DataType::Kind from, DataType::Kind to);

}  // namespace vyre

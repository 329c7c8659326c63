// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the product evaluates, from its own tables: operations by operand type, conversions, atomics
// and subgroup operations. What a table gains, generated programs and their coverage gain with it.
//
//   for (const test::Operation& operation : test::operations()) {
//     operation.op, operation.operand;          // Op::kAdd, DataType::U32
//     Expr e = operation.build({a, b});
//   }
#pragma once

#include <cstddef>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"

namespace vyre::test {

using Kind = DataType::Kind;

// An operation on operands of one type; of select they are the arms.
struct Operation {
  Op op;
  Kind operand;
  Kind result;
  size_t arity;
  Expr (*build)(const std::vector<Expr>& operands);

  // A division that has no value for some operands.
  bool may_trap() const { return op_info(op).has(OpFlags::kMayTrap) && is_signed_integer(operand); }
};
// Unary, binary and ternary ones, each with each type it is evaluated on.
const std::vector<Operation>& operations();

struct Conversion {
  Kind from;
  Kind to;
};
const std::vector<Conversion>& casts();
const std::vector<Conversion>& bitcasts();

// Those that run; the carried ones are left out.
const std::vector<Op>& atomics();
// Those for which the order does not matter, as long as one word sees only one of them.
const std::vector<Op>& commutative_atomics();

struct SubgroupOperation {
  Op op;
  Kind type;  // of the value
  Kind result;
};
const std::vector<SubgroupOperation>& subgroup_operations();
// `lane` matters for subgroup_shuffle only.
Expr build(const SubgroupOperation& operation, const Expr& value, const Expr& lane);

// Value types and memory types; the latter alone by the value type that a load of them gives.
const std::vector<Kind>& element_types();
const std::vector<Kind>& elements_loaded_as(Kind value_type);

}  // namespace vyre::test

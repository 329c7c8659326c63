// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which variables are the same in all lanes, and which statements divide the lanes.
//
//   const LaneShapes shapes = find_shapes(resolved);
//   shapes.variables[v] == Shape::kUniform
#pragma once

#include <vector>

#include "vyre/interpreter/lane_code.h"

namespace vyre::interpreter {

struct LaneShapes {
  std::vector<Shape> variables;  // by VariableId
  std::vector<char> divides;     // by StmtId: an if or a loop where lanes part
  // By StmtId: the innermost enclosing statement that divides lanes; kNoId if none does.
  std::vector<StmtId> divider;
};

// What the shape of an expression depends on besides its operands.
struct ShapeRules {
  Dim3 workgroup_size;

  // With one lane nothing differs.
  bool single() const { return workgroup_size == Dim3{1, 1, 1}; }
  // Of local_id and invocation_id.
  Shape of_id(uint32_t axis) const;
  // `unsteady`: another lane may change what the expression reads within the statement.
  Shape of(const Resolved& resolved, ExprId id, std::span<const Shape> operands,
           const std::vector<Shape>& variables, bool unsteady) const;
};

// Whether a value of that operation follows from base and step of its operands.
bool keeps_affine(Op op, DataType::Kind type, std::span<const Shape> operands);

LaneShapes find_shapes(const Resolved& resolved);

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles the expressions of one statement into lane instructions.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vyre/interpreter/checks/index_slice.h"
#include "vyre/interpreter/lane_code.h"
#include "vyre/interpreter/lane_kernels.h"
#include "vyre/interpreter/lane_shapes.h"
#include "vyre/interpreter/statement_effects.h"
#include "vyre/ir/derived_steps.h"

namespace vyre::interpreter {

// What statements share: constants, variables and tables.
class LaneFrame {
 public:
  LaneFrame(const Resolved& resolved, InstructionSet set, uint32_t max_strip_lanes, Checks checks);

  const Resolved& resolved() const { return resolved_; }
  Checks checks() const { return checks_; }
  // Of a program that is checked for wrapped indices, and where their exact values are.
  const IndexSlice& index_slice() const { return index_slice_; }
  LaneValue exact_variable(VariableId variable);
  // The number of a place that reaches memory.
  SiteId site(const AccessSite& site);
  const LaneShapes& shapes() const { return shapes_; }
  const ShapeRules& rules() const { return rules_; }
  const LaneKernels& kernels() const { return kernels_; }
  LaneProgram& program() { return program_; }

  LaneValue constant(uint64_t bits, bool wide);
  LaneValue variable(VariableId variable);
  LaneValue buffer_length(uint32_t buffer);
  LaneValue workgroup_id(uint32_t axis) const;
  LaneValue workgroup_begin(uint32_t axis) const;
  LaneValue local_id(uint32_t axis);
  LaneValue subgroup_local_id();
  const std::vector<DerivedStep>& derived(Op op, DataType::Kind type);

  // Notes how many registers a statement needs.
  void need(uint32_t scalars, uint32_t temporaries) {
    program_.statement_scalar_count = std::max(program_.statement_scalar_count, scalars);
    program_.temporary_count = std::max(program_.temporary_count, temporaries);
  }

 private:
  LaneValue lane_array(std::optional<uint32_t>& array);

  const Resolved& resolved_;
  Checks checks_;
  IndexSlice index_slice_;
  LaneShapes shapes_;
  ShapeRules rules_;
  const LaneKernels& kernels_;
  LaneProgram program_;
  std::unordered_map<uint64_t, uint32_t> constants_;
  std::unordered_map<uint32_t, uint32_t> lengths_;       // by buffer
  std::unordered_map<uint32_t, uint32_t> slot_scalars_;  // by the variable's slot
  std::unordered_map<uint32_t, uint32_t> slot_arrays_;
  std::map<std::pair<Op, DataType::Kind>, std::vector<DerivedStep>> derived_;
  std::map<AccessSite, SiteId> sites_;
  std::unordered_map<uint32_t, uint32_t> exact_scalars_;  // by the variable's slot
  std::unordered_map<uint32_t, uint32_t> exact_arrays_;
};

bool is_wide(DataType::Kind value_type);

// Adds the instructions of the statement to the program and describes them in `op`: code, results,
// flags. Errors: as compile_lanes.
Status compile_statement(LaneFrame& frame, StmtId stmt, LaneOp& op);

}  // namespace vyre::interpreter

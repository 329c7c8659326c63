// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The state of one workgroup and the evaluation of expressions in it.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/plain/plain_code.h"
#include "vyre/interpreter/memory.h"

namespace vyre::interpreter {

inline constexpr uint32_t kSubgroupWidth = 32;

class PlainMachine {
 public:
  PlainMachine(const Resolved& resolved, const PlainCode& code, Memory memory);

  uint32_t invocations() const { return invocations_; }
  const StatementCode& code(StmtId stmt) const { return code_.statements[stmt]; }
  Dim3 local_id(uint32_t invocation) const;

  void start_workgroup(Dim3 workgroup);

  // Evaluates the statement's operands for one invocation.
  scalar::ArithmeticTrap evaluate(StmtId stmt, uint32_t invocation, uint64_t* results);

  // For statements that look across lanes: evaluates instruction by instruction for all active
  // invocations, which are all of the workgroup; collective_results then gives each its operands.
  void evaluate_collective(StmtId stmt, const std::vector<uint32_t>& active);
  scalar::ArithmeticTrap collective_results(StmtId stmt, uint32_t invocation,
                                            uint64_t* results) const;

  void set_variable(uint32_t invocation, uint32_t slot, uint64_t value) {
    variables_[size_t{invocation} * slots_ + slot] = value;
  }
  void store(uint32_t buffer, uint32_t invocation, uint64_t index, uint64_t value);
  Memory& memory() { return memory_; }

 private:
  uint64_t evaluate_one(const Instruction& instruction, uint32_t invocation,
                        const uint64_t* registers, scalar::ArithmeticTrap& trap);
  uint64_t load(uint32_t buffer, uint32_t invocation, uint64_t index) const;
  uint64_t atomic(const Instruction& instruction, uint64_t index, uint64_t value,
                  uint64_t expected);
  void across_lanes(size_t instruction_index, const Instruction& instruction);

  const PlainCode& code_;
  Memory memory_;
  Dim3 size_;
  Dim3 workgroup_{0, 0, 0};
  uint32_t invocations_;
  size_t slots_;
  std::vector<uint64_t> variables_;  // [invocation][slot]
  std::vector<uint64_t> registers_;
  std::vector<uint64_t> collective_registers_;  // [instruction][invocation]
  std::vector<scalar::ArithmeticTrap> collective_traps_;
};

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The code of the plain evaluator: for each statement, its operand expressions as a straight list
// of instructions over registers, in the order of evaluation (design rule E3).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vyre/ir/resolve.h"
#include "vyre/ir/scalar/kernels.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

enum class Action : uint8_t {
  kConstant,      // immediate
  kKernel,        // kernel(operands)
  kVariable,      // slot `reference`
  kLoad,          // buffer `reference` at operand 0
  kBufLen,        // buffer `reference`
  kInvocationId,  // axis `immediate`
  kWorkgroupId,
  kLocalId,
  kSubgroupLocalId,
  kAtomic,  // op `op` on buffer `reference`: index, value, expected
  kBallot,  // across the lanes of a subgroup
  kShuffle,
  kReduce,  // reduction `kernel` from `immediate`
};

// Writes the register that has the instruction's own number.
struct Instruction {
  Action action = Action::kConstant;
  Op op = Op::kLitU32;
  uint32_t reference = 0;
  std::array<uint32_t, 3> operands{};
  uint64_t immediate = 0;
  scalar::Kernel kernel = nullptr;
};

struct StatementCode {
  std::vector<Instruction> instructions;
  std::array<uint32_t, 2> results{};  // registers of the statement's operands
  bool collective = false;            // looks across the lanes of subgroups
};

// One entry a statement of the resolved program.
struct PlainCode {
  std::vector<StatementCode> statements;
  size_t register_count = 0;
};

// Errors: an operation that has no kernel for its type; a statement whose expressions, shared
// effects counted at each use, are too large.
StatusOr<PlainCode> compile_plain(const Resolved& resolved);

}  // namespace vyre::interpreter

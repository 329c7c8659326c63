// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/plain/plain_expressions.h"

#include <algorithm>
#include <cstring>

#include "vyre/ir/check.h"

namespace vyre::interpreter {

PlainMachine::PlainMachine(const Resolved& resolved, const PlainCode& code, Memory memory)
    : code_(code),
      memory_(std::move(memory)),
      size_(resolved.program.workgroup_size()),
      invocations_(static_cast<uint32_t>(resolved.program.workgroup_invocations())),
      slots_(resolved.slot_count),
      variables_(invocations_ * slots_),
      registers_(code.register_count) {}

Dim3 PlainMachine::local_id(uint32_t invocation) const {
  return {invocation % size_.x, invocation / size_.x % size_.y, invocation / size_.x / size_.y};
}

void PlainMachine::start_workgroup(Dim3 workgroup) {
  workgroup_ = workgroup;
  memory_.start_workgroup();
}

scalar::ArithmeticTrap PlainMachine::evaluate(StmtId stmt, uint32_t invocation, uint64_t* results) {
  const StatementCode& code = code_.statements[stmt];
  uint64_t* registers = registers_.data();
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    registers[i] = evaluate_one(code.instructions[i], invocation, registers, trap);
    if (trap != scalar::ArithmeticTrap::kNone) return trap;
  }
  // A statement without operands has no registers to read.
  if (code.instructions.empty()) return trap;
  results[0] = registers[code.results[0]];
  results[1] = registers[code.results[1]];
  return trap;
}

uint64_t PlainMachine::evaluate_one(const Instruction& instruction, uint32_t invocation,
                                    const uint64_t* registers, scalar::ArithmeticTrap& trap) {
  const auto operand = [&](size_t i) { return registers[instruction.operands[i]]; };
  const auto axis = static_cast<size_t>(instruction.immediate);
  switch (instruction.action) {
    case Action::kConstant:
      return instruction.immediate;
    case Action::kKernel: {
      const uint64_t operands[] = {operand(0), operand(1), operand(2)};
      return instruction.kernel(operands, trap);
    }
    case Action::kVariable:
      return variables_[invocation * slots_ + instruction.reference];
    case Action::kLoad:
      return load(instruction.reference, invocation, operand(0));
    case Action::kBufLen:
      // A count is a u32 in the IR; a longer buffer reads as the largest one.
      return std::min<uint64_t>(memory_.views()[instruction.reference].count, 0xFFFFFFFF);
    case Action::kInvocationId:
      return uint64_t{workgroup_[axis]} * size_[axis] + local_id(invocation)[axis];
    case Action::kWorkgroupId:
      return workgroup_[axis];
    case Action::kLocalId:
      return local_id(invocation)[axis];
    case Action::kSubgroupLocalId:
      return invocation % kSubgroupWidth;
    case Action::kAtomic:
      return atomic(instruction, operand(0), operand(1), operand(2));
    case Action::kBallot:
    case Action::kShuffle:
    case Action::kReduce:
      break;
  }
  VYRE_UNREACHABLE("an operation across lanes outside a collective statement");
}

uint64_t PlainMachine::load(uint32_t buffer, uint32_t invocation, uint64_t index) const {
  const BufferView& view = const_cast<Memory&>(memory_).views()[buffer];
  return index < view.count ? view.load(view.at(index, invocation)) : 0;
}

void PlainMachine::store(uint32_t buffer, uint32_t invocation, uint64_t index, uint64_t value) {
  BufferView& view = memory_.views()[buffer];
  if (index < view.count) view.store(view.at(index, invocation), value);
}

uint64_t PlainMachine::atomic(const Instruction& instruction, uint64_t index, uint64_t value,
                              uint64_t expected) {
  BufferView& view = memory_.views()[instruction.reference];
  if (index >= view.count) return 0;
  std::byte* word = view.at(index, 0);
  uint32_t old = 0;
  std::memcpy(&old, word, sizeof(old));
  const std::optional<uint32_t> updated = scalar::atomic_update(
      instruction.op, old, static_cast<uint32_t>(value), static_cast<uint32_t>(expected));
  VYRE_CHECK(updated.has_value(), "an atomic that should have been refused before the run");
  std::memcpy(word, &*updated, sizeof(old));
  return old;
}

void PlainMachine::evaluate_collective(StmtId stmt, const std::vector<uint32_t>& active) {
  const StatementCode& code = code_.statements[stmt];
  const size_t count = code.instructions.size();
  collective_registers_.assign(count * invocations_, 0);
  collective_traps_.assign(invocations_, scalar::ArithmeticTrap::kNone);
  for (size_t i = 0; i < count; ++i) {
    const Instruction& instruction = code.instructions[i];
    if (instruction.action == Action::kBallot || instruction.action == Action::kShuffle ||
        instruction.action == Action::kReduce) {
      across_lanes(i, instruction);
      continue;
    }
    for (const uint32_t invocation : active) {
      if (collective_traps_[invocation] != scalar::ArithmeticTrap::kNone) continue;
      const auto value = [&](uint32_t reg) {
        return collective_registers_[size_t{reg} * invocations_ + invocation];
      };
      // The operands of one instruction, where evaluate_one looks for them.
      const uint64_t operands[] = {value(instruction.operands[0]), value(instruction.operands[1]),
                                   value(instruction.operands[2])};
      Instruction local = instruction;
      local.operands = {0, 1, 2};
      collective_registers_[i * invocations_ + invocation] =
          evaluate_one(local, invocation, operands, collective_traps_[invocation]);
    }
  }
}

void PlainMachine::across_lanes(size_t instruction_index, const Instruction& instruction) {
  const uint64_t* operand = &collective_registers_[size_t{instruction.operands[0]} * invocations_];
  const uint64_t* lanes = &collective_registers_[size_t{instruction.operands[1]} * invocations_];
  uint64_t* result = &collective_registers_[instruction_index * invocations_];
  for (uint32_t first = 0; first < invocations_; first += kSubgroupWidth) {
    const uint32_t width = std::min(kSubgroupWidth, invocations_ - first);
    uint64_t combined = instruction.immediate;
    for (uint32_t lane = 0; lane < width; ++lane) {
      if (instruction.action == Action::kBallot) {
        combined |= uint64_t{operand[first + lane] != 0} << lane;
      } else if (instruction.action == Action::kReduce) {
        scalar::ArithmeticTrap never = scalar::ArithmeticTrap::kNone;
        const uint64_t operands[] = {combined, operand[first + lane], 0};
        combined = instruction.kernel(operands, never);
      }
    }
    for (uint32_t lane = 0; lane < width; ++lane) {
      if (instruction.action == Action::kShuffle) {
        const uint64_t source = lanes[first + lane];
        result[first + lane] = source < width ? operand[first + source] : 0;
      } else {
        result[first + lane] = combined;
      }
    }
  }
}

scalar::ArithmeticTrap PlainMachine::collective_results(StmtId stmt, uint32_t invocation,
                                                        uint64_t* results) const {
  const StatementCode& code = code_.statements[stmt];
  for (size_t i = 0; i < 2; ++i) {
    results[i] = collective_registers_[size_t{code.results[i]} * invocations_ + invocation];
  }
  return collective_traps_[invocation];
}

}  // namespace vyre::interpreter

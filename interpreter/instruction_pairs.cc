// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/instruction_pairs.h"

namespace vyre::interpreter {
namespace {

bool is_register(Slot slot) { return slot.bank() == static_cast<uint32_t>(Bank::kTemporaries); }

// How often each register is read.
std::vector<uint32_t> count_uses(std::span<const LaneInstruction> code,
                                 std::span<const LaneValue> kept, uint32_t register_count) {
  std::vector<uint32_t> uses(register_count, 0);
  for (const LaneInstruction& instruction : code) {
    for (const Slot operand : instruction.operands) {
      if (is_register(operand)) ++uses[operand.offset()];
    }
  }
  for (const LaneValue& value : kept) {
    if (is_register(value.slot)) ++uses[value.slot.offset()];
  }
  return uses;
}

// Makes `second` do both and `first` nothing, if they fit. The first one's result is operand
// `operand` of the second.
bool join(LaneInstruction& first, LaneInstruction& second, uint32_t operand,
          const LaneKernels& kernels) {
  if (first.kernel == nullptr || second.kernel == nullptr || first.arity != 2) return false;
  // The kernel of a reduction combines lanes: it has one operand.
  if (second.arity < 2) return false;
  const LaneForms* forms = kernels.find_pair(first.kernel, second.kernel);
  if (forms == nullptr) return false;
  // A comparison can only be what is chosen by, and the choice is one of 32 bits: the kernel is the
  // same for all types.
  const bool wide = (second.wide & kWideTarget) != 0;
  if (second.arity == 3 && (operand != 0 || wide)) return false;
  LaneInstruction both = second;
  both.operands = first.operands;
  both.scalars = first.scalars & 3;
  // What the second reads besides, in its order.
  uint32_t next = 2;
  for (uint32_t i = 0; i < second.arity; ++i) {
    if (i == operand) continue;
    both.operands[next] = second.operands[i];
    if ((second.scalars >> i & 1) != 0) both.scalars |= static_cast<uint8_t>(1U << next);
    ++next;
  }
  both.arity = static_cast<uint8_t>(next);
  both.wide = static_cast<uint8_t>(wide ? kWideTarget | ((1U << next) - 1) : 0);
  both.run = forms->by_scalars[both.scalars];
  both.kernel = nullptr;
  if (both.run == nullptr) return false;
  second = both;
  first = LaneInstruction{};
  return true;
}

}  // namespace

void join_pairs(std::vector<LaneInstruction>& code, std::span<const LaneValue> kept,
                uint32_t register_count, const LaneKernels& kernels) {
  const std::vector<uint32_t> uses = count_uses(code, kept, register_count);
  std::vector<uint32_t> made_by(register_count, 0);
  for (uint32_t i = 0; i < code.size(); ++i) {
    for (uint32_t operand = 0; operand < code[i].arity && operand < 2; ++operand) {
      const Slot slot = code[i].operands[operand];
      if (!is_register(slot) || uses[slot.offset()] != 1) continue;
      if (join(code[made_by[slot.offset()]], code[i], operand, kernels)) break;
    }
    if (is_register(code[i].target)) made_by[code[i].target.offset()] = i;
  }
  std::erase_if(code,
                [](const LaneInstruction& instruction) { return instruction.run == nullptr; });
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/register_assignment.h"

#include <algorithm>

namespace vyre::interpreter {
namespace {

bool is_wide_operand(const LaneInstruction& code, size_t i) { return (code.wide >> i & 1) != 0; }
bool has_wide_target(const LaneInstruction& code) { return (code.wide & kWideTarget) != 0; }

}  // namespace

RegisterAssignment::File* RegisterAssignment::file_of(Slot slot) {
  if (slot.bank() == static_cast<uint32_t>(Bank::kStatementScalars)) return &scalars_;
  return slot.bank() == static_cast<uint32_t>(Bank::kTemporaries) ? &lanes_ : nullptr;
}

void RegisterAssignment::keep(const LaneValue& value) {
  if (File* file = file_of(value.slot)) file->last_use[value.slot.offset()] = kForever;
  if (value.shape != Shape::kAffine) return;
  if (File* file = file_of(value.step)) file->last_use[value.step.offset()] = kForever;
}

Slot RegisterAssignment::placed(Slot slot) const {
  if (slot.bank() == static_cast<uint32_t>(Bank::kStatementScalars)) {
    return {Bank::kStatementScalars, scalars_.places[slot.offset()]};
  }
  if (slot.bank() == static_cast<uint32_t>(Bank::kTemporaries)) {
    return {Bank::kTemporaries, lanes_.places[slot.offset()] * strip_lanes_};
  }
  return slot;
}

void RegisterAssignment::place(LaneValue& value) const {
  value.slot = placed(value.slot);
  if (value.shape == Shape::kAffine) value.step = placed(value.step);
}

// Frees the registers that instruction `number` reads last: in a first turn those whose lanes are
// as wide as the target's, which may take their place, in a second turn the others.
void RegisterAssignment::release(const LaneInstruction& code, uint32_t number,
                                 bool of_target_width) {
  for (size_t i = 0; i < code.operands.size(); ++i) {
    File* file = file_of(code.operands[i]);
    if (file == nullptr) continue;
    uint32_t& last_use = file->last_use[code.operands[i].offset()];
    if (last_use != number + 1) continue;
    const bool same = file == &scalars_ || is_wide_operand(code, i) == has_wide_target(code);
    if (same != of_target_width) continue;
    file->free.push_back(file->places[code.operands[i].offset()]);
    last_use = 0;  // once, if it is two operands
  }
}

void RegisterAssignment::assign(std::span<LaneInstruction> code, uint32_t strip_lanes) {
  strip_lanes_ = strip_lanes;
  for (uint32_t number = 0; number < code.size(); ++number) {
    for (const Slot operand : code[number].operands) {
      if (File* file = file_of(operand)) {
        uint32_t& last_use = file->last_use[operand.offset()];
        last_use = std::max(last_use, number + 1);
      }
    }
  }
  for (uint32_t number = 0; number < code.size(); ++number) {
    LaneInstruction& instruction = code[number];
    const LaneInstruction before = instruction;
    release(before, number, true);
    if (File* file = file_of(before.target)) {
      const uint32_t target = before.target.offset();
      file->places[target] = file->take();
      // Nobody reads it: an atomic whose old value is not used.
      if (file->last_use[target] == 0) file->free.push_back(file->places[target]);
    }
    release(before, number, false);
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      instruction.operands[i] = placed(before.operands[i]);
    }
    instruction.target = placed(before.target);
  }
}

}  // namespace vyre::interpreter

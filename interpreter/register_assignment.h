// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Registers of one statement: instructions are written over as many as they like, and assign()
// gives those a place that are needed at the same time.
#pragma once

#include <span>
#include <vector>

#include "vyre/interpreter/lane_code.h"

namespace vyre::interpreter {

class RegisterAssignment {
 public:
  Slot new_scalar() { return {Bank::kStatementScalars, scalars_.add()}; }
  Slot new_lanes() { return {Bank::kTemporaries, lanes_.add()}; }

  uint32_t lanes_registers() const { return static_cast<uint32_t>(lanes_.places.size()); }

  // Whether the slot is one of these registers, not a constant or a variable.
  static bool is_register(Slot slot) {
    return slot.bank() == static_cast<uint32_t>(Bank::kStatementScalars) ||
           slot.bank() == static_cast<uint32_t>(Bank::kTemporaries);
  }

  // The value is read after the last instruction.
  void keep(const LaneValue& value);
  // Replaces the registers in the code by places.
  void assign(std::span<LaneInstruction> code, uint32_t strip_lanes);
  // The same for a value that was kept.
  void place(LaneValue& value) const;

  uint32_t scalar_count() const { return scalars_.place_count; }
  uint32_t lanes_count() const { return lanes_.place_count; }

 private:
  static constexpr uint32_t kForever = 0xFFFFFFFF;

  struct File {
    std::vector<uint32_t> last_use;  // by register: one past the instruction that reads it last
    std::vector<uint32_t> places;
    std::vector<uint32_t> free;
    uint32_t place_count = 0;

    uint32_t add() {
      last_use.push_back(0);
      places.push_back(0);
      return static_cast<uint32_t>(last_use.size() - 1);
    }
    uint32_t take() {
      if (free.empty()) return place_count++;
      const uint32_t place = free.back();
      free.pop_back();
      return place;
    }
  };

  File* file_of(Slot slot);
  Slot placed(Slot slot) const;
  void release(const LaneInstruction& code, uint32_t number, bool of_target_width);

  File scalars_;
  File lanes_;
  uint32_t strip_lanes_ = 0;
};

}  // namespace vyre::interpreter

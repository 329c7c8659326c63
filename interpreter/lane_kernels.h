// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Scalar kernels that exist for whole blocks of lanes too, in loops that the compiler turns into
// vector instructions. They are compiled once for each instruction set of the processor family, and
// give the scalar kernels' bits on all of them; a NaN may have any payload.
//
//   const LaneForms* add = lane_kernels(best_instruction_set()).find(kernel, false);
//   if (add != nullptr) add->by_scalars[0b10]   // a[i] + b, where b is a scalar
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "vyre/interpreter/lane_code.h"

namespace vyre::interpreter {

enum class InstructionSet : uint8_t { kBaseline, kAvx2, kAvx512 };
const char* spelling(InstructionSet set);
// The ones that this build has and this processor runs, the best last.
std::vector<InstructionSet> instruction_sets();
InstructionSet best_instruction_set();

// One function for each set of operands that are scalars (bit i: operand i). If all of them are,
// the target is a scalar. Null: the operands must be brought into lanes first.
struct LaneForms {
  std::array<LaneFunction, 16> by_scalars{};
};

class LaneKernels {
 public:
  // `wide`: whether the operands (of select: the arms) have 64 bits; one kernel may serve both.
  const LaneForms* find(scalar::Kernel kernel, bool wide) const {
    const auto found = forms_[wide ? 1 : 0].find(kernel);
    return found == forms_[wide ? 1 : 0].end() ? nullptr : &found->second;
  }
  // Of two kernels in a row: operands are the first one's two and then what the second one takes
  // besides its result, which is its first operand, or either one of a sum.
  const LaneForms* find_pair(scalar::Kernel first, scalar::Kernel second) const {
    const auto found = pairs_.find({first, second});
    return found == pairs_.end() ? nullptr : &found->second;
  }
  StridedLoad strided_load() const { return strided_load_; }

  void add(scalar::Kernel kernel, bool wide, const LaneForms& forms) {
    if (kernel != nullptr) forms_[wide ? 1 : 0].emplace(kernel, forms);
  }
  void add_pair(scalar::Kernel first, scalar::Kernel second, const LaneForms& forms) {
    pairs_.emplace(std::pair(first, second), forms);
  }
  void set_strided_load(StridedLoad load) { strided_load_ = load; }

 private:
  std::array<std::unordered_map<scalar::Kernel, LaneForms>, 2> forms_;
  std::map<std::pair<scalar::Kernel, scalar::Kernel>, LaneForms> pairs_;
  StridedLoad strided_load_ = nullptr;
};

// Made at the first use.
const LaneKernels& lane_kernels(InstructionSet set);

}  // namespace vyre::interpreter

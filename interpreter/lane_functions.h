// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The instructions that are not arithmetic: they bring values into lanes, reach memory and look
// across the lanes of a subgroup. Arithmetic without a kernel of its own goes through run_kernel,
// which calls the scalar kernel for each active lane.
#pragma once

#include "vyre/interpreter/access_log.h"
#include "vyre/interpreter/lane_code.h"

namespace vyre::interpreter {

inline constexpr uint32_t kSubgroupLanes = 32;

// Reads one operand, whatever its form, as bits.
class LaneReader {
 public:
  LaneReader(const LaneContext& context, const LaneValue& value);
  uint64_t at(uint32_t lane) const {
    if (affine_) return static_cast<uint32_t>(base_ + step_ * (begin_ + lane));
    if (wide_) return *reinterpret_cast<const uint64_t*>(data_ + size_t{lane} * stride_);
    return *reinterpret_cast<const uint32_t*>(data_ + size_t{lane} * stride_);
  }

 private:
  const std::byte* data_;
  uint32_t stride_;
  bool wide_;
  bool affine_;
  uint32_t base_ = 0;
  uint32_t step_ = 0;
  uint32_t begin_ = 0;
};

// The elements that the lanes [first, last) of an affine index reach, if it does not wrap there.
struct AffineReach {
  bool straight = false;
  int64_t start = 0;  // of lane `first`
  int64_t step = 0;
  uint64_t low = 0;
  uint64_t high = 0;
};
AffineReach affine_reach(const LaneContext& context, const LaneValue& index);

namespace lane {

// target = kernel(operands) for every active lane, or once if target and operands are scalars.
void run_kernel(const LaneInstruction& instruction, LaneContext& context);
void run_scalar_kernel(const LaneInstruction& instruction, LaneContext& context);
// Also as the only instruction of a statement that moves a value.
void copy_scalar(const LaneInstruction& instruction, LaneContext& context);
void copy_narrow(const LaneInstruction& instruction, LaneContext& context);
void copy_wide(const LaneInstruction& instruction, LaneContext& context);
void broadcast_narrow(const LaneInstruction& instruction, LaneContext& context);
void broadcast_wide(const LaneInstruction& instruction, LaneContext& context);
// Operands: base, step.
void spread_affine(const LaneInstruction& instruction, LaneContext& context);

// Hands an access to the context's checker: the index is operand 0, if there are two an affine one;
// `identity` is the site.
void note_access(const LaneInstruction& instruction, LaneContext& context);

// Hands an index and its exact value to the checker: operands 0 and 1 are the index, 2 and 3 the
// exact value, each a base and a step if there are two of them.
void compare_exact(const LaneInstruction& instruction, LaneContext& context);
// Operands: base, step (exact values).
void spread_exact(const LaneInstruction& instruction, LaneContext& context);
// Of the active lanes alone.
void copy_active_wide(const LaneInstruction& instruction, LaneContext& context);

void load_scalar(const LaneInstruction& instruction, LaneContext& context);
// Operands: base, step (both scalars).
void load_affine(const LaneInstruction& instruction, LaneContext& context);
void load_gather(const LaneInstruction& instruction, LaneContext& context);
// Operands: index, value, expected; each by `scalars` and `wide`.
void atomic(const LaneInstruction& instruction, LaneContext& context);

void ballot(const LaneInstruction& instruction, LaneContext& context);
void shuffle(const LaneInstruction& instruction, LaneContext& context);
void reduce(const LaneInstruction& instruction, LaneContext& context);

}  // namespace lane
}  // namespace vyre::interpreter

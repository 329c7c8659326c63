// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_functions.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "vyre/interpreter/checks/exact_kernels.h"
#include "vyre/interpreter/checks/run_checker.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {

LaneReader::LaneReader(const LaneContext& context, const LaneValue& value)
    : data_(context.at(value.slot)),
      stride_(value.shape != Shape::kVarying ? 0
              : value.wide                   ? 8
                                             : 4),
      wide_(value.wide),
      affine_(value.shape == Shape::kAffine) {
  if (!affine_) return;
  base_ = static_cast<uint32_t>(context.scalar(value.slot));
  step_ = static_cast<uint32_t>(context.scalar(value.step));
  begin_ = context.strip_begin;
}

AffineReach affine_reach(const LaneContext& context, const LaneValue& index) {
  AffineReach reach;
  const auto base = static_cast<uint32_t>(context.scalar(index.slot));
  const uint32_t step =
      index.shape == Shape::kAffine ? static_cast<uint32_t>(context.scalar(index.step)) : 0;
  reach.start = static_cast<uint32_t>(base + step * (context.strip_begin + context.first));
  reach.step = static_cast<int32_t>(step);
  const int64_t end = reach.start + reach.step * (int64_t{context.last} - context.first - 1);
  reach.straight = end >= 0 && end <= int64_t{0xFFFFFFFF};
  reach.low = static_cast<uint64_t>(std::min(reach.start, end));
  reach.high = static_cast<uint64_t>(std::max(reach.start, end));
  return reach;
}

namespace lane {
namespace {

// Operand i in the form that the instruction's bits state.
LaneReader reader(const LaneInstruction& instruction, const LaneContext& context, uint32_t i) {
  LaneValue value;
  value.slot = instruction.operands[i];
  value.shape = (instruction.scalars >> i & 1) != 0 ? Shape::kUniform : Shape::kVarying;
  value.wide = (instruction.wide >> i & 1) != 0;
  return {context, value};
}

void write(const LaneInstruction& instruction, const LaneContext& context, uint32_t lane,
           uint64_t bits) {
  if ((instruction.wide & kWideTarget) != 0) {
    context.lanes<uint64_t>(instruction.target)[lane] = bits;
  } else {
    context.lanes<uint32_t>(instruction.target)[lane] = static_cast<uint32_t>(bits);
  }
}

void note_trap(LaneContext& context, uint32_t lane, scalar::ArithmeticTrap trap) {
  if (context.traps[lane] == scalar::ArithmeticTrap::kNone) context.traps[lane] = trap;
  context.trapped = true;
}

template <typename F>
void for_active(const LaneContext& context, F f) {
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (context.is_active(lane)) f(lane);
  }
}

uint32_t block_begin(const LaneContext& context) {
  return context.first / kBlockLanes * kBlockLanes;
}

}  // namespace

void run_kernel(const LaneInstruction& instruction, LaneContext& context) {
  std::array<LaneReader, 3> operands{reader(instruction, context, 0),
                                     reader(instruction, context, 1),
                                     reader(instruction, context, 2)};
  for_active(context, [&](uint32_t lane) {
    uint64_t values[3] = {};
    for (uint32_t i = 0; i < instruction.arity; ++i) values[i] = operands[i].at(lane);
    scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
    const uint64_t result = instruction.kernel(values, trap);
    write(instruction, context, lane, result);
    if (trap != scalar::ArithmeticTrap::kNone) note_trap(context, lane, trap);
  });
}

void run_scalar_kernel(const LaneInstruction& instruction, LaneContext& context) {
  const uint64_t values[3] = {context.scalar(instruction.operands[0]),
                              context.scalar(instruction.operands[1]),
                              context.scalar(instruction.operands[2])};
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  context.scalar(instruction.target) = instruction.kernel(values, trap);
  if (trap == scalar::ArithmeticTrap::kNone) return;
  // What lanes met before counts for them: it stands earlier in the order of evaluation.
  for_active(context, [&](uint32_t lane) { note_trap(context, lane, trap); });
  if (context.scalar_trap == scalar::ArithmeticTrap::kNone) context.scalar_trap = trap;
}

void copy_scalar(const LaneInstruction& instruction, LaneContext& context) {
  context.scalar(instruction.target) = context.scalar(instruction.operands[0]);
}

void copy_narrow(const LaneInstruction& instruction, LaneContext& context) {
  const uint32_t begin = block_begin(context);
  std::memmove(context.lanes<uint32_t>(instruction.target) + begin,
               context.lanes<uint32_t>(instruction.operands[0]) + begin,
               (context.last - begin) * sizeof(uint32_t));
}

void copy_wide(const LaneInstruction& instruction, LaneContext& context) {
  const uint32_t begin = block_begin(context);
  std::memmove(context.lanes<uint64_t>(instruction.target) + begin,
               context.lanes<uint64_t>(instruction.operands[0]) + begin,
               (context.last - begin) * sizeof(uint64_t));
}

void broadcast_narrow(const LaneInstruction& instruction, LaneContext& context) {
  uint32_t* target = context.lanes<uint32_t>(instruction.target);
  std::fill(target + block_begin(context), target + context.last,
            static_cast<uint32_t>(context.scalar(instruction.operands[0])));
}

void broadcast_wide(const LaneInstruction& instruction, LaneContext& context) {
  uint64_t* target = context.lanes<uint64_t>(instruction.target);
  std::fill(target + block_begin(context), target + context.last,
            context.scalar(instruction.operands[0]));
}

void spread_affine(const LaneInstruction& instruction, LaneContext& context) {
  const auto step = static_cast<uint32_t>(context.scalar(instruction.operands[1]));
  const uint32_t base =
      static_cast<uint32_t>(context.scalar(instruction.operands[0])) + step * context.strip_begin;
  uint32_t* target = context.lanes<uint32_t>(instruction.target);
  for (uint32_t lane = block_begin(context); lane < context.last; ++lane) {
    target[lane] = base + step * lane;
  }
}

namespace {

// The index that a checker is told: affine if it has a step.
LaneValue told_index(const LaneInstruction& instruction) {
  LaneValue index;
  index.slot = instruction.operands[0];
  index.step = instruction.operands[1];
  index.shape = instruction.arity == 2     ? Shape::kAffine
                : instruction.scalars != 0 ? Shape::kUniform
                                           : Shape::kVarying;
  index.wide = (instruction.wide & 1) != 0;
  return index;
}

}  // namespace

void note_access(const LaneInstruction& instruction, LaneContext& context) {
  context.checker->access(context, static_cast<SiteId>(instruction.identity),
                          told_index(instruction));
}

void compare_exact(const LaneInstruction& instruction, LaneContext& context) {
  const LaneValue index = told_index(instruction);
  LaneValue exact = index;
  exact.slot = instruction.operands[2];
  exact.step = instruction.operands[3];
  exact.wide = true;
  context.checker->compare_exact(context, static_cast<SiteId>(instruction.identity), index, exact);
}

void spread_exact(const LaneInstruction& instruction, LaneContext& context) {
  const auto base = static_cast<int64_t>(context.scalar(instruction.operands[0]));
  const auto step = static_cast<int64_t>(context.scalar(instruction.operands[1]));
  int64_t* target = context.lanes<int64_t>(instruction.target);
  for (uint32_t lane = block_begin(context); lane < context.last; ++lane) {
    target[lane] = exact_at(base, step, uint64_t{context.strip_begin} + lane);
  }
}

void copy_active_wide(const LaneInstruction& instruction, LaneContext& context) {
  const uint64_t* from = context.lanes<uint64_t>(instruction.operands[0]);
  uint64_t* to = context.lanes<uint64_t>(instruction.target);
  for_active(context, [&](uint32_t lane) { to[lane] = from[lane]; });
}

void load_scalar(const LaneInstruction& instruction, LaneContext& context) {
  const BufferView& view = context.views[instruction.buffer];
  const uint64_t index = context.scalar(instruction.operands[0]);
  const bool inside = index < view.count;
  context.scalar(instruction.target) = inside ? view.load(view.at(index, 0)) : 0;
  if (inside && view.watched) context.accesses->reads[instruction.buffer].add(index, index);
}

namespace {

// How the elements of a buffer become lanes.
enum class ElementForm : uint8_t { kRaw4, kRaw8, kOther };

ElementForm form_of(const BufferView& view) {
  return view.raw ? (view.stride == 8 ? ElementForm::kRaw8 : ElementForm::kRaw4)
                  : ElementForm::kOther;
}

// Lanes at a constant distance in memory.
void load_straight(const LaneInstruction& instruction, LaneContext& context, const BufferView& view,
                   const AffineReach& reach) {
  const uint32_t count = context.last - context.first;
  const std::byte* from =
      view.at(static_cast<uint64_t>(reach.start), uint64_t{context.strip_begin} + context.first);
  const int64_t step = reach.step * view.stride + static_cast<int64_t>(view.invocation_bytes);
  switch (form_of(view)) {
    case ElementForm::kRaw4: {
      uint32_t* to = context.lanes<uint32_t>(instruction.target) + context.first;
      if (step == 4) {
        std::memcpy(to, from, size_t{count} * 4);
        return;
      }
      context.strided_load(to, from, step, count);
      return;
    }
    case ElementForm::kRaw8: {
      uint64_t* to = context.lanes<uint64_t>(instruction.target) + context.first;
      for (uint32_t i = 0; i < count; ++i, from += step) std::memcpy(to + i, from, 8);
      return;
    }
    case ElementForm::kOther: {
      uint32_t* to = context.lanes<uint32_t>(instruction.target) + context.first;
      for (uint32_t i = 0; i < count; ++i, from += step)
        to[i] = static_cast<uint32_t>(view.load(from));
      return;
    }
  }
}

void load_each(const LaneInstruction& instruction, LaneContext& context, const BufferView& view,
               const LaneReader& index) {
  for_active(context, [&](uint32_t lane) {
    const uint64_t at = index.at(lane);
    const bool inside = at < view.count;
    write(instruction, context, lane,
          inside ? view.load(view.at(at, uint64_t{context.strip_begin} + lane)) : 0);
    if (inside && view.watched) context.accesses->reads[instruction.buffer].add(at, at);
  });
}

}  // namespace

void load_affine(const LaneInstruction& instruction, LaneContext& context) {
  const BufferView& view = context.views[instruction.buffer];
  LaneValue index;
  index.slot = instruction.operands[0];
  index.step = instruction.operands[1];
  index.shape = Shape::kAffine;
  const AffineReach reach = affine_reach(context, index);
  if (!reach.straight || reach.high >= view.count) {
    load_each(instruction, context, view, LaneReader(context, index));
    return;
  }
  if (view.watched) context.accesses->reads[instruction.buffer].add(reach.low, reach.high);
  load_straight(instruction, context, view, reach);
}

void load_gather(const LaneInstruction& instruction, LaneContext& context) {
  const BufferView& view = context.views[instruction.buffer];
  load_each(instruction, context, view, reader(instruction, context, 0));
}

namespace {

// The word's old value, in one step even if other threads use it.
uint32_t update_word(const LaneInstruction& instruction, bool shared, std::byte* word,
                     uint32_t value, uint32_t expected) {
  const auto updated = [&](uint32_t old) {
    const std::optional<uint32_t> result =
        scalar::atomic_update(instruction.op, old, value, expected);
    VYRE_CHECK(result.has_value(), "an atomic that should have been refused before the run");
    return *result;
  };
  if (shared) {
    std::atomic_ref<uint32_t> cell(*reinterpret_cast<uint32_t*>(word));
    uint32_t old = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(old, updated(old), std::memory_order_seq_cst)) {
    }
    return old;
  }
  uint32_t old = 0;
  std::memcpy(&old, word, sizeof(old));
  const uint32_t result = updated(old);
  std::memcpy(word, &result, sizeof(result));
  return old;
}

}  // namespace

void atomic(const LaneInstruction& instruction, LaneContext& context) {
  const BufferView& view = context.views[instruction.buffer];
  const bool shared = context.atomics_are_shared && view.shared;
  const LaneReader index = reader(instruction, context, 0);
  const LaneReader value = reader(instruction, context, 1);
  const LaneReader expected = reader(instruction, context, 2);
  uint32_t* target = context.lanes<uint32_t>(instruction.target);
  for_active(context, [&](uint32_t lane) {
    const uint64_t at = index.at(lane);
    if (at >= view.count) {
      target[lane] = 0;
      return;
    }
    const auto compared = static_cast<uint32_t>(instruction.arity > 2 ? expected.at(lane) : 0);
    target[lane] = update_word(instruction, shared, context.views[instruction.buffer].at(at, 0),
                               static_cast<uint32_t>(value.at(lane)), compared);
  });
}

namespace {

// Calls f(first lane, width) for each subgroup of the strip.
template <typename F>
void for_subgroups(const LaneContext& context, F f) {
  for (uint32_t first = context.first; first < context.last; first += kSubgroupLanes) {
    f(first, std::min(kSubgroupLanes, context.last - first));
  }
}

}  // namespace

void ballot(const LaneInstruction& instruction, LaneContext& context) {
  const LaneReader operand = reader(instruction, context, 0);
  for_subgroups(context, [&](uint32_t first, uint32_t width) {
    uint64_t bits = 0;
    for (uint32_t lane = 0; lane < width; ++lane) {
      bits |= uint64_t{operand.at(first + lane) != 0} << lane;
    }
    for (uint32_t lane = 0; lane < width; ++lane) write(instruction, context, first + lane, bits);
  });
}

void shuffle(const LaneInstruction& instruction, LaneContext& context) {
  const LaneReader operand = reader(instruction, context, 0);
  const LaneReader source = reader(instruction, context, 1);
  for_subgroups(context, [&](uint32_t first, uint32_t width) {
    // The target may be where an operand stands.
    std::array<uint64_t, kSubgroupLanes> results{};
    for (uint32_t lane = 0; lane < width; ++lane) {
      const uint64_t from = source.at(first + lane);
      results[lane] = from < width ? operand.at(first + static_cast<uint32_t>(from)) : 0;
    }
    for (uint32_t lane = 0; lane < width; ++lane) {
      write(instruction, context, first + lane, results[lane]);
    }
  });
}

void reduce(const LaneInstruction& instruction, LaneContext& context) {
  const LaneReader operand = reader(instruction, context, 0);
  for_subgroups(context, [&](uint32_t first, uint32_t width) {
    uint64_t combined = instruction.identity;
    for (uint32_t lane = 0; lane < width; ++lane) {
      scalar::ArithmeticTrap never = scalar::ArithmeticTrap::kNone;
      const uint64_t values[] = {combined, operand.at(first + lane), 0};
      combined = instruction.kernel(values, never);
    }
    for (uint32_t lane = 0; lane < width; ++lane) {
      write(instruction, context, first + lane, combined);
    }
  });
}

}  // namespace lane
}  // namespace vyre::interpreter

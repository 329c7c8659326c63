// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The statements of LaneMachine that decide where lanes go on.
#include <algorithm>
#include <limits>

#include "vyre/interpreter/lane_execution.h"

namespace vyre::interpreter {

uint32_t LaneMachine::if_uniform(const LaneOp& op, uint32_t pc) {
  if (!run_scalar_code(op)) return pc + 1;
  return context_.scalar(op.results[0].slot) != 0 ? pc + 1 : op.target;
}

LaneMachine::Divider& LaneMachine::enter_divider(uint32_t depth) {
  if (dividers_[depth] == nullptr) dividers_[depth] = std::make_unique<Divider>();
  Divider& divider = *dividers_[depth];
  divider.outer = active_;
  divider.outer_buffer = active_buffer_;
  divider.deaths = deaths_;
  return divider;
}

uint32_t LaneMachine::if_lanes(const LaneOp& op, uint32_t pc) {
  Divider& divider = enter_divider(op.frame);
  divider.then_mask.resize(base_mask_.size());
  divider.else_mask.resize(base_mask_.size());
  // The mask holds the condition first; lanes that trap are in neither set.
  execute(op, [&] {
    const LaneReader condition(context_, op.results[0]);
    for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
      divider.then_mask[context_.strip_begin + lane] = condition.at(lane) != 0 ? 1 : 0;
    }
  });
  const ActiveLanes lanes = active_;
  uint32_t* then_mask = divider.then_mask.data();
  divider.otherwise =
      lanes.filter(divider.else_mask.data(), [&](uint32_t lane) { return then_mask[lane] == 0; });
  active_ = lanes.filter(then_mask, [&](uint32_t lane) { return then_mask[lane] != 0; });
  active_buffer_ = then_mask;
  return active_.empty() ? op.target : pc + 1;
}

uint32_t LaneMachine::else_lanes(const LaneOp& op, uint32_t pc) {
  Divider& divider = *dividers_[op.frame];
  active_ = divider.otherwise;
  active_buffer_ = divider.else_mask.data();
  return active_.empty() ? op.target : pc + 1;
}

uint32_t LaneMachine::leave_divider(const LaneOp& op, uint32_t pc) {
  const Divider& divider = *dividers_[op.frame];
  active_ = divider.outer;
  active_buffer_ = divider.outer_buffer;
  if (divider.deaths != deaths_) drop_dead();
  return active_.empty() ? op.escape : pc + 1;
}

uint32_t LaneMachine::start_loop(const LaneOp& op, uint32_t pc) {
  if (!run_scalar_code(op)) return pc + 1;
  Counter& counter = counters_[op.frame];
  counter.next = context_.scalar(op.results[0].slot);
  counter.end = context_.scalar(op.results[1].slot);
  return op.target;
}

uint32_t LaneMachine::next_iteration(const LaneOp& op, uint32_t pc) {
  Counter& counter = counters_[op.frame];
  if (counter.next >= counter.end) return pc + 1;
  const uint64_t value = counter.next++;
  if (op.variable.shape == Shape::kUniform) [[likely]] {
    context_.scalar(op.variable.slot) = value;
  } else {
    set_in_lanes(op.variable.slot, static_cast<uint32_t>(value));
  }
  return op.target;
}

// The same value in all active lanes of a variable that elsewhere counts as varying.
void LaneMachine::set_in_lanes(Slot slot, uint32_t value) {
  const uint32_t first = active_.first / program_.strip_lanes;
  const uint32_t last = (active_.last + program_.strip_lanes - 1) / program_.strip_lanes;
  for (uint32_t strip = first; strip < last; ++strip) {
    if (!enter_strip(strip)) continue;
    uint32_t* lanes = context_.lanes<uint32_t>(slot);
    std::fill(lanes + context_.first, lanes + context_.last, value);
  }
}

uint32_t LaneMachine::start_loop_lanes(const LaneOp& op) {
  Divider& loop = enter_divider(op.frame);
  loop.then_mask.resize(base_mask_.size());
  loop.from.resize(base_mask_.size());
  loop.to.resize(base_mask_.size());
  execute(op, [&] {
    const LaneReader from(context_, op.results[0]);
    const LaneReader to(context_, op.results[1]);
    for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
      loop.from[context_.strip_begin + lane] = static_cast<uint32_t>(from.at(lane));
      loop.to[context_.strip_begin + lane] = static_cast<uint32_t>(to.at(lane));
    }
  });
  loop.iteration = 0;
  loop.next_change = 0;
  // A base that is one for all lanes has to outlive the body.
  if (op.results[0].shape != Shape::kVarying) {
    loop.base = context_.scalar(op.results[0].slot);
    loop.step = op.results[0].shape == Shape::kAffine ? context_.scalar(op.results[0].step) : 0;
  }
  active_buffer_ = loop.then_mask.data();
  return op.target;
}

uint32_t LaneMachine::next_iteration_lanes(const LaneOp& op, uint32_t pc) {
  Divider& loop = *dividers_[op.frame];
  const uint64_t iteration = loop.iteration++;
  if (iteration >= loop.next_change) {
    loop.next_change = std::numeric_limits<uint64_t>::max();
    active_ = active_.filter(loop.then_mask.data(), [&](uint32_t lane) {
      const uint64_t count = loop.to[lane] > loop.from[lane] ? loop.to[lane] - loop.from[lane] : 0;
      if (iteration >= count) return false;
      loop.next_change = std::min(loop.next_change, count);
      return true;
    });
  }
  if (active_.empty()) return leave_divider(op, pc);
  set_loop_variable(op, loop, iteration);
  return op.target;
}

void LaneMachine::set_loop_variable(const LaneOp& op, const Divider& loop, uint64_t iteration) {
  if (op.variable.shape != Shape::kVarying) {
    // A trip that a lane takes does not leave 32 bits; those of the others do not matter.
    context_.scalar(op.variable.slot) = static_cast<uint32_t>(loop.base + iteration);
    if (op.variable.shape == Shape::kAffine) context_.scalar(op.variable.step) = loop.step;
    return;
  }
  const uint32_t first = active_.first / program_.strip_lanes;
  const uint32_t last = (active_.last + program_.strip_lanes - 1) / program_.strip_lanes;
  for (uint32_t strip = first; strip < last; ++strip) {
    if (!enter_strip(strip)) continue;
    uint32_t* target = context_.lanes<uint32_t>(op.variable.slot);
    const uint32_t* from = loop.from.data() + context_.strip_begin;
    for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
      target[lane] = from[lane] + static_cast<uint32_t>(iteration);
    }
  }
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How LaneMachine runs the code of one statement over its active lanes.
#pragma once

#include <algorithm>

#include "vyre/interpreter/lane_functions.h"
#include "vyre/interpreter/lane_machine.h"

namespace vyre::interpreter {

template <typename F>
void LaneMachine::execute(const LaneOp& op, F effect) {
  if (one_by_one(op)) {
    for_lanes(op, effect);
  } else if (in_one_piece(op)) {
    for_workgroup(op, effect);
  } else {
    for_strips(op, effect);
  }
}

template <typename F>
void LaneMachine::for_strips(const LaneOp& op, F effect) {
  if (op.scalar_only && !run_scalar_code(op)) return;
  const uint32_t first = active_.first / program_.strip_lanes;
  const uint32_t last = (active_.last + program_.strip_lanes - 1) / program_.strip_lanes;
  for (uint32_t strip = first; strip < last; ++strip) {
    if (!enter_strip(strip)) continue;
    if (!op.scalar_only) {
      run_code(op);
      if (context_.trapped) {
        settle_traps(op);
        if (!enter_strip(strip)) continue;
      }
    }
    effect();
    count_work(op);
    if (!interruption_.ok()) return;
  }
}

template <typename F>
void LaneMachine::for_lanes(const LaneOp& op, F effect) {
  const ActiveLanes lanes = active_;
  bool trapped = false;
  for (uint32_t i = 0; i < program_.invocations; ++i) {
    const uint32_t lane = order_.empty() ? i : order_[i];
    if (!lanes.has(lane)) continue;
    enter_lane(lane);
    if (run_lane_code(op)) {
      effect();
    } else {
      trapped = true;
    }
    count_work(op);
    if (!interruption_.ok()) break;
  }
  if (trapped) drop_dead();
}

template <typename F>
void LaneMachine::for_workgroup(const LaneOp& op, F effect) {
  run_workgroup_code(op);
  for (uint32_t i = 0; interruption_.ok() && order_.empty() && i < program_.strip_count; ++i) {
    if (!enter_own_strip(i)) continue;
    effect();
  }
  for (size_t i = 0; interruption_.ok() && i < order_.size(); ++i) {
    if (!active_.has(order_[i])) continue;
    enter_own_strip(order_[i] / program_.strip_lanes);
    enter_lane(order_[i]);
    effect();
  }
  leave_own_strips();
}

// Moves the active lanes and no others.
template <typename T>
void copy_active(const LaneContext& context, Slot from, Slot to) {
  const T* source = context.lanes<T>(from);
  T* target = context.lanes<T>(to);
  if (context.mask == nullptr) {
    std::copy(source + context.first, source + context.last, target + context.first);
    return;
  }
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    target[lane] = context.mask[lane] != 0 ? source[lane] : target[lane];
  }
}

}  // namespace vyre::interpreter

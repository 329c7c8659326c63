// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_execution.h"

#include <cstring>

namespace vyre::interpreter {
namespace {

constexpr scalar::ArithmeticTrap kNoTrap = scalar::ArithmeticTrap::kNone;

// Tells the checker something, and gives nothing.
bool observes(const LaneInstruction& code) {
  return code.run == &lane::note_access || code.run == &lane::compare_exact;
}

bool gives_scalar(const LaneInstruction& code) {
  if (observes(code)) return false;
  return code.target.bank() == static_cast<uint32_t>(Bank::kScalars) ||
         code.target.bank() == static_cast<uint32_t>(Bank::kStatementScalars);
}

}  // namespace

// Whether the statement runs for one lane after the other. An order of lanes other than the
// ascending one shows only where lanes have effects.
bool LaneMachine::one_by_one(const LaneOp& op) const {
  if (op.collective) return false;
  return op.lane_by_lane || (!order_.empty() && op.has_effects);
}

// Whether a statement that looks across lanes has effects that show in which order they were done:
// each instruction then runs for all lanes of the workgroup before the next, and then the effects.
bool LaneMachine::in_one_piece(const LaneOp& op) const {
  return op.collective && op.has_effects && (program_.strip_count > 1 || !order_.empty());
}

void LaneMachine::set_strip(uint32_t strip) {
  context_.strip_begin = strip * program_.strip_lanes;
  context_.banks[static_cast<size_t>(Bank::kVariables)] =
      variables_.data() +
      uint64_t{strip} * program_.variable_count * program_.strip_lanes * sizeof(uint64_t);
}

bool LaneMachine::enter_strip(uint32_t strip) {
  set_strip(strip);
  const uint32_t begin = context_.strip_begin;
  const uint32_t end = begin + program_.strip_lanes;
  uint32_t first = std::max(active_.first, begin);
  uint32_t last = std::min(active_.last, end);
  if (active_.mask != nullptr) {
    while (first < last && active_.mask[first] == 0) ++first;
    while (first < last && active_.mask[last - 1] == 0) --last;
  }
  if (first >= last) return false;
  context_.first = first - begin;
  context_.last = last - begin;
  context_.mask = active_.mask == nullptr ? nullptr : active_.mask + begin;
  return true;
}

void LaneMachine::enter_lane(uint32_t lane) {
  set_strip(lane / program_.strip_lanes);
  context_.first = lane - context_.strip_begin;
  context_.last = context_.first + 1;
  context_.mask = nullptr;
}

void LaneMachine::run_code(const LaneOp& op) {
  if (op.collective && op.may_trap) {
    run_collective_code(op);
    return;
  }
  const LaneInstruction* const end = program_.instructions.data() + op.code_end;
  for (const LaneInstruction* code = program_.instructions.data() + op.code_begin; code != end;
       ++code) {
    code->run(*code, context_);
  }
}

void LaneMachine::run_collective_code(const LaneOp& op) {
  for (uint32_t i = op.code_begin; i < op.code_end; ++i) {
    program_.instructions[i].run(program_.instructions[i], context_);
    clear_trapped(program_.instructions[i]);
  }
}

// Lanes that have trapped compute nothing more, and the others see zeros of them.
void LaneMachine::clear_trapped(const LaneInstruction& code) {
  if (!context_.trapped || gives_scalar(code) || observes(code)) return;
  for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
    if (context_.traps[lane] == kNoTrap) continue;
    if ((code.wide & kWideTarget) != 0) {
      context_.lanes<uint64_t>(code.target)[lane] = 0;
    } else {
      context_.lanes<uint32_t>(code.target)[lane] = 0;
    }
  }
}

// Like enter_strip, with temporaries and traps that other strips do not use.
bool LaneMachine::enter_own_strip(uint32_t strip) {
  context_.banks[static_cast<size_t>(Bank::kTemporaries)] =
      temporaries_.data() +
      uint64_t{strip} * program_.temporary_count * program_.strip_lanes * sizeof(uint64_t);
  context_.traps = traps_.data() + uint64_t{strip} * program_.strip_lanes;
  return enter_strip(strip);
}

void LaneMachine::leave_own_strips() {
  context_.banks[static_cast<size_t>(Bank::kTemporaries)] = temporaries_.data();
  context_.traps = traps_.data();
}

void LaneMachine::run_workgroup_code(const LaneOp& op) {
  for (uint32_t i = op.code_begin; i < op.code_end && interruption_.ok(); ++i) {
    const LaneInstruction& code = program_.instructions[i];
    if (gives_scalar(code)) {
      // Once: the target may be one of the operands.
      if (enter_own_strip(0)) code.run(code, context_);
      for (uint32_t lane = 0; context_.scalar_trap != kNoTrap && lane < program_.invocations;
           ++lane) {
        if (traps_[lane] == kNoTrap) traps_[lane] = context_.scalar_trap;
      }
    } else if (code.run == &lane::atomic && !order_.empty()) {
      for (const uint32_t lane : order_) {
        enter_own_strip(lane / program_.strip_lanes);
        enter_lane(lane);
        // One that has trapped changes nothing any more.
        if (context_.traps[context_.first] == kNoTrap) {
          code.run(code, context_);
        }
      }
    } else {
      for (uint32_t strip = 0; strip < program_.strip_count; ++strip) {
        if (enter_own_strip(strip)) code.run(code, context_);
        clear_trapped(code);
      }
    }
    count_work(op.stmt, program_.strip_count);
  }
  const bool trapped = context_.trapped;
  for (uint32_t strip = 0; trapped && strip < program_.strip_count; ++strip) {
    if (enter_own_strip(strip)) settle_traps(op);
  }
}

bool LaneMachine::run_lane_code(const LaneOp& op) {
  const LaneInstruction* const end = program_.instructions.data() + op.code_end;
  for (const LaneInstruction* code = program_.instructions.data() + op.code_begin; code != end;
       ++code) {
    code->run(*code, context_);
    if (context_.trapped) [[unlikely]] {
      settle_traps(op);
      return false;
    }
  }
  return true;
}

bool LaneMachine::run_scalar_code(const LaneOp& op) {
  // No lanes: traps are noted for all at once.
  context_.first = 0;
  context_.last = 0;
  context_.mask = nullptr;
  const LaneInstruction* const end = program_.instructions.data() + op.code_end;
  for (const LaneInstruction* code = program_.instructions.data() + op.code_begin; code != end;
       ++code) {
    code->run(*code, context_);
  }
  if (context_.scalar_trap == kNoTrap) [[likely]] {
    return true;
  }
  const char* tag = scalar::trap_tag(std::exchange(context_.scalar_trap, {}));
  for (uint32_t lane = active_.first; lane < active_.last; ++lane) {
    if (active_.has(lane)) trap(op, lane, tag, 0);
  }
  active_ = ActiveLanes();
  return false;
}

void LaneMachine::settle_traps(const LaneOp& op) {
  for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
    const scalar::ArithmeticTrap found = std::exchange(context_.traps[lane], kNoTrap);
    if (found == kNoTrap) continue;
    trap(op, context_.strip_begin + lane, scalar::trap_tag(found), 0);
  }
  context_.trapped = false;
  context_.scalar_trap = kNoTrap;
  if (!one_by_one(op)) drop_dead();
}

// A statement of many strips or instructions can outlast a time limit by itself.
void LaneMachine::count_work(StmtId stmt, uint64_t work) {
  constexpr uint64_t kWorkBetweenPolls = 100'000;
  work_ += work;
  if (work_ < kWorkBetweenPolls) return;
  work_ = 0;
  if (interruption_.ok()) interruption_ = control_.poll(stmt);
}

}  // namespace vyre::interpreter

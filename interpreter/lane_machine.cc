// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "vyre/interpreter/checks/run_checker.h"
#include "vyre/interpreter/lane_execution.h"
#include "vyre/interpreter/lane_memory.h"
#include "vyre/interpreter/schedule.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {

AlignedWords::AlignedWords(uint64_t count) {
  const size_t bytes = std::max<uint64_t>(count, 1) * sizeof(uint64_t);
  data_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})));
  std::memset(data_.get(), 0, bytes);
}

void AlignedWords::Free::operator()(std::byte* bytes) const {
  ::operator delete (bytes, std::align_val_t{kAlignment});
}

namespace {

// Whether a statement needs temporaries for all strips at the same time.
bool has_pieces(const LaneProgram& program) {
  return std::ranges::any_of(program.ops,
                             [](const LaneOp& op) { return op.collective && op.has_effects; });
}

uint64_t temporary_words(const LaneProgram& program) {
  return uint64_t{program.temporary_count} * program.strip_lanes *
         (has_pieces(program) ? program.strip_count : 1);
}

}  // namespace

uint64_t LaneMachine::bytes_for(const LaneProgram& program) {
  const uint64_t lanes = uint64_t{program.strip_lanes} * program.strip_count;
  // Masks and bounds of what divides lanes are words, values double words.
  return sizeof(uint64_t) * (uint64_t{program.scalar_count} + program.statement_scalar_count +
                             temporary_words(program) + lanes * program.variable_count) +
         lanes * (2 * sizeof(uint32_t) + sizeof(scalar::ArithmeticTrap) + 1) +
         lanes * sizeof(uint32_t) * 4 * program.frame_count;
}

LaneMachine::LaneMachine(const Resolved& resolved, const LaneProgram& program, Memory memory,
                         const RunOptions& options, RunControl& control, uint32_t machines)
    : resolved_(resolved),
      program_(program),
      options_(options),
      control_(control),
      memory_(std::move(memory)),
      size_(resolved.program.workgroup_size()),
      scalars_(program.scalar_count),
      statement_scalars_(program.statement_scalar_count),
      temporaries_(temporary_words(program)),
      variables_(uint64_t{program.variable_count} * program.strip_lanes * program.strip_count),
      traps_(uint64_t{program.strip_lanes} * program.strip_count, scalar::ArithmeticTrap::kNone),
      base_mask_(uint64_t{program.strip_lanes} * program.strip_count),
      alive_(program.invocations),
      ended_at_(program.invocations, kNoId),
      dividers_(program.frame_count),
      counters_(program.loop_count),
      copies_(resolved, (options.max_memory_bytes - memory_.allocated_bytes()) / machines) {
  const std::array banks{scalars_.data(), temporaries_.data(), variables_.data(),
                         statement_scalars_.data()};
  std::ranges::copy(banks, context_.banks);
  context_.views = memory_.views().data();
  context_.traps = traps_.data();
  context_.strided_load = program.strided_load;
  for (const auto& [scalar, bits] : program.constants) {
    context_.scalar({Bank::kScalars, scalar}) = bits;
  }
  for (const auto& [scalar, buffer] : program.lengths) {
    // A count is a u32 in the IR; a longer buffer reads as the largest one.
    context_.scalar({Bank::kScalars, scalar}) =
        std::min<uint64_t>(memory_.views()[buffer].count, 0xFFFFFFFF);
  }
  fill_ids();
}

Dim3 LaneMachine::local_id(uint32_t lane) const {
  return {lane % size_.x, lane / size_.x % size_.y, lane / size_.x / size_.y};
}

namespace {

std::string spell(Dim3 id) { return fmt::format("({}, {}, {})", id.x, id.y, id.z); }

}  // namespace

void LaneMachine::fill_ids() {
  for (uint32_t lane = 0; lane < program_.invocations; ++lane) {
    set_strip(lane / program_.strip_lanes);
    const uint32_t in_strip = lane - context_.strip_begin;
    const auto fill = [&](const std::optional<uint32_t>& array, uint32_t value) {
      if (!array) return;
      context_.lanes<uint32_t>({Bank::kVariables, *array * program_.strip_lanes})[in_strip] = value;
    };
    const Dim3 id = local_id(lane);
    for (uint32_t axis = 0; axis < 3; ++axis) fill(program_.local_ids[axis], id[axis]);
    fill(program_.subgroup_local_id, lane % kSubgroupLanes);
  }
}

void LaneMachine::start_workgroup(Dim3 workgroup, uint64_t linear) {
  memory_.start_workgroup();
  workgroup_ = workgroup;
  workgroup_linear_ = linear;
  trap_.reset();
  stopped_ = false;
  std::ranges::fill(alive_, char{1});
  deaths_ = 0;
  copies_.drop_all();
  interruption_ = absl::OkStatus();
  active_ = ActiveLanes::all(program_.invocations);
  active_buffer_ = base_mask_.data();
  if (context_.checker != nullptr) context_.checker->start_workgroup(workgroup, linear, active_);
  if (options_.reversed || options_.schedule_seed) {
    order_ = invocation_order(program_.invocations, options_, linear);
  }
  for (uint32_t axis = 0; axis < 3; ++axis) {
    context_.scalar({Bank::kScalars, program_.workgroup_ids[axis]}) = workgroup[axis];
    context_.scalar({Bank::kScalars, program_.workgroup_begins[axis]}) =
        uint64_t{workgroup[axis]} * size_[axis];
  }
}

StatusOr<std::optional<Trap>> LaneMachine::run(uint32_t segment, Dim3 workgroup, uint64_t linear) {
  start_workgroup(workgroup, linear);
  if (Status status = run_ops(program_.segments[segment]); !status.ok()) return status;
  if (!stopped_) {
    for (uint32_t lane = 0; lane < program_.invocations; ++lane) {
      Status status = copies_.check_finished(executing(kNoId, lane));
      if (!status.ok()) return status;
    }
  }
  return std::move(trap_);
}

void LaneMachine::watch(AccessLog* accesses, std::span<const char> watched,
                        std::function<void()> look) {
  context_.accesses = accesses;
  look_ = std::move(look);
  for (size_t i = 0; i < memory_.views().size(); ++i) {
    memory_.views()[i].watched = accesses != nullptr && watched[i] != 0;
  }
}

Status LaneMachine::finish() {
  const uint64_t steps = std::exchange(steps_, 0);
  next_count_ = 1;
  return control_.count(steps, 0);
}

Status LaneMachine::count_steps(StmtId stmt) {
  if (look_) look_();
  if (Status status = control_.count(std::exchange(steps_, 0), stmt); !status.ok()) return status;
  next_count_ = control_.steps_to_next_count();
  work_ = 0;
  return absl::OkStatus();
}

namespace {

// Where lanes that took another way come back.
bool joins(LaneOpKind kind) {
  return kind == LaneOpKind::kElseLanes || kind == LaneOpKind::kEndIfLanes ||
         kind == LaneOpKind::kLoopLanesNext;
}

}  // namespace

// The main loop. Operations whose lanes are all gone are never entered: `escape` leads to where
// lanes that are left, if any, go on.
Status LaneMachine::run_ops(uint32_t pc) {
  while (!stopped_) {
    const LaneOp& op = program_.ops[pc];
    // What is no statement is no step.
    if (op.kind == LaneOpKind::kEnd) return absl::OkStatus();
    if (op.kind == LaneOpKind::kJump) {
      pc = op.target;
      continue;
    }
    if (op.kind == LaneOpKind::kElseLanes) {
      pc = else_lanes(op, pc);
      continue;
    }
    if (op.kind == LaneOpKind::kEndIfLanes ||
        (op.kind == LaneOpKind::kLoopLanesNext && active_.empty())) {
      pc = leave_divider(op, pc);
      continue;
    }
    if (Status status = count_step(op); !status.ok()) return status;
    if (op.collective) {
      Status status = meet(op, "subgroup-divergence", "a subgroup operation");
      if (!status.ok() || stopped_) return status;
    }
    switch (op.kind) {
      case LaneOpKind::kLet:
        let(op);
        ++pc;
        break;
      case LaneOpKind::kStore:
        store(op);
        ++pc;
        break;
      case LaneOpKind::kScope:
        ++pc;
        break;
      case LaneOpKind::kIf:
        pc = if_uniform(op, pc);
        break;
      case LaneOpKind::kIfLanes:
        pc = if_lanes(op, pc);
        break;
      case LaneOpKind::kLoop:
        pc = start_loop(op, pc);
        break;
      case LaneOpKind::kLoopNext:
        pc = next_iteration(op, pc);
        break;
      case LaneOpKind::kLoopLanes:
        pc = start_loop_lanes(op);
        break;
      case LaneOpKind::kLoopLanesNext:
        pc = next_iteration_lanes(op, pc);
        break;
      case LaneOpKind::kReturn:
        end_all(op.stmt);
        break;
      case LaneOpKind::kBarrier:
        interruption_ = meet(op, "barrier-divergence", "a barrier");
        if (context_.checker != nullptr && interruption_.ok()) {
          interruption_ = context_.checker->pass_barrier();
        }
        ++pc;
        break;
      case LaneOpKind::kTrap:
        trap_all(op);
        ++pc;
        break;
      case LaneOpKind::kAsyncLoad:
      case LaneOpKind::kAsyncStore:
        start_copies(op);
        ++pc;
        break;
      case LaneOpKind::kAsyncWait:
        end_copies(op);
        ++pc;
        break;
      case LaneOpKind::kJump:
      case LaneOpKind::kElseLanes:
      case LaneOpKind::kEndIfLanes:
      case LaneOpKind::kEnd:
        VYRE_UNREACHABLE("an operation that has been dealt with");
    }
    if (!interruption_.ok()) return interruption_;
    // Nothing but a statement's own lanes dies in it, so no other set needs care here.
    if (active_.empty() && !joins(program_.ops[pc].kind)) pc = op.escape;
  }
  return absl::OkStatus();
}

// ---- statements ----

void LaneMachine::let(const LaneOp& op) {
  if (op.variable.shape != Shape::kVarying) {
    run_scalar_code(op);
    return;
  }
  if (op.direct) {
    execute(op, [] {});
    return;
  }
  execute(op, [&] {
    const LaneValue& from = op.results[0];
    if (from.wide) {
      copy_active<uint64_t>(context_, from.slot, op.variable.slot);
    } else {
      copy_active<uint32_t>(context_, from.slot, op.variable.slot);
    }
  });
}

void LaneMachine::store(const LaneOp& op) {
  const uint32_t buffer = resolved_.statements[op.stmt].buffer;
  const std::span<const LaneValue> hazards =
      std::span(program_.hazards).subspan(op.hazards_begin, op.hazards_end - op.hazards_begin);
  execute(op, [&] {
    if (hazards.empty() || reads_own_elements(context_, op.results[0], hazards)) {
      store_lanes(context_, buffer, op.results[0], op.results[1]);
    } else {
      store_strip_one_by_one(op);
    }
  });
}

// Some lane reads what another one writes. What the code has loaded so far is loaded again.
void LaneMachine::store_strip_one_by_one(const LaneOp& op) {
  const uint32_t first = context_.strip_begin + context_.first;
  const uint32_t last = context_.strip_begin + context_.last;
  for (uint32_t lane = first; lane < last; ++lane) {
    if (!active_.has(lane)) continue;
    enter_lane(lane);
    run_code(op);
    store_lanes(context_, resolved_.statements[op.stmt].buffer, op.results[0], op.results[1]);
    count_work(op);
    if (!interruption_.ok()) return;
  }
}

void LaneMachine::trap_all(const LaneOp& op) {
  execute(op, [&] {
    const LaneReader address(context_, op.results[0]);
    for (uint32_t lane = context_.first; lane < context_.last; ++lane) {
      if (!context_.is_active(lane)) continue;
      trap(op, context_.strip_begin + lane, resolved_.statements[op.stmt].node->tag(),
           static_cast<uint32_t>(address.at(lane)));
    }
  });
  drop_dead();
}

void LaneMachine::end_all(StmtId stmt) {
  const bool ascending = order_.empty();
  const uint32_t end = ascending ? active_.last : program_.invocations;
  for (uint32_t i = ascending ? active_.first : 0; i < end; ++i) {
    const uint32_t lane = ascending ? i : order_[i];
    if (!active_.has(lane)) continue;
    interruption_ = copies_.check_finished(executing(kNoId, lane));
    if (!interruption_.ok()) return;
    kill(lane);
    ended_at_[lane] = stmt;
  }
  active_ = ActiveLanes();
}

Status LaneMachine::meet(const LaneOp& op, const char* code, const char* what) {
  if (trap_) {
    stopped_ = true;
    return absl::OkStatus();
  }
  if (active_.count == program_.invocations) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "{}: {} of {} invocations of workgroup ({}, {}, {}) reached {} at {}; invocation {} is "
      "there, and {}. Fix: move it where all invocations of a workgroup go.",
      code, active_.count, program_.invocations, workgroup_.x, workgroup_.y, workgroup_.z, what,
      where(op.stmt), spell(local_id(active_.first)), who_is_missing(op)));
}

std::string LaneMachine::where(StmtId stmt) const {
  return fmt::format("{} ({})", resolved_.path(stmt),
                     resolved_.statements[stmt].node->place().to_string());
}

// The first invocation that is not at the statement, and where it went.
std::string LaneMachine::who_is_missing(const LaneOp& op) const {
  uint32_t lane = 0;
  while (active_.has(lane)) ++lane;
  const std::string who = fmt::format("invocation {}", spell(local_id(lane)));
  if (alive_[lane] == 0) return fmt::format("{} has returned at {}", who, where(ended_at_[lane]));
  // What divides the lanes around the statement, from the outermost on; the frame is the depth.
  std::vector<const LaneOp*> around;
  for (StmtId stmt = resolved_.statements[op.stmt].parent; stmt != kNoId;
       stmt = resolved_.statements[stmt].parent) {
    const auto divides = std::ranges::find_if(program_.ops, [stmt](const LaneOp& other) {
      return other.stmt == stmt &&
             (other.kind == LaneOpKind::kIfLanes || other.kind == LaneOpKind::kLoopLanes);
    });
    if (divides != program_.ops.end()) around.insert(around.begin(), &*divides);
  }
  const LaneOp* left = around.front();
  for (const LaneOp* outer : around) {
    if (dividers_[outer->frame]->outer.has(lane)) left = outer;
  }
  return left->kind == LaneOpKind::kIfLanes
             ? fmt::format("{} took the other branch of the if at {}", who, where(left->stmt))
             : fmt::format("{} left the loop at {} after fewer iterations", who, where(left->stmt));
}

void LaneMachine::start_copies(const LaneOp& op) {
  for_lanes(op, [&] {
    const uint32_t lane = context_.strip_begin + context_.first;
    const uint64_t offset = LaneReader(context_, op.results[0]).at(context_.first);
    const uint64_t size = LaneReader(context_, op.results[1]).at(context_.first);
    const uint32_t destination = resolved_.statements[op.stmt].destination;
    work_ += std::min(size, memory_.views()[destination].bytes) / 16;
    note_copy(op.stmt);
    if (context_.checker != nullptr) {
      context_.checker->start_copy(context_.views, op.site, lane, offset, size);
    }
    interruption_ = copies_.issue(executing(op.stmt, lane), offset, size, memory_);
  });
}

// Which bytes it will be is known, but not worth the trouble.
void LaneMachine::note_copy(StmtId stmt) {
  constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  const uint32_t source = resolved_.statements[stmt].buffer;
  const uint32_t destination = resolved_.statements[stmt].destination;
  if (context_.views[source].watched) context_.accesses->reads[source].add(0, kAll);
  if (context_.views[destination].watched) context_.accesses->writes[destination].add(0, kAll);
}

void LaneMachine::end_copies(const LaneOp& op) {
  for_lanes(op, [&] {
    const uint32_t lane = context_.strip_begin + context_.first;
    const StatusOr<CopyEnd> end = copies_.wait(executing(op.stmt, lane), memory_);
    interruption_ = end.status();
    if (context_.checker != nullptr && end.ok()) {
      context_.checker->end_copy(context_.views, end->issued, lane, end->begin, end->size);
    }
  });
}

// ---- lanes ----

void LaneMachine::kill(uint32_t lane) {
  alive_[lane] = 0;
  ++deaths_;
}

void LaneMachine::drop_dead() {
  active_ = active_.filter(active_buffer_, [&](uint32_t lane) { return alive_[lane] != 0; });
}

void LaneMachine::trap(const LaneOp& op, uint32_t lane, std::string_view tag, uint32_t address) {
  kill(lane);
  copies_.drop(lane);
  if (trap_ && trap_lane_ < lane) return;
  trap_lane_ = lane;
  trap_ = Trap{std::string(tag),
               address,
               workgroup_,
               local_id(lane),
               resolved_.path(op.stmt),
               resolved_.statements[op.stmt].node->place()};
}

Executing LaneMachine::executing(StmtId stmt, uint32_t lane) const {
  return {stmt, lane, local_id(lane), workgroup_};
}

}  // namespace vyre::interpreter

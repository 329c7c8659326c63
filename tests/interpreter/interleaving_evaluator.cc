// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/interpreter/interleaving_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/plain/plain_expressions.h"
#include "vyre/interpreter/async_copies.h"
#include "vyre/interpreter/dispatch.h"
#include "vyre/interpreter/float_environment.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/interpreter/schedule.h"
#include "vyre/interpreter/segments.h"

namespace vyre::test {
namespace {

using interpreter::AsyncCopies;
using interpreter::Memory;
using interpreter::PlainMachine;
using interpreter::Segment;

// A statement list that an invocation is in the middle of, or a loop between two iterations.
struct Frame {
  StmtId next = 0;  // in the segment's frame, which is the lowest: a position in its list
  StmtId end = 0;
  bool is_loop = false;    // next: the loop statement
  uint64_t iteration = 0;  // how often the body has started
  uint64_t from = 0;
  uint64_t to = 0;
};

struct Invocation {
  enum class State : uint8_t { kReady, kWaiting, kEnded };
  State state = State::kReady;
  StmtId waits_at = kNoId;   // a barrier, or a statement with subgroup operations
  bool has_results = false;  // of the subgroup statement that is next
  std::vector<Frame> frames;
};

struct Workgroup {
  Dim3 id;
  uint64_t linear = 0;
  PlainMachine machine;
  AsyncCopies copies;
  std::vector<Invocation> invocations;
  size_t ready = 0;
  bool trapped = false;
};

struct Turn {
  size_t workgroup;
  uint32_t invocation;
};

class Interleaver {
 public:
  Interleaver(const Resolved& resolved, std::vector<Workgroup> workgroups, uint64_t seed)
      : resolved_(resolved), workgroups_(std::move(workgroups)), random_(seed) {
    // Some seeds switch at every statement, others run one invocation for long.
    constexpr uint64_t kStaying[] = {0, 50, 90, 99};
    percent_staying_ = kStaying[random_.below(4)];
  }

  Status run() {
    for (const Segment& segment : interpreter::split_segments(resolved_)) {
      segment_ = &segment;
      start_segment();
      while (!turns_.empty()) {
        if (++taken_ > kMaxTurns) return absl::ResourceExhaustedError("too many turns");
        if (Status status = take_turn(pick()); !status.ok()) return status;
      }
      if (trap_) break;
    }
    return absl::OkStatus();
  }

  InterleavedRun result() const { return {trap_, taken_}; }

 private:
  using State = Invocation::State;
  static constexpr uint64_t kMaxTurns = 20'000'000;

  const Node& node(StmtId stmt) const { return *resolved_.statements[stmt].node; }

  void start_segment() {
    turns_.clear();
    for (size_t w = 0; w < workgroups_.size(); ++w) {
      Workgroup& workgroup = workgroups_[w];
      workgroup.machine.start_workgroup(workgroup.id);
      workgroup.copies.drop_all();
      workgroup.ready = workgroup.machine.invocations();
      workgroup.invocations.assign(workgroup.ready, {});
      for (uint32_t i = 0; i < workgroup.ready; ++i) {
        const auto end = static_cast<StmtId>(segment_->statements.size());
        workgroup.invocations[i].frames.push_back({.next = 0, .end = end});
        turns_.push_back({w, i});
      }
    }
  }

  // The position in turns_ of the invocation that goes next.
  size_t pick() {
    if (last_ >= turns_.size() || random_.below(100) >= percent_staying_) {
      last_ = random_.below(turns_.size());
    }
    return last_;
  }

  Status take_turn(size_t position) {
    const Turn turn = turns_[position];
    Workgroup& workgroup = workgroups_[turn.workgroup];
    Invocation& invocation = workgroup.invocations[turn.invocation];
    if (Status status = advance(workgroup, turn.invocation); !status.ok()) return status;
    if (invocation.state == State::kReady) return absl::OkStatus();
    turns_[position] = turns_.back();
    turns_.pop_back();
    --workgroup.ready;
    return workgroup.ready == 0 ? release(turn.workgroup) : absl::OkStatus();
  }

  Status advance(Workgroup& workgroup, uint32_t id) {
    Invocation& self = workgroup.invocations[id];
    const bool is_segment = self.frames.size() == 1;
    Frame& frame = self.frames.back();
    if (frame.is_loop) {
      iterate(workgroup, id);
      return absl::OkStatus();
    }
    if (frame.next == frame.end) {
      self.frames.pop_back();
      return self.frames.empty() ? finish(workgroup, id, kNoId) : absl::OkStatus();
    }
    const StmtId stmt = is_segment ? segment_->statements[frame.next] : frame.next;
    const bool meets =
        node(stmt).kind() == NodeKind::kBarrier || workgroup.machine.code(stmt).collective;
    if (meets && !self.has_results) {
      self.state = State::kWaiting;
      self.waits_at = stmt;
      return absl::OkStatus();
    }
    frame.next = is_segment ? frame.next + 1 : resolved_.statements[stmt].end;
    return execute(workgroup, id, stmt);
  }

  void iterate(Workgroup& workgroup, uint32_t id) {
    std::vector<Frame>& frames = workgroup.invocations[id].frames;
    Frame& loop = frames.back();
    const uint64_t value = loop.from + loop.iteration++;
    if (value >= loop.to) {
      frames.pop_back();
      return;
    }
    const StmtId stmt = loop.next;
    const VariableId variable = resolved_.statements[stmt].variable;
    workgroup.machine.set_variable(id, resolved_.variables[variable].slot, value);
    frames.push_back({.next = stmt + 1, .end = resolved_.statements[stmt].end});
  }

  Status execute(Workgroup& workgroup, uint32_t id, StmtId stmt) {
    Invocation& self = workgroup.invocations[id];
    PlainMachine& machine = workgroup.machine;
    const ResolvedStmt& record = resolved_.statements[stmt];
    uint64_t operands[2] = {0, 0};
    const scalar::ArithmeticTrap reason = machine.code(stmt).collective
                                              ? machine.collective_results(stmt, id, operands)
                                              : machine.evaluate(stmt, id, operands);
    self.has_results = false;
    if (reason != scalar::ArithmeticTrap::kNone) {
      trap(workgroup, id, stmt, scalar::trap_tag(reason), 0);
      return absl::OkStatus();
    }
    switch (node(stmt).kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
        machine.set_variable(id, resolved_.variables[record.variable].slot, operands[0]);
        return absl::OkStatus();
      case NodeKind::kStore:
        machine.store(record.buffer, id, operands[0], operands[1]);
        return absl::OkStatus();
      case NodeKind::kIf:
        self.frames.push_back(operands[0] != 0
                                  ? Frame{.next = stmt + 1, .end = record.else_begin}
                                  : Frame{.next = record.else_begin, .end = record.end});
        return absl::OkStatus();
      case NodeKind::kLoop:
        self.frames.push_back(
            {.next = stmt, .end = stmt, .is_loop = true, .from = operands[0], .to = operands[1]});
        return absl::OkStatus();
      case NodeKind::kBlock:
      case NodeKind::kRegion:
        self.frames.push_back({.next = stmt + 1, .end = record.end});
        return absl::OkStatus();
      case NodeKind::kBarrier:
        return absl::OkStatus();
      case NodeKind::kReturn:
        return finish(workgroup, id, stmt);
      case NodeKind::kTrap:
        trap(workgroup, id, stmt, node(stmt).tag(), static_cast<uint32_t>(operands[0]));
        return absl::OkStatus();
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        return workgroup.copies.issue({stmt, id, machine.local_id(id), workgroup.id}, operands[0],
                                      operands[1], machine.memory());
      case NodeKind::kAsyncWait:
        return workgroup.copies
            .wait({stmt, id, machine.local_id(id), workgroup.id}, machine.memory())
            .status();
      default:
        return absl::InternalError("a statement that should have been refused before the run");
    }
  }

  Status finish(Workgroup& workgroup, uint32_t id, StmtId stmt) {
    workgroup.invocations[id].state = State::kEnded;
    return workgroup.copies.check_finished(
        {stmt, id, workgroup.machine.local_id(id), workgroup.id});
  }

  void trap(Workgroup& workgroup, uint32_t id, StmtId stmt, std::string_view tag,
            uint32_t address) {
    workgroup.invocations[id].state = State::kEnded;
    workgroup.copies.drop(id);
    workgroup.trapped = true;
    const std::pair<uint64_t, uint64_t> position{workgroup.linear, id};
    if (trap_ && trap_position_ < position) return;
    trap_position_ = position;
    trap_ =
        Trap{std::string(tag),     address,           workgroup.id, workgroup.machine.local_id(id),
             resolved_.path(stmt), node(stmt).place()};
  }

  // No invocation of the workgroup can go on by itself: all have ended, or all meet, or a trap
  // stops those that wait.
  Status release(size_t index) {
    Workgroup& workgroup = workgroups_[index];
    const auto waits = [](const Invocation& i) { return i.state == State::kWaiting; };
    if (std::ranges::none_of(workgroup.invocations, waits)) return absl::OkStatus();
    if (workgroup.trapped) return absl::OkStatus();
    const Invocation& first = workgroup.invocations[0];
    const bool all = std::ranges::all_of(workgroup.invocations, [&](const Invocation& i) {
      return waits(i) && i.waits_at == first.waits_at && iterations(i) == iterations(first);
    });
    const StmtId stmt = std::ranges::find_if(workgroup.invocations, waits)->waits_at;
    const bool barrier = node(stmt).kind() == NodeKind::kBarrier;
    if (!all) {
      return absl::FailedPreconditionError(barrier ? "barrier-divergence" : "subgroup-divergence");
    }
    if (!barrier) evaluate_collective(workgroup, stmt);
    workgroup.ready = workgroup.invocations.size();
    for (uint32_t i = 0; i < workgroup.ready; ++i) {
      workgroup.invocations[i].state = State::kReady;
      workgroup.invocations[i].has_results = true;
      turns_.push_back({index, i});
    }
    return absl::OkStatus();
  }

  // Of the loops around the statement where it stands.
  static std::vector<uint64_t> iterations(const Invocation& invocation) {
    std::vector<uint64_t> numbers;
    for (const Frame& frame : invocation.frames) numbers.push_back(frame.iteration);
    return numbers;
  }

  void evaluate_collective(Workgroup& workgroup, StmtId stmt) {
    std::vector<uint32_t> order(workgroup.invocations.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    workgroup.machine.evaluate_collective(stmt, order);
  }

  const Resolved& resolved_;
  std::vector<Workgroup> workgroups_;
  interpreter::SplitMix64 random_;
  uint64_t percent_staying_ = 0;
  const Segment* segment_ = nullptr;
  std::vector<Turn> turns_;  // of the invocations that are ready
  size_t last_ = 0;
  uint64_t taken_ = 0;
  std::optional<Trap> trap_;
  std::pair<uint64_t, uint64_t> trap_position_;
};

}  // namespace

StatusOr<InterleavedRun> run_interleaved(const Resolved& resolved,
                                         std::span<const std::span<std::byte>> bound,
                                         uint64_t seed) {
  if (Status status = interpreter::check_runnable(resolved); !status.ok()) return status;
  const StatusOr<interpreter::PlainCode> code = interpreter::compile_plain(resolved);
  if (!code.ok()) return code.status();
  std::vector<uint64_t> sizes;
  for (const std::span<std::byte> bytes : bound) sizes.push_back(bytes.size());
  const RunOptions options;
  const auto chosen = interpreter::choose_dispatch(resolved.program, sizes, options);
  if (!chosen.ok()) return chosen.status();
  // Workgroups have memory of their own, but for the transient buffers, which are those of
  // `shared`.
  StatusOr<Memory> shared = Memory::create(resolved.program, bound, options);
  if (!shared.ok()) return shared.status();
  const Dim3 grid = chosen->dispatch.workgroups;
  std::vector<Workgroup> workgroups;
  for (uint64_t linear = 0; linear < uint64_t{grid.x} * grid.y * grid.z; ++linear) {
    StatusOr<Memory> memory = Memory::create(resolved.program, bound, options);
    if (!memory.ok()) return memory.status();
    for (size_t i = 0; i < resolved.program.buffers().size(); ++i) {
      if (resolved.program.buffers()[i].is_transient()) {
        memory->views()[i].data = shared->views()[i].data;
      }
    }
    const Dim3 id{static_cast<uint32_t>(linear % grid.x),
                  static_cast<uint32_t>(linear / grid.x % grid.y),
                  static_cast<uint32_t>(linear / grid.x / grid.y)};
    workgroups.push_back({id,
                          linear,
                          PlainMachine(resolved, *code, *std::move(memory)),
                          AsyncCopies(resolved, options.max_memory_bytes),
                          {}});
  }
  const interpreter::FloatEnvironment environment;
  Interleaver interleaver(resolved, std::move(workgroups), seed);
  if (Status status = interleaver.run(); !status.ok()) return status;
  return interleaver.result();
}

}  // namespace vyre::test

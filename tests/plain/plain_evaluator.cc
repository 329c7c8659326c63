// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/plain/plain_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "tests/plain/plain_expressions.h"
#include "vyre/interpreter/async_copies.h"
#include "vyre/interpreter/dispatch.h"
#include "vyre/interpreter/float_environment.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/interpreter/schedule.h"
#include "vyre/interpreter/segments.h"
#include "vyre/interpreter/within_memory.h"

namespace vyre::interpreter {
namespace {

using Clock = std::chrono::steady_clock;

// A statement list that some invocations are in the middle of, or a loop between two iterations.
struct Frame {
  bool is_loop = false;
  StmtId next = 0;  // loop: the loop statement; segment: a position in its list, like end
  StmtId end = 0;
  uint64_t deaths = 0;           // how many invocations had ended when `active` was made
  std::vector<uint32_t> active;  // in the order of execution
  // Loops: how often the body has started, and the bounds of active[i].
  uint64_t iteration = 0;
  std::vector<uint32_t> from;
  std::vector<uint32_t> to;
};

class Evaluator {
 public:
  Evaluator(const Resolved& resolved, const PlainCode& code, Memory memory,
            const RunOptions& options)
      : resolved_(resolved),
        options_(options),
        machine_(resolved, code, std::move(memory)),
        copies_(resolved, options.max_memory_bytes - machine_.memory().allocated_bytes()),
        alive_(machine_.invocations()),
        start_(Clock::now()) {}

  Status run(Dispatch dispatch) {
    const std::vector<Segment> segments = split_segments(resolved_);
    // After a trap no later segment starts.
    for (size_t i = 0; i < segments.size() && !trap_; ++i) {
      segment_ = &segments[i];
      if (Status status = run_segment(dispatch.workgroups, i, segments.size()); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  uint64_t steps() const { return steps_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::optional<Trap> trap() const { return trap_; }

 private:
  Status run_segment(Dim3 grid, size_t segment, size_t segments) {
    const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
    const uint64_t plane = uint64_t{grid.x} * grid.y;
    const WorkgroupOrder order(options_, count, segment);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t linear = order.at(i);
      const Dim3 workgroup{static_cast<uint32_t>(linear % grid.x),
                           static_cast<uint32_t>(linear % plane / grid.x),
                           static_cast<uint32_t>(linear / plane)};
      if (Status status = run_workgroup(workgroup, linear); !status.ok()) return status;
      if (options_.progress) {
        const double done = static_cast<double>(i + 1) / static_cast<double>(count);
        options_.progress((static_cast<double>(segment) + done) / static_cast<double>(segments));
      }
      // In ascending order no later workgroup can have the trap that is reported.
      if (trap_ && order.ascending()) break;
    }
    return absl::OkStatus();
  }

  Status run_workgroup(Dim3 workgroup, uint64_t linear) {
    machine_.start_workgroup(workgroup);
    workgroup_ = workgroup;
    workgroup_linear_ = linear;
    workgroup_trapped_ = false;
    stopped_ = false;
    std::fill(alive_.begin(), alive_.end(), char{1});
    deaths_ = 0;
    depth_ = 0;
    Frame& top = push_frame();
    top.next = 0;
    top.end = static_cast<StmtId>(segment_->statements.size());
    top.active = invocation_order(machine_.invocations(), options_, linear);
    copies_.drop_all();
    while (depth_ > 0 && !stopped_) {
      if (Status status = step(); !status.ok()) return status;
    }
    return stopped_ ? absl::OkStatus() : check_all_finished();
  }

  // No invocation may leave copies behind at the end of its segment.
  Status check_all_finished() const {
    for (uint32_t invocation = 0; invocation < machine_.invocations(); ++invocation) {
      Status status = copies_.check_finished(executing(kNoId, invocation));
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  Executing executing(StmtId stmt, uint32_t invocation) const {
    return {stmt, invocation, machine_.local_id(invocation), workgroup_};
  }

  Frame& push_frame() {
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.is_loop = false;
    frame.deaths = deaths_;
    frame.active.clear();
    return frame;
  }

  Status step() {
    Frame& frame = frames_[depth_ - 1];
    drop_dead(frame);
    if (frame.active.empty() || (!frame.is_loop && frame.next >= frame.end)) {
      --depth_;
      return absl::OkStatus();
    }
    const bool is_segment = depth_ == 1;
    const StmtId stmt = is_segment ? segment_->statements[frame.next] : frame.next;
    if (Status status = count_step(stmt); !status.ok()) return status;
    if (frame.is_loop) {
      iterate(frame);
      return absl::OkStatus();
    }
    frame.next = is_segment ? frame.next + 1 : resolved_.statements[stmt].end;
    if (Status status = execute(stmt, depth_ - 1); !status.ok()) return status;
    return interruption_;
  }

  void drop_dead(Frame& frame) {
    if (frame.deaths == deaths_) return;
    frame.deaths = deaths_;
    size_t kept = 0;
    for (size_t i = 0; i < frame.active.size(); ++i) {
      if (alive_[frame.active[i]] == 0) continue;
      frame.active[kept] = frame.active[i];
      if (frame.is_loop) {
        frame.from[kept] = frame.from[i];
        frame.to[kept] = frame.to[i];
      }
      ++kept;
    }
    frame.active.resize(kept);
  }

  // Starts the next iteration for the invocations that have one.
  void iterate(Frame& loop) {
    const StmtId stmt = loop.next;
    const uint64_t iteration = loop.iteration++;
    const uint32_t slot = resolved_.variables[resolved_.statements[stmt].variable].slot;
    size_t kept = 0;
    for (size_t i = 0; i < loop.active.size(); ++i) {
      if (loop.from[i] + iteration >= loop.to[i]) continue;
      machine_.set_variable(loop.active[i], slot, loop.from[i] + iteration);
      loop.active[kept] = loop.active[i];
      loop.from[kept] = loop.from[i];
      loop.to[kept] = loop.to[i];
      ++kept;
    }
    loop.active.resize(kept);
    if (kept == 0) return;
    const size_t mine = depth_ - 1;
    Frame& body = push_frame();
    body.active = frames_[mine].active;
    body.next = stmt + 1;
    body.end = resolved_.statements[stmt].end;
  }

  Status execute(StmtId stmt, size_t frame) {
    const Node& node = *resolved_.statements[stmt].node;
    if (machine_.code(stmt).collective) {
      if (Status status = meet(stmt, frame, "subgroup-divergence", "a subgroup operation");
          !status.ok() || stopped_) {
        return status;
      }
      machine_.evaluate_collective(stmt, frames_[frame].active);
    }
    switch (node.kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
        for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
          const uint32_t slot = resolved_.variables[resolved_.statements[stmt].variable].slot;
          machine_.set_variable(invocation, slot, operands[0]);
        });
        return absl::OkStatus();
      case NodeKind::kStore:
        for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
          machine_.store(resolved_.statements[stmt].buffer, invocation, operands[0], operands[1]);
        });
        return absl::OkStatus();
      case NodeKind::kIf:
        branch(stmt, frame);
        return absl::OkStatus();
      case NodeKind::kLoop:
        start_loop(stmt, frame);
        return absl::OkStatus();
      case NodeKind::kReturn:
        return finish_active(stmt, frame);
      case NodeKind::kBlock:
      case NodeKind::kRegion:
        enter(stmt + 1, resolved_.statements[stmt].end, frame);
        return absl::OkStatus();
      case NodeKind::kBarrier:
        return meet(stmt, frame, "barrier-divergence", "a barrier");
      case NodeKind::kTrap:
        for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
          trap(stmt, invocation, node.tag(), static_cast<uint32_t>(operands[0]));
        });
        return absl::OkStatus();
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
          const uint32_t destination = resolved_.statements[stmt].destination;
          work_ += std::min(operands[1], machine_.memory().views()[destination].bytes) / 16;
          interruption_ = copies_.issue(executing(stmt, invocation), operands[0], operands[1],
                                        machine_.memory());
        });
        return absl::OkStatus();
      case NodeKind::kAsyncWait:
        for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t*) {
          interruption_ = copies_.wait(executing(stmt, invocation), machine_.memory()).status();
        });
        return absl::OkStatus();
      case NodeKind::kIndirectDispatch:
      case NodeKind::kResume:
      case NodeKind::kAllReduce:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
      case NodeKind::kBroadcast:
      case NodeKind::kOpaque:
        break;
    }
    return absl::InternalError("a statement that should have been refused before the run");
  }

  Status finish_active(StmtId stmt, size_t frame) {
    for (const uint32_t invocation : frames_[frame].active) {
      Status status = copies_.check_finished(executing(stmt, invocation));
      if (!status.ok()) return status;
      kill(invocation);
    }
    return absl::OkStatus();
  }

  // Calls f(invocation, operand values) for each invocation in order, after evaluating the
  // statement's operands for it; one whose evaluation traps ends instead. f, too, may interrupt.
  template <typename F>
  void for_each_active(StmtId stmt, size_t frame, F f) {
    const StatementCode& code = machine_.code(stmt);
    for (size_t i = 0; i < frames_[frame].active.size(); ++i) {
      const uint32_t invocation = frames_[frame].active[i];
      if (alive_[invocation] == 0) continue;
      // A statement of many invocations or instructions can outlast a time limit by itself.
      work_ += 1 + code.instructions.size();
      if (work_ > kWorkBetweenPolls) {
        interruption_ = poll(stmt);
        if (!interruption_.ok()) return;
      }
      uint64_t operands[2];
      const scalar::ArithmeticTrap reason =
          code.collective ? machine_.collective_results(stmt, invocation, operands)
                          : machine_.evaluate(stmt, invocation, operands);
      if (reason != scalar::ArithmeticTrap::kNone) {
        trap(stmt, invocation, scalar::trap_tag(reason), 0);
        continue;
      }
      f(invocation, operands);
      if (!interruption_.ok()) return;
    }
  }

  void enter(StmtId first, StmtId end, size_t frame) {
    if (first == end) return;
    Frame& body = push_frame();
    body.active = frames_[frame].active;
    body.next = first;
    body.end = end;
  }

  void branch(StmtId stmt, size_t frame) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    // Frames are run from the top, so `then` is pushed after `otherwise`.
    Frame& otherwise = push_frame();
    otherwise.next = record.else_begin;
    otherwise.end = record.end;
    Frame& then = push_frame();
    then.next = stmt + 1;
    then.end = record.else_begin;
    const size_t top = depth_ - 1;
    for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
      frames_[operands[0] != 0 ? top : top - 1].active.push_back(invocation);
    });
    frames_[top].deaths = frames_[top - 1].deaths = deaths_;
  }

  void start_loop(StmtId stmt, size_t frame) {
    push_frame();
    const size_t mine = depth_ - 1;
    frames_[mine].from.clear();
    frames_[mine].to.clear();
    for_each_active(stmt, frame, [&](uint32_t invocation, const uint64_t* operands) {
      frames_[mine].active.push_back(invocation);
      frames_[mine].from.push_back(static_cast<uint32_t>(operands[0]));
      frames_[mine].to.push_back(static_cast<uint32_t>(operands[1]));
    });
    Frame& loop = frames_[mine];
    loop.is_loop = true;
    loop.deaths = deaths_;
    loop.iteration = 0;
    loop.next = stmt;
    loop.end = stmt;
  }

  // All invocations of the workgroup must stand here. After a trap the workgroup ends instead.
  Status meet(StmtId stmt, size_t frame, const char* code, const char* what) {
    if (workgroup_trapped_) {
      stopped_ = true;
      return absl::OkStatus();
    }
    const size_t here = frames_[frame].active.size();
    if (here == machine_.invocations()) return absl::OkStatus();
    return absl::FailedPreconditionError(fmt::format(
        "{}: {} of {} invocations of workgroup ({}, {}, {}) reached {} at {} ({}); the others took "
        "another branch, left a loop earlier or have returned. Fix: move it where all invocations "
        "of a workgroup go.",
        code, here, machine_.invocations(), workgroup_.x, workgroup_.y, workgroup_.z, what,
        resolved_.path(stmt), resolved_.statements[stmt].node->place().to_string()));
  }

  void kill(uint32_t invocation) {
    alive_[invocation] = 0;
    ++deaths_;
  }

  void trap(StmtId stmt, uint32_t invocation, std::string_view tag, uint32_t address) {
    kill(invocation);
    copies_.drop(invocation);
    workgroup_trapped_ = true;
    const std::pair<uint64_t, uint64_t> position{workgroup_linear_, invocation};
    if (trap_ && trap_position_ < position) return;
    trap_position_ = position;
    trap_ = Trap{std::string(tag),     address,
                 workgroup_,           machine_.local_id(invocation),
                 resolved_.path(stmt), resolved_.statements[stmt].node->place()};
  }

  Status count_step(StmtId stmt) {
    ++steps_;
    if (options_.max_steps != 0 && steps_ > options_.max_steps) {
      return absl::ResourceExhaustedError(
          limit_message(fmt::format("the limit of {} steps", options_.max_steps), stmt));
    }
    // The first step too: a flag may be set before the run.
    return steps_ % 4096 == 1 ? poll(stmt) : absl::OkStatus();
  }

  // Whether the run was cancelled or has taken too long.
  Status poll(StmtId stmt) {
    work_ = 0;
    if (options_.cancellation && options_.cancellation->cancelled()) {
      return absl::CancelledError("the run was cancelled. Fix: run it again without cancelling.");
    }
    if (options_.max_seconds > 0 && seconds() > options_.max_seconds) {
      return absl::DeadlineExceededError(
          limit_message(fmt::format("the limit of {} seconds", options_.max_seconds), stmt));
    }
    return absl::OkStatus();
  }

  std::string limit_message(std::string limit, StmtId stmt) const {
    StmtId loop = stmt;
    while (loop != kNoId && resolved_.statements[loop].node->kind() != NodeKind::kLoop) {
      loop = resolved_.statements[loop].parent;
    }
    if (loop == kNoId) {
      return fmt::format("{} was reached at {}. Fix: raise the limit.", limit,
                         resolved_.path(stmt));
    }
    const Node& node = *resolved_.statements[loop].node;
    return fmt::format(
        "{} was reached in the loop over `{}` at {} ({}). Fix: make the loop end, or "
        "raise the limit.",
        limit, node.name(), resolved_.path(loop), node.place().to_string());
  }

  const Resolved& resolved_;
  const RunOptions& options_;
  PlainMachine machine_;
  AsyncCopies copies_;
  const Segment* segment_ = nullptr;

  // Frames keep their storage when they are popped: depth_ counts the live ones.
  std::vector<Frame> frames_;
  size_t depth_ = 0;
  std::vector<char> alive_;
  uint64_t deaths_ = 0;
  Dim3 workgroup_;
  uint64_t workgroup_linear_ = 0;
  bool workgroup_trapped_ = false;
  bool stopped_ = false;

  std::optional<Trap> trap_;
  std::pair<uint64_t, uint64_t> trap_position_;
  uint64_t steps_ = 0;
  static constexpr uint64_t kWorkBetweenPolls = 1'000'000;
  uint64_t work_ = 0;  // instructions since the last poll
  Status interruption_ = absl::OkStatus();
  Clock::time_point start_;
};

// Variables and registers of one workgroup.
Status check_workgroup(const Resolved& resolved, const RunOptions& options) {
  const uint64_t invocations = resolved.program.workgroup_invocations();
  uint64_t bytes = 0;
  const bool overflow = __builtin_mul_overflow(
      invocations, (uint64_t{resolved.slot_count} + 4) * sizeof(uint64_t), &bytes);
  if (overflow || bytes > options.max_memory_bytes) {
    return absl::ResourceExhaustedError(
        fmt::format("a workgroup of {} invocations with {} variables needs more memory than the {} "
                    "bytes that the run allows. Fix: use a smaller workgroup.",
                    invocations, resolved.slot_count, options.max_memory_bytes));
  }
  return absl::OkStatus();
}

StatusOr<RunReport> run_checked(const Resolved& resolved,
                                std::span<const std::span<std::byte>> bound,
                                const RunOptions& options) {
  if (Status status = check_runnable(resolved); !status.ok()) return status;
  if (Status status = check_workgroup(resolved, options); !status.ok()) return status;
  StatusOr<PlainCode> code = compile_plain(resolved);
  if (!code.ok()) return code.status();
  std::vector<uint64_t> sizes;
  for (const std::span<std::byte> bytes : bound) sizes.push_back(bytes.size());
  StatusOr<ChosenDispatch> dispatch = choose_dispatch(resolved.program, sizes, options);
  if (!dispatch.ok()) return dispatch.status();
  StatusOr<Memory> memory = Memory::create(resolved.program, bound, options);
  if (!memory.ok()) return memory.status();

  const FloatEnvironment environment;
  Evaluator evaluator(resolved, *code, *std::move(memory), options);
  if (Status status = evaluator.run(dispatch->dispatch); !status.ok()) return status;
  RunReport report;
  report.trap = evaluator.trap();
  report.dispatch = dispatch->dispatch;
  report.dispatch_source = dispatch->source;
  report.steps = evaluator.steps();
  report.seconds = evaluator.seconds();
  return report;
}

}  // namespace

StatusOr<RunReport> run_plain(const Resolved& resolved, std::span<const std::span<std::byte>> bound,
                              const RunOptions& options) {
  return within_memory([&] { return run_checked(resolved, bound, options); });
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include "vyre/interpreter/lane_code.h"
#include "vyre/interpreter/lane_statement.h"
#include "vyre/interpreter/segments.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {
namespace {

// Lanes are numbered in 32 bits, rounded up to whole strips.
constexpr uint64_t kMaxInvocations = uint64_t{1} << 30;

// Values of a strip that are there at the same time.
constexpr uint64_t kMaxValues = uint64_t{1} << 18;

class ProgramCompiler {
 public:
  ProgramCompiler(const Resolved& resolved, InstructionSet set, uint32_t max_strip_lanes,
                  Checks checks)
      : resolved_(resolved),
        frame_(resolved, set, max_strip_lanes, checks),
        program_(frame_.program()) {}

  StatusOr<LaneProgram> run() {
    for (const Segment& segment : split_segments(resolved_)) {
      program_.segments.push_back(position());
      joins_.push_back(0);
      join_ = static_cast<uint32_t>(joins_.size() - 1);
      for (const StmtId stmt : segment.statements) {
        if (Status status = compile_range(stmt, resolved_.statements[stmt].end); !status.ok()) {
          return status;
        }
      }
      joins_[join_] = position();
      push(LaneOpKind::kEnd, 0);
    }
    for (LaneOp& op : program_.ops) op.escape = joins_[op.escape];
    if (Status status = check_size(); !status.ok()) return status;
    return std::move(program_);
  }

 private:
  // A statement whose body is being compiled.
  struct Open {
    StmtId stmt = 0;
    uint32_t op = 0;        // the one that starts it
    uint32_t then_end = 0;  // if: the kJump or kElseLanes at the end of `then`
    uint32_t outer_join = 0;
    bool in_else = false;
  };

  uint32_t position() const { return static_cast<uint32_t>(program_.ops.size()); }

  LaneOp& push(LaneOpKind kind, StmtId stmt) {
    LaneOp& op = program_.ops.emplace_back();
    op.kind = kind;
    op.stmt = stmt;
    op.escape = join_;  // the join's place is filled in at the end
    return op;
  }

  uint32_t new_join() {
    joins_.push_back(0);
    return static_cast<uint32_t>(joins_.size() - 1);
  }

  Status compile_range(StmtId begin, StmtId end) {
    for (StmtId stmt = begin;;) {
      while (!open_.empty() && close_at(stmt)) {
      }
      if (stmt >= end) return absl::OkStatus();
      if (Status status = compile(stmt); !status.ok()) return status;
      // Bodies follow in the order of the numbers.
      ++stmt;
    }
  }

  // Ends what ends before the statement; false if nothing does.
  bool close_at(StmtId stmt) {
    Open& open = open_.back();
    const ResolvedStmt& record = resolved_.statements[open.stmt];
    const bool is_if = record.node->kind() == NodeKind::kIf;
    if (is_if && !open.in_else && stmt == record.else_begin) {
      start_else(open);
      return true;
    }
    if (stmt != record.end) return false;
    if (is_if) {
      end_if(open);
    } else if (record.node->kind() == NodeKind::kLoop) {
      end_loop(open);
    }
    open_.pop_back();
    return true;
  }

  bool divides(StmtId stmt) const { return frame_.shapes().divides[stmt] != 0; }

  void start_else(Open& open) {
    open.in_else = true;
    open.then_end = position();
    if (!divides(open.stmt)) {
      const ResolvedStmt& record = resolved_.statements[open.stmt];
      if (record.else_begin != record.end) push(LaneOpKind::kJump, open.stmt);
      program_.ops[open.op].target = position();
      return;
    }
    joins_[join_] = position();
    join_ = new_join();
    push(LaneOpKind::kElseLanes, open.stmt).frame = program_.ops[open.op].frame;
    program_.ops[open.op].target = open.then_end;
  }

  void end_if(Open& open) {
    if (!divides(open.stmt)) {
      const bool jumps = program_.ops[open.op].target != open.then_end;
      if (jumps) program_.ops[open.then_end].target = position();
      return;
    }
    joins_[join_] = position();
    join_ = open.outer_join;
    program_.ops[open.then_end].target = position();
    push(LaneOpKind::kEndIfLanes, open.stmt).frame = program_.ops[open.op].frame;
    --divider_depth_;
  }

  void end_loop(Open& open) {
    const bool lanes = divides(open.stmt);
    const LaneOp begin = program_.ops[open.op];
    program_.ops[open.op].target = position();
    if (lanes) {
      joins_[join_] = position();
      join_ = open.outer_join;
      --divider_depth_;
    } else {
      --loop_depth_;
    }
    LaneOp& next = push(lanes ? LaneOpKind::kLoopLanesNext : LaneOpKind::kLoopNext, open.stmt);
    next.target = open.op + 1;
    next.frame = begin.frame;
    next.variable = begin.variable;
    next.results = begin.results;
  }

  Status compile(StmtId stmt) {
    LaneOp op;
    if (Status status = compile_statement(frame_, stmt, op); !status.ok()) return status;
    const NodeKind kind = resolved_.statements[stmt].node->kind();
    op.kind = op_kind(stmt);
    op.escape = join_;
    const uint32_t number = position();
    if (kind == NodeKind::kLoop) op.variable = frame_.variable(resolved_.statements[stmt].variable);
    if (kind == NodeKind::kIf || kind == NodeKind::kLoop || kind == NodeKind::kBlock ||
        kind == NodeKind::kRegion) {
      Open open;
      open.stmt = stmt;
      open.op = number;
      open.outer_join = join_;
      if (divides(stmt)) {
        op.frame = divider_depth_++;
        program_.frame_count = std::max(program_.frame_count, divider_depth_);
        join_ = new_join();
      } else if (kind == NodeKind::kLoop) {
        op.frame = loop_depth_++;
        program_.loop_count = std::max(program_.loop_count, loop_depth_);
      }
      open_.push_back(open);
    }
    program_.ops.push_back(op);
    return absl::OkStatus();
  }

  LaneOpKind op_kind(StmtId stmt) const {
    const bool lanes = divides(stmt);
    switch (resolved_.statements[stmt].node->kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
        return LaneOpKind::kLet;
      case NodeKind::kStore:
        return LaneOpKind::kStore;
      case NodeKind::kIf:
        return lanes ? LaneOpKind::kIfLanes : LaneOpKind::kIf;
      case NodeKind::kLoop:
        return lanes ? LaneOpKind::kLoopLanes : LaneOpKind::kLoop;
      case NodeKind::kReturn:
        return LaneOpKind::kReturn;
      case NodeKind::kBlock:
      case NodeKind::kRegion:
        return LaneOpKind::kScope;
      case NodeKind::kBarrier:
        return LaneOpKind::kBarrier;
      case NodeKind::kTrap:
        return LaneOpKind::kTrap;
      case NodeKind::kAsyncLoad:
        return LaneOpKind::kAsyncLoad;
      case NodeKind::kAsyncStore:
        return LaneOpKind::kAsyncStore;
      case NodeKind::kAsyncWait:
        return LaneOpKind::kAsyncWait;
      case NodeKind::kIndirectDispatch:
      case NodeKind::kResume:
      case NodeKind::kAllReduce:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
      case NodeKind::kBroadcast:
      case NodeKind::kOpaque:
        break;
    }
    VYRE_UNREACHABLE("carried statements are refused before compilation");
  }

  // Slots name their place in 30 bits.
  Status check_size() const {
    const uint64_t arrays = std::max(program_.temporary_count, program_.variable_count);
    if (arrays * program_.strip_lanes <= Slot::kMaxOffset) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        fmt::format("a workgroup needs {} values at the same time, more than the interpreter has "
                    "room for. Fix: use fewer variables, or smaller expressions.",
                    arrays));
  }

  const Resolved& resolved_;
  LaneFrame frame_;
  LaneProgram& program_;
  std::vector<Open> open_;
  std::vector<uint32_t> joins_;  // where lanes meet again, once known
  uint32_t join_ = 0;
  uint32_t divider_depth_ = 0;
  uint32_t loop_depth_ = 0;
};

}  // namespace

StatusOr<LaneProgram> compile_lanes(const Resolved& resolved, InstructionSet set, Checks checks) {
  const uint64_t invocations = resolved.program.workgroup_invocations();
  if (invocations > kMaxInvocations) {
    const Dim3 size = resolved.program.workgroup_size();
    return absl::ResourceExhaustedError(
        fmt::format("a workgroup has {} x {} x {} invocations, and {} are allowed. Fix: use a "
                    "smaller workgroup, and more of them.",
                    size.x, size.y, size.z, kMaxInvocations));
  }
  StatusOr<LaneProgram> program = ProgramCompiler(resolved, set, kMaxStripLanes, checks).run();
  if (program.ok() && uint64_t{program->temporary_count} * program->strip_lanes <= kMaxValues) {
    return program;
  }
  // A nest so deep that its values would not stay in a processor's caches, or have no room at all.
  return ProgramCompiler(resolved, set, kBlockLanes, checks).run();
}

}  // namespace vyre::interpreter

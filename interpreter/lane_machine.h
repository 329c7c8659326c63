// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs workgroups of a compiled program, one at a time, all invocations together.
//
//   LaneMachine machine(resolved, program, std::move(memory), options, control);
//   StatusOr<std::optional<Trap>> trap = machine.run(0, workgroup, linear);
//
// The order is that of design rule E2: a statement ends for all invocations before the next starts.
// Within a statement the invocations are computed together where that cannot be told from one after
// the other, and one after the other where it can.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "vyre/interpreter/access_log.h"
#include "vyre/interpreter/active_lanes.h"
#include "vyre/interpreter/async_copies.h"
#include "vyre/interpreter/lane_code.h"
#include "vyre/interpreter/memory.h"
#include "vyre/interpreter/run_control.h"

namespace vyre::interpreter {

// Zeros at the start of a cache line, as vector instructions like them.
class AlignedWords {
 public:
  explicit AlignedWords(uint64_t count);
  std::byte* data() const { return data_.get(); }
  static constexpr size_t kAlignment = 64;

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte, Free> data_;
};

class LaneMachine {
 public:
  // One of `machines` that run at the same time and share what memory the run has left.
  LaneMachine(const Resolved& resolved, const LaneProgram& program, Memory memory,
              const RunOptions& options, RunControl& control, uint32_t machines = 1);

  // What a machine allocates besides memory.
  static uint64_t bytes_for(const LaneProgram& program);

  // Runs the workgroup with that linear number through a segment and gives its least trap. Errors:
  // divergence, limits, cancellation, misused asynchronous copies.
  StatusOr<std::optional<Trap>> run(uint32_t segment, Dim3 workgroup, uint64_t linear);

  // Notes accesses to the watched buffers in what is run from now on, and calls `look` each time it
  // counts steps; null: no more.
  void watch(AccessLog* accesses, std::span<const char> watched, std::function<void()> look = {});
  // Has what is run from now on checked; the program was compiled for it.
  void check(RunChecker* checker) { context_.checker = checker; }
  // Whether other machines run at the same time.
  void share_atomics(bool shared) { context_.atomics_are_shared = shared; }
  const Memory& memory() const { return memory_; }
  // Counts the steps that are not counted yet.
  Status finish();

 private:
  // A statement that divides the lanes and is being executed.
  struct Divider {
    ActiveLanes outer;
    uint32_t* outer_buffer = nullptr;
    uint64_t deaths = 0;  // before it
    ActiveLanes otherwise;
    std::vector<uint32_t> then_mask;
    std::vector<uint32_t> else_mask;
    uint64_t iteration = 0;
    uint64_t next_change = 0;  // the first iteration that some active lane does not have
    uint64_t base = 0;         // of bounds that follow from scalars
    uint64_t step = 0;
    std::vector<uint32_t> from;
    std::vector<uint32_t> to;
  };
  struct Counter {
    uint64_t next = 0;
    uint64_t end = 0;
  };

  void start_workgroup(Dim3 workgroup, uint64_t linear);
  void fill_ids();
  Status run_ops(uint32_t pc);

  // ---- statements that change which lanes are active, and give where to go on ----
  uint32_t if_uniform(const LaneOp& op, uint32_t pc);
  uint32_t if_lanes(const LaneOp& op, uint32_t pc);
  uint32_t else_lanes(const LaneOp& op, uint32_t pc);
  uint32_t start_loop(const LaneOp& op, uint32_t pc);
  uint32_t next_iteration(const LaneOp& op, uint32_t pc);
  uint32_t start_loop_lanes(const LaneOp& op);
  uint32_t next_iteration_lanes(const LaneOp& op, uint32_t pc);
  uint32_t leave_divider(const LaneOp& op, uint32_t pc);
  void set_in_lanes(Slot slot, uint32_t value);
  void set_loop_variable(const LaneOp& op, const Divider& loop, uint64_t iteration);
  Divider& enter_divider(uint32_t depth);

  // ---- the others ----
  void let(const LaneOp& op);
  void store(const LaneOp& op);
  void store_strip_one_by_one(const LaneOp& op);
  void trap_all(const LaneOp& op);
  void end_all(StmtId stmt);
  void start_copies(const LaneOp& op);
  void end_copies(const LaneOp& op);
  void note_copy(StmtId stmt);
  // All invocations of the workgroup must stand here. After a trap the workgroup ends instead.
  Status meet(const LaneOp& op, const char* code, const char* what);
  std::string who_is_missing(const LaneOp& op) const;
  std::string where(StmtId stmt) const;

  // ---- execution of a statement's code ----
  // Evaluates the operands and calls effect() for each strip with active lanes, with the context
  // set to it; lanes that trap take no part in it.
  template <typename F>
  void for_strips(const LaneOp& op, F effect);
  // The same for one lane after the other.
  template <typename F>
  void for_lanes(const LaneOp& op, F effect);
  template <typename F>
  void execute(const LaneOp& op, F effect);
  bool one_by_one(const LaneOp& op) const;
  void run_code(const LaneOp& op);
  void run_collective_code(const LaneOp& op);
  void clear_trapped(const LaneInstruction& code);
  // For a statement whose effects come after its code, for all lanes.
  template <typename F>
  void for_workgroup(const LaneOp& op, F effect);
  bool in_one_piece(const LaneOp& op) const;
  void run_workgroup_code(const LaneOp& op);
  bool enter_own_strip(uint32_t strip);
  void leave_own_strips();
  // False if the lane trapped.
  bool run_lane_code(const LaneOp& op);
  // Code on scalars alone. False if it trapped, for all lanes.
  bool run_scalar_code(const LaneOp& op);
  void set_strip(uint32_t strip);
  // False if the strip has no active lanes.
  bool enter_strip(uint32_t strip);
  void enter_lane(uint32_t lane);
  void settle_traps(const LaneOp& op);
  void count_work(const LaneOp& op) { count_work(op.stmt, 1 + op.code_end - op.code_begin); }
  void count_work(StmtId stmt, uint64_t work);

  // ---- lanes ----
  void kill(uint32_t lane);
  void drop_dead();
  void trap(const LaneOp& op, uint32_t lane, std::string_view tag, uint32_t address);
  Dim3 local_id(uint32_t lane) const;
  Executing executing(StmtId stmt, uint32_t lane) const;
  Status count_step(const LaneOp& op) {
    return ++steps_ < next_count_ ? absl::OkStatus() : count_steps(op.stmt);
  }
  Status count_steps(StmtId stmt);

  const Resolved& resolved_;
  const LaneProgram& program_;
  const RunOptions& options_;
  RunControl& control_;
  Memory memory_;
  Dim3 size_;

  AlignedWords scalars_;
  AlignedWords statement_scalars_;
  AlignedWords temporaries_;
  AlignedWords variables_;
  LaneContext context_;
  std::vector<scalar::ArithmeticTrap> traps_;  // by lane
  std::vector<uint32_t> order_;                // of the lanes, if it is not the ascending one

  ActiveLanes active_;
  uint32_t* active_buffer_ = nullptr;  // where a mask of the active lanes may stand
  std::vector<uint32_t> base_mask_;
  std::vector<char> alive_;
  std::vector<StmtId> ended_at_;  // by lane that is not alive: its return
  uint64_t deaths_ = 0;
  std::vector<std::unique_ptr<Divider>> dividers_;  // by depth
  std::vector<Counter> counters_;                   // loops that do not divide, by depth
  AsyncCopies copies_;

  Dim3 workgroup_;
  uint64_t workgroup_linear_ = 0;
  std::optional<Trap> trap_;
  uint32_t trap_lane_ = 0;
  bool stopped_ = false;
  uint64_t steps_ = 0;  // not counted yet
  uint64_t next_count_ = 1;
  uint64_t work_ = 0;  // since the last look at the clock
  Status interruption_ = absl::OkStatus();
  std::function<void()> look_;
};

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs all workgroups of all segments of a program.
#pragma once

#include <optional>
#include <span>

#include "vyre/interpreter/checks/run_checker.h"
#include "vyre/interpreter/lane_machine.h"
#include "vyre/interpreter/parallel_plan.h"

namespace vyre::interpreter {

class GridRunner {
 public:
  // Less work than this is done before a thread has started.
  static constexpr double kSecondsWorthThreads = 2e-4;

  GridRunner(const Resolved& resolved, const LaneProgram& program,
             std::span<const SegmentPlan> plans, const RunOptions& options,
             double seconds_worth_threads = kSecondsWorthThreads)
      : resolved_(resolved),
        program_(program),
        plans_(plans),
        options_(options),
        control_(resolved, options),
        seconds_worth_threads_(seconds_worth_threads) {}

  // Has the run checked; the program was compiled for it.
  void check(RunChecker* checker) { checker_ = checker; }
  // The report has trap, steps and seconds.
  StatusOr<RunReport> run(std::span<const std::span<std::byte>> bound, Dispatch dispatch);

 private:
  Status check_memory() const;
  uint32_t thread_count(const SegmentPlan& plan, const Memory& memory) const;
  Status run_segment(LaneMachine& machine, uint32_t segment, Dim3 grid);
  // Runs workgroups [begin, end) in the order of the options.
  Status run_in_order(LaneMachine& machine, uint32_t segment, Dim3 grid, uint64_t begin,
                      uint64_t end);
  // How many workgroups have run: the first ones, to see whether the others are worth threads and
  // apart from each other, and all if they are.
  StatusOr<uint64_t> try_threads(LaneMachine& machine, uint32_t segment, Dim3 grid,
                                 uint32_t threads);
  void report_progress(uint32_t segment, uint64_t done, uint64_t count);

  const Resolved& resolved_;
  const LaneProgram& program_;
  std::span<const SegmentPlan> plans_;
  const RunOptions& options_;
  RunControl control_;
  double seconds_worth_threads_;
  RunChecker* checker_ = nullptr;
  std::optional<Trap> trap_;
  uint64_t trapped_ = 0;  // the number of its workgroup
  double progress_ = 0;
};

}  // namespace vyre::interpreter

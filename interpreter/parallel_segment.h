// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Workgroups of one segment on several threads, with the result of one after the other.
//
// Threads take chunks of workgroups and note which elements each chunk touches. If no chunk has
// written what another one has read or written, no workgroup can have seen which ran first. If one
// has, the threads stop, everything written is put back, and the caller runs the workgroups in
// order. Threads compare what they touch while they run: a workgroup that saw what it never sees in
// order might not end by itself.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "vyre/interpreter/lane_machine.h"
#include "vyre/interpreter/parallel_plan.h"

namespace vyre::interpreter {

class ParallelSegment {
 public:
  struct Work {
    uint32_t segment = 0;
    Dim3 grid;
    uint64_t begin = 0;  // workgroups before it have run
    uint64_t count = 0;  // of the segment
    uint32_t threads = 1;
  };

  ParallelSegment(const Resolved& resolved, const LaneProgram& program, const SegmentPlan& plan,
                  const RunOptions& options, RunControl& control, Work work);

  // Runs workgroups [begin, count). False: their order could have been seen, or something went
  // wrong that the order decides about; memory and steps are as before. `done` is called from one
  // thread at a time with the number of workgroups that have finished. Errors: cancellation, the
  // time limit.
  StatusOr<bool> run(const Memory& memory, const std::function<void(uint64_t done)>& done);

  // The least trap, with the number of its workgroup.
  const std::optional<std::pair<uint64_t, Trap>>& trap() const { return trap_; }

 private:
  void run_chunks(uint32_t thread, const Memory& memory,
                  const std::function<void(uint64_t done)>& done);
  // False if the run is over.
  bool run_chunk(LaneMachine& machine, uint32_t thread, uint64_t chunk,
                 const std::function<void(uint64_t done)>& done);
  void fail(Status status);
  // Shows the others what the thread's chunk has touched so far, and compares it with theirs.
  void publish(uint32_t thread, const AccessLog& log, bool finished);

  const Resolved& resolved_;
  const LaneProgram& program_;
  const SegmentPlan& plan_;
  const RunOptions& options_;
  RunControl& control_;
  Work work_;
  uint64_t chunk_size_ = 1;
  uint64_t chunk_count_ = 0;

  std::atomic<uint64_t> next_chunk_{0};
  std::atomic<uint64_t> trapped_;                  // the least workgroup that trapped
  std::mutex mutex_;                               // guards what follows
  bool apart_ = true;                              // as far as is known
  std::vector<AccessLog> logs_;                    // of finished chunks
  std::vector<std::optional<AccessLog>> running_;  // of the others, by thread
  std::optional<std::pair<uint64_t, Trap>> trap_;
  Status failure_;
  uint64_t finished_ = 0;
};

// The position of a workgroup in the grid.
Dim3 workgroup_position(uint64_t linear, Dim3 grid);

// Whether one of them has written what the other has touched.
bool meet(const AccessLog& a, const AccessLog& b);

}  // namespace vyre::interpreter

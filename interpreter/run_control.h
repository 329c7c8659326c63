// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the threads of one run share: its limits, and how much of them is used (design rule D11).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "vyre/ir/resolve.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

class RunControl {
 public:
  RunControl(const Resolved& resolved, const RunOptions& options)
      : resolved_(resolved), options_(options), start_(Clock::now()) {}

  // Counts the steps that a thread has made since it last did so, the latest at `stmt`, and looks
  // at all limits. A run fails exactly if all its steps together are too many.
  Status count(uint64_t steps, StmtId stmt);
  // How many more steps a thread may make before it should count them.
  uint64_t steps_to_next_count() const;
  // Whether the run was cancelled or has taken too long.
  Status poll(StmtId stmt) const;

  uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Ends what other threads are doing: their next count fails.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Goes back to an earlier number of steps, after threads that were stopped.
  void rewind(uint64_t steps) {
    steps_.store(steps, std::memory_order_relaxed);
    stopped_.store(false, std::memory_order_relaxed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t kStepsBetweenCounts = 4096;

  std::string limit_message(std::string limit, StmtId stmt) const;

  const Resolved& resolved_;
  const RunOptions& options_;
  Clock::time_point start_;
  std::atomic<uint64_t> steps_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace vyre::interpreter

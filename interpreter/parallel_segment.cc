// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/parallel_segment.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <limits>

#include "vyre/interpreter/float_environment.h"

namespace vyre::interpreter {
namespace {

constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
// Enough for an even load, few enough to compare each with each.
constexpr uint64_t kChunksPerThread = 16;
constexpr uint64_t kMaxChunks = 512;

// The bytes of what the segment changes, to put back.
class Snapshot {
 public:
  Snapshot(const Memory& memory, const SegmentPlan& plan) {
    for (uint32_t buffer = 0; buffer < memory.views().size(); ++buffer) {
      if (plan.changed[buffer] == 0) continue;
      const BufferView& view = memory.views()[buffer];
      saved_.emplace_back(view, std::vector<std::byte>(view.data, view.data + view.bytes));
    }
  }
  void put_back() const {
    for (const auto& [view, bytes] : saved_) std::ranges::copy(bytes, view.data);
  }

 private:
  std::vector<std::pair<BufferView, std::vector<std::byte>>> saved_;
};

}  // namespace

Dim3 workgroup_position(uint64_t linear, Dim3 grid) {
  const uint64_t plane = uint64_t{grid.x} * grid.y;
  return {static_cast<uint32_t>(linear % grid.x), static_cast<uint32_t>(linear % plane / grid.x),
          static_cast<uint32_t>(linear / plane)};
}

bool meet(const AccessLog& a, const AccessLog& b) {
  for (size_t buffer = 0; buffer < a.writes.size(); ++buffer) {
    if (a.writes[buffer].meets(b.writes[buffer]) || a.writes[buffer].meets(b.reads[buffer]) ||
        a.reads[buffer].meets(b.writes[buffer])) {
      return true;
    }
  }
  return false;
}

ParallelSegment::ParallelSegment(const Resolved& resolved, const LaneProgram& program,
                                 const SegmentPlan& plan, const RunOptions& options,
                                 RunControl& control, Work work)
    : resolved_(resolved),
      program_(program),
      plan_(plan),
      options_(options),
      control_(control),
      work_(work),
      trapped_(kNone),
      running_(work.threads),
      failure_(absl::OkStatus()),
      finished_(work.begin) {
  const uint64_t workgroups = work.count - work.begin;
  const uint64_t chunks = std::min({workgroups, work.threads * kChunksPerThread, kMaxChunks});
  chunk_size_ = (workgroups + chunks - 1) / chunks;
  chunk_count_ = (workgroups + chunk_size_ - 1) / chunk_size_;
}

StatusOr<bool> ParallelSegment::run(const Memory& memory,
                                    const std::function<void(uint64_t done)>& done) {
  const Snapshot snapshot(memory, plan_);
  const uint64_t steps = control_.steps();
  // More workers than processors would gain nothing, and the library warns of them on stderr.
  const int processors = oneapi::tbb::info::default_concurrency();
  oneapi::tbb::task_arena arena(std::min(static_cast<int>(work_.threads), processors));
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        uint32_t{0}, work_.threads, [&](uint32_t thread) { run_chunks(thread, memory, done); },
        oneapi::tbb::simple_partitioner());
  });
  if (failure_.ok() && apart_) return true;
  // The clock and the caller end a run in any order.
  if (absl::IsCancelled(failure_) || absl::IsDeadlineExceeded(failure_)) return failure_;
  trap_.reset();
  snapshot.put_back();
  control_.rewind(steps);
  return false;
}

void ParallelSegment::run_chunks(uint32_t thread, const Memory& memory,
                                 const std::function<void(uint64_t done)>& done) {
  if (next_chunk_.load() >= chunk_count_) return;
  const FloatEnvironment environment;
  LaneMachine machine(resolved_, program_, memory.fork(), options_, control_, work_.threads + 1);
  machine.share_atomics(true);
  for (uint64_t chunk = next_chunk_++; chunk < chunk_count_; chunk = next_chunk_++) {
    if (!run_chunk(machine, thread, chunk, done)) return;
  }
  if (Status status = machine.finish(); !status.ok()) fail(std::move(status));
}

bool ParallelSegment::run_chunk(LaneMachine& machine, uint32_t thread, uint64_t chunk,
                                const std::function<void(uint64_t done)>& done) {
  AccessLog log(plan_.watched.size());
  machine.watch(&log, plan_.watched, [&] { publish(thread, log, false); });
  const uint64_t first = work_.begin + chunk * chunk_size_;
  const uint64_t last = std::min(first + chunk_size_, work_.count);
  // After a trap no later workgroup can have the one that is reported.
  for (uint64_t linear = first; linear < last && linear <= trapped_.load(); ++linear) {
    StatusOr<std::optional<Trap>> trap =
        machine.run(work_.segment, workgroup_position(linear, work_.grid), linear);
    if (!trap.ok()) {
      fail(trap.status());
      return false;
    }
    const std::lock_guard lock(mutex_);
    if (*trap && (!trap_ || linear < trap_->first)) {
      trap_.emplace(linear, **std::move(trap));
      trapped_ = linear;
    }
    done(++finished_);
  }
  machine.watch(nullptr, {});
  publish(thread, log, true);
  return !control_.stopped();
}

void ParallelSegment::publish(uint32_t thread, const AccessLog& log, bool finished) {
  const std::lock_guard lock(mutex_);
  running_[thread].reset();
  const auto meets = [&](const AccessLog& other) { return meet(log, other); };
  apart_ = apart_ && std::ranges::none_of(logs_, meets) &&
           std::ranges::none_of(running_, [&](const std::optional<AccessLog>& other) {
             return other && meets(*other);
           });
  if (!apart_) control_.stop();
  if (finished) {
    logs_.push_back(log);
  } else {
    running_[thread] = log;
  }
}

void ParallelSegment::fail(Status status) {
  const std::lock_guard lock(mutex_);
  // Those that were stopped say nothing.
  if (failure_.ok() && !absl::IsAborted(status)) failure_ = std::move(status);
  control_.stop();
}

}  // namespace vyre::interpreter

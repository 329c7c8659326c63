// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/grid_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "vyre/interpreter/float_environment.h"
#include "vyre/interpreter/parallel_segment.h"
#include "vyre/interpreter/schedule.h"

namespace vyre::interpreter {
namespace {

// Workgroups that run first, one after the other.
constexpr uint64_t kSamples = 2;

bool is_aligned(const BufferView& view) {
  return reinterpret_cast<uintptr_t>(view.data) % alignof(uint32_t) == 0;
}

}  // namespace

Status GridRunner::check_memory() const {
  const uint64_t bytes = LaneMachine::bytes_for(program_);
  if (bytes <= options_.max_memory_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("a workgroup of {} invocations with {} variables and its expressions needs {} "
                  "bytes of memory, and the run allows {}. Fix: use a smaller workgroup.",
                  program_.invocations, resolved_.slot_count, bytes, options_.max_memory_bytes));
}

uint32_t GridRunner::thread_count(const SegmentPlan& plan, const Memory& memory) const {
  if (!plan.may_be_parallel || checker_ != nullptr) return 1;
  uint64_t changed_bytes = 0;
  for (size_t i = 0; i < plan.changed.size(); ++i) {
    if (plan.changed[i] == 0) continue;
    changed_bytes += memory.views()[i].bytes;
    // A processor does one indivisible step on an aligned word.
    if (plan.atomic[i] != 0 && !is_aligned(memory.views()[i])) return 1;
  }
  const uint64_t wanted =
      options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
  // Each thread has its own registers and scratch, and what is changed is saved.
  const uint64_t bytes = LaneMachine::bytes_for(program_) + memory.allocated_bytes();
  const uint64_t used = changed_bytes + memory.allocated_bytes() + LaneMachine::bytes_for(program_);
  if (used >= options_.max_memory_bytes) return 1;
  const uint64_t room = (options_.max_memory_bytes - used) / std::max<uint64_t>(bytes, 1);
  constexpr uint64_t kMaxThreads = 1024;
  return static_cast<uint32_t>(std::clamp<uint64_t>(std::min(wanted, room), 1, kMaxThreads));
}

// A caller that draws a bar wants one that grows.
void GridRunner::report_progress(uint32_t segment, uint64_t done, uint64_t count) {
  if (!options_.progress) return;
  const double fraction = (segment + static_cast<double>(done) / static_cast<double>(count)) /
                          static_cast<double>(program_.segments.size());
  if (fraction <= progress_) return;
  progress_ = fraction;
  options_.progress(fraction);
}

Status GridRunner::run_in_order(LaneMachine& machine, uint32_t segment, Dim3 grid, uint64_t begin,
                                uint64_t end) {
  const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
  const WorkgroupOrder order(options_, count, segment);
  for (uint64_t i = begin; i < end; ++i) {
    const uint64_t linear = order.at(i);
    StatusOr<std::optional<Trap>> trap =
        machine.run(segment, workgroup_position(linear, grid), linear);
    if (!trap.ok()) return trap.status();
    if (*trap && (!trap_ || linear < trapped_)) {
      trap_ = *std::move(trap);
      trapped_ = linear;
    }
    report_progress(segment, i + 1, count);
    // In ascending order no later workgroup can have the trap that is reported.
    if (trap_ && order.ascending()) break;
  }
  return absl::OkStatus();
}

StatusOr<uint64_t> GridRunner::try_threads(LaneMachine& machine, uint32_t segment, Dim3 grid,
                                           uint32_t threads) {
  const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
  const SegmentPlan& plan = plans_[segment];
  std::vector<AccessLog> samples(kSamples, AccessLog(plan.watched.size()));
  const double start = control_.seconds();
  for (uint64_t i = 0; i < kSamples; ++i) {
    machine.watch(&samples[i], plan.watched);
    Status status = run_in_order(machine, segment, grid, i, i + 1);
    machine.watch(nullptr, {});
    if (!status.ok()) return status;
    if (trap_) return count;
  }
  const double seconds = (control_.seconds() - start) / kSamples;
  const auto rest = static_cast<double>(count - kSamples);
  if (seconds * rest < seconds_worth_threads_ || meet(samples[0], samples[1])) return kSamples;
  // Counted steps are what a run of the others goes back to.
  if (Status status = machine.finish(); !status.ok()) return status;
  ParallelSegment others(resolved_, program_, plan, options_, control_,
                         {segment, grid, kSamples, count, threads});
  const StatusOr<bool> apart =
      others.run(machine.memory(), [&](uint64_t done) { report_progress(segment, done, count); });
  if (!apart.ok()) return apart.status();
  if (!*apart) return kSamples;
  if (others.trap()) std::tie(trapped_, trap_) = *others.trap();
  return count;
}

Status GridRunner::run_segment(LaneMachine& machine, uint32_t segment, Dim3 grid) {
  if (checker_ != nullptr) checker_->start_segment();
  const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
  const uint32_t threads = thread_count(plans_[segment], machine.memory());
  uint64_t begin = 0;
  if (threads > 1 && count > kSamples + 1 && WorkgroupOrder(options_, count, segment).ascending()) {
    const StatusOr<uint64_t> done = try_threads(machine, segment, grid, threads);
    if (!done.ok()) return done.status();
    begin = *done;
  }
  return run_in_order(machine, segment, grid, begin, count);
}

StatusOr<RunReport> GridRunner::run(std::span<const std::span<std::byte>> bound,
                                    Dispatch dispatch) {
  if (Status status = check_memory(); !status.ok()) return status;
  StatusOr<Memory> memory = Memory::create(resolved_.program, bound, options_);
  if (!memory.ok()) return memory.status();
  const FloatEnvironment environment;
  LaneMachine machine(resolved_, program_, *std::move(memory), options_, control_);
  if (checker_ != nullptr) {
    if (Status status = checker_->start(machine.memory()); !status.ok()) return status;
    machine.check(checker_);
  }
  // After a trap no later segment starts.
  for (uint32_t segment = 0; segment < program_.segments.size() && !trap_; ++segment) {
    Status status = run_segment(machine, segment, dispatch.workgroups);
    if (!status.ok()) return status;
  }
  if (Status status = machine.finish(); !status.ok()) return status;
  RunReport report;
  report.trap = std::move(trap_);
  report.steps = control_.steps();
  report.seconds = control_.seconds();
  return report;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What every way of running a program takes and gives: dispatch, options, report.
//
//   RunOptions options;
//   options.max_steps = 1'000'000;
//   options.dispatch = Dispatch::covering({1000}, program.workgroup_size());
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

// How many workgroups run along each axis.
struct Dispatch {
  Dim3 workgroups;

  static Dispatch of_workgroups(Dim3 count) { return Dispatch{count}; }
  // As many workgroups as cover that many invocations: ceil(extent / workgroup size) along each
  // axis; an extent of 0 gives none.
  static Dispatch covering(Dim3 extent, Dim3 workgroup_size);
  friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

// Where a run's dispatch came from.
enum class DispatchSource : uint8_t { kCaller, kExtent, kInferred };
// "the caller", "the program's extent", "the buffers' sizes"
const char* spelling(DispatchSource source);

// Set from any thread to end a run at its next statement.
class CancellationFlag {
 public:
  CancellationFlag() = default;
  // Counts as set, too, when `parent` is: one run of several that share a flag.
  explicit CancellationFlag(std::shared_ptr<const CancellationFlag> parent)
      : parent_(std::move(parent)) {}

  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    return cancelled_.load(std::memory_order_relaxed) || (parent_ && parent_->cancelled());
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::shared_ptr<const CancellationFlag> parent_;
};

// What a run can be watched for. Each finding is a diagnostic; none changes what the run computes.
enum class Check : uint8_t {
  kRaces = 1,   // C001: accesses that nothing orders (design rule E8)
  kBounds = 2,  // C002: loads, stores, atomics and copies beyond their buffer
  kWrap = 4,    // C004: indices whose arithmetic left their type
};

class Checks {
 public:
  constexpr Checks() = default;
  constexpr Checks(Check check)  // NOLINT(google-explicit-constructor)
      : bits_(static_cast<uint8_t>(check)) {}
  static constexpr Checks all() { return Checks(Check::kRaces) | Check::kBounds | Check::kWrap; }

  constexpr bool has(Check check) const { return (bits_ & static_cast<uint8_t>(check)) != 0; }
  constexpr bool any() const { return bits_ != 0; }
  friend constexpr Checks operator|(Checks a, Checks b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr bool operator==(Checks, Checks) = default;

 private:
  uint8_t bits_ = 0;
};

// "races,bounds" or "all". Error: a name that is not one of these (InvalidArgument).
StatusOr<Checks> parse_checks(std::string_view text);

struct RunOptions {
  // Wins over the program's extent; without either, sizes are inferred from the buffers.
  std::optional<Dispatch> dispatch;
  // A step is one statement executed by one workgroup, or one iteration of a loop. 0: no limit.
  uint64_t max_steps = uint64_t{1} << 32;
  // Seconds; 0: no limit.
  double max_seconds = 0;
  // Bytes of workgroup memory of one workgroup; 0: no limit of its own.
  uint64_t max_workgroup_bytes = 0;
  // Bytes that a run may allocate for outputs, scratch and variables.
  uint64_t max_memory_bytes = uint64_t{4} << 30;
  // Runs workgroups and invocations in descending order. The output bytes of a determinate program
  // do not change.
  bool reversed = false;
  // Runs workgroups and invocations in an order drawn from the seed; it wins over `reversed`.
  // Statements still go one at a time, and the output bytes of a determinate program do not change.
  std::optional<uint64_t> schedule_seed;
  // Workgroups run on up to that many threads where their order cannot show; 0: as many as there
  // are processors. The results are the same for every number, those of programs with races too.
  uint32_t threads = 0;
  // Findings come in RunReport::checker_reports. A run that is checked takes one thread, more time
  // and, for races, about ten times the memory of the buffers that it writes.
  Checks checks;
  uint32_t max_findings = 100;
  std::shared_ptr<CancellationFlag> cancellation;
  // Called now and then with the finished fraction of the workgroups of all segments, from one
  // thread at a time but not always the same. It may fall where workgroups have to run again.
  std::function<void(double fraction)> progress;
};

struct Trap {
  std::string tag;
  uint32_t address = 0;
  Dim3 workgroup{0, 0, 0};   // id of the workgroup
  Dim3 invocation{0, 0, 0};  // id of the invocation in its workgroup
  std::string path;          // "entry[0].body[2]"
  Place place;

  // "trap `tag` at address 0, workgroup (0, 0, 0), invocation (3, 0, 0), entry[0].body[2]"
  std::string to_string() const;
};

// The status that stands for a trap where there is no report (Aborted), and the trap of such a
// status again; none for any other status. The place is in the message only.
Status trap_status(const Trap& trap);
std::optional<Trap> trap_of(const Status& status);

struct RunReport {
  std::optional<Trap> trap;
  Dispatch dispatch;
  DispatchSource dispatch_source = DispatchSource::kInferred;
  uint64_t steps = 0;
  double seconds = 0;
  // What RunOptions::checks found: one a pair of places for races, one a place for the others, in
  // the order of the program. Whether accesses to an element race does not depend on the schedule;
  // which invocations, and which of several places there, are named, may.
  std::vector<Diagnostic> checker_reports;
  uint64_t omitted_checker_reports = 0;  // beyond RunOptions::max_findings
};

}  // namespace vyre

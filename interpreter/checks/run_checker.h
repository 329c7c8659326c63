// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Watches a run for what a program must not do (RunOptions::checks). It is told of every access to
// memory before it happens, and of barriers, workgroups and segments.
//
//   RunChecker checker(resolved, program, options);
//   if (Status status = checker.start(machine.memory()); !status.ok()) return status;
//   machine.check(&checker);
//   ...
//   report.checker_reports = checker.findings(dispatch_source, report.omitted_checker_reports);
//
// What races (E8) does not depend on the order in which the run goes: see race_shadow.h.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "vyre/interpreter/active_lanes.h"
#include "vyre/interpreter/checks/race_shadow.h"
#include "vyre/interpreter/lane_code.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

class RunChecker {
 public:
  RunChecker(const Resolved& resolved, const LaneProgram& program, const RunOptions& options)
      : resolved_(resolved), program_(program), options_(options) {}

  // Error: what is to be remembered takes more memory than the run has left (ResourceExhausted).
  Status start(const Memory& memory);
  void start_segment() { clock_.segment_begin = clock_.now + 1; }
  // `active` says which lanes of the workgroup execute the statement at hand, while it runs.
  void start_workgroup(Dim3 workgroup, uint64_t linear, const ActiveLanes& active);
  // Error: more barriers than can be told apart (ResourceExhausted).
  Status pass_barrier();

  // The context's active lanes reach memory; all active lanes of the workgroup if it has none.
  void access(const LaneContext& context, SiteId site, const LaneValue& index);
  // The index with which they are about to, and what it would be without the limits of its type.
  void compare_exact(const LaneContext& context, SiteId site, const LaneValue& index,
                     const LaneValue& exact);
  // A lane issues an asynchronous copy; what it issued ends and is written.
  void start_copy(const BufferView* views, SiteId site, uint32_t lane, uint64_t offset,
                  uint64_t size);
  void end_copy(const BufferView* views, StmtId issued, uint32_t lane, uint64_t begin,
                uint64_t size);

  std::vector<Diagnostic> findings(DispatchSource source, uint64_t& omitted) const;

 private:
  struct Invocation {
    uint64_t workgroup = 0;  // linear
    uint32_t lane = 0;
    Dim3 workgroup_id{0, 0, 0};
    friend bool operator<(const Invocation& a, const Invocation& b) {
      return std::pair(a.workgroup, a.lane) < std::pair(b.workgroup, b.lane);
    }
  };
  // The first example of two sites that race, in the order of elements and invocations.
  struct Race {
    uint64_t element = 0;
    Invocation by[2];
  };
  struct Beyond {
    uint64_t index = 0;  // of copies, the byte behind the last one
    uint64_t size = 0;
    Invocation by;
  };
  struct Wrapped {
    uint64_t index = 0;
    int64_t exact = 0;
    Invocation by;
  };
  struct WorkgroupRun {
    uint32_t first_moment = 0;
    uint64_t linear = 0;
    Dim3 id{0, 0, 0};
  };

  // What a shadow calls where an access races with an earlier one.
  struct Found {
    RunChecker& checker;
    AccessRecord by;
    uint64_t element;
    void operator()(const AccessRecord& earlier) const { checker.note_race(element, earlier, by); }
  };
  using Touch = void (RaceShadow::*)(const AccessRecord&, uint64_t, const RaceClock&, Found);

  template <typename F>
  void for_lanes(const LaneContext& context, const LaneValue& index, F f) const;
  template <Touch touch>
  void check_lanes(const LaneContext& context, SiteId site, const LaneValue& index);
  void copy(const BufferView& view, SiteId site, uint32_t lane, uint64_t begin, uint64_t end);
  void note_race(uint64_t element, const AccessRecord& earlier, const AccessRecord& by);
  void note_wrapped(SiteId site, uint32_t lane, uint64_t index, int64_t exact);
  void note_beyond(SiteId site, uint32_t lane, uint64_t index, uint64_t size);
  Invocation invocation_of(const AccessRecord& record) const;
  SiteId copy_write_of(StmtId issued) const;

  Diagnostic describe(const std::pair<SiteId, SiteId>& sites, const Race& race,
                      DispatchSource source) const;
  Diagnostic describe(SiteId site, const Beyond& beyond) const;
  Diagnostic describe(SiteId site, const Wrapped& wrapped) const;
  std::string spell(const Invocation& invocation) const;

  const Resolved& resolved_;
  const LaneProgram& program_;
  const RunOptions& options_;
  const ActiveLanes* active_ = nullptr;
  RaceClock clock_;
  std::vector<RaceShadow> shadows_;                     // by buffer
  std::vector<WorkgroupRun> workgroups_;                // in the order in which they run
  std::vector<std::pair<StmtId, SiteId>> copy_writes_;  // sorted
  std::map<std::pair<SiteId, SiteId>, Race> races_;     // by sites, the one that stands first first
  std::map<SiteId, Beyond> beyond_;
  std::map<SiteId, Wrapped> wrapped_;
};

}  // namespace vyre::interpreter

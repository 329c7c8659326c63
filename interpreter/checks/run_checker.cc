// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/run_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "vyre/interpreter/checks/exact_kernels.h"
#include "vyre/interpreter/lane_functions.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {

Status RunChecker::start(const Memory& memory) {
  clock_.lane_bits = static_cast<uint32_t>(
      std::max(1, static_cast<int>(std::bit_width(program_.invocations - 1))));
  if (uint64_t{program_.sites.size()} << clock_.lane_bits > uint64_t{1} << 32) {
    return absl::ResourceExhaustedError(fmt::format(
        "workgroups of {} invocations with {} accesses in the program are too large to be checked. "
        "Fix: check smaller workgroups.",
        program_.invocations, program_.sites.size()));
  }
  const std::vector<BufferDecl>& buffers = resolved_.program.buffers();
  std::vector<bool> changes(buffers.size());
  std::vector<bool> atomics(buffers.size());
  for (SiteId site = 0; site < program_.sites.size(); ++site) {
    const AccessSite& access = program_.sites[site];
    if (writes(access.kind)) changes[access.buffer] = true;
    if (access.kind == AccessKind::kAtomic) atomics[access.buffer] = true;
    if (access.kind == AccessKind::kCopyWrite) copy_writes_.emplace_back(access.stmt, site);
  }
  std::ranges::sort(copy_writes_);
  uint64_t bytes = memory.allocated_bytes();
  shadows_.resize(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferView& view = memory.views()[i];
    if (!options_.checks.has(Check::kRaces) || !changes[i] || buffers[i].is_local()) continue;
    bytes += RaceShadow::bytes_for(view.bytes, view.stride, atomics[i]);
    if (bytes > options_.max_memory_bytes) {
      return absl::ResourceExhaustedError(fmt::format(
          "to find races on `{}`, the run needs more memory than the {} bytes that are allowed. "
          "Fix: check a smaller input, or allow more memory.",
          buffers[i].name(), options_.max_memory_bytes));
    }
    shadows_[i] = RaceShadow(view.bytes, view.stride, view.shared, atomics[i]);
  }
  return absl::OkStatus();
}

void RunChecker::start_workgroup(Dim3 workgroup, uint64_t linear, const ActiveLanes& active) {
  active_ = &active;
  clock_.workgroup_begin = ++clock_.now;
  workgroups_.push_back({clock_.now, linear, workgroup});
}

Status RunChecker::pass_barrier() {
  if (++clock_.now < std::numeric_limits<uint32_t>::max()) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the run passes more barriers than a checked one can. Fix: check a smaller input.");
}

// ---- accesses ----

namespace {

uint32_t index_of_first(const LaneContext& context, const ActiveLanes& active) {
  return context.first < context.last ? context.strip_begin + context.first : active.first;
}

uint32_t index_of_last(const LaneContext& context, const ActiveLanes& active) {
  return (context.first < context.last ? context.strip_begin + context.last : active.last) - 1;
}

bool has_trapped(const LaneContext& context, uint32_t lane) {
  return context.trapped && context.traps[lane] != scalar::ArithmeticTrap::kNone;
}

}  // namespace

// f(lane of the workgroup, index) for each lane; for an index that is the same in all of them, for
// the first and the last one: any two lanes that differ will do.
template <typename F>
void RunChecker::for_lanes(const LaneContext& context, const LaneValue& index, F f) const {
  if (index.shape == Shape::kUniform) {
    const uint64_t at = context.scalar(index.slot);
    const uint32_t first = index_of_first(context, *active_);
    const uint32_t last = index_of_last(context, *active_);
    f(first, at);
    if (last != first) f(last, at);
    return;
  }
  if (index.shape == Shape::kAffine && context.mask == nullptr && !context.trapped) {
    const AffineReach reach = affine_reach(context, index);
    int64_t at = reach.start;
    for (uint32_t lane = context.first; reach.straight && lane < context.last; ++lane) {
      f(context.strip_begin + lane, static_cast<uint64_t>(at));
      at += reach.step;
    }
    if (reach.straight) return;
  }
  const LaneReader indices(context, index);
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (!context.is_active(lane) || has_trapped(context, lane)) continue;
    f(context.strip_begin + lane, indices.at(lane));
  }
}

void RunChecker::access(const LaneContext& context, SiteId site, const LaneValue& index) {
  switch (program_.sites[site].kind) {
    case AccessKind::kLoad:
    case AccessKind::kCopyRead:
      return check_lanes<&RaceShadow::read<Found>>(context, site, index);
    case AccessKind::kStore:
    case AccessKind::kCopyWrite:
      return check_lanes<&RaceShadow::write<Found>>(context, site, index);
    case AccessKind::kAtomic:
      return check_lanes<&RaceShadow::update<Found>>(context, site, index);
  }
}

template <RunChecker::Touch touch>
void RunChecker::check_lanes(const LaneContext& context, SiteId site, const LaneValue& index) {
  const uint32_t buffer = program_.sites[site].buffer;
  const BufferView& view = context.views[buffer];
  RaceShadow& shadow = shadows_[buffer];
  const bool races = shadow.is_tracked();
  const bool bounds = options_.checks.has(Check::kBounds);
  if (!races && index.shape == Shape::kAffine) {
    const AffineReach reach = affine_reach(context, index);
    if (reach.straight && reach.high < view.count) return;
  }
  const uint64_t count = view.count;
  const uint32_t cells = races ? view.stride / shadow.cell_bytes() : 0;
  const RaceClock clock = clock_;
  for_lanes(context, index, [&](uint32_t lane, uint64_t at) {
    if (at >= count) [[unlikely]] {
      if (bounds) note_beyond(site, lane, at, count);
      return;
    }
    const AccessRecord by = clock.record(lane, site);
    for (uint32_t i = 0; i < cells; ++i) {
      (shadow.*touch)(by, at * cells + i, clock, {*this, by, at});
    }
  });
}

void RunChecker::compare_exact(const LaneContext& context, SiteId site, const LaneValue& index,
                               const LaneValue& exact) {
  const auto equal = [](uint64_t at, int64_t exactly) {
    return exactly >= 0 && static_cast<uint64_t>(exactly) == at;
  };
  const auto check = [&](uint32_t lane, uint64_t at, int64_t exactly) {
    if (!equal(at, exactly)) note_wrapped(site, lane, at, exactly);
  };
  if (index.shape == Shape::kUniform) {
    const uint64_t at = context.scalar(index.slot);
    check(index_of_first(context, *active_), index.wide ? at : static_cast<uint32_t>(at),
          static_cast<int64_t>(context.scalar(exact.slot)));
    return;
  }
  const auto base = static_cast<int64_t>(context.scalar(exact.slot));
  const auto step = static_cast<int64_t>(context.scalar(exact.step));
  const auto exactly = [&](uint32_t lane) {
    return index.shape == Shape::kAffine
               ? exact_at(base, step, uint64_t{context.strip_begin} + lane)
               : context.lanes<int64_t>(exact.slot)[lane];
  };
  const LaneReader indices(context, index);
  // Both grow evenly: they are equal in all lanes if they are at both ends.
  const auto equal_in = [&](uint32_t lane) { return equal(indices.at(lane), exactly(lane)); };
  if (index.shape == Shape::kAffine && equal_in(context.first) && equal_in(context.last - 1)) {
    return;
  }
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (!context.is_active(lane) || has_trapped(context, lane)) continue;
    check(context.strip_begin + lane, indices.at(lane), exactly(lane));
  }
}

SiteId RunChecker::copy_write_of(StmtId issued) const {
  const auto found = std::ranges::lower_bound(copy_writes_, std::pair(issued, SiteId{0}));
  VYRE_CHECK(found != copy_writes_.end() && found->first == issued, "a copy has a site");
  return found->second;
}

void RunChecker::start_copy(const BufferView* views, SiteId site, uint32_t lane, uint64_t offset,
                            uint64_t size) {
  const AccessSite& read = program_.sites[site];
  const AccessSite& write = program_.sites[copy_write_of(read.stmt)];
  const bool stores = resolved_.statements[read.stmt].node->kind() == NodeKind::kAsyncStore;
  const BufferView& source = views[read.buffer];
  const BufferView& destination = views[write.buffer];
  const auto end = [&](bool at_offset) {
    const uint64_t begin = at_offset ? offset : 0;
    return size > std::numeric_limits<uint64_t>::max() - begin
               ? std::numeric_limits<uint64_t>::max()
               : begin + size;
  };
  const uint64_t read_end = end(!stores);
  const uint64_t write_end = end(stores);
  if (options_.checks.has(Check::kBounds) && size > 0) {
    if (read_end > source.bytes) note_beyond(site, lane, read_end, source.bytes);
    if (write_end > destination.bytes) {
      note_beyond(copy_write_of(read.stmt), lane, write_end, destination.bytes);
    }
  }
  // What would land beyond the destination's end is not read either.
  const uint64_t kept =
      write_end <= destination.bytes ? size : size - std::min(size, write_end - destination.bytes);
  const uint64_t begin = stores ? 0 : offset;
  if (begin < source.bytes) {
    copy(source, site, lane, begin, begin + std::min(kept, source.bytes - begin));
  }
}

void RunChecker::end_copy(const BufferView* views, StmtId issued, uint32_t lane, uint64_t begin,
                          uint64_t size) {
  const SiteId site = copy_write_of(issued);
  copy(views[program_.sites[site].buffer], site, lane, begin, begin + size);
}

void RunChecker::copy(const BufferView& view, SiteId site, uint32_t lane, uint64_t begin,
                      uint64_t end) {
  const AccessSite& access = program_.sites[site];
  RaceShadow& shadow = shadows_[access.buffer];
  if (!shadow.is_tracked() || begin == end) return;
  // Parts of elements may be copied by different invocations.
  if (begin % shadow.cell_bytes() != 0 || end % shadow.cell_bytes() != 0) {
    shadow.split_into_bytes();
  }
  const AccessRecord by = clock_.record(lane, site);
  const uint32_t bytes = shadow.cell_bytes();
  for (uint64_t cell = begin / bytes; cell < end / bytes; ++cell) {
    const Found found{*this, by, cell * bytes / view.stride};
    if (access.kind == AccessKind::kCopyRead) {
      shadow.read(by, cell, clock_, found);
    } else {
      shadow.write(by, cell, clock_, found);
    }
  }
}

// ---- what is found ----

RunChecker::Invocation RunChecker::invocation_of(const AccessRecord& record) const {
  const auto after =
      std::ranges::upper_bound(workgroups_, record.moment, {}, &WorkgroupRun::first_moment);
  const WorkgroupRun& run = *(after - 1);
  return {run.linear, clock_.lane_of(record), run.id};
}

void RunChecker::note_race(uint64_t element, const AccessRecord& earlier, const AccessRecord& by) {
  const AccessRecord* first = &earlier;
  const AccessRecord* second = &by;
  if (program_.sites[clock_.site_of(*second)] < program_.sites[clock_.site_of(*first)]) {
    std::swap(first, second);
  }
  const std::pair sites(clock_.site_of(*first), clock_.site_of(*second));
  const auto [entry, inserted] = races_.try_emplace(sites);
  Race& race = entry->second;
  if (!inserted && race.element <= element) return;
  race = {element, {invocation_of(*first), invocation_of(*second)}};
  if (sites.first == sites.second && race.by[1] < race.by[0]) std::swap(race.by[0], race.by[1]);
}

void RunChecker::note_beyond(SiteId site, uint32_t lane, uint64_t index, uint64_t size) {
  const WorkgroupRun& run = workgroups_.back();
  const Invocation by{run.linear, lane, run.id};
  const auto [entry, inserted] = beyond_.try_emplace(site);
  if (inserted || by < entry->second.by) entry->second = {index, size, by};
}

void RunChecker::note_wrapped(SiteId site, uint32_t lane, uint64_t index, int64_t exact) {
  const WorkgroupRun& run = workgroups_.back();
  const Invocation by{run.linear, lane, run.id};
  const auto [entry, inserted] = wrapped_.try_emplace(site);
  if (inserted || by < entry->second.by) entry->second = {index, exact, by};
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What is remembered of the accesses to one buffer, so that a later access can be told to race with
// an earlier one (design rule E8).
//
//   RaceShadow shadow(view.bytes, view.stride, /*shared=*/true, /*atomics=*/false);
//   shadow.write(clock.record(lane, site), element, clock, [&](const Record& earlier) { ... });
//
// A moment is the time between two barriers in one workgroup of one segment; moments are numbered
// in the order in which they are run. Workgroups run one after the other, so that all that is older
// than the workgroup's first moment was done by other workgroups, and all that is older than the
// segment's first moment is ordered by a grid barrier.
//
// Of writes the latest is kept, of reads and of atomics two that are not ordered to each other: any
// access that races with one of those that are not kept races with one of the two as well. The
// order in which a run goes plays no part in what is ordered, and so neither in whether the
// accesses to an element race.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/interpreter/checks/access_site.h"

namespace vyre::interpreter {

// Small, as there are three or five for each element: the lane in the lower bits of `who`, the site
// in the upper ones (RaceClock::lane_bits).
struct AccessRecord {
  uint32_t moment = 0;  // 0: none
  uint32_t who = 0;
  friend bool operator==(const AccessRecord&, const AccessRecord&) = default;
};

// The moments that bound the one at hand.
struct RaceClock {
  uint32_t now = 1;
  uint32_t workgroup_begin = 1;
  uint32_t segment_begin = 1;
  uint32_t lane_bits = 16;

  AccessRecord record(uint32_t lane, SiteId site) const { return {now, site << lane_bits | lane}; }
  uint32_t lane_of(const AccessRecord& record) const {
    return record.who & ((uint32_t{1} << lane_bits) - 1);
  }
  SiteId site_of(const AccessRecord& record) const { return record.who >> lane_bits; }
  bool same_lane(const AccessRecord& a, const AccessRecord& b) const {
    return (a.who ^ b.who) << (32 - lane_bits) == 0;
  }
};

class RaceShadow {
 public:
  RaceShadow() = default;
  // `shared`: by all workgroups; otherwise each has its own.
  RaceShadow(uint64_t bytes, uint32_t stride, bool shared, bool atomics);

  bool is_tracked() const { return !writes_.empty(); }
  static uint64_t bytes_for(uint64_t bytes, uint32_t stride, bool atomics);

  // Each calls found(earlier record) for what the access races with. The cell is in the buffer.
  template <typename F>
  void read(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found);
  template <typename F>
  void write(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found);
  template <typename F>
  void update(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found);

  // Elements become bytes from now on: accesses to parts of an element follow.
  void split_into_bytes();
  uint32_t cell_bytes() const { return cell_bytes_; }

 private:
  // By cell; apart from each other, so that what is done again and again stays in a small cache.
  struct Pair {
    std::vector<AccessRecord> first;
    std::vector<AccessRecord> second;
  };

  // Whether the record's access is not ordered before that one, which is made now.
  bool unordered(const AccessRecord& record, const AccessRecord& by, const RaceClock& clock) const {
    if (record.moment == clock.now) return !clock.same_lane(record, by);
    return shared_ && record.moment < clock.workgroup_begin && record.moment >= clock.segment_begin;
  }
  void note(Pair& pair, uint64_t cell, const AccessRecord& by, const RaceClock& clock) const;
  template <typename F>
  void compare(const AccessRecord& earlier, const AccessRecord& by, const RaceClock& clock,
               F& found) const {
    if (unordered(earlier, by, clock)) [[unlikely]]
      found(earlier);
  }
  template <typename F>
  void compare(const Pair& pair, uint64_t cell, const AccessRecord& by, const RaceClock& clock,
               F& found) const {
    compare(pair.first[cell], by, clock, found);
    compare(pair.second[cell], by, clock, found);
  }

  std::vector<AccessRecord> writes_;
  Pair reads_;
  Pair atomics_;  // empty if the program has none on this buffer
  uint32_t cell_bytes_ = 0;
  bool shared_ = false;
};

inline void RaceShadow::note(Pair& pair, uint64_t cell, const AccessRecord& by,
                             const RaceClock& clock) const {
  bool stands = false;
  for (AccessRecord* record : {&pair.first[cell], &pair.second[cell]}) {
    if (unordered(*record, by, clock)) continue;
    *record = stands ? AccessRecord{} : by;
    stands = true;
  }
}

// What the same place did a moment ago was compared with all before, and all since with it.

template <typename F>
void RaceShadow::read(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found) {
  if (reads_.first[cell] == by) [[likely]]
    return;
  compare(writes_[cell], by, clock, found);
  if (!atomics_.first.empty()) compare(atomics_, cell, by, clock, found);
  note(reads_, cell, by, clock);
}

template <typename F>
void RaceShadow::write(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found) {
  if (writes_[cell] == by) return;
  compare(writes_[cell], by, clock, found);
  if (!atomics_.first.empty()) compare(atomics_, cell, by, clock, found);
  compare(reads_, cell, by, clock, found);
  writes_[cell] = by;
}

template <typename F>
void RaceShadow::update(const AccessRecord& by, uint64_t cell, const RaceClock& clock, F found) {
  compare(writes_[cell], by, clock, found);
  compare(reads_, cell, by, clock, found);
  note(atomics_, cell, by, clock);
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What is remembered of the accesses to one buffer, so that a later access can be told to race with
// an earlier one (design rule E8).
//
//   RaceShadow shadow(view.bytes, view.stride, /*shared=*/true, /*atomics=*/false);
//   shadow.write({moment, lane, site}, element, now, [&](const Record& earlier) { ... });
//
// A moment is the time between two barriers in one workgroup of one segment; moments are numbered
// in the order in which they are run. Workgroups run one after the other, so that all that is older
// than the workgroup's first moment was done by other workgroups, and all that is older than the
// segment's first moment is ordered by a grid barrier.
//
// Of writes the latest is kept, of reads and of atomics two that are not ordered to each other: any
// access that races with one of those that are not kept races with one of the two as well. Since
// the order in which a run goes plays no part in what is ordered, neither does it in what is found.
#pragma once

#include <cstdint>
#include <vector>

#include "vyre/interpreter/checks/access_site.h"

namespace vyre::interpreter {

struct AccessRecord {
  uint32_t moment = 0;  // 0: none
  uint32_t lane = 0;
  SiteId site = 0;
};

// The moments that bound the one at hand.
struct RaceClock {
  uint32_t now = 1;
  uint32_t workgroup_begin = 1;
  uint32_t segment_begin = 1;
};

class RaceShadow {
 public:
  RaceShadow() = default;
  // `shared`: by all workgroups; otherwise each has its own.
  RaceShadow(uint64_t bytes, uint32_t stride, bool shared, bool atomics);

  bool is_tracked() const { return !cells_.empty(); }
  static uint64_t bytes_for(uint64_t bytes, uint32_t stride, bool atomics);

  // Each calls found(earlier record) for what the access races with. `element` is in the buffer.
  template <typename F>
  void read(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found);
  template <typename F>
  void write(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found);
  template <typename F>
  void update(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found);

  // Elements become bytes from now on: accesses to parts of an element follow.
  void split_into_bytes();
  uint32_t cell_bytes() const { return cell_bytes_; }

 private:
  struct Pair {
    AccessRecord records[2];
  };
  struct Cell {
    AccessRecord write;
    Pair reads;
  };

  // Whether the record's access is not ordered before one by the lane now.
  bool unordered(const AccessRecord& record, uint32_t lane, const RaceClock& clock) const {
    if (record.moment == clock.now) return record.lane != lane;
    return shared_ && record.moment < clock.workgroup_begin && record.moment >= clock.segment_begin;
  }
  void note(Pair& pair, const AccessRecord& by, const RaceClock& clock) const;
  template <typename F>
  void compare(const Pair& pair, const AccessRecord& by, const RaceClock& clock, F& found) const {
    for (const AccessRecord& record : pair.records) {
      if (unordered(record, by.lane, clock)) found(record);
    }
  }

  std::vector<Cell> cells_;
  std::vector<Pair> atomics_;  // by cell; empty if the program has none on this buffer
  uint32_t cell_bytes_ = 0;
  bool shared_ = false;
};

inline void RaceShadow::note(Pair& pair, const AccessRecord& by, const RaceClock& clock) const {
  bool stands = false;
  for (AccessRecord& record : pair.records) {
    if (unordered(record, by.lane, clock)) continue;
    record = stands ? AccessRecord{} : by;
    stands = true;
  }
}

template <typename F>
void RaceShadow::read(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found) {
  Cell& cell = cells_[element];
  if (unordered(cell.write, by.lane, clock)) found(cell.write);
  if (!atomics_.empty()) compare(atomics_[element], by, clock, found);
  note(cell.reads, by, clock);
}

template <typename F>
void RaceShadow::write(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found) {
  Cell& cell = cells_[element];
  if (unordered(cell.write, by.lane, clock)) found(cell.write);
  if (!atomics_.empty()) compare(atomics_[element], by, clock, found);
  compare(cell.reads, by, clock, found);
  cell.write = by;
}

template <typename F>
void RaceShadow::update(const AccessRecord& by, uint64_t element, const RaceClock& clock, F found) {
  Cell& cell = cells_[element];
  if (unordered(cell.write, by.lane, clock)) found(cell.write);
  compare(cell.reads, by, clock, found);
  note(atomics_[element], by, clock);
}

}  // namespace vyre::interpreter

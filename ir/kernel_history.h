// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the recorder knows of a kernel's names and buffers over time: which are live, when each was
// last written, and so whether a value read earlier still stands for what it read.
//
//   const uint32_t sum = history.add({.kind = Slot::kVariable, .name = "sum", .place = here});
//   const Reference read = history.read(sum, here);
//   history.write(sum, here, WriteCause::kAssigned);
//   history.use(read, here);   // the stale read, with both places
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/kernel_recording.h"
#include "vyre/ir/place.h"

namespace vyre::internal {

enum class WriteCause : uint8_t { kAssigned, kStored, kAtomic, kBarrier, kStatement };

struct Write {
  uint32_t slot = 0;
  uint64_t time = 0;  // 0: never
  Place place{};
  WriteCause cause = WriteCause::kAssigned;
};

struct Slot {
  enum Kind : uint8_t { kLet, kLoopVariable, kVariable, kBuffer };
  enum End : uint8_t { kLive, kScopeEnded, kGridBarrier, kBoundAgain };

  Kind kind = kLet;
  std::string name{};
  Place place{};
  bool changes = false;    // something can write it, as seen by one invocation
  bool shared = false;     // a buffer that other invocations can write
  bool automatic = false;  // bound by the recorder, not under a name the user chose
  End end = kLive;
  Place end_place{};
  Write last_write{};
};

// A use of what no longer is what was read.
struct StaleUse {
  Reference read;
  Write write;
  Place use;
  bool in_loop = false;  // stale from the second iteration of the loop at `loop` on
  Place loop;
};

class History {
 public:
  uint32_t add(Slot slot);
  const Slot& slot(uint32_t index) const { return slots_[index]; }
  void end(uint32_t slot, Slot::End reason, const Place& place);

  Reference read(uint32_t slot, const Place& place) const { return {slot, now_, place}; }
  Reference read_at(uint32_t slot, uint64_t time, const Place& place) const {
    return {slot, time, place};
  }
  uint64_t now() const { return now_; }
  void write(uint32_t slot, const Place& place, WriteCause cause);
  // Notes that a statement at `place` depends on the read, and says so if it is stale.
  std::optional<StaleUse> use(const Reference& read, const Place& place);

  // Branches: the writes since a mark, undone; and done again, where several branches meet.
  size_t mark() const { return trail_.size(); }
  std::vector<Write> take_back(size_t mark);
  void put_back(const std::vector<Write>& writes);

  // A body that may run again: what was read before it must not be written in it and used in it.
  void begin_loop(const Place& place);
  std::vector<StaleUse> end_loop();

 private:
  struct PendingUse {
    Reference read;
    Place use;
  };
  struct Loop {
    uint64_t begin = 0;
    Place place;
    std::map<uint32_t, PendingUse> uses;  // by slot, of what was read before the loop
  };
  void set_last_write(const Write& write);

  uint64_t now_ = 1;
  std::deque<Slot> slots_;    // a slot and its name stay where they are
  std::vector<Write> trail_;  // what each write replaced, oldest first
  std::vector<Loop> loops_;   // those that are open, outermost first
};

// What both have read; where both have read one slot, the older read.
std::shared_ptr<const References> merge(const std::shared_ptr<const References>& a,
                                        const std::shared_ptr<const References>& b);

}  // namespace vyre::internal

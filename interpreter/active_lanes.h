// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which lanes of a workgroup execute the statement at hand.
#pragma once

#include <cstdint>

namespace vyre::interpreter {

struct ActiveLanes {
  uint32_t first = 0;  // all of them lie in [first, last), and both ends are active
  uint32_t last = 0;
  uint32_t count = 0;
  const uint32_t* mask = nullptr;  // by lane, not zero: active; null: all in [first, last)

  bool empty() const { return count == 0; }
  bool has(uint32_t lane) const {
    return lane >= first && lane < last && (mask == nullptr || mask[lane] != 0);
  }

  static ActiveLanes all(uint32_t count) { return {0, count, count, nullptr}; }

  // Those that `keep` accepts; `buffer` has room for one word a lane, and may be this set's mask.
  template <typename F>
  ActiveLanes filter(uint32_t* buffer, F keep) const {
    ActiveLanes kept;
    for (uint32_t lane = first; lane < last; ++lane) {
      const bool stays = (mask == nullptr || mask[lane] != 0) && keep(lane);
      buffer[lane] = stays ? 1 : 0;
      if (!stays) continue;
      if (kept.count++ == 0) kept.first = lane;
      kept.last = lane + 1;
    }
    if (kept.count != kept.last - kept.first) kept.mask = buffer;
    return kept;
  }
};

}  // namespace vyre::interpreter

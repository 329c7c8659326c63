// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which elements of each buffer a workgroup has touched, as ranges: two workgroups whose ranges do
// not meet give the same bytes in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace vyre::interpreter {

struct ElementRange {
  uint64_t first = std::numeric_limits<uint64_t>::max();
  uint64_t last = 0;  // inclusive

  bool empty() const { return first > last; }
  bool meets(const ElementRange& other) const {
    return !empty() && !other.empty() && first <= other.last && other.first <= last;
  }
  void add(uint64_t from, uint64_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
};

// By buffer.
struct AccessLog {
  std::vector<ElementRange> reads;
  std::vector<ElementRange> writes;

  explicit AccessLog(size_t buffers) : reads(buffers), writes(buffers) {}
};

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "vyre/interpreter/lane_functions.h"
#include "vyre/ir/scalar/f32_math.h"

namespace vyre::interpreter {
namespace {

// Stored NaNs have one pattern (design rule E11).
uint32_t visible_f32(uint32_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000 ? scalar::kF32NanBits : bits;
}

void note_write(const LaneContext& context, uint32_t buffer, uint64_t first, uint64_t last) {
  if (context.views[buffer].watched) context.accesses->writes[buffer].add(first, last);
}

void store_each(const LaneContext& context, uint32_t buffer, const LaneValue& index,
                const LaneValue& value) {
  BufferView& view = context.views[buffer];
  const LaneReader indices(context, index);
  const LaneReader values(context, value);
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (!context.is_active(lane)) continue;
    const uint64_t at = indices.at(lane);
    if (at >= view.count) continue;
    view.store(view.at(at, uint64_t{context.strip_begin} + lane), values.at(lane));
    note_write(context, buffer, at, at);
  }
}

// All lanes store to one element: the last one's value stays.
void store_last(const LaneContext& context, uint32_t buffer, const LaneValue& index,
                const LaneValue& value) {
  BufferView& view = context.views[buffer];
  const uint64_t at = context.scalar(index.slot);
  if (at >= view.count) return;
  uint32_t lane = context.last - 1;
  while (!context.is_active(lane)) --lane;
  view.store(view.at(at, 0), LaneReader(context, value).at(lane));
  note_write(context, buffer, at, at);
}

// Lanes at a constant distance in memory, all of them active, of f32.
void store_straight_f32(const LaneContext& context, const LaneValue& value, std::byte* to,
                        int64_t step) {
  const uint32_t count = context.last - context.first;
  if (value.shape == Shape::kUniform) {
    const uint32_t bits = visible_f32(static_cast<uint32_t>(context.scalar(value.slot)));
    for (uint32_t i = 0; i < count; ++i, to += step) std::memcpy(to, &bits, 4);
    return;
  }
  const uint32_t* values = context.lanes<uint32_t>(value.slot) + context.first;
  if (step == 4) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t bits = visible_f32(values[i]);
      std::memcpy(to + size_t{i} * 4, &bits, 4);
    }
    return;
  }
  for (uint32_t i = 0; i < count; ++i, to += step) {
    const uint32_t bits = visible_f32(values[i]);
    std::memcpy(to, &bits, 4);
  }
}

}  // namespace

void store_lanes(const LaneContext& context, uint32_t buffer, const LaneValue& index,
                 const LaneValue& value) {
  BufferView& view = context.views[buffer];
  const bool own = view.invocation_bytes != 0;
  if (index.shape == Shape::kUniform && !own) {
    store_last(context, buffer, index, value);
    return;
  }
  if (index.shape == Shape::kVarying || index.wide) {
    store_each(context, buffer, index, value);
    return;
  }
  const AffineReach reach = affine_reach(context, index);
  if (!view.is_f32 || context.mask != nullptr || !reach.straight || reach.high >= view.count) {
    store_each(context, buffer, index, value);
    return;
  }
  note_write(context, buffer, reach.low, reach.high);
  const int64_t step = reach.step * view.stride + static_cast<int64_t>(view.invocation_bytes);
  store_straight_f32(
      context, value,
      view.at(static_cast<uint64_t>(reach.start), uint64_t{context.strip_begin} + context.first),
      step);
}

namespace {

struct IndexRange {
  uint64_t low = 0;
  uint64_t high = std::numeric_limits<uint64_t>::max();
};

IndexRange range_of(const LaneContext& context, const LaneValue& index) {
  if (index.shape == Shape::kUniform) {
    const uint64_t at = context.scalar(index.slot);
    return {at, at};
  }
  if (index.shape == Shape::kAffine) {
    const AffineReach reach = affine_reach(context, index);
    return reach.straight ? IndexRange{reach.low, reach.high} : IndexRange{};
  }
  const LaneReader indices(context, index);
  IndexRange range{std::numeric_limits<uint64_t>::max(), 0};
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (!context.is_active(lane)) continue;
    range.low = std::min(range.low, indices.at(lane));
    range.high = std::max(range.high, indices.at(lane));
  }
  return range;
}

// Whether the indices grow from each active lane to the next, so that no two are equal.
bool grows(const LaneContext& context, const LaneValue& index) {
  if (index.shape == Shape::kUniform) return false;
  if (index.shape == Shape::kAffine) {
    const AffineReach reach = affine_reach(context, index);
    if (reach.straight) return reach.step != 0;
  }
  const LaneReader indices(context, index);
  bool first = true;
  uint64_t before = 0;
  for (uint32_t lane = context.first; lane < context.last; ++lane) {
    if (!context.is_active(lane)) continue;
    const uint64_t at = indices.at(lane);
    if (!first && at <= before) return false;
    first = false;
    before = at;
  }
  return true;
}

bool same_index(const LaneContext& context, const LaneValue& a, const LaneValue& b) {
  if (a == b) return true;
  return a.shape == Shape::kAffine && b.shape == Shape::kAffine &&
         context.scalar(a.slot) == context.scalar(b.slot) &&
         context.scalar(a.step) == context.scalar(b.step);
}

}  // namespace

bool reads_own_elements(const LaneContext& context, const LaneValue& stored,
                        std::span<const LaneValue> loaded) {
  if (context.last - context.first == 1) return true;
  const IndexRange written = range_of(context, stored);
  bool own = false;
  for (const LaneValue& index : loaded) {
    const IndexRange read = range_of(context, index);
    if (read.high < written.low || written.high < read.low) continue;
    if (!same_index(context, stored, index)) return false;
    own = true;
  }
  return !own || grows(context, stored);
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/schedule.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace vyre::interpreter {
namespace {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;

uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

// Seeds of different purposes must not give related orders.
enum class Purpose : uint64_t { kWorkgroups = 1, kInvocations = 2 };
SplitMix64 generator(uint64_t seed, Purpose purpose, uint64_t index) {
  return SplitMix64(mix(mix(seed + static_cast<uint64_t>(purpose)) + index * kGolden));
}

}  // namespace

uint64_t SplitMix64::next() { return mix(state_ += kGolden); }

WorkgroupOrder::WorkgroupOrder(const RunOptions& options, uint64_t count, uint64_t segment)
    : kind_(options.schedule_seed ? Kind::kSeeded
            : options.reversed    ? Kind::kDescending
                                  : Kind::kAscending),
      count_(count) {
  if (kind_ != Kind::kSeeded) return;
  const auto bits = static_cast<uint32_t>(std::bit_width(count == 0 ? count : count - 1));
  half_bits_ = std::max<uint32_t>((bits + 1) / 2, 1);
  SplitMix64 random = generator(*options.schedule_seed, Purpose::kWorkgroups, segment);
  for (uint64_t& key : round_keys_) key = random.next();
}

uint64_t WorkgroupOrder::at(uint64_t position) const {
  switch (kind_) {
    case Kind::kAscending:
      return position;
    case Kind::kDescending:
      return count_ - 1 - position;
    case Kind::kSeeded:
      break;
  }
  // The network permutes up to four times as many values as there are workgroups. What walks from
  // a position along its cycle comes to a value below count, at the latest to the position itself.
  uint64_t value = permute(position);
  while (value >= count_) value = permute(value);
  return value;
}

uint64_t WorkgroupOrder::permute(uint64_t value) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_;
  uint64_t right = value & mask;
  for (const uint64_t key : round_keys_) {
    const uint64_t mixed = left ^ (mix(right ^ key) & mask);
    left = std::exchange(right, mixed);
  }
  return (left << half_bits_) | right;
}

std::vector<uint32_t> invocation_order(uint32_t count, const RunOptions& options,
                                       uint64_t workgroup_linear) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), uint32_t{0});
  if (options.schedule_seed) {
    SplitMix64 random = generator(*options.schedule_seed, Purpose::kInvocations, workgroup_linear);
    for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  } else if (options.reversed) {
    std::reverse(order.begin(), order.end());
  }
  return order;
}

}  // namespace vyre::interpreter

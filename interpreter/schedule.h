// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The order in which workgroups and invocations execute a statement: ascending, descending
// (RunOptions::reversed) or drawn from a seed (RunOptions::schedule_seed, which wins). The same in
// every evaluator and process. A determinate program gives the same bytes in each of them (E1).
//
//   const WorkgroupOrder order(options, count, segment);
//   for (uint64_t i = 0; i < count; ++i) run_workgroup(order.at(i));
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vyre/ir/run.h"

namespace vyre::interpreter {

// The generator splitmix64: any seed is good.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next();
  // Below the bound, which is not 0; not exactly uniform.
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

// The order of a segment's workgroups: a permutation of 0..count-1 in constant memory.
class WorkgroupOrder {
 public:
  WorkgroupOrder(const RunOptions& options, uint64_t count, uint64_t segment);

  // The linear id of the workgroup that runs at the position; position < count.
  uint64_t at(uint64_t position) const;
  // Whether each position's workgroup comes after those of all earlier positions.
  bool ascending() const { return kind_ == Kind::kAscending; }

 private:
  enum class Kind : uint8_t { kAscending, kDescending, kSeeded };

  uint64_t permute(uint64_t value) const;

  Kind kind_;
  uint64_t count_;
  // Seeded: a Feistel network on two halves of that many bits, applied until the value is below
  // count.
  uint32_t half_bits_ = 0;
  std::array<uint64_t, 6> round_keys_{};
};

// The order of a workgroup's invocations: a permutation of 0..count-1.
std::vector<uint32_t> invocation_order(uint32_t count, const RunOptions& options,
                                       uint64_t workgroup_linear);

}  // namespace vyre::interpreter

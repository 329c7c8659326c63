// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Stats: how large a program is and what it needs, counted without running it.
//
//   ProgramStats stats = program_stats(program);
//   if (stats.trap()) ...
//   fmt::print("{}", stats_text(stats));
//
// Counts are over the program as text would write it: what is shared counts at each use. They
// saturate at 2^64 - 1, and take time linear in the number of objects.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/program.h"

namespace vyre {

// The original's bits.
enum class Capability : uint32_t {
  kSubgroup = 1,  // subgroup operations, and what names a lane or the subgroup's width
  kF16 = 2,       // a buffer, cast or literal of that type, also as the element of another type
  kBf16 = 4,
  kF64 = 8,
  kAsync = 16,     // async_load, async_store, async_wait
  kIndirect = 32,  // indirect_dispatch
  kTensor = 64,    // tensor and sparse types
  kTrap = 128,     // the trap statement; trapping divisions do not count
  kCollectives = 256,
};
// "subgroup"
const char* spelling(Capability capability);

// A kind's bit in ProgramStats::node_kinds_present; the original's numbers.
uint32_t node_kind_bit(NodeKind kind);

struct ProgramStats {
  uint64_t node_count = 0;         // statements, nested ones included
  uint64_t region_count = 0;       // regions, nested ones included
  uint64_t call_count = 0;         // call expressions
  uint64_t opaque_count = 0;       // opaque statements and expressions, operations of extensions
  uint64_t top_level_regions = 0;  // regions that stand in the entry itself
  // Sum over the buffers that have a count and a type with a width, scratch included.
  uint64_t static_storage_bytes = 0;
  // Statements other than blocks and regions, and expressions other than leaves.
  uint64_t instruction_count = 0;
  uint64_t memory_op_count = 0;     // loads, stores, atomics and async copies
  uint64_t atomic_op_count = 0;     // atomics
  uint64_t control_flow_count = 0;  // if, for, return, trap and resume
  // The largest number of lets that are in scope at one point: a bound of those that are live.
  uint64_t register_pressure_estimate = 0;
  uint32_t capability_bits = 0;     // Capability joined by |
  uint32_t node_kinds_present = 0;  // node_kind_bit joined by |

  bool has(Capability capability) const {
    return (capability_bits & static_cast<uint32_t>(capability)) != 0;
  }
  bool trap() const { return has(Capability::kTrap); }
  friend bool operator==(const ProgramStats&, const ProgramStats&) = default;
};

ProgramStats program_stats(const Program& program);

// One line a number, names to the left, then the capabilities and the kinds of statements.
std::string stats_text(const ProgramStats& stats);

}  // namespace vyre

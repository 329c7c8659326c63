// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The attention planner: sizes of scratch, tiles and workgroups for given dimensions, or the reason
// why they are impossible. The builders take their buffer sizes from it.
//
//   StatusOr<FlashAttentionWorkPlan> plan = plan_flash_attention_tiled(/*seq_len=*/8,
//                                                                      /*head_dim=*/16,
//                                                                      /*tile_size=*/4);
//   plan->tile_count;             // 2
//   plan->q_scratch_elements;     // 1024: 64 lanes of 16
//   plan->to_string();            // a table for people
//
// q, k, v and the output are [seq_len, head_dim], row-major f32. Costs that exceed 64 bits stay at
// the largest 64-bit number.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/status.h"

namespace vyre {

enum class FlashAttentionKernel : uint8_t {
  kScalarOnline,      // one key at a time
  kCooperativeTiled,  // a tile of keys at a time
};
// "ScalarOnline", "CooperativeTiled"
const char* spelling(FlashAttentionKernel kernel);

struct FlashAttentionMemoryTraffic {
  uint64_t global_read_bytes = 0;    // of the whole run
  uint64_t global_write_bytes = 0;   // of the whole run
  uint64_t shared_memory_bytes = 0;  // of one workgroup

  friend bool operator==(const FlashAttentionMemoryTraffic&,
                         const FlashAttentionMemoryTraffic&) = default;
};

struct FlashAttentionBenchMetrics {
  // The error the algorithm is allowed against exact attention.
  float output_tolerance_abs = 0;
  FlashAttentionMemoryTraffic memory_traffic;
  // Lanes that a row could keep busy, in 1/10000 of the workgroup.
  uint32_t occupancy_proxy_bps = 0;
  // Operations outside the two matrix products, of the whole run.
  uint64_t non_matmul_flops = 0;

  friend bool operator==(const FlashAttentionBenchMetrics&,
                         const FlashAttentionBenchMetrics&) = default;
};

struct FlashAttentionWorkPlan {
  FlashAttentionKernel kernel = FlashAttentionKernel::kScalarOnline;
  uint32_t seq_len = 0;
  uint32_t head_dim = 0;
  uint32_t tile_size = 0;   // keys
  uint32_t tile_count = 0;  // the last tile may be partial
  // How the keys of a row could be divided between workgroups. The builders do not divide them.
  uint32_t sequence_splits = 0;
  uint32_t tiles_per_sequence_split = 0;
  uint32_t keys_per_sequence_split = 0;
  uint32_t rows_per_block = 0;
  uint32_t parallel_workgroups_per_row = 0;
  uint32_t workgroup_lanes = 0;
  uint32_t warp_lanes = 0;
  uint32_t warps_per_block = 0;
  uint32_t logical_elements = 0;  // of each of q, k, v and the output
  // Scratch of one workgroup, in f32 elements.
  uint32_t q_scratch_elements = 0;
  uint32_t score_scratch_elements = 0;
  uint32_t o_acc_scratch_elements = 0;
  uint32_t split_reduce_scratch_elements = 0;
  FlashAttentionBenchMetrics bench_metrics;

  // A short table with units.
  std::string to_string() const;
  // One line in the original's debug format.
  std::string debug_string() const;

  friend bool operator==(const FlashAttentionWorkPlan&, const FlashAttentionWorkPlan&) = default;
};

// The plan of an online softmax that takes one key at a time. InvalidArgument if a dimension is 0
// or an element count exceeds u32.
StatusOr<FlashAttentionWorkPlan> plan_flash_attention_scalar(uint32_t seq_len, uint32_t head_dim);

// The plan of flash_attention_2, tile_size keys at a time. InvalidArgument if an argument is 0 or
// an element count exceeds u32.
StatusOr<FlashAttentionWorkPlan> plan_flash_attention_tiled(uint32_t seq_len, uint32_t head_dim,
                                                            uint32_t tile_size);

}  // namespace vyre

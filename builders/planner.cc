// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "vyre/ir/check.h"

namespace vyre {
namespace {

constexpr uint32_t kScalarLanes = 128;
constexpr uint32_t kTiledLanes = 64;
constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kTilesPerSplit = 4;
constexpr uint32_t kFullOccupancy = 10'000;
constexpr float kOutputTolerance = 1e-3F;
constexpr uint64_t kF32Bytes = 4;
constexpr uint32_t kMaxU32 = std::numeric_limits<uint32_t>::max();

uint64_t saturating_product(std::initializer_list<uint64_t> factors) {
  uint64_t product = 1;
  for (const uint64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) {
      return std::numeric_limits<uint64_t>::max();
    }
  }
  return product;
}

uint64_t saturating_sum(std::initializer_list<uint64_t> terms) {
  uint64_t sum = 0;
  for (const uint64_t term : terms) {
    if (__builtin_add_overflow(sum, term, &sum)) return std::numeric_limits<uint64_t>::max();
  }
  return sum;
}

constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Status check_dimensions(std::string_view op, uint32_t seq_len, uint32_t head_dim) {
  if (seq_len == 0) {
    return absl::InvalidArgumentError(fmt::format("{} seq_len=0 is invalid: empty sequence", op));
  }
  if (head_dim == 0) {
    return absl::InvalidArgumentError(
        fmt::format("{} head_dim=0 is invalid: empty head dimension", op));
  }
  return absl::OkStatus();
}

// a * b elements; `what` names the operation and, where it is not the tensors, the scratch.
StatusOr<uint32_t> element_count(std::string_view what, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  if (__builtin_mul_overflow(a, b, &count)) {
    return absl::InvalidArgumentError(
        fmt::format("Fix: {} dimensions overflow u32: {}*{}.", what, a, b));
  }
  return count;
}

uint32_t occupancy(uint32_t busy_lanes, uint32_t lanes) {
  const uint64_t share = uint64_t{busy_lanes} * kFullOccupancy / lanes;
  return static_cast<uint32_t>(std::min<uint64_t>(share, kFullOccupancy));
}

FlashAttentionWorkPlan common_plan(FlashAttentionKernel kernel, uint32_t seq_len, uint32_t head_dim,
                                   uint32_t tile_size, uint32_t lanes) {
  FlashAttentionWorkPlan plan;
  plan.kernel = kernel;
  plan.seq_len = seq_len;
  plan.head_dim = head_dim;
  plan.tile_size = tile_size;
  plan.tile_count = ceil_div(seq_len, tile_size);
  plan.rows_per_block = 1;
  plan.workgroup_lanes = lanes;
  plan.warp_lanes = kWarpLanes;
  plan.warps_per_block = lanes / kWarpLanes;
  plan.bench_metrics.output_tolerance_abs = kOutputTolerance;
  plan.bench_metrics.occupancy_proxy_bps = occupancy(std::max(head_dim, tile_size), lanes);
  return plan;
}

}  // namespace

const char* spelling(FlashAttentionKernel kernel) {
  switch (kernel) {
    case FlashAttentionKernel::kScalarOnline:
      return "ScalarOnline";
    case FlashAttentionKernel::kCooperativeTiled:
      return "CooperativeTiled";
  }
  VYRE_UNREACHABLE("a kernel without a spelling");
}

StatusOr<FlashAttentionWorkPlan> plan_flash_attention_scalar(uint32_t seq_len, uint32_t head_dim) {
  constexpr std::string_view kOp = "flash_attention";
  if (Status status = check_dimensions(kOp, seq_len, head_dim); !status.ok()) return status;
  const StatusOr<uint32_t> elements = element_count(kOp, seq_len, head_dim);
  if (!elements.ok()) return elements.status();
  const StatusOr<uint32_t> scratch =
      element_count("flash_attention q/o scratch", kScalarLanes, head_dim);
  if (!scratch.ok()) return scratch.status();

  FlashAttentionWorkPlan plan =
      common_plan(FlashAttentionKernel::kScalarOnline, seq_len, head_dim, 1, kScalarLanes);
  plan.sequence_splits = 1;
  plan.tiles_per_sequence_split = plan.tile_count;
  plan.keys_per_sequence_split = seq_len;
  plan.parallel_workgroups_per_row = 1;
  plan.logical_elements = *elements;
  plan.q_scratch_elements = *scratch;
  plan.o_acc_scratch_elements = *scratch;

  // q, k and v are read again for every pair of a row and a key.
  FlashAttentionMemoryTraffic& traffic = plan.bench_metrics.memory_traffic;
  traffic.global_read_bytes = saturating_product({*elements, seq_len, 3, kF32Bytes});
  traffic.global_write_bytes = saturating_product({*elements, kF32Bytes});
  // A lane holds one row of o at a time; q stays in global memory.
  traffic.shared_memory_bytes = saturating_product({*scratch, kF32Bytes});
  plan.bench_metrics.non_matmul_flops = saturating_product(
      {seq_len,
       saturating_sum({saturating_product({seq_len, 9}), saturating_product({head_dim, 4})})});
  return plan;
}

StatusOr<FlashAttentionWorkPlan> plan_flash_attention_tiled(uint32_t seq_len, uint32_t head_dim,
                                                            uint32_t tile_size) {
  constexpr std::string_view kOp = "flash_attention_2";
  if (Status status = check_dimensions(kOp, seq_len, head_dim); !status.ok()) return status;
  if (tile_size == 0) {
    return absl::InvalidArgumentError("Fix: flash_attention_2 tile_size must be > 0");
  }
  const StatusOr<uint32_t> elements = element_count(kOp, seq_len, head_dim);
  if (!elements.ok()) return elements.status();

  FlashAttentionWorkPlan plan = common_plan(FlashAttentionKernel::kCooperativeTiled, seq_len,
                                            head_dim, tile_size, kTiledLanes);
  plan.tiles_per_sequence_split = std::min(plan.tile_count, kTilesPerSplit);
  plan.sequence_splits = ceil_div(plan.tile_count, plan.tiles_per_sequence_split);
  const uint64_t key_span = uint64_t{plan.tiles_per_sequence_split} * tile_size;
  if (key_span > kMaxU32) {
    return absl::InvalidArgumentError("Fix: flash_attention_2 split key span overflows u32");
  }
  plan.keys_per_sequence_split = std::min(static_cast<uint32_t>(key_span), seq_len);
  plan.parallel_workgroups_per_row = plan.sequence_splits;
  plan.logical_elements = *elements;

  const StatusOr<uint32_t> q = element_count("flash_attention_2 q_scratch", kTiledLanes, head_dim);
  if (!q.ok()) return q.status();
  const StatusOr<uint32_t> scores =
      element_count("flash_attention_2 score_scratch", kTiledLanes, tile_size);
  if (!scores.ok()) return scores.status();
  // m, l and a partial row of o for each split.
  const uint64_t split_reduce = uint64_t{plan.sequence_splits} * (uint64_t{head_dim} + 2);
  const uint64_t shared = saturating_sum({*q, *scores, *q, split_reduce});
  if (shared > kMaxU32) {
    return absl::InvalidArgumentError("Fix: flash_attention_2 shared scratch overflows u32");
  }
  plan.q_scratch_elements = *q;
  plan.score_scratch_elements = *scores;
  plan.o_acc_scratch_elements = *q;
  plan.split_reduce_scratch_elements = static_cast<uint32_t>(split_reduce);

  // q once, k and v once for every row.
  FlashAttentionMemoryTraffic& traffic = plan.bench_metrics.memory_traffic;
  traffic.global_read_bytes = saturating_product(
      {*elements, kF32Bytes, saturating_sum({saturating_product({seq_len, 2}), 1})});
  traffic.global_write_bytes = saturating_product({*elements, kF32Bytes});
  traffic.shared_memory_bytes = saturating_product({shared, kF32Bytes});
  plan.bench_metrics.non_matmul_flops = saturating_product(
      {seq_len,
       saturating_sum({saturating_product({seq_len, 4}), saturating_product({plan.tile_count, 8}),
                       saturating_product({plan.sequence_splits, head_dim, 3})})});
  return plan;
}

std::string FlashAttentionWorkPlan::to_string() const {
  const FlashAttentionMemoryTraffic& traffic = bench_metrics.memory_traffic;
  std::string text;
  const auto line = [&text](std::string_view label, const std::string& value) {
    text += fmt::format("{:<20}{}\n", label, value);
  };
  line("kernel", spelling(kernel));
  line("rows", fmt::format("{} of {} elements ({} elements a tensor)", seq_len, head_dim,
                           logical_elements));
  line("tiles", fmt::format("{} of {} keys", tile_count, tile_size));
  line("sequence splits", fmt::format("{} of {} tiles ({} keys)", sequence_splits,
                                      tiles_per_sequence_split, keys_per_sequence_split));
  line("workgroup",
       fmt::format("{} lanes, {} warps of {}", workgroup_lanes, warps_per_block, warp_lanes));
  line("rows a block", fmt::format("{}", rows_per_block));
  line("workgroups a row", fmt::format("{}", parallel_workgroups_per_row));
  line("scratch elements",
       fmt::format("q {}, scores {}, o {}, split reduce {}", q_scratch_elements,
                   score_scratch_elements, o_acc_scratch_elements, split_reduce_scratch_elements));
  line("shared memory", fmt::format("{} bytes a workgroup", traffic.shared_memory_bytes));
  line("global reads", fmt::format("{} bytes", traffic.global_read_bytes));
  line("global writes", fmt::format("{} bytes", traffic.global_write_bytes));
  line("non-matmul flops", fmt::format("{}", bench_metrics.non_matmul_flops));
  line("occupancy proxy", fmt::format("{}.{:02}%", bench_metrics.occupancy_proxy_bps / 100,
                                      bench_metrics.occupancy_proxy_bps % 100));
  line("tolerance", fmt::format("{} absolute", bench_metrics.output_tolerance_abs));
  return text;
}

std::string FlashAttentionWorkPlan::debug_string() const {
  const FlashAttentionMemoryTraffic& traffic = bench_metrics.memory_traffic;
  std::string text = fmt::format(
      "FlashAttentionWorkPlan {{ kernel: {}, seq_len: {}, head_dim: {}, tile_size: {}, "
      "tile_count: {}, sequence_splits: {}, tiles_per_sequence_split: {}, "
      "keys_per_sequence_split: {}, rows_per_block: {}, parallel_workgroups_per_row: {}, "
      "workgroup_lanes: {}, warp_lanes: {}, warps_per_block: {}, logical_elements: {}, ",
      spelling(kernel), seq_len, head_dim, tile_size, tile_count, sequence_splits,
      tiles_per_sequence_split, keys_per_sequence_split, rows_per_block,
      parallel_workgroups_per_row, workgroup_lanes, warp_lanes, warps_per_block, logical_elements);
  text += fmt::format(
      "q_scratch_elements: {}, score_scratch_elements: {}, o_acc_scratch_elements: {}, "
      "split_reduce_scratch_elements: {}, bench_metrics: FlashAttentionBenchMetrics {{ "
      "output_tolerance_abs: {}, ",
      q_scratch_elements, score_scratch_elements, o_acc_scratch_elements,
      split_reduce_scratch_elements, bench_metrics.output_tolerance_abs);
  text += fmt::format(
      "memory_traffic: FlashAttentionMemoryTraffic {{ global_read_bytes: {}, "
      "global_write_bytes: {}, shared_memory_bytes: {} }}, occupancy_proxy_bps: {}, "
      "non_matmul_flops: {} }} }}",
      traffic.global_read_bytes, traffic.global_write_bytes, traffic.shared_memory_bytes,
      bench_metrics.occupancy_proxy_bps, bench_metrics.non_matmul_flops);
  return text;
}

}  // namespace vyre

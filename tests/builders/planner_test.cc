// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/planner.h"

#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "tests/support/conformance_dir.h"

namespace vyre {
namespace {

constexpr uint64_t kMaxU64 = std::numeric_limits<uint64_t>::max();

StatusOr<FlashAttentionWorkPlan> plan_of(const std::vector<uint32_t>& args) {
  if (args.size() == 2) return plan_flash_attention_scalar(args[0], args[1]);
  return plan_flash_attention_tiled(args.at(0), args.at(1), args.at(2));
}

std::string error_of(const std::vector<uint32_t>& args) {
  const StatusOr<FlashAttentionWorkPlan> plan = plan_of(args);
  if (plan.ok()) return "";
  CHECK(plan.status().code() == absl::StatusCode::kInvalidArgument);
  return std::string(message_of(plan.status()));
}

// The recorded fields of a plan, read one by one.
void check_fields(const FlashAttentionWorkPlan& plan, const nlohmann::json& recorded) {
  CHECK(spelling(plan.kernel) == recorded.at("kernel").get<std::string>());
  const auto field = [&recorded](const char* name, uint64_t value) {
    INFO(name);
    CHECK(value == recorded.at(name).get<uint64_t>());
  };
  field("seq_len", plan.seq_len);
  field("head_dim", plan.head_dim);
  field("tile_size", plan.tile_size);
  field("tile_count", plan.tile_count);
  field("sequence_splits", plan.sequence_splits);
  field("tiles_per_sequence_split", plan.tiles_per_sequence_split);
  field("keys_per_sequence_split", plan.keys_per_sequence_split);
  field("rows_per_block", plan.rows_per_block);
  field("parallel_workgroups_per_row", plan.parallel_workgroups_per_row);
  field("workgroup_lanes", plan.workgroup_lanes);
  field("warp_lanes", plan.warp_lanes);
  field("warps_per_block", plan.warps_per_block);
  field("logical_elements", plan.logical_elements);
  field("q_scratch_elements", plan.q_scratch_elements);
  field("score_scratch_elements", plan.score_scratch_elements);
  field("o_acc_scratch_elements", plan.o_acc_scratch_elements);
  field("split_reduce_scratch_elements", plan.split_reduce_scratch_elements);
}

void check_metrics(const FlashAttentionBenchMetrics& metrics, const nlohmann::json& recorded) {
  const nlohmann::json& traffic = recorded.at("memory_traffic");
  CHECK(metrics.memory_traffic.global_read_bytes ==
        traffic.at("global_read_bytes").get<uint64_t>());
  CHECK(metrics.memory_traffic.global_write_bytes ==
        traffic.at("global_write_bytes").get<uint64_t>());
  CHECK(metrics.memory_traffic.shared_memory_bytes ==
        traffic.at("shared_memory_bytes").get<uint64_t>());
  CHECK(metrics.non_matmul_flops == recorded.at("non_matmul_flops").get<uint64_t>());
  CHECK(metrics.occupancy_proxy_bps == recorded.at("occupancy_proxy_bps").get<uint32_t>());
  const auto bits =
      std::stoul(recorded.at("output_tolerance_abs_bits").get<std::string>(), nullptr, 16);
  CHECK(std::bit_cast<uint32_t>(metrics.output_tolerance_abs) == bits);
}

TEST_CASE("every recorded plan and refusal of the planner is met") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const nlohmann::json recorded = test::read_json(*dir / "vyre" / "planner.json");
  size_t rows = 0;
  for (const char* planner : {"plan_flash_attention_scalar", "plan_flash_attention_tiled"}) {
    for (const nlohmann::json& row : recorded.at(planner)) {
      const auto args = row.at("args").get<std::vector<uint32_t>>();
      INFO(planner << " " << row.at("args").dump());
      ++rows;
      if (row.contains("error")) {
        CHECK(error_of(args) == row.at("error").get<std::string>());
        continue;
      }
      const StatusOr<FlashAttentionWorkPlan> plan = plan_of(args);
      REQUIRE(plan.ok());
      const nlohmann::json& ok = row.at("ok");
      check_fields(*plan, ok);
      check_metrics(plan->bench_metrics, ok.at("bench_metrics"));
      CHECK(plan->debug_string() == ok.at("debug").get<std::string>());
    }
  }
  CHECK(rows >= 50);
}

TEST_CASE("the tiled plan of 8 rows of 16 with tiles of 4") {
  const StatusOr<FlashAttentionWorkPlan> plan = plan_flash_attention_tiled(8, 16, 4);
  REQUIRE(plan.ok());
  CHECK(plan->debug_string() ==
        "FlashAttentionWorkPlan { kernel: CooperativeTiled, seq_len: 8, head_dim: 16, tile_size: "
        "4, tile_count: 2, sequence_splits: 1, tiles_per_sequence_split: 2, "
        "keys_per_sequence_split: 8, rows_per_block: 1, parallel_workgroups_per_row: 1, "
        "workgroup_lanes: 64, warp_lanes: 32, warps_per_block: 2, logical_elements: 128, "
        "q_scratch_elements: 1024, score_scratch_elements: 256, o_acc_scratch_elements: 1024, "
        "split_reduce_scratch_elements: 18, bench_metrics: FlashAttentionBenchMetrics { "
        "output_tolerance_abs: 0.001, memory_traffic: FlashAttentionMemoryTraffic { "
        "global_read_bytes: 8704, global_write_bytes: 512, shared_memory_bytes: 9288 }, "
        "occupancy_proxy_bps: 2500, non_matmul_flops: 768 } }");
}

TEST_CASE("the scalar plan of 130 rows of 200") {
  const StatusOr<FlashAttentionWorkPlan> plan = plan_flash_attention_scalar(130, 200);
  REQUIRE(plan.ok());
  CHECK(plan->kernel == FlashAttentionKernel::kScalarOnline);
  CHECK(plan->workgroup_lanes == 128);
  CHECK(plan->tile_count == 130);
  CHECK(plan->q_scratch_elements == 25'600);
  CHECK(plan->score_scratch_elements == 0);
  CHECK(plan->bench_metrics.memory_traffic.global_read_bytes == 40'560'000);
  CHECK(plan->bench_metrics.memory_traffic.shared_memory_bytes == 102'400);
  CHECK(plan->bench_metrics.non_matmul_flops == 256'100);
  CHECK(plan->bench_metrics.occupancy_proxy_bps == 10'000);
}

TEST_CASE("long sequences are split into spans of four tiles") {
  const StatusOr<FlashAttentionWorkPlan> plan = plan_flash_attention_tiled(4097, 128, 128);
  REQUIRE(plan.ok());
  CHECK(plan->tile_count == 33);
  CHECK(plan->sequence_splits == 9);
  CHECK(plan->tiles_per_sequence_split == 4);
  CHECK(plan->keys_per_sequence_split == 512);
  CHECK(plan->parallel_workgroups_per_row == 9);
  CHECK(plan->split_reduce_scratch_elements == 1170);
  CHECK(plan->bench_metrics.non_matmul_flops == 82'382'476);
}

TEST_CASE("a tile may be longer than the sequence") {
  const StatusOr<FlashAttentionWorkPlan> plan = plan_flash_attention_tiled(17, 8, 64);
  REQUIRE(plan.ok());
  CHECK(plan->tile_count == 1);
  CHECK(plan->keys_per_sequence_split == 17);
  CHECK(plan->score_scratch_elements == 4096);
}

TEST_CASE("costs beyond 64 bits stay at the largest number") {
  const StatusOr<FlashAttentionWorkPlan> tiled = plan_flash_attention_tiled(4294967295, 1, 1);
  REQUIRE(tiled.ok());
  CHECK(tiled->bench_metrics.memory_traffic.global_read_bytes == kMaxU64);
  CHECK(tiled->bench_metrics.non_matmul_flops == kMaxU64);
  CHECK(tiled->split_reduce_scratch_elements == 3'221'225'472);
  const StatusOr<FlashAttentionWorkPlan> scalar = plan_flash_attention_scalar(4294967295, 1);
  REQUIRE(scalar.ok());
  CHECK(scalar->bench_metrics.memory_traffic.global_read_bytes == kMaxU64);
  CHECK(scalar->bench_metrics.memory_traffic.global_write_bytes == 17'179'869'180);
}

TEST_CASE("refusals name the first problem") {
  CHECK(error_of({0, 1}) == "flash_attention seq_len=0 is invalid: empty sequence");
  CHECK(error_of({1, 0}) == "flash_attention head_dim=0 is invalid: empty head dimension");
  CHECK(error_of({65536, 65536}) == "Fix: flash_attention dimensions overflow u32: 65536*65536.");
  CHECK(error_of({1, 33554432}) ==
        "Fix: flash_attention q/o scratch dimensions overflow u32: 128*33554432.");
  CHECK(error_of({0, 0, 0}) == "flash_attention_2 seq_len=0 is invalid: empty sequence");
  CHECK(error_of({1, 0, 0}) == "flash_attention_2 head_dim=0 is invalid: empty head dimension");
  CHECK(error_of({1, 1, 0}) == "Fix: flash_attention_2 tile_size must be > 0");
  CHECK(error_of({65536, 65536, 64}) ==
        "Fix: flash_attention_2 dimensions overflow u32: 65536*65536.");
  CHECK(error_of({4000000000, 1, 3000000000}) ==
        "Fix: flash_attention_2 split key span overflows u32");
  CHECK(error_of({1, 67108864, 1}) ==
        "Fix: flash_attention_2 q_scratch dimensions overflow u32: 64*67108864.");
  CHECK(error_of({1, 1, 67108864}) ==
        "Fix: flash_attention_2 score_scratch dimensions overflow u32: 64*67108864.");
  CHECK(error_of({1, 33554431, 1}) == "Fix: flash_attention_2 shared scratch overflows u32");
}

TEST_CASE("a plan compares by its fields") {
  CHECK(*plan_flash_attention_tiled(8, 16, 4) == *plan_flash_attention_tiled(8, 16, 4));
  CHECK_FALSE(*plan_flash_attention_tiled(8, 16, 4) == *plan_flash_attention_tiled(8, 16, 2));
}

TEST_CASE("a plan reads as a table with units") {
  CHECK(plan_flash_attention_tiled(8, 16, 4)->to_string() ==
        "kernel              CooperativeTiled\n"
        "rows                8 of 16 elements (128 elements a tensor)\n"
        "tiles               2 of 4 keys\n"
        "sequence splits     1 of 2 tiles (8 keys)\n"
        "workgroup           64 lanes, 2 warps of 32\n"
        "rows a block        1\n"
        "workgroups a row    1\n"
        "scratch elements    q 1024, scores 256, o 1024, split reduce 18\n"
        "shared memory       9288 bytes a workgroup\n"
        "global reads        8704 bytes\n"
        "global writes       512 bytes\n"
        "non-matmul flops    768\n"
        "occupancy proxy     25.00%\n"
        "tolerance           0.001 absolute\n");
}

}  // namespace
}  // namespace vyre

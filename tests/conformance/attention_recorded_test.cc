// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The attention outputs that the original recorded, on every engine: NaN and infinities in the same
// places, finite values within 2e-6 * max(1, |expected|). Where subnormals decide (D1), ours are
// held against float64 instead.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/attention_case.h"
#include "tests/support/conformance_dir.h"
#include "tests/support/engine_run.h"
#include "vyre/builders/attention_oracle.h"

namespace vyre {
namespace {

using test::AttentionCase;

std::vector<float> read_f32(const std::filesystem::path& path) {
  const std::string bytes = test::read_file(path);
  return decode_f32(std::as_bytes(std::span(bytes)));
}

struct Recorded {
  std::string name;
  AttentionCase problem;
  std::vector<float> tiled;
  std::vector<float> reference;
};

// Fails if the folder lacks a file, or a file has another size than the manifest says.
Recorded read_case(const std::filesystem::path& folder) {
  INFO(folder.filename().string());
  const nlohmann::json manifest = test::read_json(folder / "manifest.json");
  Recorded recorded{folder.filename().string(),
                    {.seq_len = manifest.at("seq_len"),
                     .head_dim = manifest.at("head_dim"),
                     .tile_size = manifest.at("tile_size")},
                    read_f32(folder / "out_flash_attention_2.f32"),
                    read_f32(folder / "out_flash_attention_2_reference.f32")};
  AttentionCase& problem = recorded.problem;
  problem.q = read_f32(folder / manifest.at("inputs").at("q").get<std::string>());
  problem.k = read_f32(folder / manifest.at("inputs").at("k").get<std::string>());
  problem.v = read_f32(folder / manifest.at("inputs").at("v").get<std::string>());
  for (const auto* list :
       {&problem.q, &problem.k, &problem.v, &recorded.tiled, &recorded.reference}) {
    REQUIRE(list->size() == problem.elements());
  }
  return recorded;
}

std::vector<Recorded> read_cases(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "vyre" / "attn")) {
    folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  std::vector<Recorded> cases;
  for (const std::filesystem::path& folder : folders) cases.push_back(read_case(folder));
  return cases;
}

// Whether a value of v, or its product with a weight below one, is subnormal: the original flushes
// these, and we keep them.
bool subnormals_decide(const Recorded& recorded) {
  return std::ranges::any_of(recorded.problem.v,
                             [](float x) { return x != 0 && std::abs(x) <= 0x1p-126F; });
}

void check_recorded(const std::vector<float>& ours, const std::vector<float>& expected) {
  REQUIRE(ours.size() == expected.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    INFO("element " << i << ": " << ours[i] << ", recorded " << expected[i]);
    REQUIRE(std::isnan(ours[i]) == std::isnan(expected[i]));
    if (std::isnan(expected[i])) continue;
    if (std::isinf(expected[i])) {
      REQUIRE(ours[i] == expected[i]);
      continue;
    }
    REQUIRE(std::abs(double{ours[i]} - double{expected[i]}) <=
            2e-6 * std::max(1.0, std::abs(double{expected[i]})));
  }
}

// Within 2e-6 of float64, relative to it, after the program's own last step: flush_tiny makes +0 of
// what is not above 2^-126.
void check_exact(const std::vector<float>& ours, const std::vector<double>& exact) {
  REQUIRE(ours.size() == exact.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    INFO("element " << i << ": " << ours[i] << ", exactly " << exact[i]);
    const double expected = std::abs(exact[i]) <= 0x1p-126 ? 0.0 : exact[i];
    REQUIRE(std::abs(double{ours[i]} - expected) <= 2e-6 * std::abs(expected));
  }
}

// The output, after checking that the order of invocations does not matter.
std::vector<float> run_both_orders(Engine& engine, const Program& program,
                                   const AttentionCase& problem) {
  const test::EngineRun forward = test::run_on(engine, program, problem.inputs());
  INFO(message_of(forward.status));
  REQUIRE(forward.ok());
  RunOptions reversed;
  reversed.reversed = true;
  const test::EngineRun backward = test::run_on(engine, program, problem.inputs(), reversed);
  REQUIRE(backward.ok());
  REQUIRE(forward.outputs.size() == 1);
  CHECK(forward.outputs == backward.outputs);
  return decode_f32(forward.outputs[0].to_bytes());
}

TEST_CASE("recorded attention outputs agree on every engine") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::vector<Recorded> cases = read_cases(*dir);
  REQUIRE(cases.size() >= 35);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    INFO(engine->name());
    std::set<std::string> decided_by_subnormals;
    std::set<std::string> differing;
    for (const Recorded& recorded : cases) {
      INFO(recorded.name);
      const AttentionCase& problem = recorded.problem;
      const std::vector<float> tiled = run_both_orders(*engine, problem.tiled(), problem);
      const std::vector<float> reference = run_both_orders(*engine, problem.reference(), problem);
      if (!subnormals_decide(recorded)) {
        check_recorded(tiled, recorded.tiled);
        check_recorded(reference, recorded.reference);
        continue;
      }
      decided_by_subnormals.insert(recorded.name);
      const std::vector<double> exact =
          attention_float64(problem.q, problem.k, problem.v, problem.seq_len, problem.head_dim)
              .value();
      check_exact(tiled, exact);
      check_exact(reference, exact);
      const std::vector<Value> ours{Value::from(tiled), Value::from(reference)};
      if (ours != std::vector{Value::from(recorded.tiled), Value::from(recorded.reference)}) {
        differing.insert(recorded.name);
      }
    }
    CHECK(decided_by_subnormals ==
          std::set<std::string>{"adv_denormal_all", "adv_denormal_v", "adv_min_normal_v"});
    // The other two have results below 2^-126 only, which the program itself makes +0.
    CHECK(differing == std::set<std::string>{"adv_min_normal_v"});
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The original's files: decoded, encoded to the same bytes, and with the original's fingerprints.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/conformance/scenarios.h"
#include "tests/support/conformance_dir.h"
#include "tests/support/debug_text.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

Program decoded(const fs::path& path) {
  wire::Decoded result = wire::decode(test::read_file(path));
  INFO(path << "\n" << to_string(result.diagnostics));
  REQUIRE(result.program.has_value());
  return *std::move(result.program);
}

// Deeper than the original's decoder reads, so that our encoder refuses them.
bool is_deep(const std::string& name) {
  constexpr const char* kDeep[] = {"nest_depth_63",  "nest_depth_64",  "nest_depth_65",
                                   "expr_depth_127", "expr_depth_128", "expr_depth_129"};
  return std::ranges::find(kDeep, name) != std::end(kDeep);
}

TEST_CASE("recorded files encode to the same bytes again") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int same = 0;
  int deep = 0;
  for (const char* folder : {"vyre/wire", "vyre/scenarios"}) {
    for (const auto& entry : fs::directory_iterator(*dir / folder)) {
      if (entry.path().extension() != ".vir0") continue;
      INFO(entry.path());
      const wire::Encoded encoded = wire::encode(decoded(entry.path()));
      if (is_deep(entry.path().stem())) {
        ++deep;
        REQUIRE(encoded.diagnostics.size() == 1);
        CHECK(encoded.diagnostics.front().code == "W025");
        continue;
      }
      CHECK(to_string(encoded.diagnostics).empty());
      CHECK(encoded.not_carried.empty());
      CHECK((encoded.bytes == test::read_file(entry.path())));
      ++same;
    }
  }
  CHECK(same >= 150);
  CHECK(deep == 6);
}

TEST_CASE("recorded files hold the programs of the recorded debug texts") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int compared = 0;
  for (const char* folder : {"vyre/wire", "vyre/scenarios"}) {
    for (const auto& entry : fs::directory_iterator(*dir / folder)) {
      fs::path text = entry.path();
      if (text.extension() != ".vir0" || !fs::exists(text.replace_extension(".txt"))) continue;
      // Wide literals have a text of their own there, and names of extensions are not kept.
      const std::string name = text.stem();
      if (name.starts_with("wide_") || name == "hand_all_exprs") continue;
      INFO(entry.path());
      CHECK(test::debug_text(decoded(entry.path())) == test::read_file(text));
      ++compared;
    }
  }
  CHECK(compared >= 130);
}

TEST_CASE("the programs of the scenarios encode to the recorded bytes") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int same = 0;
  for (auto* scenarios :
       {&test::memory_scenarios, &test::control_scenarios, &test::lanes_scenarios}) {
    for (const test::Scenario& scenario : (*scenarios)()) {
      INFO(scenario.name);
      const fs::path path = *dir / "vyre/scenarios" / (scenario.name + ".vir0");
      if (!fs::exists(path)) continue;
      CHECK(decoded(path) == wire::vir0_view(scenario.program));
      if (is_deep(scenario.name)) continue;
      CHECK((wire::encode(scenario.program).bytes == test::read_file(path)));
      ++same;
    }
  }
  CHECK(same >= 120);
}

TEST_CASE("the seed's builders encode to the original's bytes") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::map<std::string, Program> programs = {
      {"flash_attention_2_8x16_t4", flash_attention_2("q", "k", "v", "out", 8, 16, 4)},
      {"flash_attention_2_130x17_t64", flash_attention_2("q", "k", "v", "out", 130, 17, 64)},
      {"flash_attention_2_reference_8x16",
       flash_attention_2_reference("q", "k", "v", "out", 8, 16)},
      {"trap_flash_attention_2_0x16_t4", flash_attention_2("q", "k", "v", "out", 0, 16, 4)},
  };
  for (const auto& [name, program] : programs) {
    INFO(name);
    const wire::Encoded encoded = wire::encode(program);
    CHECK((encoded.bytes == test::read_file(*dir / "vyre/wire" / (name + ".vir0"))));
    // The extent is ours.
    CHECK(encoded.not_carried.size() == 1);
  }
}

TEST_CASE("fingerprints are the original's") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int compared = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/wire/index.json")) {
    const auto file = row.at("file").get<std::string>();
    INFO(file);
    const StatusOr<std::string> fingerprint =
        wire::vir0_fingerprint(decoded(*dir / "vyre/wire" / file));
    REQUIRE(fingerprint.ok());
    CHECK(*fingerprint == row.at("fingerprint_hex").get<std::string>());
    ++compared;
  }
  CHECK(compared == 16);
}

TEST_CASE("the encoder refuses the depths that the original's decoder refuses") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const auto build = [](const std::string& kind, int n) {
    Expr sum = Expr::u32(1);
    std::vector<Node> body = {Node::store("out", 0u, 1u)};
    for (int i = 0; i < n; ++i) {
      if (kind == "expr_add_left") sum = Expr::add(sum, 1u);
      if (kind == "nested_block") body = {Node::block(body)};
      if (kind == "nested_if") body = {Node::if_then(Expr::bool_(true), body)};
      if (kind == "nested_loop") body = {Node::loop_for(fmt::format("i{}", i), 0u, 1u, body)};
    }
    if (kind == "expr_add_left") body = {Node::store("out", 0u, sum)};
    return Program::wrapped({BufferDecl::output("out", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                            body);
  };
  int compared = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/wire/depth_limits.json")) {
    const auto kind = row.at("kind").get<std::string>();
    const int n = row.at("n").get<int>();
    INFO(kind << " " << n);
    CHECK(wire::encode(build(kind, n)).ok() == row.at("decodes").get<bool>());
    ++compared;
  }
  CHECK(compared > 50);
}

}  // namespace
}  // namespace vyre

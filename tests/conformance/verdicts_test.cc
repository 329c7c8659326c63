// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the validator says of the recorded scenarios, under the limits of the original, beside what
// was recorded: the same codes, or those that a decision says.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <set>

#include "tests/conformance/scenarios.h"
#include "tests/support/conformance_dir.h"
#include "vyre/ir/validate/validate.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre {
namespace {

using Codes = std::set<std::string>;

Codes codes_of(const ValidationReport& report) {
  Codes codes;
  for (const Diagnostic& diagnostic : report.diagnostics) codes.insert(diagnostic.code);
  return codes;
}

// "V066" of "vyre IR validation: V066: reference to undeclared variable `i`. Fix: ..." and "V035"
// of "warning[V035](Validate): narrowing cast ..."
Codes recorded_codes(const nlohmann::json& verdict) {
  const std::regex code("^(?:vyre IR validation: |warning\\[)(V[0-9]+)");
  Codes codes;
  for (const char* list : {"errors", "warnings"}) {
    for (const nlohmann::json& text : verdict.at(list)) {
      std::smatch match;
      const auto message = text.get<std::string>();
      REQUIRE(std::regex_search(message, match, code));
      codes.insert(match[1].str());
    }
  }
  return codes;
}

// Where our codes are not the recorded ones: what ours gives besides, and what it leaves out.
struct Difference {
  const char* scenario;
  const char* rule;
  Codes added;
  Codes left_out;
};

const std::vector<Difference>& differences() {
  static const std::vector<Difference> all{
      // Outputs and counts that are legal here.
      {"two_outputs", "D9", {}, {"V022"}},
      {"workgroup_count_zero", "E22", {}, {"V109"}},
      // Loads of memory that nothing writes are uniform at a uniform index.
      {"barrier_if_cond_changes_dynamic", "D12", {}, {"V010"}},
      // A cast to a vector type.
      {"hand_all_exprs", "D4", {"V012"}, {}},
      // Every error is reported, not those of the first kind alone.
      {"duplicate_buffer_name", "D13", {"V063"}, {}},
      // What the original found when the program ran, or not at all.
      {"index_bool", "E17", {"V122"}, {}},
      {"trap_address_f32", "E17", {"V132"}, {}},
      {"resume", "D17", {"V046"}, {}},
      {"atomic_nand", "D17", {"V030"}, {}},
      {"atomic_cas_weak", "D17", {"V030"}, {}},
      {"barrier_after_return", "E5", {"V010"}, {}},
      {"subgroup_add_in_if", "E7", {"V131"}, {}},
      {"subgroup_add_after_return", "E7", {"V131"}, {}},
      {"subgroup_var_divergent_scope", "E7", {"V131"}, {}},
      {"grid_sync_local_lost", "E20", {"V066"}, {}},
      {"async_wait_without_start", "E20", {"V139"}, {}},
      {"async_duplicate_tag", "E20", {"V138"}, {}},
  };
  return all;
}

Codes expected_codes(const std::string& scenario, Codes codes) {
  for (const Difference& difference : differences()) {
    if (difference.scenario != scenario) continue;
    for (const std::string& code : difference.added) CHECK(codes.insert(code).second);
    for (const std::string& code : difference.left_out) CHECK(codes.erase(code) == 1);
  }
  return codes;
}

std::string joined(const Codes& codes) { return fmt::to_string(fmt::join(codes, " ")); }

TEST_CASE("the validator gives the recorded codes, or those that a decision says") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  std::map<std::string, nlohmann::json> verdicts;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/scenarios/scenarios.json")) {
    verdicts.emplace(row.at("name").get<std::string>(), row.at("validate"));
  }
  int compared = 0;
  for (const test::Scenario& scenario : test::all_scenarios()) {
    for (const bool subgroups : {false, true}) {
      ValidateOptions options = ValidateOptions::original();
      options.subgroups = subgroups;
      const char* engine = subgroups ? "subgroup_caps" : "default_caps";
      const Codes recorded = recorded_codes(verdicts.at(scenario.name).at(engine));
      INFO(scenario.name << " with " << engine);
      CHECK(joined(codes_of(validate(scenario.program, options))) ==
            joined(expected_codes(scenario.name, recorded)));
      ++compared;
    }
  }
  CHECK(compared == 268);
}

TEST_CASE("the validator gives the codes recorded for programs in the binary form") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int compared = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/wire/index.json")) {
    const auto name = row.at("name").get<std::string>();
    const std::string bytes =
        test::read_file(*dir / "vyre/wire" / row.at("file").get<std::string>());
    const std::optional<Program> program = wire::decode(bytes).program;
    INFO(name);
    REQUIRE(program.has_value());
    ++compared;
    const Codes recorded = recorded_codes(row.at("validate").at("default_caps"));
    const std::string ours = joined(codes_of(validate(*program, ValidateOptions::original())));
    CHECK(ours == joined(expected_codes(name, recorded)));
  }
  CHECK(compared == 16);
}

Program nested(const std::string& kind, uint32_t levels) {
  Expr sum = Expr::u32(0);
  if (kind == "expr_add_left") {
    for (uint32_t i = 0; i < levels; ++i) sum = Expr::add(sum, 1u);
  }
  Body body = {Node::store("out", 0u, sum)};
  for (uint32_t i = 0; i < levels; ++i) {
    if (kind == "nested_block") body = Node::block(body);
    if (kind == "nested_if") body = Node::if_then(Expr::bool_(true), body);
    if (kind == "nested_loop") body = Node::loop_for(fmt::format("i{}", i), 0u, 1u, body);
  }
  return Program::wrapped({BufferDecl::output("out", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                          std::move(body));
}

TEST_CASE("V018 and V033 begin at the recorded depths") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  std::map<std::string, int> refused;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/wire/depth_limits.json")) {
    const auto kind = row.at("kind").get<std::string>();
    const auto levels = row.at("n").get<uint32_t>();
    INFO(kind << " " << levels);
    const ValidationReport report = validate(nested(kind, levels), ValidateOptions::original());
    CHECK(report.ok() == row.at("validates").get<bool>());
    refused[joined(codes_of(report))] += report.ok() ? 0 : 1;
  }
  CHECK(refused["V018"] == 201);
  CHECK(refused["V033"] == 2);
}

}  // namespace
}  // namespace vyre

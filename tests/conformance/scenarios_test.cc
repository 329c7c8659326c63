// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded scenarios: small programs, what they were run on, and what came of it. Ours must
// give the same bytes or refuse with the same code; where a decision says otherwise, the table
// below says what ours gives and which decision it is.
#include "tests/conformance/scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <regex>

#include "tests/support/conformance_dir.h"
#include "tests/support/debug_text.h"
#include "tests/support/engine_run.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/validate/validate.h"
#include "vyre/ir/wire/vir0.h"
#include "vyre/passes/pipeline.h"

namespace vyre {
namespace {

using Bytes = std::vector<std::byte>;

// "0x00000001 0x00000002 | 0x00000003": the words of each returned buffer.
std::string words_of(const std::vector<Value>& outputs) {
  std::vector<std::string> buffers;
  for (const Value& output : outputs) {
    const std::vector<uint32_t> words = decode<uint32_t>(output.to_bytes());
    buffers.push_back(fmt::format("{:#010x}", fmt::join(words, " ")));
  }
  return fmt::to_string(fmt::join(buffers, " | "));
}

// The same of a list of lists of words as recorded.
std::string words_of(const nlohmann::json& recorded) {
  std::vector<std::string> buffers;
  for (const nlohmann::json& buffer : recorded) {
    const auto words = buffer.get<std::vector<std::string>>();
    buffers.push_back(fmt::to_string(fmt::join(words, " ")));
  }
  return fmt::to_string(fmt::join(buffers, " | "));
}

// {"0x00000001", …} or {"bytes:010203"}
Value input_of(const nlohmann::json& recorded) {
  Bytes bytes;
  for (const nlohmann::json& item : recorded) {
    const auto text = item.get<std::string>();
    if (text.starts_with("bytes:")) {
      for (size_t i = 6; i + 1 < text.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoul(text.substr(i, 2), nullptr, 16)));
      }
      continue;
    }
    const unsigned long word = std::stoul(text, nullptr, 16);
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i) & 0xFF));
  }
  return Value::from_bytes(std::move(bytes));
}

// The words that come of a run, or its error.
std::string outcome(const Program& program, std::span<const Value> inputs, bool reversed) {
  RunOptions options;
  options.reversed = reversed;
  const StatusOr<std::vector<Value>> out = reference_eval(program, inputs, options);
  return out.ok() ? words_of(*out) : std::string(message_of(out.status()));
}

// "V066" of the original's "vyre reference interpreter: vyre IR validation: V066: …"; empty for
// errors at run time.
std::string code_of(const std::string& error) {
  std::smatch match;
  const bool found = std::regex_search(error, match, std::regex("validation: (V[0-9]+): "));
  return found ? match[1].str() : std::string();
}

// What ours gives where it is not what was recorded: words, or a part of the error.
struct Ours {
  const char* name;
  const char* rule;
  const char* outcome;
};

// Both fail at run time, each in words of its own.
constexpr const char* kOwnWords = "own words";
// Left to a validator: the statement runs as the rules say.
constexpr const char* kSource = "D19";

constexpr Ours kOurs[] = {
    {"input_too_short", kOwnWords, "buffer `a` has 12 bytes but requires at least 16 bytes"},
    {"input_missing", kOwnWords, "0 values are given, and the program takes 1"},
    {"input_extra", kOwnWords, "3 values are given, and the program takes 1"},
    {"trap_one_lane", kOwnWords, "trap `lane2` at address 2, workgroup (0, 0, 0)"},
    {"async_wait_without_start", kOwnWords, "async-not-pending: "},
    {"async_duplicate_tag", kOwnWords, "async-pending: "},
    {"grid_sync_local_lost", kOwnWords, "V066"},
    {"raw_entry_store", kOwnWords, "error[V105]"},
    {"raw_entry_empty", kOwnWords, "error[V105]"},
    {"denormal_rw_passthrough", "D1", "0x00000001 0x80000001 0x7f812345 0x80000001"},
    {"wide_u64_literal", "D4", "0x00000005 0x00000000"},
    {"wide_i64_literal", "D4", "0xfffffffb 0xffffffff"},
    {"subgroup_add_i32", "D4", "0x00000006 0x00000006 0x00000006 0x00000006"},
    {"two_outputs", "D9", "0x00000001 | 0x00000002"},
    {"barrier_if_cond_changes_per_iteration", "D12", "0x00000001 0x00000001"},
    {"barrier_if_cond_changes_dynamic", "D12", "0x00000001 0x00000001"},
    {"nest_depth_64", "D15", "0x00000001"},
    {"nest_depth_65", "D15", "0x00000001"},
    {"expr_depth_129", "D15", "0x00000082"},
    {"atomic_nand", "D17", "`atomic_nand` is carried, not executed"},
    {"resume", "D17", "`resume` is carried, not executed"},
    {"broadcast_world", "D17", "`broadcast` is carried, not executed"},
    {"allgather_world", "D17", "`all_gather` is carried, not executed"},
    {"reducescatter_world", "D17", "`reduce_scatter` is carried, not executed"},
    {"oob_store_dropped", kSource, "0x00000001 0x00000000 0x00000000"},  // V036
    {"div_u32_zero_literal", kSource, "0xffffffff 0x00000000"},          // V044
    {"trap_after_return", kSource, "0x00000003"},                        // V112
    {"barrier_divergent_if", "E5", "barrier-divergence: 2 of 4 invocations"},
    {"barrier_divergent_dynamic", "E5", "barrier-divergence: 2 of 4 invocations"},
    {"barrier_after_return", "E5", "barrier-divergence: 2 of 4 invocations"},
    {"subgroup_add_in_if", "E7", "subgroup-divergence: 3 of 8 invocations"},
    {"subgroup_add_after_return", "E7", "subgroup-divergence: 3 of 8 invocations"},
    {"subgroup_var_divergent_scope", "E7", "subgroup-divergence: 2 of 4 invocations"},
    {"trap_two_lanes_first_wins", "E9", "trap `lane1` at address 1"},
    {"load_bool_buffer_raw", "E14", "0x00000000 0x00000001 0x00000001"},
    {"index_bool", "E17", "V122"},
    {"trap_address_f32", "E17", "V132"},
    {"workgroup_count_zero", "E22", "0x00000001"},
};

// In the original's reversed order, an invocation's lane is its place in the order. Ours keep their
// lanes (E7), so that the outputs are those of the forward order.
constexpr const char* kLanesReversed[] = {"subgroup_and_u32", "subgroup_or_u32",
                                          "subgroup_shuffle_rev", "subgroup_shuffle_f32"};

const Ours* find_ours(const std::string& name) {
  const auto* found = std::ranges::find(kOurs, name, &Ours::name);
  return found == std::end(kOurs) ? nullptr : found;
}

std::map<std::string, nlohmann::json> recorded_scenarios(const std::filesystem::path& dir) {
  std::map<std::string, nlohmann::json> rows;
  for (nlohmann::json& row : test::read_json(dir / "vyre/scenarios/scenarios.json")) {
    rows.emplace(row.at("name").get<std::string>(), std::move(row));
  }
  return rows;
}

std::vector<Value> inputs_of(const nlohmann::json& row) {
  std::vector<Value> inputs;
  for (const nlohmann::json& input : row.at("inputs")) inputs.push_back(input_of(input));
  return inputs;
}

TEST_CASE("the programs of the recorded scenarios are those that were recorded") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int compared = 0;
  for (const test::Scenario& scenario : test::all_scenarios()) {
    INFO(scenario.name);
    const auto text = *dir / "vyre/scenarios" / (scenario.name + ".txt");
    // Deep programs have no text, and wide literals one of their own.
    if (!std::filesystem::exists(text) || scenario.name.starts_with("wide_")) continue;
    ++compared;
    CHECK(test::debug_text(scenario.program) == test::read_file(text));
  }
  CHECK(compared == 124);
}

// The program of the recorded file; of the one scenario that the original could not write, ours.
Program recorded_program(const std::filesystem::path& dir, const std::string& name) {
  const auto path = dir / "vyre/scenarios" / (name + ".vir0");
  if (!std::filesystem::exists(path)) {
    REQUIRE(name == "workgroup_count_zero");
    const std::vector<test::Scenario> all = test::all_scenarios();
    return std::ranges::find(all, name, &test::Scenario::name)->program;
  }
  wire::Decoded decoded = wire::decode(test::read_file(path));
  INFO(to_string(decoded.diagnostics));
  REQUIRE(decoded.program.has_value());
  return *std::move(decoded.program);
}

TEST_CASE("recorded scenarios give the recorded outputs or errors, or what a decision says") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::map<std::string, nlohmann::json> rows = recorded_scenarios(*dir);
  std::map<std::string, int> tally;
  for (const auto& [name, row] : rows) {
    INFO(name);
    const nlohmann::json& result = row.at("result");
    const Program program = recorded_program(*dir, name);
    const std::string actual = outcome(program, inputs_of(row), false);
    if (const Ours* ours = find_ours(name)) {
      ++tally[ours->rule];
      const std::string expected = ours->outcome;
      CHECK((expected.starts_with("0x") ? actual == expected
                                        : actual.find(expected) != std::string::npos));
      // A decision that changes nothing must not be claimed.
      if (result.contains("outputs")) CHECK(actual != words_of(result.at("outputs")));
    } else if (result.contains("outputs")) {
      ++tally["equal outputs"];
      CHECK(actual == words_of(result.at("outputs")));
    } else {
      ++tally["equal codes"];
      const std::string code = code_of(result.at("error").get<std::string>());
      CHECK_FALSE(code.empty());
      CHECK_THAT(actual, Catch::Contains("error[" + code + "]"));
    }
  }
  CHECK(rows.size() == 134);
  std::vector<std::string> counts;
  for (const auto& [rule, count] : tally) counts.push_back(fmt::format("{}: {}", rule, count));
  CHECK(fmt::to_string(fmt::join(counts, ", ")) ==
        "D1: 1, D12: 2, D15: 3, D17: 5, D19: 3, D4: 3, D9: 1, E14: 1, E17: 2, E22: 1, E5: 3, "
        "E7: 3, E9: 1, equal codes: 28, equal outputs: 68, own words: 9");
}

// How the validators differ, and no way else: ours accepts what the original refuses, and then the
// program runs; finds before a run what the original finds in it; and refuses by a rule of its own.
TEST_CASE("nothing that the original refuses goes unseen by the validator and then fails") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int both = 0;
  std::vector<std::string> accepted;
  std::vector<std::string> found_before;
  std::vector<std::string> by_rule;
  for (const auto& [name, row] : recorded_scenarios(*dir)) {
    INFO(name);
    const std::string error = row.at("result").value("error", std::string());
    const bool refused_there = !code_of(error).empty();
    const Program program = recorded_program(*dir, name);
    const bool refused_here = !validate(program).ok();
    if (refused_there && refused_here) {
      ++both;
    } else if (refused_there) {
      accepted.push_back(name);
      CHECK(outcome(program, inputs_of(row), false).starts_with("0x"));
    } else if (refused_here) {
      (error.empty() ? by_rule : found_before).push_back(name);
    }
  }
  CHECK(both == 33);
  CHECK(fmt::to_string(fmt::join(accepted, " ")) ==
        "barrier_if_cond_changes_dynamic expr_depth_129 nest_depth_64 nest_depth_65 two_outputs "
        "workgroup_count_zero");  // D12, D15, D9, E22
  CHECK(fmt::to_string(fmt::join(found_before, " ")) ==
        "async_duplicate_tag async_wait_without_start atomic_nand grid_sync_local_lost "
        "raw_entry_empty raw_entry_store resume subgroup_var_divergent_scope trap_address_f32");
  CHECK(fmt::to_string(fmt::join(by_rule, " ")) ==
        "allgather_world barrier_after_return broadcast_world index_bool raw_entry_let_first "
        "reducescatter_world subgroup_add_after_return subgroup_add_in_if");  // D17, E5, E17, E7
}

TEST_CASE("recorded scenarios in reversed order give what was recorded for it") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::map<std::string, nlohmann::json> rows = recorded_scenarios(*dir);
  int same = 0;
  int different = 0;
  int lanes = 0;
  for (const test::Scenario& scenario : test::all_scenarios()) {
    const nlohmann::json& row = rows.at(scenario.name);
    const nlohmann::json recorded = row.value("lane_reversed", nlohmann::json());
    if (recorded.is_null()) continue;
    INFO(scenario.name);
    const std::string forward = outcome(scenario.program, inputs_of(row), false);
    const std::string reversed = outcome(scenario.program, inputs_of(row), true);
    if (recorded == "same") {
      ++same;
      CHECK(reversed == forward);
    } else if (std::ranges::find(kLanesReversed, scenario.name) != std::end(kLanesReversed)) {
      ++lanes;
      CHECK(reversed == forward);
      CHECK(reversed != words_of(recorded));
    } else {
      ++different;
      CHECK(reversed == words_of(recorded));
    }
  }
  CHECK(same == 68);
  CHECK(different == 5);
  CHECK(lanes == 4);
}

// Words, or an error without its node path: passes move statements.
std::string without_path(const std::string& text) { return text.substr(0, text.find("entry[")); }

TEST_CASE("exact passes keep what comes of the recorded scenarios") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::map<std::string, nlohmann::json> rows = recorded_scenarios(*dir);
  const Pipeline exact = parse_pipeline("exact").value();
  int changed = 0;
  for (const test::Scenario& scenario : test::all_scenarios()) {
    INFO(scenario.name);
    const std::vector<Value> inputs = inputs_of(rows.at(scenario.name));
    const std::string expected = without_path(outcome(scenario.program, inputs, false));
    const StatusOr<PipelineResult> passed = run_pipeline(scenario.program, exact);
    if (!passed.ok()) {
      CHECK_THAT(expected, Catch::Contains("error["));
      continue;
    }
    changed += passed->changed ? 1 : 0;
    CHECK(without_path(outcome(passed->program, inputs, false)) == expected);
  }
  CHECK(changed > 0);
}

// The parts of an engine's whole buffers that the program lets out.
std::vector<Value> returned(const Program& program, const std::vector<Value>& buffers) {
  std::vector<Value> parts;
  for (const BufferDecl& decl : program.buffers()) {
    if (!decl.is_returned()) continue;
    parts.push_back(
        Value::from_bytes(interpreter::returned_bytes(decl, buffers.at(parts.size()).to_bytes())));
  }
  return parts;
}

TEST_CASE("every engine gives the outputs of the interpreter for the recorded scenarios") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::map<std::string, nlohmann::json> rows = recorded_scenarios(*dir);
  int compared = 0;
  std::string refused;  // by engines and not by reference_eval, as in the original
  for (const test::Scenario& scenario : test::all_scenarios()) {
    INFO(scenario.name);
    const std::vector<Value> inputs = inputs_of(rows.at(scenario.name));
    const StatusOr<std::vector<Value>> expected = reference_eval(scenario.program, inputs);
    if (!expected.ok()) continue;
    if (!validate(scenario.program, {.source = false}).ok()) {
      refused += scenario.name;
      continue;
    }
    ++compared;
    for (const std::shared_ptr<Engine>& engine : engines()) {
      const test::EngineRun run = test::run_on(*engine, scenario.program, inputs);
      REQUIRE(run.ok());
      CHECK(words_of(returned(scenario.program, run.outputs)) == words_of(*expected));
    }
  }
  CHECK(compared == 82);
  CHECK(refused == "raw_entry_let_first");
}

}  // namespace
}  // namespace vyre

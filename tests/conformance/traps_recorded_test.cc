// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the original said when it evaluated programs of invalid or extreme dimensions.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/conformance_dir.h"
#include "tests/support/engine_run.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

Program build(const nlohmann::json& row) {
  const auto args = row.at("args").get<std::vector<uint32_t>>();
  const auto names = row.contains("names") ? row.at("names").get<std::vector<std::string>>()
                                           : std::vector<std::string>{"q", "k", "v", "out"};
  if (row.at("op") == "flash_attention_2") {
    return flash_attention_2(names.at(0), names.at(1), names.at(2), names.at(3), args.at(0),
                             args.at(1), args.at(2));
  }
  REQUIRE(row.at("op") == "flash_attention_2_reference");
  return flash_attention_2_reference(names.at(0), names.at(1), names.at(2), names.at(3), args.at(0),
                                     args.at(1));
}

struct RecordedTrap {
  uint32_t address = 0;
  std::string tag;
};

// "…: reference dispatch trapped: address=0, tag=`…`. Fix: handle the trap condition …"
RecordedTrap parse_trap(const std::string& error) {
  const std::string before = "reference dispatch trapped: address=";
  const std::string between = ", tag=`";
  const size_t address = error.find(before);
  const size_t tag = error.find(between);
  const size_t end = error.find("`. Fix: handle the trap condition");
  REQUIRE(address != std::string::npos);
  REQUIRE(tag != std::string::npos);
  REQUIRE(end != std::string::npos);
  const size_t digits = address + before.size();
  const size_t text = tag + between.size();
  return {static_cast<uint32_t>(std::stoul(error.substr(digits, tag - digits))),
          error.substr(text, end - text)};
}

void check_reported(const Program& program, const std::vector<Value>& inputs,
                    const RecordedTrap& expected) {
  const StatusOr<std::vector<Value>> out = reference_eval(program, inputs);
  CHECK(out.status().code() == absl::StatusCode::kAborted);
  CHECK_THAT(
      std::string(message_of(out.status())),
      Catch::StartsWith(fmt::format("trap `{}` at address {}", expected.tag, expected.address)));
}

TEST_CASE("recorded trap programs report their trap, whatever values are given") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int traps = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/traps.json")) {
    if (!row.contains("eval_no_inputs")) continue;
    INFO(row.at("op") << " " << row.at("args").dump());
    ++traps;
    const Program program = build(row);
    const RecordedTrap expected =
        parse_trap(row.at("eval_no_inputs").at("error").get<std::string>());
    CHECK(row.at("eval_one_input_4B") == row.at("eval_no_inputs"));
    check_reported(program, {}, expected);
    check_reported(program, {Value::zeros(4)}, expected);
    // The original refuses the four values of the working program; the trap says more.
    check_reported(program,
                   {Value::zeros(16), Value::zeros(16), Value::zeros(16), Value::zeros(16)},
                   expected);
    for (const std::shared_ptr<Engine>& engine : engines()) {
      const test::EngineRun run = test::run_on(*engine, program, {});
      REQUIRE(run.status.ok());
      REQUIRE(run.trap.has_value());
      CHECK(run.trap->tag == expected.tag);
      CHECK(run.trap->address == expected.address);
    }
  }
  CHECK(traps >= 21);
}

TEST_CASE("recorded duplicate buffer names are refused by every engine with the original's code") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int refused = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/traps.json")) {
    if (!row.contains("names")) continue;
    INFO(row.at("op") << " " << row.at("names").dump());
    ++refused;
    const auto error = row.at("eval").at("error").get<std::string>();
    const Program program = build(row);
    const Resolved resolved = resolve(program);
    REQUIRE_FALSE(resolved.ok());
    CHECK_THAT(error, Catch::Contains(": " + resolved.diagnostics[0].code + ": "));
    for (const std::shared_ptr<Engine>& engine : engines()) {
      CHECK(engine->compile(program, {}).status().code() == absl::StatusCode::kInvalidArgument);
    }
  }
  CHECK(refused >= 4);
}

TEST_CASE("the original's budget of workgroup memory is an option, and off by default") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  int over_budget = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre/traps.json")) {
    if (!row.contains("eval_zero_inputs")) continue;
    const nlohmann::json& recorded = row.at("eval_zero_inputs");
    if (!recorded.contains("error")) continue;
    INFO(row.at("op") << " " << row.at("args").dump());
    ++over_budget;
    const Program program = build(row);
    RunOptions original;
    original.max_workgroup_bytes = 64 << 20;
    std::vector<Value> inputs;
    for (const BufferDecl& decl : program.buffers()) {
      if (decl.is_input()) inputs.push_back(Value::zeros(*decl.static_byte_length()));
    }
    for (const std::shared_ptr<Engine>& engine : engines()) {
      const test::EngineRun run = test::run_on(*engine, program, inputs, original);
      CHECK(run.status.code() == absl::StatusCode::kResourceExhausted);
      // Without the budget it starts, and is ended here before it is done.
      RunOptions few_steps;
      few_steps.max_steps = 3;
      const test::EngineRun free = test::run_on(*engine, program, inputs, few_steps);
      CHECK_THAT(std::string(message_of(free.status)), Catch::Contains("step"));
    }
  }
  CHECK(over_budget >= 2);
}

}  // namespace
}  // namespace vyre

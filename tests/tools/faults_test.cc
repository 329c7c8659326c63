// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checked runs of the programs in tests/faults: every planted fault is found where it stands, and
// nothing is found in the programs that look like them.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "tests/tools/tool_process.h"
#include "vyre/backends/engine.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/passes/pass.h"
#include "vyre/tools/eval/eval_case.h"
#include "vyre/tools/support/program_report.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;
using Findings = std::multiset<std::string>;  // "C001 12:5 14:9"

const std::set<std::string> kCodes = {"C001", "C002", "C004"};

std::vector<fs::path> programs() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "tests/faults")) {
    // What the validator refuses is not run by tools.
    const bool refused = entry.path().filename().string().starts_with("barrier_") &&
                         !entry.path().filename().string().ends_with(".clean.vyre");
    if (entry.path().extension() == ".vyre" && !refused) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

struct Header {
  Findings faults;
  std::map<std::string, std::string> inputs;
};

Header read_header(const std::string& text) {
  Header header;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with(";");) {
    if (line.starts_with("; fault: ") && kCodes.contains(line.substr(9, 4))) {
      header.faults.insert(line.substr(9));
    }
    if (!line.starts_with("; input: ")) continue;
    const size_t equals = line.find('=');
    header.inputs[line.substr(9, equals - 9)] = line.substr(equals + 1);
  }
  return header;
}

std::string position(const Place& place) {
  return fmt::format("{}:{}", place.line(), place.column());
}

Findings findings_of(const RunReport& report) {
  Findings found;
  for (const Diagnostic& diagnostic : report.checker_reports) {
    std::string text = fmt::format("{} {}", diagnostic.code, position(diagnostic.place));
    for (const Place& place : diagnostic.related) text += fmt::format(" {}", position(place));
    found.insert(text);
  }
  return found;
}

std::string listed(const Findings& findings) {
  return fmt::format("{}", fmt::join(findings, "\n"));
}

tools::EngineOutcome run_checked(const fs::path& path, const Header& header,
                                 const RunOptions& options) {
  const StatusOr<tools::LoadedProgram> loaded = tools::load_program(path.string(), {});
  REQUIRE(loaded.ok());
  const StatusOr<tools::EvalCase> eval_case =
      tools::case_of(*loaded, header.inputs, {}, options.max_memory_bytes);
  REQUIRE(eval_case.ok());
  return tools::run_on_engine(*find_engine("interpreter").value(), loaded->program,
                              eval_case->inputs, options);
}

TEST_CASE("every planted fault is found where it stands, and nothing else") {
  size_t planted = 0;
  size_t clean = 0;
  for (const fs::path& path : programs()) {
    const Header header = read_header(test::read_text(path));
    planted += header.faults.size();
    clean += header.faults.empty() ? 1 : 0;
    RunOptions orders[4];
    orders[1].reversed = true;
    orders[2].schedule_seed = 7;
    orders[3].threads = 3;
    for (RunOptions& options : orders) {
      options.checks = Checks::all();
      const tools::EngineOutcome outcome = run_checked(path, header, options);
      INFO(fmt::format("{}{}{}\n{}{}", path.filename().string(),
                       options.reversed ? ", reversed" : "",
                       options.schedule_seed ? ", scheduled" : "", outcome.message,
                       to_string(outcome.report.checker_reports)));
      CHECK(listed(findings_of(outcome.report)) == listed(header.faults));
    }
  }
  std::printf("%zu planted faults, %zu programs without\n", planted, clean);
  CHECK(planted > 60);
  CHECK(clean > 100);
}

TEST_CASE("every rule about runs has a program that breaks it and a near one that does not") {
  size_t rules = 0;
  for (const DiagnosticInfo& info : all_diagnostics()) {
    if (info.which != DiagnosticClass::kRun) continue;
    const fs::path folder = test::source_dir() / "tests/diagnostics";
    const fs::path bad = folder / fmt::format("{}.vyre", info.code);
    const fs::path near = folder / fmt::format("{}.near.vyre", info.code);
    INFO(bad);
    CHECK(test::read_text(bad).starts_with(fmt::format("; {}: {}\n", info.code, info.rule)));
    RunOptions options;
    options.checks = Checks::all();
    const tools::EngineOutcome found = run_checked(bad, {}, options);
    REQUIRE(found.report.checker_reports.size() == 1);
    CHECK(found.report.checker_reports[0].code == info.code);
    CHECK(run_checked(near, {}, options).report.checker_reports.empty());
    options.checks = {};
    CHECK(run_checked(bad, {}, options).report.checker_reports.empty());
    ++rules;
  }
  CHECK(rules == kCodes.size());
}

TEST_CASE("vyre-eval --check lists what is found, and writes it as JSON") {
  const test::ScratchDir dir;
  fs::copy(test::source_dir() / "tests/diagnostics/C001.vyre", dir.path() / "a.vyre");
  fs::copy(test::source_dir() / "tests/diagnostics/C001.near.vyre", dir.path() / "near.vyre");
  const test::ToolResult found =
      test::run_tool("vyre-eval a.vyre --check=races,bounds --findings=list.json", dir);
  CHECK(found.exit_code == 1);
  CHECK_THAT(found.err, Catch::Contains("error[C001] a.vyre:8:5: race on `tile`[0]: ") &&
                            Catch::Contains("   8 |     tile[local_id.x] = local_id.x\n") &&
                            Catch::Contains("\n  Fix: Put a barrier between the two"));
  // The table is that of a run without checks.
  CHECK(found.out.find(" ok\n") != std::string::npos);
  const std::string list = test::read_text(dir.path() / "list.json");
  CHECK_THAT(list, Catch::Contains("\"code\": \"C001\"") &&
                       Catch::Contains("\"related\": [\"a.vyre:9:23\"]"));
  // Passes do not change it.
  CHECK(test::run_tool("vyre-eval a.vyre --check=all --passes=bind_shared", dir).exit_code == 1);
  CHECK(test::run_tool("vyre-eval a.vyre --check=bounds", dir).exit_code == 0);
  const test::ToolResult clean =
      test::run_tool("vyre-eval near.vyre --check=all --findings=-", dir);
  CHECK(clean.exit_code == 0);
  CHECK(clean.out.starts_with("[]\n"));
  // What was not checked to the end is not clean.
  const test::ToolResult stopped =
      test::run_tool("vyre-eval near.vyre --check=races --max-memory=3000", dir);
  CHECK(stopped.exit_code == 3);
  CHECK_THAT(stopped.err, Catch::Contains("the checked run ended early: ") &&
                              Catch::Contains("to find races on `"));
  const test::ToolResult unknown = test::run_tool("vyre-eval a.vyre --check=races,raec", dir);
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Catch::Contains("there is no check `raec`"));
  const test::ToolResult alone = test::run_tool("vyre-eval a.vyre --findings=-", dir);
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.err, Catch::Contains("--findings stands without --check"));
}

// The only finding of a planted fault.
Diagnostic finding_of(const std::string& name) {
  const fs::path path = test::source_dir() / "tests/faults" / name;
  RunOptions options;
  options.checks = Checks::all();
  const tools::EngineOutcome outcome =
      run_checked(path, read_header(test::read_text(path)), options);
  REQUIRE(outcome.report.checker_reports.size() == 1);
  return outcome.report.checker_reports[0];
}

TEST_CASE("U53: no pass of the command changes the verdict, which is of the program as written") {
  const test::ScratchDir dir;
  for (const std::string name : {"C001", "C001.near", "C002", "C004"}) {
    const std::string file = name + ".vyre";
    fs::copy(test::source_dir() / "tests/diagnostics" / file, dir.path() / file);
    const std::string command = fmt::format("vyre-eval {} --check=all", file);
    const test::ToolResult plain = test::run_tool(command, dir);
    CHECK((plain.exit_code == 0) == (name == "C001.near"));
    for (const Pass& pass : all_passes()) {
      INFO(fmt::format("{} {}", name, pass.name));
      const test::ToolResult rewritten =
          test::run_tool(fmt::format("{} --passes={}", command, pass.name), dir);
      CHECK(rewritten.err == plain.err);
      CHECK(rewritten.exit_code == plain.exit_code);
    }
  }
}

TEST_CASE("U55: a barrier does not order other workgroups, and a grid barrier does") {
  const Diagnostic found = finding_of("race_barrier_is_no_grid_sync.vyre");
  CHECK_THAT(found.fix, Catch::Contains("do not order other workgroups"));
}

TEST_CASE("U56: a missing barrier is found although statements go in lockstep") {
  CHECK(finding_of("race_reduction_last_step.vyre").code == "C001");
  CHECK(finding_of("race_partner_through_memory.vyre").code == "C001");
}

TEST_CASE("U58: what is reached is held against the buffer that it is in") {
  const Diagnostic found = finding_of("bounds_length_of_another.vyre");
  CHECK_THAT(found.cause, Catch::Contains(" elements: "));
}

TEST_CASE("a race between workgroups of an inferred grid names the grid as a likely cause") {
  CHECK_THAT(finding_of("race_inferred_over_dispatch.vyre").fix,
             Catch::Contains("the grid follows from the sizes of its buffers"));
  CHECK_THAT(finding_of("race_grid_too_large.vyre").fix,
             !Catch::Contains("the grid follows from the sizes of its buffers"));
}

TEST_CASE("findings beyond the limit are counted") {
  RunOptions options;
  options.checks = Checks::all();
  options.max_findings = 0;
  const tools::EngineOutcome outcome =
      run_checked(test::source_dir() / "tests/diagnostics/C002.vyre", {}, options);
  CHECK(outcome.report.checker_reports.empty());
  CHECK(outcome.report.omitted_checker_reports == 1);
}

}  // namespace
}  // namespace vyre

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
#include "vyre/tools/eval/eval_case.h"
#include "vyre/tools/support/program_report.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;
using Findings = std::multiset<std::string>;  // "C001 12:5 14:9"

const std::set<std::string> kCodes = {"C001", "C002"};

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

}  // namespace
}  // namespace vyre

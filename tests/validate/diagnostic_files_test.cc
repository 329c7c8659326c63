// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// tests/diagnostics/CODE.vyre breaks the rule of a code and CODE.near.vyre, the nearest program,
// does not. In comments at the top, `options:` sets fields of ValidateOptions, and `also:` names
// the codes that the rule does not come without.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/conformance_dir.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

using Codes = std::set<std::string>;

const std::filesystem::path kFolder = std::filesystem::path(VYRE_SOURCE_DIR) / "tests/diagnostics";

// What follows "; key: " on a line of the text.
std::string note(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  const std::string start = "; " + key + ": ";
  for (std::string line; std::getline(lines, line) && line.starts_with("; ");) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

// "max_nesting=3"
ValidateOptions options_of(const std::string& text) {
  ValidateOptions options;
  const std::string setting = note(text, "options");
  if (setting.empty()) return options;
  const size_t equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const auto value = static_cast<uint32_t>(std::stoul(setting.substr(equals + 1)));
  const std::map<std::string, std::function<void()>> setters{
      {"max_nesting", [&] { options.max_nesting = value; }},
      {"max_statements", [&] { options.max_statements = value; }},
      {"max_expression_depth", [&] { options.max_expression_depth = value; }},
      {"max_workgroup_bytes", [&] { options.max_workgroup_bytes = value; }},
      {"subgroups", [&] { options.subgroups = value != 0; }},
  };
  REQUIRE(setters.contains(key));
  setters.at(key)();
  return options;
}

Codes codes_of(const std::vector<Diagnostic>& diagnostics) {
  Codes codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.insert(diagnostic.code);
  return codes;
}

// The codes that a file's program gets, of the parser or the validator.
Codes codes_of(const std::string& file, const std::string& text) {
  const ParseResult parsed = parse(text, {.file = file});
  if (!parsed.ok()) return codes_of(parsed.diagnostics);
  return codes_of(validate(*parsed.program, options_of(text)).diagnostics);
}

Codes words(const std::string& text) {
  std::istringstream stream(text);
  Codes codes;
  for (std::string code; stream >> code;) codes.insert(code);
  return codes;
}

std::string joined(const Codes& codes) { return fmt::to_string(fmt::join(codes, " ")); }

TEST_CASE("every rule about programs has one that breaks it and a near one that does not") {
  // Not to be written as text: names that are not UTF-8.
  const Codes without_text{"V137"};
  int rules = 0;
  for (const DiagnosticInfo& info : all_diagnostics()) {
    const std::string code(info.code);
    if (!code.starts_with("V") || without_text.contains(code)) continue;
    INFO(code);
    REQUIRE(std::filesystem::exists(kFolder / (code + ".vyre")));
    const std::string bad = test::read_file(kFolder / (code + ".vyre"));
    const std::string near = test::read_file(kFolder / (code + ".near.vyre"));
    // The file says the rule that it breaks.
    CHECK(bad.starts_with(fmt::format("; {}: {}\n", code, info.rule)));
    Codes expected = words(note(bad, "also"));
    CHECK(expected.insert(code).second);
    CHECK(joined(codes_of(code + ".vyre", bad)) == joined(expected));
    CHECK(joined(codes_of(code + ".near.vyre", near)) == note(near, "also"));
    ++rules;
  }
  CHECK(rules > 90);
}

TEST_CASE("every file of tests/diagnostics is of a code that exists") {
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK(find_diagnostic(name.substr(0, name.find('.'))) != nullptr);
  }
}

}  // namespace
}  // namespace vyre

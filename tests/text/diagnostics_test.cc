// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Each P code has a text that breaks its rule and the smallest change that keeps it, in
// tests/diagnostics; tests/text/rendered.txt holds what is said of each.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/conformance_dir.h"
#include "tests/text/round_trip.h"
#include "vyre/ir/diagnostic_codes.h"

namespace vyre {
namespace {

const std::filesystem::path kTests = std::filesystem::path(VYRE_SOURCE_DIR) / "tests";

std::string text_of(const std::string& name) {
  return test::read_file(kTests / "diagnostics" / (name + ".vyre"));
}

// A first line `; max_bytes: 64` sets that limit.
ParseResult parse_file(const std::string& name, const std::string& text) {
  ParseOptions options;
  options.file = name + ".vyre";
  constexpr std::string_view kLimit = "; max_bytes: ";
  if (text.starts_with(kLimit)) {
    std::from_chars(text.data() + kLimit.size(), text.data() + text.size(), options.max_bytes);
  }
  return parse(text, options);
}

std::vector<std::string> syntax_codes() {
  std::vector<std::string> codes;
  for (const DiagnosticInfo& info : all_diagnostics()) {
    if (info.which == DiagnosticClass::kSyntax) codes.emplace_back(info.code);
  }
  return codes;
}

TEST_CASE("each P code has a text that breaks its rule and breaks no other") {
  REQUIRE(syntax_codes().size() >= 32);
  for (const std::string& code : syntax_codes()) {
    const std::string text = text_of(code);
    const ParseResult result = parse_file(code, text);
    INFO(render(result.diagnostics, text));
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0].code == code);
    CHECK(result.diagnostics[0].severity == find_diagnostic(code)->severity);
    CHECK(result.ok() == (result.diagnostics[0].severity == Severity::kWarning));
  }
}

TEST_CASE("each P code has a text that just keeps its rule") {
  for (const std::string& code : syntax_codes()) {
    const std::string text = text_of(code + ".near");
    const ParseResult result = parse_file(code, text);
    INFO(code << '\n' << render(result.diagnostics, text));
    REQUIRE(result.ok());
    CHECK(result.diagnostics.empty());
    test::check_round_trip(*result.program);
  }
}

TEST_CASE("what is said of each mistake is as recorded") {
  std::string all;
  for (const std::string& code : syntax_codes()) {
    const std::string text = text_of(code);
    all += render(parse_file(code, text).diagnostics, text) + "\n";
  }
  const std::filesystem::path recorded = kTests / "text" / "rendered.txt";
  if (std::getenv("VYRE_BLESS") != nullptr) std::ofstream(recorded, std::ios::binary) << all;
  CHECK(all == test::read_file(recorded));
}

TEST_CASE("causes are sentences without a full stop, fixes are one with it") {
  for (const std::string& code : syntax_codes()) {
    const std::string text = text_of(code);
    for (const Diagnostic& diagnostic : parse_file(code, text).diagnostics) {
      INFO(diagnostic.to_string());
      CHECK_FALSE(diagnostic.cause.empty());
      CHECK_FALSE(diagnostic.cause.ends_with("."));
      CHECK(diagnostic.fix.ends_with("."));
      CHECK(diagnostic.fix.find(". ") == std::string::npos);
      CHECK(diagnostic.place.file() == code + ".vyre");
      CHECK(diagnostic.place.line() >= 1);
      CHECK(diagnostic.place.column() >= 1);
    }
  }
}

}  // namespace
}  // namespace vyre

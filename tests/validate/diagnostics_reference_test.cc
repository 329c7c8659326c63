// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// docs/diagnostics.md is written from the table of codes and the files of tests/diagnostics. With
// VYRE_BLESS=1 in the environment this test rewrites it; otherwise it fails where they differ.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/conformance_dir.h"
#include "vyre/ir/diagnostic_codes.h"

namespace vyre {
namespace {

constexpr const char* kIntroduction =
    "# Diagnostics\n"
    "\n"
    "Written from `ir/diagnostics.def` and `tests/diagnostics` by the test "
    "`diagnostics_reference`; "
    "`VYRE_BLESS=1` rewrites it.\n"
    "\n"
    "A diagnostic has a code, a severity, the path of a node, a place in a source or text, a cause "
    "and a fix:\n"
    "\n"
    "```\n"
    "error[V066] kernel.vyre:8:12: variable `row` is not bound here\n"
    "  at entry[0].body[1].value.left\n"
    "  Fix: Bind it with let before this statement.\n"
    "```\n"
    "\n"
    "Codes are stable. The rules of a class are checked at the same time:\n"
    "\n"
    "| class | when | what |\n"
    "|---|---|---|\n"
    "| syntax | a text is read | `ir/parse.h` |\n"
    "| wire | the binary form is read or written | `ir/wire/` |\n"
    "| structure | by `validate`, by engines, between passes on request | holds for every program "
    "|\n"
    "| source | by `validate`, on entry to tools and builders | about what a person wrote; a pass "
    "may "
    "break it |\n"
    "| carried | by `validate`, by engines | the program is well-formed, and no engine runs it |\n"
    "| run | a program runs and is checked | [checking.md](checking.md) |\n"
    "\n"
    "`ValidateOptions` leaves classes out and sets limits; `ValidateOptions::original()` has those "
    "of "
    "the original.\n";

constexpr const char* kLeftOut =
    "\n## Codes of the original that are no rules here\n"
    "\n"
    "Their numbers are not used for anything else.\n"
    "\n"
    "| code | there | why not here |\n"
    "|---|---|---|\n"
    "| V020, V021 | the arity and types of a call | a call is carried as it is "
    "(V016): there is no library |\n"
    "| V022 | more than one output; the types of a call's arguments | any number is legal; as V020 "
    "|\n"
    "| V034, V056 | what the chosen engine lacks | the engine refuses it, with its reason |\n"
    "| V052, V053, V054 | buffers as arguments of calls | as V020 |\n"
    "| V055 | a return in a loop with barriers that some invocations take | is V010 at the "
    "barriers "
    "that it parts |\n"
    "| V084, V098 | arithmetic on 64-bit integers, negation of i32 | both are defined |\n"
    "| V104 | an unknown unary operation | cannot be built |\n"
    "| V111, V113, V114, V118, V129 | faults of the original's own walk | none |\n";

struct Section {
  char letter;
  const char* title;
};
constexpr Section kSections[] = {
    {'V', "Programs"}, {'C', "Runs"}, {'P', "Text"}, {'W', "The binary form"}};

// The lines of a file of tests/diagnostics after its comments.
std::string program_of(const std::string& text) {
  size_t begin = 0;
  while (text.compare(begin, 2, "; ") == 0) begin = text.find('\n', begin) + 1;
  return text.substr(begin);
}

// For programs, what breaks the rule; texts and bytes that cannot be read are no examples.
std::string example_of(const DiagnosticInfo& info) {
  const std::filesystem::path path = std::filesystem::path(VYRE_SOURCE_DIR) / "tests/diagnostics" /
                                     fmt::format("{}.vyre", info.code);
  if ((!info.code.starts_with("V") && !info.code.starts_with("C")) ||
      !std::filesystem::exists(path))
    return "";
  return fmt::format("\n```\n{}```\n", program_of(test::read_file(path)));
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string table_of(const Section& section) {
  std::string text = fmt::format(
      "\n## {}\n\n| code | class | severity | rule |\n|---|---|---|---|\n", section.title);
  for (const DiagnosticInfo& info : all_diagnostics()) {
    if (info.code.front() != section.letter) continue;
    text += fmt::format("| {} | {} | {} | {} |\n", info.code, spelling(info.which),
                        info.severity == Severity::kError ? "error" : "warning", cell(info.rule));
  }
  return text;
}

std::string reference_markdown() {
  std::string text = kIntroduction;
  for (const Section& section : kSections) text += table_of(section);
  text += kLeftOut;
  text += "\n## Programs that break the rules\n";
  for (const DiagnosticInfo& info : all_diagnostics()) {
    const std::string example = example_of(info);
    if (!example.empty()) text += fmt::format("\n### {}\n\n{}\n{}", info.code, info.rule, example);
  }
  return text;
}

TEST_CASE("docs/diagnostics.md is what the table of codes says") {
  const std::string path = VYRE_SOURCE_DIR "/docs/diagnostics.md";
  const std::string expected = reference_markdown();
  if (std::getenv("VYRE_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << expected;
  INFO("run this test with VYRE_BLESS=1 to rewrite docs/diagnostics.md");
  CHECK(std::filesystem::exists(path));
  CHECK((std::filesystem::exists(path) && test::read_file(path) == expected));
}

TEST_CASE("the reference has every code once in its tables") {
  const std::string text = reference_markdown();
  for (const DiagnosticInfo& info : all_diagnostics()) {
    INFO(info.code);
    const std::string row = fmt::format("\n| {} | {} |", info.code, spelling(info.which));
    const size_t first = text.find(row);
    REQUIRE(first != std::string::npos);
    CHECK(text.find(row, first + 1) == std::string::npos);
  }
}

}  // namespace
}  // namespace vyre

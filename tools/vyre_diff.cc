// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-diff: says how two programs differ.
#include <fmt/format.h>

#include <algorithm>

#include "vyre/tools/diff/program_diff.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-diff";
constexpr const char* kExamples = R"(Examples:
  vyre-diff flash_attention_2 flash_attention_2_reference
  vyre-diff before.vyre after.vyre --context=10
  vyre-opt a.vyre --passes=exact | vyre-diff a.vyre -

Exit codes: 0 the programs are equal; 1 they differ; 2 wrong usage, or a file that holds no program;
3 out of memory; 70 a bug in vyre.
)";

struct Options {
  ProgramArgument program;
  std::optional<std::string> other;
  std::optional<std::string> context;
  bool quiet = false;
};

using Dimensions = std::map<std::string, uint32_t>;

bool has_parameter(const catalog::Entry& entry, const std::string& name) {
  return std::ranges::any_of(entry.parameters,
                             [&name](const auto& parameter) { return name == parameter.name; });
}

// Each program gets the dimensions that it has; one of them has to have each.
Dimensions take_dimensions(const std::string& name, const Dimensions& given, Dimensions& unused) {
  const StatusOr<const catalog::Entry*> entry = catalog::find(name);
  if (!entry.ok()) return {};
  Dimensions taken;
  for (const auto& [dimension, value] : given) {
    if (!has_parameter(**entry, dimension)) continue;
    taken.emplace(dimension, value);
    unused.erase(dimension);
  }
  return taken;
}

struct Pair {
  LoadedProgram left;
  LoadedProgram right;
};

StatusOr<Pair> load(const Options& options) {
  if (!options.program.given() || !options.other) {
    return absl::InvalidArgumentError(
        "two programs are needed. Fix: name both, by a name that `vyre-dump --list` shows or by "
        "a file.");
  }
  const std::string& left_name = *options.program.name();
  if (left_name == "-" && options.other == "-") {
    return absl::InvalidArgumentError(
        "standard input holds one program only. Fix: name a file for the other one.");
  }
  const StatusOr<Dimensions> given = options.program.dimensions();
  if (!given.ok()) return given.status();
  Dimensions unused = *given;
  const Dimensions left_dimensions = take_dimensions(left_name, *given, unused);
  const Dimensions right_dimensions = take_dimensions(*options.other, *given, unused);
  StatusOr<LoadedProgram> left = load_program(left_name, left_dimensions);
  if (!left.ok()) return left.status();
  StatusOr<LoadedProgram> right = load_program(*options.other, right_dimensions);
  if (!right.ok()) return right.status();
  if (!unused.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "neither program has a dimension `{}`. Fix: leave it out.", unused.begin()->first));
  }
  return Pair{*std::move(left), *std::move(right)};
}

std::string report(const Pair& pair, uint32_t context) {
  std::string text;
  for (const Change& change : declaration_changes(pair.left.program, pair.right.program)) {
    text += change.to_string() + "\n";
  }
  if (const auto change = first_statement_change(pair.left.program, pair.right.program)) {
    text += "first difference: " + change->to_string() + "\n";
  }
  const StatusOr<std::string> lines = unified_diff(
      pair.left.program, pair.right.program,
      {.context = context, .left_name = pair.left.title, .right_name = pair.right.title});
  // What cannot be printed can be compared all the same.
  if (!lines.ok()) print_error(kTool, fmt::format("note: {}", message_of(lines.status())));
  return lines.ok() ? text + *lines : text;
}

ExitCode compare(const Options& options) {
  constexpr uint64_t kMaxContext = 1'000'000'000;
  const StatusOr<uint64_t> context =
      parse_unsigned("--context", options.context.value_or("3"), kMaxContext);
  if (!context.ok()) return fail(kTool, context.status());
  const StatusOr<Pair> pair = load(options);
  if (!pair.ok()) return fail(kTool, pair.status());
  if (pair->left.program == pair->right.program) return kGood;
  if (options.quiet) return kNo;
  const bool written = print_result(kTool, report(*pair, static_cast<uint32_t>(*context)));
  return written ? kNo : kUsage;
}

int diff_main(int argc, char** argv) {
  Options options;
  CommandLine cli(kTool,
                  "Says how two programs differ: declarations, the first place at which statements "
                  "differ, and the lines of both texts.");
  options.program.add_to(cli);
  cli.positional("OTHER", "the program to compare it with", options.other);
  cli.option("--context", "N", "equal lines around what differs (default 3)", options.context);
  cli.flag("-q,--quiet", "print nothing; the exit code tells", options.quiet);
  cli.footer(kExamples);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  return compare(options);
}

}  // namespace
}  // namespace vyre::tools

int main(int argc, char** argv) {
  return vyre::tools::guarded_main("vyre-diff", argc, argv, vyre::tools::diff_main);
}

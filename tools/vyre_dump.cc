// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-dump: prints a program.
#include <fmt/format.h>

#include "vyre/ir/dot.h"
#include "vyre/ir/print.h"
#include "vyre/ir/stats.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-dump";
constexpr const char* kExamples = R"(Examples:
  vyre-dump flash_attention_2
  vyre-dump flash_attention_2 --seq_len=128 --head_dim=64 --tile_size=16 --format=plan
  vyre-dump flash_attention_2 --format=dot | dot -Tsvg > flash_attention_2.svg
  vyre-dump --list

Exit codes: 0 done; 1 the program is invalid or only traps; 2 wrong usage; 70 a bug in vyre.
)";

struct Options {
  ProgramArgument program;
  std::optional<std::string> format;
  std::optional<std::string> output;
  bool list = false;
};

StatusOr<std::string> plan_text(const LoadedProgram& loaded) {
  if (loaded.entry->plan == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("{} has no plan. Fix: use another --format.", loaded.entry->name));
  }
  return loaded.entry->plan(loaded.arguments);
}

struct Format {
  const char* name;
  StatusOr<std::string> (*text)(const LoadedProgram& loaded);
};

constexpr Format kFormats[] = {
    {"text", [](const LoadedProgram& p) -> StatusOr<std::string> { return print(p.program); }},
    {"dot",
     [](const LoadedProgram& p) -> StatusOr<std::string> { return region_graph_dot(p.program); }},
    {"stats",
     [](const LoadedProgram& p) -> StatusOr<std::string> {
       return stats_text(program_stats(p.program));
     }},
    {"plan", plan_text},
    {"hash",
     [](const LoadedProgram& p) -> StatusOr<std::string> {
       return p.program.hash().to_hex() + "\n";
     }},
};

StatusOr<const Format*> find_format(const std::string& name) {
  std::vector<std::string> known;
  for (const Format& format : kFormats) {
    if (name == format.name) return &format;
    known.emplace_back(format.name);
  }
  return absl::InvalidArgumentError(
      fmt::format("there is no format `{}`. Fix: {}", name, suggestion(name, known)));
}

std::string list_text() {
  std::string text;
  for (const catalog::Entry& entry : catalog::entries()) {
    text += fmt::format("{}\n  {}\n", entry.name, entry.doc);
    for (const catalog::Parameter& parameter : entry.parameters) {
      text +=
          fmt::format("  --{}={:<8} {}\n", parameter.name, parameter.default_value, parameter.doc);
    }
  }
  return text;
}

ExitCode dump(const Options& options) {
  const StatusOr<const Format*> format = find_format(options.format.value_or("text"));
  if (!format.ok()) return fail(kTool, format.status());
  const StatusOr<LoadedProgram> loaded = options.program.load();
  if (!loaded.ok()) return fail(kTool, loaded.status());
  const StatusOr<std::string> text = (*format)->text(*loaded);
  // Impossible dimensions have no plan; the trap says why.
  if (!text.ok() && loaded->trap) return report_problems(kTool, *loaded);
  if (!text.ok()) return fail(kTool, text.status());
  const ExitCode written = write_text(kTool, options.output, *text);
  return graver(written, report_problems(kTool, *loaded));
}

int dump_main(int argc, char** argv) {
  Options options;
  CommandLine cli(kTool, "Prints a program as text, a picture, counts, a plan or a hash.");
  options.program.add_to(cli);
  cli.option("--format", "FORMAT", "text (default), dot, stats, plan or hash", options.format);
  cli.option("-o,--output", "FILE", "write there, whole or not at all, instead of to stdout",
             options.output);
  cli.flag("--list", "list the catalog's programs and their dimensions", options.list);
  cli.footer(kExamples);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  if (!options.list) return dump(options);
  if (!options.program.given() && !options.program.has_dimensions() && !options.format) {
    return write_text(kTool, options.output, list_text());
  }
  print_error(kTool, "--list takes no PROGRAM. Fix: leave one of them out.");
  return kUsage;
}

}  // namespace
}  // namespace vyre::tools

int main(int argc, char** argv) {
  return vyre::tools::guarded_main("vyre-dump", argc, argv, vyre::tools::dump_main);
}

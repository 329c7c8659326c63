// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-dump: prints a program.
#include <fmt/format.h>

#include <unistd.h>

#include "vyre/ir/dot.h"
#include "vyre/ir/html.h"
#include "vyre/ir/json.h"
#include "vyre/ir/print.h"
#include "vyre/ir/stats.h"
#include "vyre/ir/wire/vir0.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/program_file.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-dump";
constexpr const char* kExamples = R"(Examples:
  vyre-dump flash_attention_2
  vyre-dump flash_attention_2 --seq_len=128 --head_dim=64 --tile_size=16 --format=plan
  vyre-dump flash_attention_2 --format=dot | dot -Tsvg > flash_attention_2.svg
  vyre-dump flash_attention_2 --format=vir0 -o flash_attention_2.vir0
  vyre-dump kernel.vyre --check
  vyre-dump --list

Exit codes: 0 done; 1 the program is invalid or only traps; 2 wrong usage, or a file that holds no
program; 3 a limit of memory or of the text's size ended it; 70 a bug in vyre.
)";

struct Options {
  ProgramArgument program;
  std::optional<std::string> format;
  std::optional<std::string> output;
  bool check = false;
  bool strict = false;
  bool list = false;
};

constexpr std::string_view kVir0 = "vir0";

StatusOr<std::string> plan_text(const LoadedProgram& loaded) {
  if (loaded.entry == nullptr || loaded.entry->plan == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("{} has no plan. Fix: use another --format.", loaded.title));
  }
  return loaded.entry->plan(loaded.arguments);
}

StatusOr<std::string> html_text(const LoadedProgram& loaded) {
  return to_html(loaded.program,
                 {.title = loaded.title, .diagnostics = check_rules(loaded).diagnostics});
}

StatusOr<std::string> vir0_bytes(const LoadedProgram& loaded) {
  wire::Encoded encoded = wire::encode(loaded.program);
  if (encoded.ok()) return std::move(encoded.bytes);
  return malformed_program(to_string(encoded.diagnostics), encoded.diagnostics);
}

struct Format {
  std::string_view name;
  StatusOr<std::string> (*text)(const LoadedProgram& loaded);
};

constexpr Format kFormats[] = {
    {"text", [](const LoadedProgram& p) -> StatusOr<std::string> { return print(p.program); }},
    {"json", [](const LoadedProgram& p) -> StatusOr<std::string> { return to_json(p.program); }},
    {"html", html_text},
    {kVir0, vir0_bytes},
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
    {"fingerprint",
     [](const LoadedProgram& p) -> StatusOr<std::string> {
       const StatusOr<std::string> digits = wire::vir0_fingerprint(p.program);
       if (!digits.ok()) return digits.status();
       return *digits + "\n";
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
      const std::string flag = fmt::format("--{}={}", parameter.name, parameter.default_value);
      text += fmt::format("  {:<16}{}\n", flag, parameter.doc);
    }
  }
  return text;
}

// What VIR0 leaves out, on stderr; with --strict an error.
ExitCode report_not_carried(const LoadedProgram& loaded, bool strict) {
  const std::vector<std::string> left_out = wire::encode(loaded.program).not_carried;
  for (const std::string& what : left_out) {
    print_error(kTool, fmt::format("{}: VIR0 does not carry {}", strict ? "error" : "note", what));
  }
  return strict && !left_out.empty() ? kNo : kGood;
}

ExitCode dump(const Options& options) {
  const StatusOr<const Format*> format = find_format(options.format.value_or("text"));
  if (!format.ok()) return fail(kTool, format.status());
  const StatusOr<LoadedProgram> loaded = options.program.load();
  if (!loaded.ok()) return fail(kTool, loaded.status());
  report_warnings(*loaded);
  const StatusOr<std::string> text = (*format)->text(*loaded);
  // Impossible dimensions have no plan; the trap says why.
  if (!text.ok() && loaded->trap) return report_problems(kTool, *loaded);
  if (!text.ok()) return fail(kTool, text.status());
  if ((*format)->name == kVir0) {
    if (report_not_carried(*loaded, options.strict) != kGood) return kNo;
    if (!options.output && ::isatty(STDOUT_FILENO) != 0) {
      print_error(kTool, "VIR0 is no text for a terminal. Fix: write it to a file with -o.");
      return kUsage;
    }
  }
  const ExitCode written = write_text(kTool, options.output, *text);
  return graver(written, report_problems(kTool, *loaded));
}

// To the file that was named, else text to stderr, where a caller of the tool looks for it.
ExitCode write_list(const Options& options, bool json, const std::string& list) {
  if (json || options.output) return write_text(kTool, options.output, list);
  std::fputs(list.c_str(), stderr);
  return kGood;
}

// Every rule, warnings and what no engine runs included; nothing is printed where all is well.
ExitCode check(const Options& options) {
  const std::string format = options.format.value_or("text");
  if (format != "text" && format != "json") {
    print_error(kTool,
                fmt::format("--check prints no {}. Fix: use --format=text or json.", format));
    return kUsage;
  }
  const StatusOr<LoadedProgram> loaded = options.program.load();
  const bool json = format == "json";
  // A file without a program in it is an answer, too.
  if (is_malformed_program(loaded.status())) {
    const std::string list = json ? malformed_program_json(loaded.status()) + "\n"
                                  : std::string(message_of(loaded.status()));
    return graver(write_list(options, json, list), kNo);
  }
  if (!loaded.ok()) return fail(kTool, loaded.status());
  const ValidationReport report = check_rules(*loaded);
  const std::string list = json ? report.to_json() + "\n" : report_text(report, *loaded);
  return graver(write_list(options, json, list), report.ok() ? kGood : kNo);
}

int dump_main(int argc, char** argv) {
  Options options;
  CommandLine cli(kTool, "Prints a program in one of several forms, or checks it.");
  options.program.add_to(cli);
  cli.option("--format", "FORMAT",
             "text (default), json, html, vir0, dot, stats, plan, hash or fingerprint",
             options.format);
  cli.flag("--check", "check every rule, and print only what is wrong (--format=text or json)",
           options.check);
  cli.flag("--strict", "an error, not a note, for what VIR0 does not carry", options.strict);
  cli.option("-o,--output", "FILE", "write there, whole or not at all, instead of to stdout",
             options.output);
  cli.flag("--list", "list the catalog's programs and their dimensions", options.list);
  cli.footer(kExamples);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  if (!options.list) return options.check ? check(options) : dump(options);
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

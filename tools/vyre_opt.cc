// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-opt: rewrites a program with passes and prints it.
#include <fmt/format.h>

#include <cstdio>

#include "vyre/ir/print.h"
#include "vyre/passes/pipeline.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-opt";
constexpr const char* kExamples = R"(Examples:
  vyre-opt flash_attention_2 --passes=exact
  vyre-opt flash_attention_2 --passes=const_fold,dce --print-after-all --verify-each
  vyre-opt --list

Exit codes: 0 done; 1 the program is invalid or only traps; 2 wrong usage, or a file that holds no
program; 3 a limit of memory or of the text's size ended it; 70 a bug in vyre.
)";

struct Options {
  ProgramArgument program;
  std::optional<std::string> passes;
  std::optional<std::string> output;
  bool print_after_all = false;
  bool verify_each = false;
  bool list = false;
};

std::string list_text() {
  std::string text = "passes\n";
  for (const Pass& pass : all_passes()) {
    text += fmt::format("  {:<12}({}) {}\n", pass.name, spelling(pass.exactness), pass.summary);
  }
  text += "pipelines\n";
  for (const NamedPipeline& pipeline : named_pipelines()) {
    text += fmt::format("  {:<12}({}) {}\n", pipeline.name, pipeline.passes, pipeline.summary);
  }
  return text;
}

// What --print-after-all shows of a pass, as text that can be read again.
void print_after(const Pipeline& pipeline, const PassRun& run, const Program& program) {
  std::string text =
      fmt::format("; after {}, stage {}, round {}: {}\n", run.pass.name, pipeline[run.stage].name,
                  run.round, run.changed ? "changed" : "not changed");
  const StatusOr<std::string> printed = print(program);
  text += printed.ok() ? *printed : fmt::format("; {}\n", one_line(message_of(printed.status())));
  std::fputs(text.c_str(), stderr);
}

ExitCode optimise(const Options& options) {
  if (!options.passes) {
    return fail(kTool, absl::InvalidArgumentError(
                           "no passes are given. Fix: write --passes=exact, or names that "
                           "`vyre-opt --list` shows."));
  }
  const StatusOr<Pipeline> pipeline = parse_pipeline(*options.passes);
  if (!pipeline.ok()) return fail(kTool, pipeline.status());
  const StatusOr<LoadedProgram> loaded = options.program.load();
  if (!loaded.ok()) return fail(kTool, loaded.status());
  report_warnings(*loaded);
  if (Status s = check_program(*loaded, {.carried = false}); !s.ok()) return fail(kTool, s);
  PipelineOptions pipeline_options;
  pipeline_options.verify_each = options.verify_each;
  if (options.print_after_all) {
    pipeline_options.after_pass = [&pipeline](const PassRun& run, const Program& program) {
      print_after(*pipeline, run, program);
    };
  }
  const StatusOr<PipelineResult> result =
      run_pipeline(loaded->program, *pipeline, pipeline_options);
  if (!result.ok()) return fail(kTool, result.status());
  const StatusOr<std::string> text = print(result->program);
  if (!text.ok()) return fail(kTool, text.status());
  const ExitCode written = write_text(kTool, options.output, *text);
  return graver(written, report_trap(kTool, *loaded));
}

int opt_main(int argc, char** argv) {
  Options options;
  CommandLine cli(kTool, "Rewrites a program with passes, and prints it.");
  options.program.add_to(cli);
  cli.option("--passes", "A,B,...", "passes and pipelines, in order", options.passes);
  cli.option("-o,--output", "FILE", "write there, whole or not at all, instead of to stdout",
             options.output);
  cli.flag("--print-after-all", "the program after each pass, on stderr", options.print_after_all);
  cli.flag("--verify-each", "check names and types after each pass", options.verify_each);
  cli.flag("--list", "list the passes and pipelines", options.list);
  cli.footer(kExamples);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  if (!options.list) return optimise(options);
  if (!options.program.given() && !options.passes) {
    return write_text(kTool, options.output, list_text());
  }
  print_error(kTool, "--list takes no PROGRAM and no --passes. Fix: leave them out.");
  return kUsage;
}

}  // namespace
}  // namespace vyre::tools

int main(int argc, char** argv) {
  return vyre::tools::guarded_main("vyre-opt", argc, argv, vyre::tools::opt_main);
}

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-reduce: makes a program small while a command still finds in it what one looks for.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "vyre/ir/print.h"
#include "vyre/tools/reduce/command.h"
#include "vyre/tools/reduce/reducer.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-reduce";
constexpr const char* kExamples = R"(Examples:
  vyre-reduce flash_attention_2 --if "grep -q 'exp(' {}"
  vyre-reduce a.vyre --if 'vyre-eval {} --passes=none --passes=dce | grep -q differs' -o b.vyre

Exit codes: 0 reduced; 1 the command does not end with 0 for the program as it is; 2 wrong usage;
3 interrupted, what there was by then is written, or a limit ended it; 70 a bug in vyre.
)";

struct Options {
  ProgramArgument program;
  std::optional<std::string> command;
  std::optional<std::string> output;
  std::optional<std::string> max_tests;
  std::optional<std::string> timeout;
  bool any_program = false;
};

// Set by signals: a reduction that is interrupted gives what it has and leaves no files behind.
volatile std::sig_atomic_t interrupted = 0;

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // What is ignored, as under nohup, stays so.
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

// How far it is, on stderr, if that is a terminal; gone when destroyed.
class CountLine {
 public:
  CountLine() : terminal_(isatty(STDERR_FILENO) == 1) {}
  ~CountLine() {
    if (terminal_) std::fputs("\r\x1b[K", stderr);
  }
  CountLine(const CountLine&) = delete;
  CountLine& operator=(const CountLine&) = delete;

  void show(const ReduceProgress& progress) const {
    if (!terminal_) return;
    std::fputs(fmt::format("\r\x1b[K{} tests, {} nodes", progress.tests, progress.nodes).c_str(),
               stderr);
  }

 private:
  bool terminal_;
};

std::string summary(const ReduceResult& result) {
  const auto counts = [](const ProgramSize& size) {
    return fmt::format("{} nodes ({} statements, {} expressions, {} buffers)", size.nodes(),
                       size.statements, size.expressions, size.buffers);
  };
  const char* end = interrupted != 0 ? ", interrupted" : result.finished ? "" : ", no more allowed";
  return fmt::format("note: {} became {} in {} tests{}", counts(result.before),
                     counts(result.after), result.tests, end);
}

struct Limits {
  uint64_t max_tests = 0;
  double timeout = 0;
};

StatusOr<Limits> limits_of(const Options& options) {
  Limits limits;
  const StatusOr<uint64_t> tests =
      parse_unsigned("--max-tests", options.max_tests.value_or("10000"), UINT32_MAX);
  if (!tests.ok()) return tests.status();
  limits.max_tests = *tests;
  constexpr double kLongest = 1e6;
  const StatusOr<double> timeout = parse_amount("--timeout", options.timeout.value_or("60"));
  if (!timeout.ok()) return timeout.status();
  limits.timeout = std::min(*timeout, kLongest);
  return limits;
}

StatusOr<ReduceResult> reduce_with(ProgramCommand& command, const Program& program,
                                   const Options& options, const Limits& limits) {
  const CountLine line;
  ReduceOptions reduce_options;
  reduce_options.max_tests = limits.max_tests;
  reduce_options.any_program = options.any_program;
  reduce_options.progress = [&line](const ReduceProgress& progress) { line.show(progress); };
  reduce_options.stop = [&command] { return interrupted != 0 || !command.status().ok(); };
  return reduce(
      program, [&command](const Program& candidate) { return command.holds(candidate); },
      reduce_options);
}

ExitCode reduce_program(const Options& options) {
  if (!options.command) {
    return fail(kTool, absl::InvalidArgumentError(
                           "there is no command. Fix: give one with --if; it is to end with exit "
                           "code 0 for what is kept."));
  }
  const StatusOr<Limits> limits = limits_of(options);
  if (!limits.ok()) return fail(kTool, limits.status());
  const StatusOr<LoadedProgram> loaded = options.program.load();
  if (!loaded.ok()) return fail(kTool, loaded.status());
  catch_interrupts();
  const StatusOr<std::unique_ptr<ProgramCommand>> command =
      ProgramCommand::create(*options.command, {limits->timeout, [] { return interrupted != 0; }});
  if (!command.ok()) return fail(kTool, command.status());
  const StatusOr<ReduceResult> result = reduce_with(**command, loaded->program, options, *limits);
  if (!(*command)->status().ok()) return fail(kTool, (*command)->status());
  if (!result.ok()) {
    if (interrupted != 0) {
      print_error(kTool, "interrupted before the command ended. Fix: let it run.");
      return kStopped;
    }
    print_error(kTool,
                fmt::format("the command does not find in the program as it is what is to be "
                            "kept: {}. Fix: let it end with exit code 0 for that.",
                            (*command)->outcome()));
    return kNo;
  }
  const StatusOr<std::string> text = print(result->program);
  if (!text.ok()) return fail(kTool, text.status());
  const ExitCode written = write_text(kTool, options.output, *text);
  if (written != kGood) return written;
  print_error(kTool, summary(*result));
  return interrupted != 0 ? kStopped : kGood;
}

int reduce_main(int argc, char** argv) {
  Options options;
  CommandLine cli(kTool,
                  "Makes a program small while a command still finds in it what one looks for.");
  options.program.add_to(cli);
  cli.option("--if", "CMD", "shell command; exit code 0 keeps a program, whose file is {} in it",
             options.command);
  cli.option("-o,--output", "FILE", "write there, whole or not at all, instead of to stdout",
             options.output);
  cli.option("--max-tests", "N", "run the command no more often than that (default 10000)",
             options.max_tests);
  cli.option("--timeout", "SECONDS", "a command that runs longer does not keep it (default 60)",
             options.timeout);
  cli.flag("--any", "try programs whose names and types do not resolve, too", options.any_program);
  cli.footer(kExamples);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  return reduce_program(options);
}

}  // namespace
}  // namespace vyre::tools

int main(int argc, char** argv) {
  return vyre::tools::guarded_main("vyre-reduce", argc, argv, vyre::tools::reduce_main);
}

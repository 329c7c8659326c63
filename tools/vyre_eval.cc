// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// vyre-eval: runs a program on engines and compares what comes out.
#include <fmt/format.h>

#include <algorithm>

#include "vyre/tools/eval/eval_case.h"
#include "vyre/tools/eval/eval_table.h"
#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/output_file.h"
#include "vyre/tools/support/program_file.h"
#include "vyre/tools/support/program_report.h"

namespace vyre::tools {
namespace {

constexpr const char* kTool = "vyre-eval";
constexpr const char* kExamples =
    R"(VALUE is a .npy or .safetensors file, raw bytes named by type (q.f32), or random[:SEED], arange,
zeros or ones. FILE.safetensors:TENSOR names a tensor that is not called like the buffer.

Examples:
  vyre-eval flash_attention_2
  vyre-eval flash_attention_2 --seq_len=130 --input q=q.npy --output out=out.npy
  vyre-eval flash_attention_2 --input q=random:7 --expect out=out.npy --atol=1e-5
  vyre-eval flash_attention_2 --passes=none --passes=exact
  vyre-eval --fixture=examples/fixtures/flash_attention_2_8x16_t4
  vyre-eval --conform=examples/fixtures

Exit codes: 0 done and equal; 1 outputs differ, or an engine refused the program; 2 wrong usage, or
an unreadable file; 3 the program trapped or a limit ended it; 70 a bug in vyre.
)";

struct Arguments {
  ProgramArgument program;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  std::optional<std::string> atol;
  std::optional<std::string> rtol;
  std::vector<std::string> fixtures;
  std::optional<std::string> conform;
  std::optional<std::string> engines;
  std::vector<std::string> passes;
  std::optional<std::string> max_steps;
  std::optional<std::string> max_seconds;
  std::optional<std::string> max_memory;
  std::optional<std::string> workgroups;
  bool reversed = false;
  std::optional<std::string> check;
  std::optional<std::string> findings;
  std::optional<std::string> schedule;
  std::optional<std::string> threads;
};

constexpr uint64_t kMaxThreads = 1024;

// How to run, after the command line has been checked.
struct Setup {
  EvalPlan plan;
  RunOptions options;
  Checks checks;
};

void declare(CommandLine& cli, Arguments& a) {
  a.program.add_to(cli);
  cli.group("Arrays");
  cli.repeated("--input", "NAME=VALUE", "an input; those not given are random:1", a.inputs);
  cli.repeated("--output", "NAME=FILE", "write an output, whole or not at all", a.outputs);
  cli.repeated("--expect", "NAME=FILE", "compare an output, by bits unless a tolerance is given",
               a.expected);
  cli.option("--atol", "X", "allow |got - expected| <= X + rtol * |expected|", a.atol);
  cli.option("--rtol", "X", "see --atol", a.rtol);
  cli.repeated("--fixture", "DIR", "run the fixture in that folder", a.fixtures);
  cli.option("--conform", "DIR", "run each fixture in that folder and below", a.conform);
  cli.group("Run");
  cli.option("--engine", "A,B,...", "engines to run on and to compare (default interpreter)",
             a.engines);
  cli.repeated("--passes", "A,B,...|none", "rewrite the program first; several give a row each",
               a.passes);
  cli.option("--workgroups", "X,Y,Z", "dispatch so many, whatever the program says", a.workgroups);
  cli.flag("--reversed", "workgroups and invocations in descending order", a.reversed);
  cli.option("--schedule", "SEED", "workgroups and invocations in an order drawn from the seed",
             a.schedule);
  cli.option("--check", "all|A,B,...",
             "look for races, bounds, wrap while the program runs, before any pass", a.check);
  cli.option("--findings", "FILE", "what --check finds, as JSON", a.findings);
  cli.option("--threads", "N",
             "at most so many; 0: one a processor (default); no result depends on it", a.threads);
  cli.option("--max-steps", "N", "statements a workgroup executes, in sum; 0: no limit",
             a.max_steps);
  cli.option("--max-seconds", "X", "0: no limit (default)", a.max_seconds);
  cli.option("--max-memory", "BYTES", "of the buffers, and of what a run allocates", a.max_memory);
  cli.footer(kExamples);
}

StatusOr<Dim3> parse_workgroups(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  uint32_t axes[3] = {1, 1, 1};
  if (parts.size() > 3) {
    return absl::InvalidArgumentError(
        fmt::format("--workgroups is `{}`. Fix: give one, two or three numbers.", text));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const StatusOr<uint64_t> count = parse_unsigned("--workgroups", parts[i], UINT32_MAX);
    if (!count.ok()) return count.status();
    axes[i] = static_cast<uint32_t>(*count);
  }
  return Dim3{axes[0], axes[1], axes[2]};
}

Status read_limit(std::string_view option, const std::optional<std::string>& text,
                  uint64_t& target) {
  if (!text) return absl::OkStatus();
  const StatusOr<uint64_t> value = parse_unsigned(option, *text, UINT64_MAX);
  if (value.ok()) target = *value;
  return value.status();
}

Status read_amount(std::string_view option, const std::optional<std::string>& text,
                   double& target) {
  if (!text) return absl::OkStatus();
  const StatusOr<double> value = parse_amount(option, *text);
  if (value.ok()) target = *value;
  return value.status();
}

StatusOr<Setup> setup_of(const Arguments& a) {
  Setup setup;
  for (const std::string& name : split(a.engines.value_or("interpreter"), ',')) {
    StatusOr<std::shared_ptr<Engine>> engine = find_engine(name);
    if (!engine.ok()) return engine.status();
    setup.plan.engines.push_back(*std::move(engine));
  }
  for (const std::string& passes : a.passes) {
    StatusOr<Pipeline> pipeline = passes == "none" ? Pipeline() : parse_pipeline(passes);
    if (!pipeline.ok()) return pipeline.status();
    setup.plan.pipelines.push_back({passes, *std::move(pipeline)});
  }
  if (setup.plan.pipelines.empty()) setup.plan.pipelines.push_back({"none", {}});
  if (a.check) {
    const StatusOr<Checks> checks = parse_checks(*a.check);
    if (!checks.ok()) return with_prefix("--check: ", checks.status());
    setup.checks = *checks;
  } else if (a.findings) {
    return absl::InvalidArgumentError(
        "--findings stands without --check. Fix: say what to look for, as in --check=all.");
  }
  RunOptions& options = setup.options;
  options.reversed = a.reversed;
  if (a.schedule) {
    const StatusOr<uint64_t> seed = parse_unsigned("--schedule", *a.schedule, UINT64_MAX);
    if (!seed.ok()) return seed.status();
    options.schedule_seed = *seed;
  }
  if (a.threads) {
    const StatusOr<uint64_t> threads = parse_unsigned("--threads", *a.threads, kMaxThreads);
    if (!threads.ok()) return threads.status();
    options.threads = static_cast<uint32_t>(*threads);
  }
  if (Status s = read_limit("--max-steps", a.max_steps, options.max_steps); !s.ok()) return s;
  if (Status s = read_limit("--max-memory", a.max_memory, options.max_memory_bytes); !s.ok()) {
    return s;
  }
  if (Status s = read_amount("--max-seconds", a.max_seconds, options.max_seconds); !s.ok()) {
    return s;
  }
  if (a.workgroups) {
    const StatusOr<Dim3> workgroups = parse_workgroups(*a.workgroups);
    if (!workgroups.ok()) return workgroups.status();
    options.dispatch = Dispatch::of_workgroups(*workgroups);
  }
  return setup;
}

ExitCode print_table(const EvalTable& table, const std::string& header) {
  const bool printed = print_result(kTool, header + table.text());
  for (const std::string& error : table.errors()) print_error(kTool, error);
  return printed ? kGood : kUsage;
}

std::string header_text(const EvalCase& eval_case, const EvalTable& table) {
  std::string text = eval_case.loaded.title + '\n';
  if (!table.report()) return text;
  const Dim3 count = table.report()->dispatch.workgroups;
  const Dim3 size = eval_case.loaded.program.workgroup_size();
  text += fmt::format("{} x {} x {} workgroups of {} x {} x {} invocations, from {}\n", count.x,
                      count.y, count.z, size.x, size.y, size.z,
                      spelling(table.report()->dispatch_source));
  return text;
}

// Each --output, checked before anything runs.
struct OutputRequest {
  std::string name;
  std::string path;
  ArraySpec spec;
};

StatusOr<std::vector<OutputRequest>> output_requests(const Arguments& a,
                                                     const LoadedProgram& loaded) {
  std::vector<OutputRequest> requests;
  const auto assignments = parse_assignments("--output", a.outputs);
  if (!assignments.ok()) return assignments.status();
  for (const auto& [name, path] : *assignments) {
    const StatusOr<ArraySpec> spec = output_spec(loaded, "--output", name);
    if (!spec.ok()) return spec.status();
    if (Status status = check_array_name(path, spec->element); !status.ok()) return status;
    requests.push_back({name, path, *spec});
  }
  return requests;
}

Status write_outputs(const std::vector<OutputRequest>& requests,
                     const std::vector<NamedBytes>& outputs) {
  OutputFiles files;
  for (const OutputRequest& request : requests) {
    const auto output = std::ranges::find(outputs, request.name, &NamedBytes::name);
    if (output == outputs.end()) continue;
    const StatusOr<std::string> file = array_file_bytes(request.path, request.spec, output->bytes);
    if (!file.ok()) return file.status();
    if (Status status = files.stage(request.path, *file); !status.ok()) return status;
  }
  return files.commit();
}

// Files of VIR0 have no extent, and the sizes of the buffers need not be what their author ran.
void note_inferred_dispatch(const std::string& label, const EvalCase& eval_case,
                            const RunOptions& options) {
  if (options.dispatch || eval_case.loaded.program.extent() || eval_case.loaded.trap) return;
  print_error(kTool, fmt::format("note: {}the program has no extent, so its dispatch is inferred "
                                 "from the buffers' sizes; --workgroups=X,Y,Z sets it",
                                 label));
}

// What the program itself does wrong, whatever passes and engines make of it.
ExitCode check_run(const Arguments& a, const Setup& setup, const EvalCase& eval_case) {
  if (!setup.checks.any() || eval_case.loaded.trap) return kGood;
  RunOptions options = setup.options;
  options.checks = setup.checks;
  const EngineOutcome outcome = run_on_engine(*find_engine("interpreter").value(),
                                              eval_case.loaded.program, eval_case.inputs, options);
  if (!outcome.message.empty() && outcome.verdict != EngineVerdict::kTrapped) {
    print_error(kTool, fmt::format("the checked run ended early: {}", outcome.message));
    return exit_code_of(outcome.verdict);
  }
  const std::vector<Diagnostic>& found = outcome.report.checker_reports;
  if (a.findings) {
    const ExitCode written = write_text(kTool, *a.findings, to_json(found) + "\n");
    if (written != kGood) return written;
  }
  report_diagnostics(found, outcome.report.omitted_checker_reports, eval_case.loaded);
  return found.empty() ? kGood : kNo;
}

ExitCode run_one(const Arguments& a, const Setup& setup, const EvalCase& eval_case) {
  const StatusOr<std::vector<OutputRequest>> requests = output_requests(a, eval_case.loaded);
  if (!requests.ok()) return fail(kTool, requests.status());
  if (!eval_case.random_inputs.empty()) {
    print_error(kTool, fmt::format("note: random with seed 1, since not given: {}",
                                   fmt::join(eval_case.random_inputs, ", ")));
  }
  note_inferred_dispatch("", eval_case, setup.options);
  EvalTable table(/*name_cases=*/false);
  ExitCode code = check_run(a, setup, eval_case);
  {
    ProgressLine progress;
    RunOptions options = setup.options;
    options.progress = progress.callback();
    code = graver(code, table.run("", eval_case, setup.plan, options));
  }
  code = graver(code, print_table(table, header_text(eval_case, table)));
  if (table.outputs().empty()) return code;
  const Status written = write_outputs(*requests, table.outputs());
  return written.ok() ? code : graver(code, fail(kTool, written));
}

// A program with inputs from the command line.
ExitCode eval_program(const Arguments& a, const Setup& setup) {
  const auto inputs = parse_assignments("--input", a.inputs);
  if (!inputs.ok()) return fail(kTool, inputs.status());
  const auto expected = parse_assignments("--expect", a.expected);
  if (!expected.ok()) return fail(kTool, expected.status());
  Tolerance tolerance;
  if (Status s = read_amount("--atol", a.atol, tolerance.absolute); !s.ok()) return fail(kTool, s);
  if (Status s = read_amount("--rtol", a.rtol, tolerance.relative); !s.ok()) return fail(kTool, s);
  const StatusOr<LoadedProgram> loaded = a.program.load();
  if (!loaded.ok()) return fail(kTool, loaded.status());
  report_warnings(*loaded);
  StatusOr<EvalCase> eval_case =
      case_of(*loaded, *inputs, *expected, setup.options.max_memory_bytes);
  if (!eval_case.ok()) return fail(kTool, eval_case.status());
  eval_case->tolerance = tolerance;
  return run_one(a, setup, *eval_case);
}

StatusOr<EvalCase> case_in(const std::string& folder, const Setup& setup) {
  const StatusOr<Fixture> fixture = read_fixture(folder);
  if (!fixture.ok()) return fixture.status();
  StatusOr<EvalCase> eval_case = case_of(*fixture, setup.options.max_memory_bytes);
  if (eval_case.ok()) return eval_case;
  return with_prefix(fmt::format("fixture `{}`: ", folder), eval_case.status());
}

ExitCode eval_fixtures(const std::vector<std::string>& folders, const Setup& setup) {
  EvalTable table(/*name_cases=*/true);
  ExitCode code = kGood;
  for (const std::string& folder : folders) {
    const StatusOr<EvalCase> eval_case = case_in(folder, setup);
    if (eval_case.ok()) note_inferred_dispatch(folder + ": ", *eval_case, setup.options);
    const ExitCode case_code = eval_case.ok()
                                   ? table.run(folder, *eval_case, setup.plan, setup.options)
                                   : fail(kTool, eval_case.status());
    code = graver(code, case_code);
  }
  return graver(code, print_table(table, ""));
}

// What stands beside --fixture or --conform but belongs to the fixture.
std::optional<std::string> misplaced_with_fixture(const Arguments& a, bool several) {
  if (a.program.given()) return "PROGRAM";
  if (a.program.has_dimensions()) return "a dimension";
  if (!a.inputs.empty()) return "--input";
  if (!a.expected.empty()) return "--expect";
  if (a.atol) return "--atol";
  if (a.rtol) return "--rtol";
  if (several && !a.outputs.empty()) return "--output";
  if (several && a.check) return "--check";
  return std::nullopt;
}

ExitCode eval(const Arguments& a) {
  const StatusOr<Setup> setup = setup_of(a);
  if (!setup.ok()) return fail(kTool, setup.status());
  if (a.fixtures.empty() && !a.conform) return eval_program(a, *setup);
  const bool one = a.fixtures.size() == 1 && !a.conform;
  if (const auto misplaced = misplaced_with_fixture(a, !one)) {
    return fail(
        kTool, absl::InvalidArgumentError(fmt::format(
                   "{} stands beside {}, and a fixture brings its own. Fix: leave one of them out.",
                   *misplaced, a.conform ? "--conform" : "--fixture")));
  }
  if (one) {
    const StatusOr<EvalCase> eval_case = case_in(a.fixtures.front(), *setup);
    return eval_case.ok() ? run_one(a, *setup, *eval_case) : fail(kTool, eval_case.status());
  }
  std::vector<std::string> folders = a.fixtures;
  if (a.conform) {
    const StatusOr<std::vector<std::string>> found = find_fixtures(*a.conform);
    if (!found.ok()) return fail(kTool, found.status());
    folders.insert(folders.end(), found->begin(), found->end());
  }
  return eval_fixtures(folders, *setup);
}

int eval_main(int argc, char** argv) {
  Arguments arguments;
  CommandLine cli(kTool, "Runs a program on engines, and compares what comes out.");
  declare(cli, arguments);
  if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
  return eval(arguments);
}

}  // namespace
}  // namespace vyre::tools

int main(int argc, char** argv) {
  return vyre::tools::guarded_main("vyre-eval", argc, argv, vyre::tools::eval_main);
}

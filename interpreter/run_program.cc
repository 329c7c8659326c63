// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/run_program.h"

#include <fmt/format.h>

#include "vyre/interpreter/dispatch.h"
#include "vyre/interpreter/grid_runner.h"
#include "vyre/interpreter/lane_kernels.h"
#include "vyre/interpreter/within_memory.h"

namespace vyre::interpreter {

namespace {

// As in the original, statements that stand outside of regions run all the same unless a store is
// the first of them; an entry without statements does not.
Status check_entry(const Program& program) {
  const std::span<const Node> entry = program.entry();
  if (!entry.empty() && entry.front().kind() != NodeKind::kStore) return absl::OkStatus();
  const std::vector<Diagnostic> refusal{
      {"V105", Severity::kError, "entry", entry.empty() ? Place() : entry.front().place(),
       entry.empty() ? "the program has no statements, not even a region"
                     : "the program starts with a store outside of all regions",
       "Build it with Program::wrapped, or call reconcile_runnable_top_level() on it."}};
  return absl::InvalidArgumentError(to_string(refusal));
}

// A run that ended early may have shown why before.
Status with_findings(const Status& status, const std::vector<Diagnostic>& findings) {
  if (findings.empty()) return status;
  return absl::Status(status.code(),
                      fmt::format("{}\n{}", std::string(message_of(status)), to_string(findings)));
}

}  // namespace

Status check_runnable(const Resolved& resolved) {
  if (!resolved.ok()) return absl::InvalidArgumentError(to_string(resolved.diagnostics));
  if (Status status = check_entry(resolved.program); !status.ok()) return status;
  if (!resolved.carried.empty()) return absl::UnimplementedError(to_string(resolved.carried));
  return absl::OkStatus();
}

StatusOr<CompiledProgram> CompiledProgram::create(Resolved resolved) {
  return create_for(std::move(resolved), best_instruction_set());
}

StatusOr<CompiledProgram> CompiledProgram::create_for(Resolved resolved, InstructionSet set) {
  return within_memory([&]() -> StatusOr<CompiledProgram> {
    if (Status status = check_runnable(resolved); !status.ok()) return status;
    CompiledProgram compiled;
    compiled.resolved_ = std::make_shared<const Resolved>(std::move(resolved));
    StatusOr<LaneProgram> program = compile_lanes(*compiled.resolved_, set);
    if (!program.ok()) return program.status();
    compiled.set_ = set;
    compiled.program_ = std::make_shared<const LaneProgram>(*std::move(program));
    compiled.plans_ = plan_segments(*compiled.resolved_);
    return compiled;
  });
}

StatusOr<RunReport> CompiledProgram::run(std::span<const std::span<std::byte>> bound,
                                         const RunOptions& options) const {
  return within_memory([&] { return run_within_memory(bound, options); });
}

StatusOr<RunReport> CompiledProgram::run_within_memory(std::span<const std::span<std::byte>> bound,
                                                       const RunOptions& options) const {
  std::vector<uint64_t> sizes;
  for (const std::span<std::byte> bytes : bound) sizes.push_back(bytes.size());
  StatusOr<ChosenDispatch> dispatch = choose_dispatch(resolved_->program, sizes, options);
  if (!dispatch.ok()) return dispatch.status();
  if (options.checks.any()) return run_checked(bound, *dispatch, options);
  GridRunner runner(*resolved_, *program_, plans_, options);
  StatusOr<RunReport> report = runner.run(bound, dispatch->dispatch);
  if (!report.ok()) return report.status();
  report->dispatch = dispatch->dispatch;
  report->dispatch_source = dispatch->source;
  return report;
}

StatusOr<RunReport> CompiledProgram::run_checked(std::span<const std::span<std::byte>> bound,
                                                 const ChosenDispatch& dispatch,
                                                 const RunOptions& options) const {
  const StatusOr<LaneProgram> program = compile_lanes(*resolved_, set_, options.checks);
  if (!program.ok()) return program.status();
  RunChecker checker(*resolved_, *program, options);
  GridRunner runner(*resolved_, *program, plans_, options);
  runner.check(&checker);
  StatusOr<RunReport> report = runner.run(bound, dispatch.dispatch);
  uint64_t omitted = 0;
  std::vector<Diagnostic> findings = checker.findings(dispatch.source, omitted);
  if (!report.ok()) return with_findings(report.status(), findings);
  report->dispatch = dispatch.dispatch;
  report->dispatch_source = dispatch.source;
  report->checker_reports = std::move(findings);
  report->omitted_checker_reports = omitted;
  return report;
}

StatusOr<RunReport> run_program(Resolved resolved, std::span<const std::span<std::byte>> bound,
                                const RunOptions& options) {
  StatusOr<CompiledProgram> compiled = CompiledProgram::create(std::move(resolved));
  if (!compiled.ok()) return compiled.status();
  return compiled->run(bound, options);
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/interpreter/run_program.h"
#include "vyre/interpreter/within_memory.h"

namespace vyre {
namespace {

using Bytes = std::vector<std::byte>;

// Runs on the bound bytes, in place. A trap is an error here.
StatusOr<RunReport> run_on(const interpreter::CompiledProgram& program, std::vector<Bytes>& bound,
                           const RunOptions& options) {
  std::vector<std::span<std::byte>> views;
  for (Bytes& bytes : bound) views.emplace_back(bytes);
  StatusOr<RunReport> report = program.run(views, options);
  if (report.ok() && report->trap) return trap_status(*report->trap);
  return report;
}

// Whether each invocation traps before it can read anything: the program's first statement, inside
// regions and blocks, is a trap at a literal address.
bool starts_with_trap(const Program& program) {
  std::span<const Node> statements = program.entry();
  while (!statements.empty()) {
    const Node& first = statements.front();
    if (first.kind() == NodeKind::kTrap) return first.operand(0).op() == Op::kLitU32;
    if (first.kind() != NodeKind::kRegion && first.kind() != NodeKind::kBlock) return false;
    statements = first.body();
  }
  return false;
}

// What a caller hears whose inputs do not fit. A builder answers invalid arguments with a trap
// program, which has none of the buffers that the caller has values for; its trap says what is
// wrong, and the values do not.
Status refuse_inputs(const interpreter::CompiledProgram& compiled, const RunOptions& options,
                     Status error) {
  const Program& program = compiled.resolved().program;
  if (!starts_with_trap(program)) return error;
  std::vector<Bytes> nothing(program.buffers().size());
  const StatusOr<RunReport> report = run_on(compiled, nothing, options);
  return absl::IsAborted(report.status()) ? report.status() : error;
}

struct Finished {
  RunReport report;
  std::vector<Bytes> bound;
};

// Checks the program, binds its buffers with `bind`, and runs it.
template <typename Bind>
StatusOr<Finished> bind_and_run(const Program& program, const RunOptions& options, Bind bind) {
  return interpreter::within_memory([&]() -> StatusOr<Finished> {
    StatusOr<interpreter::CompiledProgram> compiled =
        interpreter::CompiledProgram::create(resolve(program));
    if (!compiled.ok()) return compiled.status();
    StatusOr<std::vector<Bytes>> bound = bind();
    if (!bound.ok()) return refuse_inputs(*compiled, options, bound.status());
    StatusOr<RunReport> report = run_on(*compiled, *bound, options);
    if (!report.ok()) return report.status();
    return Finished{*std::move(report), *std::move(bound)};
  });
}

}  // namespace

StatusOr<const Outputs::Entry*> Outputs::find(std::string_view name,
                                              bool (*fits)(DataType::Kind)) const {
  for (const Entry& entry : entries_) {
    if (entry.name != name) continue;
    if (fits != nullptr && !fits(entry.element.kind())) {
      return absl::InvalidArgumentError(
          fmt::format("output `{}` holds {}, which that element type does not read. Fix: ask for "
                      "the matching C++ type, or for bytes().",
                      name, entry.element.spelling()));
    }
    return &entry;
  }
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(fmt::format("`{}`", entry.name));
  return absl::NotFoundError(
      fmt::format("there is no output `{}`. Fix: the outputs are {}.", name,
                  names.empty() ? "none" : fmt::to_string(fmt::join(names, ", "))));
}

StatusOr<Value> Outputs::bytes(std::string_view name) const {
  StatusOr<const Entry*> entry = find(name, nullptr);
  if (!entry.ok()) return entry.status();
  return (*entry)->value;
}

StatusOr<Outputs> evaluate(const Program& program, const std::vector<NamedInput>& inputs,
                           const RunOptions& options) {
  StatusOr<Finished> run = bind_and_run(program, options, [&] {
    return interpreter::bind_by_name(program, inputs, options.max_memory_bytes);
  });
  if (!run.ok()) return run.status();
  Outputs outputs;
  outputs.report_ = std::move(run->report);
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (!decl.is_returned()) continue;
    Bytes bytes = interpreter::returned_bytes(decl, std::move(run->bound[i]));
    outputs.entries_.push_back({decl.name(), decl.element(), Value::from_bytes(std::move(bytes))});
  }
  return outputs;
}

StatusOr<Outputs> evaluate(const StatusOr<Program>& program, const std::vector<NamedInput>& inputs,
                           const RunOptions& options) {
  if (!program.ok()) return program.status();
  return evaluate(*program, inputs, options);
}

StatusOr<std::vector<Value>> reference_eval(const Program& program, std::span<const Value> inputs,
                                            const RunOptions& options) {
  StatusOr<Finished> run = bind_and_run(program, options, [&] {
    return interpreter::bind_in_order(program, inputs, options.max_memory_bytes);
  });
  if (!run.ok()) return run.status();
  std::vector<Value> outputs;
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (!decl.is_returned()) continue;
    outputs.push_back(
        Value::from_bytes(interpreter::returned_bytes(decl, std::move(run->bound[i]))));
  }
  return outputs;
}

}  // namespace vyre

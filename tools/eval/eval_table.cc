// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/eval/eval_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/interpreter/value.h"

namespace vyre::tools {
namespace {

// Hexadecimal digits of the outputs' hash that a row shows.
constexpr size_t kShownDigits = 16;

// The exact first output, if the catalog can tell.
std::optional<std::vector<double>> exact_result(const EvalCase& eval_case) {
  const LoadedProgram& loaded = eval_case.loaded;
  if (loaded.trap || loaded.entry == nullptr || loaded.entry->oracle == nullptr)
    return std::nullopt;
  std::vector<std::vector<float>> inputs;
  for (const NamedBytes& input : eval_case.inputs) {
    if (input.element != DataType::F32) return std::nullopt;
    inputs.push_back(decode_f32(input.bytes));
  }
  StatusOr<std::vector<double>> exact = loaded.entry->oracle(loaded.arguments, inputs);
  if (!exact.ok()) return std::nullopt;
  return *std::move(exact);
}

std::string oracle_text(const std::optional<std::vector<double>>& exact,
                        const EngineOutcome& outcome) {
  if (!exact || outcome.outputs.empty()) return "-";
  const NamedBytes& first = outcome.outputs.front();
  if (first.element != DataType::F32 || first.bytes.size() != exact->size() * sizeof(float)) {
    return "-";
  }
  return oracle_error(first.bytes, *exact).to_string();
}

bool ended(const EngineOutcome& outcome) {
  return outcome.verdict == EngineVerdict::kRan || outcome.verdict == EngineVerdict::kTrapped;
}

// Where the trap stands in the program is no part of it: passes move statements.
bool same_trap(const std::optional<Trap>& a, const std::optional<Trap>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->tag == b->tag && a->address == b->address && a->workgroup == b->workgroup &&
         a->invocation == b->invocation;
}

std::string ending_text(const RunReport& report) {
  return report.trap ? "gave " + report.trap->to_string() : "gave outputs";
}

// The outcome where a pass refuses the program or fails.
EngineOutcome unfit(const Status& status) {
  const bool refused = absl::IsFailedPrecondition(status);
  return {refused ? EngineVerdict::kInvalid : EngineVerdict::kBug,
          std::string(message_of(status)),
          {},
          {}};
}

}  // namespace

EvalTable::EvalTable(bool name_cases) : name_cases_(name_cases) {
  rows_.push_back({"engine", "pipeline", "outputs", "time", "from float64", "verdict"});
  if (name_cases) rows_.front().insert(rows_.front().begin(), "case");
}

bool EvalTable::compare_with_expected(const std::string& label, const EvalCase& eval_case,
                                      const EngineOutcome& outcome) {
  bool equal = true;
  for (const ExpectedOutput& expected : eval_case.expected) {
    const auto output = std::ranges::find(outcome.outputs, expected.array.name, &NamedBytes::name);
    const std::string what =
        fmt::format("{}{} against {}", label, expected.array.name, expected.path);
    if (output == outcome.outputs.end() || output->bytes.size() != expected.array.bytes.size()) {
      comparisons_.push_back(fmt::format("{}: another number of elements", what));
      equal = false;
      continue;
    }
    const Difference difference =
        compare(expected.array.element, output->bytes, expected.array.bytes, eval_case.tolerance);
    comparisons_.push_back(difference.to_string(what));
    equal &= difference.count == 0;
  }
  return equal;
}

bool EvalTable::compare_with_first(const std::string& label, const EngineOutcome& first,
                                   const EngineOutcome& outcome) {
  // Where a limit strikes is nobody's promise.
  if (!ended(first) || !ended(outcome)) return true;
  if (!same_trap(first.report.trap, outcome.report.trap)) {
    comparisons_.push_back(fmt::format("{}{}, and the first row {}", label,
                                       ending_text(outcome.report), ending_text(first.report)));
    return false;
  }
  bool equal = true;
  for (size_t i = 0; i < outcome.outputs.size(); ++i) {
    const NamedBytes& output = outcome.outputs[i];
    const NamedBytes& reference = first.outputs[i];
    if (output.bytes == reference.bytes) continue;
    comparisons_.push_back(
        compare(output.element, output.bytes, reference.bytes)
            .to_string(fmt::format("{}{} against the first row", label, output.name)));
    equal = false;
  }
  return equal;
}

ExitCode EvalTable::add_row(const std::string& label, std::vector<std::string> row,
                            EngineOutcome outcome, Shared& shared) {
  const bool ran = outcome.verdict == EngineVerdict::kRan;
  bool equal = true;
  if (!outcome.message.empty()) errors_.push_back(label + outcome.message);
  if (ran) equal = compare_with_expected(label, shared.eval_case, outcome);
  if (shared.first && outcome.verdict != EngineVerdict::kRefused) {
    equal = compare_with_first(label, *shared.first, outcome) && equal;
  }
  row.push_back(ran ? outputs_digest(outcome.outputs).to_hex().substr(0, kShownDigits) : "-");
  row.push_back(ran ? duration_text(outcome.report.seconds) : "-");
  row.push_back(ran ? oracle_text(shared.exact, outcome) : "-");
  row.push_back(!ran ? spelling(outcome.verdict) : equal ? "ok" : "differs");
  rows_.push_back(std::move(row));
  const ExitCode code = graver(exit_code_of(outcome.verdict), equal ? kGood : kNo);
  if (!shared.first && outcome.verdict != EngineVerdict::kRefused) {
    shared.first = std::move(outcome);
  }
  return code;
}

ExitCode EvalTable::run(const std::string& name, const EvalCase& eval_case, const EvalPlan& plan,
                        const RunOptions& options) {
  Shared shared{eval_case, exact_result(eval_case), {}};
  ExitCode code = kGood;
  for (const NamedPasses& pipeline : plan.pipelines) {
    const StatusOr<PipelineResult> rewritten =
        run_pipeline(eval_case.loaded.program, pipeline.passes);
    for (const std::shared_ptr<Engine>& engine : plan.engines) {
      EngineOutcome outcome =
          rewritten.ok() ? run_on_engine(*engine, rewritten->program, eval_case.inputs, options)
                         : unfit(rewritten.status());
      std::string label = name_cases_ ? name + ": " : "";
      if (plan.rows() > 1) label += fmt::format("{} after {}: ", engine->name(), pipeline.name);
      std::vector<std::string> row = {engine->name(), pipeline.name};
      if (name_cases_) row.insert(row.begin(), name);
      code = graver(code, add_row(label, std::move(row), std::move(outcome), shared));
    }
  }
  outputs_.clear();
  report_.reset();
  if (!shared.first) return code;
  if (ended(*shared.first)) report_ = shared.first->report;
  outputs_ = std::move(shared.first->outputs);
  return code;
}

std::string EvalTable::text() const {
  std::string out = table_text(rows_);
  for (const std::string& line : comparisons_) out += one_line(line) + '\n';
  return out;
}

}  // namespace vyre::tools

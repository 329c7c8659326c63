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
  if (loaded.trap || loaded.entry->oracle == nullptr) return std::nullopt;
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
  if (first.verdict != outcome.verdict || first.message != outcome.message) {
    comparisons_.push_back(fmt::format("{}it {}, and the first engine {}", label,
                                       spelling(outcome.verdict), spelling(first.verdict)));
    return false;
  }
  bool equal = true;
  for (size_t i = 0; i < outcome.outputs.size(); ++i) {
    const NamedBytes& output = outcome.outputs[i];
    const NamedBytes& reference = first.outputs[i];
    if (output.bytes == reference.bytes) continue;
    comparisons_.push_back(
        compare(output.element, output.bytes, reference.bytes)
            .to_string(fmt::format("{}{} against the first engine", label, output.name)));
    equal = false;
  }
  return equal;
}

ExitCode EvalTable::run(const std::string& name, const EvalCase& eval_case,
                        const std::vector<std::shared_ptr<Engine>>& engines,
                        const RunOptions& options) {
  const std::optional<std::vector<double>> exact = exact_result(eval_case);
  const std::string case_label = name_cases_ ? name + ": " : "";
  std::optional<EngineOutcome> first;
  ExitCode code = kGood;
  for (const std::shared_ptr<Engine>& engine : engines) {
    EngineOutcome outcome =
        run_on_engine(*engine, eval_case.loaded.program, eval_case.inputs, options);
    const std::string label =
        case_label + (engines.size() > 1 ? engine->name() + ": " : std::string());
    ExitCode row_code = exit_code_of(outcome.verdict);
    bool equal = true;
    if (!outcome.message.empty()) errors_.push_back(label + outcome.message);
    if (outcome.verdict == EngineVerdict::kRan) {
      equal = compare_with_expected(label, eval_case, outcome);
    }
    if (first && outcome.verdict != EngineVerdict::kRefused) {
      equal = compare_with_first(label, *first, outcome) && equal;
    }
    if (!equal) row_code = graver(row_code, kNo);
    code = graver(code, row_code);
    const bool ran = outcome.verdict == EngineVerdict::kRan;
    std::vector<std::string> row = {
        engine->name(),
        "none",
        ran ? outputs_digest(outcome.outputs).to_hex().substr(0, kShownDigits) : "-",
        ran ? duration_text(outcome.report.seconds) : "-",
        ran ? oracle_text(exact, outcome) : "-",
        ran ? (equal ? "ok" : "differs") : spelling(outcome.verdict)};
    if (name_cases_) row.insert(row.begin(), name);
    rows_.push_back(std::move(row));
    if (!first && outcome.verdict != EngineVerdict::kRefused) first = std::move(outcome);
  }
  outputs_.clear();
  report_.reset();
  if (!first) return code;
  const bool launched =
      first->verdict == EngineVerdict::kRan || first->verdict == EngineVerdict::kTrapped;
  if (launched) report_ = first->report;
  outputs_ = std::move(first->outputs);
  return code;
}

std::string EvalTable::text() const {
  std::string out = table_text(rows_);
  for (const std::string& line : comparisons_) out += one_line(line) + '\n';
  return out;
}

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs cases on engines and says what came out: one row for each case, pipeline and engine.
//
//   EvalTable table(/*name_cases=*/false);
//   ExitCode code = table.run("", eval_case, {{engine}, {{"none", {}}}}, options);
//   print_result(tool, table.text());
//   for (const std::string& error : table.errors()) print_error(tool, error);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vyre/passes/pipeline.h"
#include "vyre/tools/eval/eval_case.h"

namespace vyre::tools {

struct NamedPasses {
  std::string name;  // as the user wrote it
  Pipeline passes;
};

// Each engine runs what each pipeline makes of the program.
struct EvalPlan {
  std::vector<std::shared_ptr<Engine>> engines;
  std::vector<NamedPasses> pipelines;

  size_t rows() const { return engines.size() * pipelines.size(); }
};

class EvalTable {
 public:
  // With a first column that names the case.
  explicit EvalTable(bool name_cases);

  // All rows of a case. Compares outputs with what is expected, and with those of the first row
  // that ran, by bits. Keeps that row's outcome for outputs() and report().
  ExitCode run(const std::string& name, const EvalCase& eval_case, const EvalPlan& plan,
               const RunOptions& options);

  // The table, then one line for each comparison.
  std::string text() const;
  // Traps, limits and refusals, one line each.
  const std::vector<std::string>& errors() const { return errors_; }
  // Outputs of the first row that ran, of the last case; empty if none did.
  const std::vector<NamedBytes>& outputs() const { return outputs_; }
  const std::optional<RunReport>& report() const { return report_; }

 private:
  // What one case's rows share.
  struct Shared {
    const EvalCase& eval_case;
    const std::optional<std::vector<double>> exact;
    std::optional<EngineOutcome> first;
  };
  ExitCode add_row(const std::string& label, std::vector<std::string> row, EngineOutcome outcome,
                   Shared& shared);
  bool compare_with_expected(const std::string& label, const EvalCase& eval_case,
                             const EngineOutcome& outcome);
  bool compare_with_first(const std::string& label, const EngineOutcome& first,
                          const EngineOutcome& outcome);

  bool name_cases_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> comparisons_;
  std::vector<std::string> errors_;
  std::vector<NamedBytes> outputs_;
  std::optional<RunReport> report_;
};

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs cases on engines and says what came out: one row for each case and engine.
//
//   EvalTable table(/*name_cases=*/false);
//   ExitCode code = table.run("", eval_case, engines, options);
//   print_result(tool, table.text());
//   for (const std::string& error : table.errors()) print_error(tool, error);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vyre/tools/eval/eval_case.h"

namespace vyre::tools {

class EvalTable {
 public:
  // With a first column that names the case.
  explicit EvalTable(bool name_cases);

  // The case on each engine. Compares outputs with what is expected, and with those of the first
  // engine that ran, by bits. Keeps the first outcome for outputs() and report().
  ExitCode run(const std::string& name, const EvalCase& eval_case,
               const std::vector<std::shared_ptr<Engine>>& engines, const RunOptions& options);

  // The table, then one line for each comparison.
  std::string text() const;
  // Traps, limits and refusals, one line each.
  const std::vector<std::string>& errors() const { return errors_; }
  // Outputs of the first engine that ran the last case; empty if none did.
  const std::vector<NamedBytes>& outputs() const { return outputs_; }
  const std::optional<RunReport>& report() const { return report_; }

 private:
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

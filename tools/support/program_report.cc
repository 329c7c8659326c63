// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/program_report.h"

#include <fmt/format.h>

#include <cstdio>

#include "vyre/ir/parse.h"
#include "vyre/tools/support/output_file.h"
#include "vyre/tools/support/program_file.h"

namespace vyre::tools {

ExitCode report_problems(std::string_view tool, const LoadedProgram& loaded) {
  const Status status = check_program(loaded, {.carried = false});
  const ExitCode valid = status.ok() ? kGood : fail(tool, status);
  return graver(valid, report_trap(tool, loaded));
}

ExitCode report_trap(std::string_view tool, const LoadedProgram& loaded) {
  if (!loaded.trap) return kGood;
  print_error(tool, fmt::format("the program only traps: {}", *loaded.trap));
  return kNo;
}

Status check_program(const LoadedProgram& loaded, const ValidateOptions& options) {
  ValidationReport report = check_rules(loaded, options);
  if (report.ok()) return absl::OkStatus();
  std::erase_if(report.diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kWarning;
  });
  return invalid_program(report_text(report, loaded));
}

ValidationReport check_rules(const LoadedProgram& loaded, const ValidateOptions& options) {
  ValidationReport report = validate(loaded.program, options);
  if (loaded.entry == nullptr) place_in_file(loaded.title, report.diagnostics);
  report.diagnostics.insert(report.diagnostics.begin(), loaded.warnings.begin(),
                            loaded.warnings.end());
  return report;
}

void report_warnings(const LoadedProgram& loaded) {
  std::fputs(render(loaded.warnings, loaded.text).c_str(), stderr);
}

std::string report_text(const ValidationReport& report, const LoadedProgram& loaded) {
  if (loaded.text.empty()) return report.to_string();
  std::string text = render(report.diagnostics, loaded.text);
  if (report.omitted > 0) text += fmt::format("... and {} more\n", report.omitted);
  return text;
}

void report_diagnostics(const std::vector<Diagnostic>& diagnostics, uint64_t omitted,
                        const LoadedProgram& loaded) {
  std::fputs(report_text({diagnostics, omitted}, loaded).c_str(), stderr);
}

ExitCode write_text(std::string_view tool, const std::optional<std::string>& path,
                    std::string_view text) {
  if (!path || *path == "-") return print_result(tool, text) ? kGood : kUsage;
  OutputFiles files;
  Status status = files.stage(*path, text);
  if (status.ok()) status = files.commit();
  return status.ok() ? kGood : fail(tool, status);
}

ExitCode fail(std::string_view tool, const Status& status) {
  if (is_malformed_program(status) || is_invalid_program(status)) {
    std::fflush(stdout);
    std::fputs(std::string(message_of(status)).c_str(), stderr);
  } else {
    print_error(tool, message_of(status));
  }
  return is_invalid_program(status) ? kNo : exit_code_of(status);
}

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/validate/rules.h"

namespace vyre {
namespace {

bool is_carried(const Diagnostic& diagnostic) {
  const DiagnosticInfo* info = find_diagnostic(diagnostic.code);
  return info != nullptr && info->which == DiagnosticClass::kCarried;
}

// V019 before anything is made that is as large as the program.
std::optional<Diagnostic> check_size(const Program& program, const ValidateOptions& options) {
  uint64_t statements = 0;
  for (const Node& node : program.entry()) {
    statements =
        statements + node.node_count() < statements ? UINT64_MAX : statements + node.node_count();
  }
  if (statements <= options.max_statements) return std::nullopt;
  return Diagnostic{"V019",
                    Severity::kError,
                    "",
                    Place(),
                    fmt::format("the program has {} statements, each occurrence counted, and {} "
                                "are allowed",
                                statements, options.max_statements),
                    "Use a loop, or split the program."};
}

}  // namespace

size_t ValidationReport::errors() const {
  return static_cast<size_t>(
      std::ranges::count(diagnostics, Severity::kError, &Diagnostic::severity));
}

std::string ValidationReport::to_string() const {
  std::string text = vyre::to_string(diagnostics);
  if (omitted > 0) text += fmt::format("... and {} more\n", omitted);
  return text;
}

std::string ValidationReport::to_json() const {
  return fmt::format("{{\"diagnostics\": {}, \"omitted\": {}}}", vyre::to_json(diagnostics),
                     omitted);
}

Status ValidationReport::status() const {
  if (ok()) return absl::OkStatus();
  std::vector<Diagnostic> found;
  std::ranges::copy_if(diagnostics, std::back_inserter(found), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
  const std::string text = ValidationReport{found, omitted}.to_string();
  return std::ranges::all_of(found, is_carried) ? absl::UnimplementedError(text)
                                                : absl::InvalidArgumentError(text);
}

ValidationReport validate(const Program& program, const ValidateOptions& options) {
  if (options.source) {
    if (std::optional<Diagnostic> too_large = check_size(program, options)) {
      return {{*std::move(too_large)}};
    }
  }
  ResolveLimits limits;
  limits.max_diagnostics = options.max_diagnostics;
  return validate(resolve(program, limits), options);
}

ValidationReport validate(const Resolved& resolved, const ValidateOptions& options) {
  internal::Reporter reporter(resolved, options.max_diagnostics);
  for (const Diagnostic& diagnostic : resolved.diagnostics) reporter.add(diagnostic);
  reporter.omit(resolved.omitted_diagnostics);
  if (resolved.complete) {
    internal::check_buffers(options, reporter);
    internal::check_statements(options, reporter);
    internal::check_uniformity(reporter);
    internal::check_async(options, reporter);
    internal::check_expressions(options, reporter);
    if (options.source) {
      internal::check_linear_types(reporter);
      internal::check_atomic_mixing(reporter);
    }
  }
  if (options.carried) {
    for (const Diagnostic& diagnostic : resolved.carried) reporter.add(diagnostic);
  }
  const uint64_t omitted = reporter.omitted();
  return {std::move(reporter).take(), omitted};
}

}  // namespace vyre

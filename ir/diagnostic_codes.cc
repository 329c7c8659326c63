// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/diagnostic_codes.h"

#include <algorithm>
#include <iterator>

#include "vyre/ir/check.h"

namespace vyre {
namespace {

constexpr DiagnosticInfo kDiagnostics[] = {
#define VYRE_DIAGNOSTIC(code, which, severity, rule) \
  {#code, DiagnosticClass::k##which, Severity::severity, rule},
#include "vyre/ir/diagnostics.def"
};
static_assert(std::ranges::is_sorted(kDiagnostics, {}, &DiagnosticInfo::code));

}  // namespace

const char* spelling(DiagnosticClass which) {
  switch (which) {
    case DiagnosticClass::kSyntax:
      return "syntax";
    case DiagnosticClass::kWire:
      return "wire";
    case DiagnosticClass::kStructure:
      return "structure";
    case DiagnosticClass::kSource:
      return "source";
    case DiagnosticClass::kCarried:
      return "carried";
    case DiagnosticClass::kRun:
      return "run";
  }
  VYRE_UNREACHABLE("a diagnostic class");
}

std::span<const DiagnosticInfo> all_diagnostics() { return kDiagnostics; }

const DiagnosticInfo* find_diagnostic(std::string_view code) {
  const auto* found = std::ranges::lower_bound(kDiagnostics, code, {}, &DiagnosticInfo::code);
  return found != std::end(kDiagnostics) && found->code == code ? found : nullptr;
}

}  // namespace vyre

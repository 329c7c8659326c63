// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/validate/reporter.h"

#include <fmt/format.h>

#include "vyre/ir/check.h"
#include "vyre/ir/diagnostic_codes.h"

namespace vyre::internal {
namespace {

Severity severity_of(const char* code) {
  const DiagnosticInfo* info = find_diagnostic(code);
  VYRE_CHECK(info != nullptr, "a code has a row in diagnostics.def");
  return info->severity;
}

}  // namespace

bool Reporter::omits() {
  if (!is_full()) return false;
  ++omitted_;
  return true;
}

void Reporter::add(const Diagnostic& diagnostic) {
  if (!omits()) diagnostics_.push_back(diagnostic);
}

void Reporter::program(const char* code, std::string cause, std::string fix) {
  add({code, severity_of(code), "", Place(), std::move(cause), std::move(fix)});
}

void Reporter::buffer(uint32_t index, const char* code, std::string cause, std::string fix) {
  add({code, severity_of(code), fmt::format("buffers[{}]", index),
       resolved_.program.buffers()[index].place(), std::move(cause), std::move(fix)});
}

void Reporter::at(StmtId stmt, const char* code, std::string cause, std::string fix) {
  if (omits()) return;
  diagnostics_.push_back({code, severity_of(code), resolved_.path(stmt),
                          resolved_.statements[stmt].node->place(), std::move(cause),
                          std::move(fix)});
}

void Reporter::at(const ExprSite& site, const char* code, std::string cause, std::string fix) {
  if (omits()) return;
  diagnostics_.push_back({code, severity_of(code), path_of(resolved_, site),
                          place_of(resolved_, site), std::move(cause), std::move(fix)});
}

}  // namespace vyre::internal

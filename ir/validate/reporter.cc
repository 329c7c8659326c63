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

std::string path_of(const Resolved& resolved, const ExprSite& site) {
  const Node& node = *resolved.statements[site.stmt].node;
  std::string path = resolved.path(site.stmt);
  path += operand_name(node.kind(), site.operand);
  // As in node paths: the outermost and innermost steps are kept.
  constexpr size_t kKept = 32;
  for (size_t i = 0; i < site.steps.size(); ++i) {
    if (i == kKept && site.steps.size() > 2 * kKept) {
      path += "...";
      i = site.steps.size() - kKept;
    }
    path += operand_name(*resolved.expressions[site.chain[i]].expr, site.steps[i]);
  }
  return path;
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
  const Place& place = resolved_.expressions[site.chain.back()].expr->place();
  diagnostics_.push_back({code, severity_of(code), path_of(resolved_, site),
                          place.known() ? place : resolved_.statements[site.stmt].node->place(),
                          std::move(cause), std::move(fix)});
}

std::string where(const Resolved& resolved, StmtId stmt) {
  const Place& place = resolved.statements[stmt].node->place();
  return place.known() ? fmt::format("{} ({})", resolved.path(stmt), place.to_string())
                       : resolved.path(stmt);
}

}  // namespace vyre::internal

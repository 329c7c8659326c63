// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reporter: where the rules of the validator put what they find. Severities come from the table of
// codes.
//
//   reporter.at(stmt, "V112", "statements follow a return in one body", "Remove them.");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/expr_site.h"
#include "vyre/ir/resolve.h"

namespace vyre::internal {

class Reporter {
 public:
  Reporter(const Resolved& resolved, uint32_t max_diagnostics)
      : resolved_(resolved), max_diagnostics_(max_diagnostics) {}

  const Resolved& resolved() const { return resolved_; }
  bool is_full() const { return diagnostics_.size() >= max_diagnostics_; }

  // About the program as a whole, or about a buffer.
  void program(const char* code, std::string cause, std::string fix);
  void buffer(uint32_t index, const char* code, std::string cause, std::string fix);
  void at(StmtId stmt, const char* code, std::string cause, std::string fix);
  void at(const ExprSite& site, const char* code, std::string cause, std::string fix);
  void add(const Diagnostic& diagnostic);
  void omit(uint64_t count) { omitted_ += count; }

  std::vector<Diagnostic> take() && { return std::move(diagnostics_); }
  uint64_t omitted() const { return omitted_; }

 private:
  // Counts one that is not kept.
  bool omits();

  const Resolved& resolved_;
  uint32_t max_diagnostics_;
  std::vector<Diagnostic> diagnostics_;
  uint64_t omitted_ = 0;
};

}  // namespace vyre::internal

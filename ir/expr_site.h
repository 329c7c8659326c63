// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where an expression stands in a program: which operand of which statement leads to it, and how.
//
//   if (std::optional<ExprSite> site = find_site(resolved, stmt, load)) {
//     path_of(resolved, *site);    // "entry[0].body[1].value.left"
//     place_of(resolved, *site);   // of the expression, else of the statement
//   }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::internal {

struct ExprSite {
  StmtId stmt = kNoId;
  size_t operand = 0;           // of the statement
  std::vector<ExprId> chain{};  // from the operand to the expression, both included
  std::vector<size_t> steps{};  // steps[i] leads from chain[i] to chain[i + 1]
};

std::string path_of(const Resolved& resolved, const ExprSite& site);
Place place_of(const Resolved& resolved, const ExprSite& site);

// The first place in the statement, in the order of evaluation, where the expression stands. Linear
// in the expressions of the statement.
std::optional<ExprSite> find_site(const Resolved& resolved, StmtId stmt, ExprId expr);

// "entry[0].body[2] (a.cc:12)"
std::string where(const Resolved& resolved, StmtId stmt);

}  // namespace vyre::internal

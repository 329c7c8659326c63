// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/expr_site.h"

#include <fmt/format.h>

#include <unordered_set>

namespace vyre::internal {

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

Place place_of(const Resolved& resolved, const ExprSite& site) {
  const Place& place = resolved.expressions[site.chain.back()].expr->place();
  return place.known() ? place : resolved.statements[site.stmt].node->place();
}

std::optional<ExprSite> find_site(const Resolved& resolved, StmtId stmt, ExprId expr) {
  const std::span<const ExprId> operands = resolved.operands(resolved.statements[stmt]);
  std::unordered_set<ExprId> seen;
  for (size_t i = 0; i < operands.size(); ++i) {
    ExprSite site{.stmt = stmt, .operand = i};
    const auto enter = [&](ExprId id) {
      if (!seen.insert(id).second) return;
      site.chain.push_back(id);
      site.steps.push_back(0);
    };
    enter(operands[i]);
    while (!site.chain.empty()) {
      if (site.chain.back() == expr) {
        site.steps.pop_back();
        for (size_t& step : site.steps) --step;
        return site;
      }
      const auto under = resolved.operands(resolved.expressions[site.chain.back()]);
      if (site.steps.back() < under.size()) {
        enter(under[site.steps.back()++]);
      } else {
        site.chain.pop_back();
        site.steps.pop_back();
      }
    }
  }
  return std::nullopt;
}

std::string where(const Resolved& resolved, StmtId stmt) {
  const Place& place = resolved.statements[stmt].node->place();
  return place.known() ? fmt::format("{} ({})", resolved.path(stmt), place.to_string())
                       : resolved.path(stmt);
}

}  // namespace vyre::internal

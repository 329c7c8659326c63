// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Barriers and subgroup operations stand where all invocations of a workgroup go (E5, E7). What the
// analysis cannot show to be so is refused: on a GPU it would hang or worse.
#include <fmt/format.h>

#include "vyre/ir/analysis/uniformity.h"
#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

class UniformityRules {
 public:
  explicit UniformityRules(Reporter& reporter)
      : reporter_(reporter),
        resolved_(reporter.resolved()),
        uniformity_(analyze_uniformity(resolved_)),
        meets_(resolved_.expressions.size()) {
    for (ExprId id = 0; id < resolved_.expressions.size(); ++id) {
      meets_[id] = is_collective(resolved_.expressions[id].expr->op());
      for (const ExprId operand : resolved_.operands(resolved_.expressions[id])) {
        meets_[id] = meets_[id] || meets_[operand];
      }
    }
  }

  void check(StmtId stmt) {
    if (uniformity_.is_together(stmt)) return;
    const Node& node = *resolved_.statements[stmt].node;
    if (node.kind() == NodeKind::kBarrier && node.ordering() != MemoryOrdering::kGridSync) {
      reporter_.at(
          stmt, "V010",
          fmt::format("this barrier may be reached by a part of the workgroup: {}", reason(stmt)),
          "Move it where all invocations go, or let nothing that differs between them "
          "decide the way there.");
    }
    const std::span<const ExprId> operands = resolved_.operands(resolved_.statements[stmt]);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!meets_[operands[i]] || reporter_.is_full()) continue;
      const ExprSite site = first_meeting(stmt, i, operands[i]);
      reporter_.at(
          site, "V131",
          fmt::format("`{}` may be reached by a part of the workgroup: {}",
                      resolved_.expressions[site.chain.back()].expr->info().mnemonic, reason(stmt)),
          "Bind its value with let where all invocations go, and use that.");
    }
  }

 private:
  // An operation under the operand that looks at other lanes and has none such under it.
  ExprSite first_meeting(StmtId stmt, size_t operand, ExprId id) const {
    ExprSite site{.stmt = stmt, .operand = operand, .chain = {id}, .steps = {}};
    while (true) {
      const std::span<const ExprId> operands = resolved_.operands(resolved_.expressions[id]);
      size_t i = 0;
      while (i < operands.size() && !meets_[operands[i]]) ++i;
      if (i == operands.size()) return site;
      id = operands[i];
      site.steps.push_back(i);
      site.chain.push_back(id);
    }
  }

  std::string reason(StmtId stmt) const {
    const StmtId cause = uniformity_.parted_by(stmt);
    const std::string place = where(resolved_, cause);
    const NodeKind kind = resolved_.statements[cause].node->kind();
    if (kind == NodeKind::kReturn) return fmt::format("others end at the return at {}", place);
    if (kind == NodeKind::kLoop) return fmt::format("the bounds of the loop at {} differ", place);
    return fmt::format("the condition of the if at {} differs", place);
  }

  Reporter& reporter_;
  const Resolved& resolved_;
  const Uniformity uniformity_;
  std::vector<bool> meets_;  // by expression: it looks at other lanes, or something in it does
};

}  // namespace

void check_uniformity(Reporter& reporter) {
  UniformityRules rules(reporter);
  for (StmtId stmt = 0; stmt < reporter.resolved().statements.size(); ++stmt) rules.check(stmt);
}

}  // namespace vyre::internal

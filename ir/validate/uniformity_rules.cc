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
      if (reporter_.is_full()) return reporter_.omit(1);
      const Cause cause = cause_of(stmt);
      reporter_.at(
          stmt, "V010",
          fmt::format("this barrier may be reached by a part of the workgroup: {}", reason(cause)),
          fix(cause.origin,
              "Move it where all invocations go, or let nothing that differs between them "
              "decide the way there."));
    }
    const std::span<const ExprId> operands = resolved_.operands(resolved_.statements[stmt]);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!meets_[operands[i]] || reporter_.is_full()) continue;
      const ExprSite site = first_meeting(stmt, i, operands[i]);
      const Cause cause = cause_of(stmt);
      reporter_.at(
          site, "V131",
          fmt::format("`{}` may be reached by a part of the workgroup: {}",
                      resolved_.expressions[site.chain.back()].expr->info().mnemonic,
                      reason(cause)),
          fix(cause.origin, "Bind its value with let where all invocations go, and use that."));
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

  bool is_return(StmtId stmt) const {
    return resolved_.statements[stmt].node->kind() == NodeKind::kReturn;
  }

  // What parts the statement's invocations: a return by which some leave, and the if or loop whose
  // operand decides over that or over the statement itself.
  struct Cause {
    StmtId exit = kNoId;
    StmtId branch = kNoId;
    const DivergenceOrigin* origin = nullptr;  // null: it is not an operand of the branch
  };
  Cause cause_of(StmtId stmt) const {
    Cause cause{.branch = uniformity_.parted_by(stmt)};
    while (cause.branch != kNoId && is_return(cause.branch)) {
      cause.exit = cause.branch;
      cause.branch = uniformity_.parted_by(cause.exit);
    }
    if (cause.branch == kNoId) return cause;
    for (const ExprId operand : resolved_.operands(resolved_.statements[cause.branch])) {
      if (!uniformity_.is_uniform(operand)) cause.origin = &uniformity_.origin(operand);
    }
    return cause;
  }

  std::string reason(const Cause& cause) const {
    std::string text;
    if (cause.exit != kNoId) {
      text = fmt::format("others may end at the return at {}", where(resolved_, cause.exit));
    }
    if (cause.branch == kNoId) return text;
    const bool loop = resolved_.statements[cause.branch].node->kind() == NodeKind::kLoop;
    text += fmt::format("{}the {} at {} {}", text.empty() ? "" : ", since ",
                        loop ? "bounds of the loop" : "condition of the if",
                        where(resolved_, cause.branch),
                        cause.origin == nullptr ? "may differ" : differs(*cause.origin));
    return text;
  }

  std::string differs(const DivergenceOrigin& origin) const {
    if (origin.assignment != kNoId) {
      return fmt::format("may differ, since only a part may assign `{}` at {}",
                         resolved_.statements[origin.assignment].node->name(),
                         where(resolved_, origin.assignment));
    }
    const Expr& expr = *resolved_.expressions[origin.expr].expr;
    if (expr.op() != Op::kLoad)
      return fmt::format("differs, since it depends on `{}`", expr.info().mnemonic);
    if (origin.write == kNoId) {
      return fmt::format("may differ, since it depends on `{}`, which an extension may write",
                         expr.name());
    }
    return fmt::format("may differ, since it depends on `{}`, which {} may write meanwhile",
                       expr.name(), where(resolved_, origin.write));
  }

  // How to get a value that others write to all invocations, or what is to be done otherwise.
  std::string fix(const DivergenceOrigin* origin, std::string_view otherwise) const {
    if (origin == nullptr || origin->write == kNoId) return std::string(otherwise);
    const ResolvedExpr& load = resolved_.expressions[origin->expr];
    if (resolved_.program.buffers()[load.reference].is_workgroup()) {
      return "Put a barrier between that store and the load on every way from one to the other, "
             "round a loop, too, and bind the loaded value with let.";
    }
    return "Let one invocation store the value to workgroup memory, and behind a barrier load it "
           "there in all of them.";
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

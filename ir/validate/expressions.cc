// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Rules about expressions by themselves. One that stands in several places is reported at the
// first.
#include <fmt/format.h>

#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

class ExpressionRules {
 public:
  ExpressionRules(const ValidateOptions& options, Reporter& reporter)
      : options_(options),
        reporter_(reporter),
        resolved_(reporter.resolved()),
        visited_(resolved_.expressions.size()) {}

  void check(StmtId stmt) {
    const std::span<const ExprId> operands = resolved_.operands(resolved_.statements[stmt]);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (options_.source) check_depth(stmt, i, operands[i]);
      walk({.stmt = stmt, .operand = i, .chain = {operands[i]}, .steps = {}});
    }
    if (options_.source) check_store_index(stmt);
  }

 private:
  const Expr& expr(ExprId id) const { return *resolved_.expressions[id].expr; }

  // Everything under a statement's operand that has not been seen yet. The site is the way down;
  // `steps` has an entry for the last expression too: the operand to look at next.
  void walk(ExprSite site) {
    std::vector<size_t> next{0};
    while (!site.chain.empty()) {
      const ExprId id = site.chain.back();
      if (next.back() == 0) {
        if (!visited_[id]) check_expr(site);
        if (visited_[id]) next.back() = resolved_.operands(resolved_.expressions[id]).size();
        visited_[id] = true;
      }
      const std::span<const ExprId> operands = resolved_.operands(resolved_.expressions[id]);
      if (next.back() < operands.size()) {
        const size_t i = next.back()++;
        site.steps.push_back(i);
        site.chain.push_back(operands[i]);
        next.push_back(0);
        continue;
      }
      site.chain.pop_back();
      next.pop_back();
      if (!site.steps.empty()) site.steps.pop_back();
    }
  }

  void check_expr(const ExprSite& site) {
    const Expr& e = expr(site.chain.back());
    const bool subgroup =
        e.info().has(OpFlags::kSubgroup) && e.info().rule != TypeRule::kLegacySubgroup;
    if (!options_.subgroups && subgroup) {
      reporter_.at(site, "V041",
                   fmt::format("`{}` needs an engine with subgroups", e.info().mnemonic),
                   "Use workgroup memory and barriers, or an engine that has subgroups.");
    }
    if (!options_.source) return;
    check_divisor(site, e);
    check_narrowing(site, e);
  }

  void check_divisor(const ExprSite& site, const Expr& e) {
    if (e.op() != Op::kDiv && e.op() != Op::kMod) return;
    const Expr& divisor = e.operand(1);
    if (!is_literal(divisor.op()) || !is_integer(divisor.type().kind()) || divisor.bits() != 0) {
      return;
    }
    reporter_.at(site, "V044",
                 fmt::format("the divisor of `{}` is the literal 0", e.info().mnemonic),
                 "Divide by something else, or choose the result for a zero divisor with select.");
  }

  void check_narrowing(const ExprSite& site, const Expr& e) {
    if (e.op() != Op::kCast) return;
    const std::optional<DataType::Kind> from =
        resolved_.expressions[resolved_.operands(resolved_.expressions[site.chain.back()])[0]].type;
    const DataType& to = e.type();
    if (!from || !is_integer(*from) || to.role() == DataType::Role::kCarried) return;
    const bool to_integer = to.kind() == DataType::U8 || to.kind() == DataType::I8 ||
                            to.kind() == DataType::U16 || to.kind() == DataType::I16 ||
                            is_integer(to.kind());
    if (!to_integer || to.bit_width() >= DataType(*from).bit_width()) return;
    reporter_.at(site, "V035",
                 fmt::format("a cast from {} to {} keeps the low bits only",
                             DataType(*from).spelling(), to.spelling()),
                 "Clamp the value first if it may be larger.");
  }

  void check_depth(StmtId stmt, size_t operand, ExprId id) {
    // An operation is one level, its leaves are none.
    const uint32_t depth = expr(id).depth() - 1;
    if (depth <= options_.max_expression_depth) return;
    reporter_.at({.stmt = stmt, .operand = operand, .chain = {id}, .steps = {}}, "V033",
                 fmt::format("{} operations stand in each other, and {} are allowed", depth,
                             options_.max_expression_depth),
                 "Bind parts of the expression with let.");
  }

  void check_store_index(StmtId stmt) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    if (record.node->kind() != NodeKind::kStore || record.buffer == kNoId) return;
    const BufferDecl& decl = resolved_.program.buffers()[record.buffer];
    const Expr& index = record.node->operand(0);
    const bool constant = index.op() == Op::kLitU32 || index.op() == Op::kLitU64;
    if (!constant || !decl.count() || index.bits() < *decl.count()) return;
    reporter_.at(stmt, "V036",
                 fmt::format("element {} is stored to, and buffer `{}` has {} elements",
                             index.bits(), decl.name(), *decl.count()),
                 "Store below the declared count, or declare a larger one.");
  }

  const ValidateOptions& options_;
  Reporter& reporter_;
  const Resolved& resolved_;
  std::vector<bool> visited_;
};

}  // namespace

void check_expressions(const ValidateOptions& options, Reporter& reporter) {
  if (!options.source && options.subgroups) return;
  ExpressionRules rules(options, reporter);
  for (StmtId stmt = 0; stmt < reporter.resolved().statements.size(); ++stmt) rules.check(stmt);
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/simplify.h"

#include <optional>
#include <utility>
#include <vector>

#include "vyre/ir/check.h"
#include "vyre/ir/scalar/float_environment.h"
#include "vyre/passes/fold_constant.h"
#include "vyre/passes/simplify_rules.h"
#include "vyre/passes/typed_rewrite.h"

namespace vyre::passes {
namespace {

// What a variable of a rule stands for.
struct Capture {
  std::string_view name;
  TypedExpr value;
};

// One attempt at one rule. Recursion is as deep as the rule, which the table bounds.
class Match {
 public:
  Match(const SimplifyRule& rule, const TypedExpr& root, std::span<const TypedExpr> operands)
      : rule_(rule), root_(root), operands_(operands) {}

  bool run() {
    if (rule_.needs_no_effects && root_.effectful) return false;
    if (!match_operands(rule_.pattern, root_)) return false;
    const Capture* x = find("x");
    VYRE_CHECK(x != nullptr, "a rule without x");
    return x->value.type && rule_.types.contains(*x->value.type);
  }

  // After a match.
  TypedExpr replacement() const { return build(rule_.replacement); }

 private:
  const Capture* find(std::string_view name) const {
    for (const Capture& capture : captures_) {
      if (capture.name == name) return &capture;
    }
    return nullptr;
  }

  // Operand i of an expression, with what is known of it.
  TypedExpr operand_of(const TypedExpr& e, size_t i) const {
    if (&e == &root_) return operands_[i];
    std::optional<DataType::Kind> type;
    if (i < e.operand_types.size()) type = e.operand_types[i];
    return {e.expr.operand(i), type, e.effectful, {}, false};
  }

  bool match(const Expr& pattern, const TypedExpr& e) {
    if (pattern.op() == Op::kVar) return match_variable(pattern.name(), e);
    return pattern.op() == e.expr.op() && match_operands(pattern, e);
  }

  bool match_operands(const Expr& pattern, const TypedExpr& e) {
    const size_t captured = captures_.size();
    if (match_in_order(pattern, e, false)) return true;
    captures_.resize(captured, Capture{{}, root_});
    const bool swappable =
        pattern.info().has(OpFlags::kCommutative) && is_constant(pattern.operand(1));
    return swappable && match_in_order(pattern, e, true);
  }

  static bool is_constant(const Expr& pattern) {
    return pattern.op() == Op::kVar && is_rule_constant(pattern.name());
  }

  bool match_in_order(const Expr& pattern, const TypedExpr& e, bool swapped) {
    const size_t count = pattern.operands().size();
    for (size_t i = 0; i < count; ++i) {
      if (!match(pattern.operand(i), operand_of(e, swapped ? count - 1 - i : i))) return false;
    }
    return true;
  }

  bool match_variable(std::string_view name, const TypedExpr& e) {
    if (is_rule_constant(name)) {
      if (!is_literal(e.expr.op())) return false;
      const std::optional<Expr> constant = rule_constant(name, e.expr.type().kind());
      return constant && *constant == e.expr;
    }
    if (const Capture* capture = find(name)) return capture->value.expr == e.expr;
    captures_.push_back({name, e});
    return true;
  }

  TypedExpr build(const Expr& replacement) const {
    if (replacement.op() == Op::kVar) {
      if (const Capture* capture = find(replacement.name())) return capture->value;
      // A constant is the whole replacement, so its type is the pattern's.
      const std::optional<Expr> constant =
          rule_constant(replacement.name(), root_.type.value(), root_.expr.place());
      VYRE_CHECK(constant.has_value(), "a rule with a constant that its type does not have");
      return {*constant, root_.type, false, {}, true};
    }
    TypedExpr result{replacement, root_.type, false, {}, true};
    std::vector<Expr> operands;
    for (size_t i = 0; i < replacement.operands().size(); ++i) {
      const TypedExpr operand = build(replacement.operand(i));
      result.effectful |= operand.effectful;
      result.operand_types[i] = operand.type;
      operands.push_back(operand.expr);
    }
    result.expr = replacement.with_operands(std::move(operands)).with_place(root_.expr.place());
    return result;
  }

  const SimplifyRule& rule_;
  const TypedExpr& root_;
  std::span<const TypedExpr> operands_;
  std::vector<Capture> captures_;
};

// The rules by the operation at the root of their pattern.
std::vector<std::vector<const SimplifyRule*>> rules_by_op() {
  std::vector<std::vector<const SimplifyRule*>> rules(all_ops().size());
  for (const SimplifyRule& rule : simplify_rules()) {
    rules[static_cast<size_t>(rule.pattern.op())].push_back(&rule);
  }
  return rules;
}

}  // namespace

StatusOr<PassResult> simplify(const Program& program) {
  const StatusOr<Resolved> resolved = resolve_for_pass(program);
  if (!resolved.ok()) return resolved.status();
  const scalar::FloatEnvironment environment;
  const std::vector<std::vector<const SimplifyRule*>> rules = rules_by_op();
  TypedRewriter rewriter;
  rewriter.expr = [&](const TypedExpr& rebuilt, std::span<const TypedExpr> operands) {
    if (rebuilt.changed) {
      if (std::optional<TypedExpr> folded = fold_constant(rebuilt, operands)) return *folded;
    }
    for (const SimplifyRule* rule : rules[static_cast<size_t>(rebuilt.expr.op())]) {
      if (!rebuilt.type) break;
      Match match(*rule, rebuilt, operands);
      if (match.run()) return match.replacement();
    }
    return rebuilt;
  };
  return compared(program, rewrite(*resolved, rewriter));
}

}  // namespace vyre::passes

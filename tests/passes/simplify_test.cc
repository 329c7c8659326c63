// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/simplify.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "tests/passes/bodies.h"
#include "tests/support/edge_values.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/walk.h"
#include "vyre/passes/simplify_rules.h"

namespace vyre {
namespace {

using namespace literals;
using passes::simplify;
using passes::simplify_rules;
using passes::SimplifyRule;
using test::keeps;
using test::value_after;

const Expr kI = Expr::gid_x();
const Expr kX = Expr::load("x", kI);
const Expr kN = Expr::load("n", kI);
const Expr kU = Expr::load("u", kI);

// A side of a rule as text, for messages.
std::string text_of_rule(const SimplifyRule& rule) {
  return fmt::format("{} => {}", print_expr(rule.pattern).value(),
                     print_expr(rule.replacement).value());
}

// The side with constants of that type and the given literals for variables.
Expr instantiate(const Expr& side, DataType::Kind type, const std::map<std::string, Expr>& values) {
  Rewriter rewriter;
  rewriter.expr = [&](const Expr& e) {
    if (e.op() != Op::kVar) return e;
    if (const auto it = values.find(std::string(e.name())); it != values.end()) return it->second;
    // true and false are bool whatever x is.
    for (const DataType::Kind of : {type, DataType::Bool}) {
      if (std::optional<Expr> literal = passes::rule_constant(e.name(), of)) return *literal;
    }
    return e;
  };
  return rewrite_expr(side, rewriter);
}

std::set<std::string> variables_of(const Expr& side) {
  std::set<std::string> names;
  for_each_expr(side, [&](const Expr& e) {
    if (e.op() == Op::kVar && !passes::is_rule_constant(e.name())) {
      names.insert(std::string(e.name()));
    }
  });
  return names;
}

// Calls f with every choice of edge values for x, y and z, as far as the rule has them.
template <typename F>
void for_each_assignment(const SimplifyRule& rule, DataType::Kind x, DataType::Kind others, F f) {
  const std::set<std::string> names = variables_of(rule.pattern);
  const auto values = [&](const char* name, DataType::Kind type) {
    return names.contains(name) ? test::edge_values(type) : std::vector<uint64_t>{0};
  };
  const std::vector<uint64_t> zs = values("z", others);
  for (const uint64_t a : values("x", x)) {
    for (const uint64_t b : values("y", others)) {
      // Squares of the lists are enough: z walks with y.
      const uint64_t c = zs[(b * 7 + 3) % zs.size()];
      f(std::map<std::string, Expr>{{"x", Expr::literal(x, a)},
                                    {"y", Expr::literal(others, b)},
                                    {"z", Expr::literal(others, c)}});
    }
  }
}

// How often both sides of the rule were compared.
size_t check_rule(const SimplifyRule& rule, DataType::Kind x, DataType::Kind others) {
  size_t compared = 0;
  for_each_assignment(rule, x, others, [&](const std::map<std::string, Expr>& values) {
    scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
    const std::optional<Constant> before =
        evaluate_constant(instantiate(rule.pattern, x, values), trap);
    if (!before) return;
    const std::optional<Constant> after =
        evaluate_constant(instantiate(rule.replacement, before->type, values), trap);
    ++compared;
    const auto bits = [](const Constant& c) { return scalar::canonical_nan(c.type, c.bits); };
    const bool same = after && trap == scalar::ArithmeticTrap::kNone &&
                      before->type == after->type && bits(*before) == bits(*after);
    if (!same) {
      FAIL_CHECK(text_of_rule(rule) << " fails for x = " << print_expr(values.at("x")).value());
    }
  });
  return compared;
}

TEST_CASE("every rule of simplify holds at the edges of each of its types") {
  size_t compared = 0;
  for (const SimplifyRule& rule : simplify_rules()) {
    INFO(text_of_rule(rule));
    for (const DataType::Kind type : test::kValueTypes) {
      if (!rule.types.contains(type)) continue;
      size_t here = 0;
      for (const DataType::Kind others : test::kValueTypes) here += check_rule(rule, type, others);
      INFO(DataType(type).spelling());
      CHECK(here > 0);
      compared += here;
    }
  }
  WARN(simplify_rules().size() << " rules, both sides compared " << compared << " times");
}

TEST_CASE("every rule of simplify makes an expression smaller, from two levels at most") {
  for (const SimplifyRule& rule : simplify_rules()) {
    INFO(text_of_rule(rule));
    // `x ^ ones => ~x` and the like lose an operand, `not (x == y) => x != y` an operation.
    CHECK(rule.replacement.size() < rule.pattern.size());
    // A match knows the types two levels down.
    CHECK(rule.pattern.depth() <= 3);
    const std::set<std::string> before = variables_of(rule.pattern);
    for (const std::string& name : variables_of(rule.replacement)) CHECK(before.contains(name));
    CHECK(before.contains("x"));
  }
}

TEST_CASE("simplify keeps the float operations that show NaN, infinities or the sign of zero") {
  for (const Expr& e :
       {kX + 0.0f, Expr::f32(0.0f) + kX, kX * 0.0f, Expr::f32(0.0f) * kX, kX - kX,
        Expr::f32(0.0f) - kX, kX / kX, kX - (-0.0_f), Expr::select(Expr::eq(kX, kX), 1.0_f, 2.0_f),
        Expr::select(Expr::le(kX, kX), 1.0_f, 2.0_f), Expr::max(kX, 0.0f),
        Expr::select(Expr::not_(Expr::lt(kX, 1.0f)), kX, 2.0_f) + 0.0f}) {
    const std::string text = value_after(simplify, "y", e);
    INFO(text);
    CHECK((keeps(simplify, {Node::store("y", kI, e)}) || text.find(" + 0.0") != text.npos));
  }
  CHECK(value_after(simplify, "y", kX - 0.0f) == "x[invocation_id.x]");
  CHECK(value_after(simplify, "y", kX + (-0.0_f)) == "x[invocation_id.x]");
  CHECK(value_after(simplify, "y", Expr(-0.0_f) + kX) == "x[invocation_id.x]");
  CHECK(value_after(simplify, "y", Expr::f32(1.0f) * kX / 1.0f) == "x[invocation_id.x]");
  CHECK(value_after(simplify, "y", -(-kX)) == "x[invocation_id.x]");
}

TEST_CASE("simplify applies integer identities in both orders and folds what they make constant") {
  CHECK(value_after(simplify, "w", (kI + 0u) * 1u) == "invocation_id.x");
  CHECK(value_after(simplify, "w", Expr(0_u) + kU) == "u[invocation_id.x]");
  CHECK(value_after(simplify, "w", (kU ^ kU) + 3u) == "3u");
  CHECK(value_after(simplify, "w", Expr(0_u) * kU + kU % 1_u) == "0u");
  CHECK(value_after(simplify, "z", kN * 0_i | kN) == "n[invocation_id.x]");
  CHECK(value_after(simplify, "w", Expr::select(Expr::lt(kU, 0u), 1_u, kU)) ==
        "u[invocation_id.x]");
  CHECK(value_after(simplify, "w", Expr::select(Expr::not_(Expr::ge(kI, kU)), kI, kU)) ==
        "select(invocation_id.x < u[invocation_id.x], invocation_id.x, u[invocation_id.x])");
}

TEST_CASE("simplify never drops, repeats or reorders an effect") {
  const Expr trapping = kN / Expr::load("n", 0u);
  const Expr atomic = Expr::atomic_add("words", 0u, 1u);
  CHECK(keeps(simplify, {Node::store("z", kI, trapping * 0_i)}));
  CHECK(keeps(simplify, {Node::store("z", kI, trapping ^ trapping)}));
  CHECK(keeps(simplify, {Node::store("w", kI, atomic & atomic)}));
  CHECK(keeps(simplify, {Node::store("w", kI, Expr::subgroup_add(kI) * 0u)}));
  const Expr no = Expr::not_(Expr::lt(kX, 1.0f));
  CHECK(keeps(simplify, {Node::store("w", kI, Expr::select(no, atomic, kU))}));
  // One that stays where it is does no harm.
  CHECK(value_after(simplify, "z", trapping + 0_i) == "n[invocation_id.x] / n[0u]");
  CHECK(value_after(simplify, "w", atomic | 0_u) == "atomic_add<seq_cst>(words[0u], 1u)");
  // Unsigned division has a value for every operand.
  CHECK(value_after(simplify, "w", (kU / Expr::load("u", 0u)) * 0u) == "0u");
}

TEST_CASE("simplify goes by the type that a name has in each scope") {
  const Expr shared = Expr::var("v") - Expr::var("v");
  const Program p =
      test::program_of({Node::block({Node::let_bind("v", kU), Node::let_bind("d", shared),
                                     Node::store("w", kI, Expr::var("d"))}),
                        Node::block({Node::let_bind("v", kX), Node::let_bind("d", shared),
                                     Node::store("y", kI, Expr::var("d"))})});
  REQUIRE(resolve(p).ok());
  const std::string text = test::text_of(simplify(p)->program);
  CHECK_THAT(text, Catch::Contains("let v = u[invocation_id.x]\n  let d = 0u"));
  CHECK_THAT(text, Catch::Contains("let v = x[invocation_id.x]\n  let d = v - v"));
}

TEST_CASE("simplify takes a number used as a condition for what it is") {
  // `not not u` is a bool, u is not.
  CHECK(keeps(simplify, {Node::let_bind("b", Expr::not_(Expr::not_(kU))),
                         Node::if_then(Expr::var("b"), {})}));
  CHECK(keeps(simplify, {Node::let_bind("b", Expr::and_(kU, Expr::bool_(true)))}));
}

}  // namespace
}  // namespace vyre

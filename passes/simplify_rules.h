// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The identities of simplify, as data: a pattern and what takes its place, written as expressions.
//
//   {x + zero, x, kIntegers}      for integers x: x + 0 and 0 + x become x
//
// In both, the variables x, y and z stand for any expression (of the type in the rule, of any type,
// of any type) and the same variable for equal ones; zero, one, ones, minus_zero, true and false
// stand for that literal of whatever type fits. A commutative operation with such a literal is
// matched in both orders.
//
// The replacement must have the pattern's type, be smaller, and be equal for every value; a test
// evaluates both sides of every rule at the edges of each of its types. Effects are no concern of a
// rule: one whose replacement does not evaluate the same variables in the same order as its pattern
// is applied to effect-free expressions only.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"

namespace vyre::passes {

// A set of value types.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a type is a set of one.
  constexpr TypeSet(DataType::Kind type) : bits_(uint64_t{1} << type) {}
  constexpr bool contains(DataType::Kind type) const { return (bits_ >> type & 1) != 0; }
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) {
    TypeSet both;
    both.bits_ = a.bits_ | b.bits_;
    return both;
  }

 private:
  uint64_t bits_ = 0;
};

struct SimplifyRule {
  Expr pattern;
  Expr replacement;
  TypeSet types;  // of x
  // The replacement evaluates other variables than the pattern, or in another order.
  bool needs_no_effects;
};

// In the order in which they are tried.
std::span<const SimplifyRule> simplify_rules();

// Whether a variable of a rule stands for a literal.
bool is_rule_constant(std::string_view name);
// The literal that it stands for in a given type; none if that type has none.
std::optional<Expr> rule_constant(std::string_view name, DataType::Kind type,
                                  Place place = Place::here());

}  // namespace vyre::passes

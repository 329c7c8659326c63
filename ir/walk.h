// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Walks over programs, and rewriting. Nothing here recurses; all of it is linear in the number of
// objects visited, sharing included.
//
//   for_each_expr(e, [&](const Expr& x) { loads += x.op() == Op::kLoad; });
//   for_each_node(program.entry(), [&](const Node& node) { stores += node.kind() ==
//   NodeKind::kStore; });
//
//   Rewriter fold{.expr = [](const Expr& e) {            // x + 0u  =>  x
//     const bool plus_zero = e.op() == Op::kAdd && e.operand(1) == Expr::u32(0);
//     return plus_zero ? e.operand(0) : e;
//   }};
//   Program folded = rewrite(program, fold);
//
// An object is one allocation of the graph; an occurrence is one path to it from the top. A handle
// that is used twice is one object with two occurrences.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vyre/ir/expr.h"
#include "vyre/ir/node.h"
#include "vyre/ir/program.h"

namespace vyre {

// Every distinct object once, operands before their users, otherwise in the order of evaluation.
// The pointers are good as long as the root is.
std::vector<const Expr*> post_order(const Expr& root);
std::vector<const Expr*> post_order(std::span<const Expr> roots);

// Every distinct statement once, those of a body before the statement that holds it.
std::vector<const Node*> post_order(std::span<const Node> entry);

// Every distinct expression of the statements once, operands before their users.
std::vector<const Expr*> expressions_of(std::span<const Node> entry);

// Calls f(const Expr&) for every distinct object under a root, operands before their users.
template <typename F>
void for_each_expr(const Expr& root, F f) {
  for (const Expr* expr : post_order(root)) f(*expr);
}
// The same over all expressions of a list of statements.
template <typename F>
void for_each_expr(std::span<const Node> entry, F f) {
  for (const Expr* expr : expressions_of(entry)) f(*expr);
}

// Calls f(const Node&) for every occurrence of a statement, each before the statements in it. Time
// is that of the tree: a graph that shares bodies at many levels can be large as a tree
// (Node::node_count tells).
template <typename F>
void for_each_node(std::span<const Node> entry, F f) {
  std::vector<std::span<const Node>> stack{entry};
  while (!stack.empty()) {
    if (stack.back().empty()) {
      stack.pop_back();
      continue;
    }
    const Node& node = stack.back().front();
    stack.back() = stack.back().subspan(1);
    f(node);
    const std::span<const std::vector<Node>> bodies = node.bodies();
    for (size_t i = bodies.size(); i-- > 0;) stack.emplace_back(bodies[i]);
  }
}

// What a rewrite does at each object. Either function may be left empty.
//
// Each gets an object whose parts are rewritten already, and returns what takes its place: the
// object itself, or something else. It is called once for each distinct object, its result serves
// all occurrences, so it must depend on the object alone.
//
// What it returns and did not come from the program is new: it gets the place of what it replaces,
// all the way down, except for a place that copied_by() made. A part that is new at several places
// gets the first one.
struct Rewriter {
  std::function<Expr(const Expr& rebuilt)> expr;
  // The statements that take a statement's place: none, one or several.
  std::function<Body(const Node& rebuilt)> node;
  // Call `node` at every occurrence instead, in the order of the program (bodies first), for
  // rewrites that depend on where a statement stands or that make each copy different.
  bool every_occurrence = false;
};

// What is unchanged keeps its identity (same_object).
Expr rewrite_expr(const Expr& root, const Rewriter& rewriter);
std::vector<Node> rewrite(std::span<const Node> entry, const Rewriter& rewriter);
// Buffers, sizes and extent stay. The entry may end up with bare statements or empty: see
// Program::reconcile_runnable_top_level.
Program rewrite(const Program& program, const Rewriter& rewriter);

}  // namespace vyre

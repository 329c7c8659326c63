// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Rewriting with types: like ir/walk.h, for rules that depend on what a name stands for. One handle
// can mean different things in two scopes; here every meaning is rewritten once.
//
//   TypedRewriter rewriter;
//   rewriter.expr = [](const TypedExpr& e, std::span<const TypedExpr> operands) { return e; };
//   Program result = rewrite(resolved, rewriter);
//
// Linear in the tables of `resolved`, and nothing recurses.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::passes {

struct TypedExpr {
  Expr expr;
  std::optional<DataType::Kind> type;
  // Something in it may not be removed, copied or reordered (vyre/passes/expression_facts.h).
  bool effectful = true;
  // Types of its first operands, as far as they are known.
  std::array<std::optional<DataType::Kind>, 3> operand_types{};
  // Whether it is not what the program had in that place.
  bool changed = false;
};

struct TypedRewriter {
  // What takes the place of an expression over rewritten operands, of the same type. May be empty.
  std::function<TypedExpr(const TypedExpr& rebuilt, std::span<const TypedExpr> operands)> expr;
  // The statements that take the place of a statement over rewritten parts. May be empty.
  std::function<std::vector<Node>(StmtId id, const Node& rebuilt)> node;
};

// What is unchanged keeps its identity.
Program rewrite(const Resolved& resolved, const TypedRewriter& rewriter);

}  // namespace vyre::passes

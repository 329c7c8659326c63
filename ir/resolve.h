// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// resolve: every name of a program bound and every expression typed, once, for all who read
// programs: validator, analyses, interpreter, passes, engines.
//
//   Resolved r = resolve(program);
//   if (!r.ok()) fmt::print("{}", to_string(r.diagnostics));
//   for (StmtId s = 0; s < r.statements.size(); s = r.statements[s].end) ...   // top level
//
// Statements are numbered in pre-order by occurrence, so that a statement and all that is nested in
// it are the range [id, end). Expressions are numbered by (object, binding of its free names): a
// shared subtree whose names resolve alike has one number. A number says what an expression means,
// not when it is evaluated: each occurrence is evaluated where it stands.
//
// The tables describe one program and are never patched: after a rewrite, resolve again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"

namespace vyre {

using StmtId = uint32_t;
using ExprId = uint32_t;
using VariableId = uint32_t;
inline constexpr uint32_t kNoId = 0xFFFFFFFF;

struct ResolvedStmt {
  const Node* node = nullptr;
  StmtId parent = kNoId;
  uint32_t index = 0;            // position in the parent's body, or in the entry
  uint8_t body = 0;              // which of the parent's bodies
  StmtId end = 0;                // one past the last nested statement
  StmtId else_begin = 0;         // first statement of the second body; end if there is none
  uint32_t operands = 0;         // first operand in Resolved::operand_pool
  VariableId variable = kNoId;   // let, assign, loop
  uint32_t buffer = kNoId;       // store, async copies: the (source) buffer
  uint32_t destination = kNoId;  // async copies
};

struct ResolvedExpr {
  const Expr* expr = nullptr;
  std::optional<DataType::Kind> type;  // none after an error, and for what is carried
  uint32_t operands = 0;               // first operand in Resolved::operand_pool
  uint32_t reference = kNoId;          // variable: VariableId; load, len, atomic: buffer index
};

struct Variable {
  std::string name;
  std::optional<DataType::Kind> type;
  StmtId declaration = kNoId;
  uint32_t slot = 0;  // storage: live variables have different slots, dead ones' are reused
  bool is_loop = false;
};

struct Resolved {
  Program program;
  std::vector<ResolvedStmt> statements{};
  std::vector<ResolvedExpr> expressions{};
  std::vector<Variable> variables{};
  std::vector<ExprId> operand_pool{};
  uint32_t slot_count = 0;
  std::vector<Diagnostic> diagnostics{};
  // What the program carries but no engine runs: calls, opaque nodes, collectives, carried types.
  std::vector<Diagnostic> carried{};
  // Diagnostics beyond ResolveLimits::max_diagnostics, of either list.
  uint64_t omitted_diagnostics = 0;
  // False if a limit ended the work (V019): the tables then describe a part of the program.
  bool complete = true;

  bool ok() const { return diagnostics.empty(); }

  std::span<const ExprId> operands(const ResolvedStmt& stmt) const {
    return {operand_pool.data() + stmt.operands, stmt.node->operands().size()};
  }
  std::span<const ExprId> operands(const ResolvedExpr& expr) const {
    return {operand_pool.data() + expr.operands, expr.expr->operands().size()};
  }
  const DataType& element(uint32_t buffer) const { return program.buffers()[buffer].element(); }
  // "entry[0].body[3].then[1]"
  std::string path(StmtId stmt) const;
};

struct ResolveLimits {
  uint32_t max_statements = 10'000'000;
  uint32_t max_expressions = 50'000'000;
  uint32_t max_diagnostics = 1000;
};

// Linear in the number of statements and of expressions by (object, binding).
Resolved resolve(const Program& program, const ResolveLimits& limits = {});

// ".value", ".index", ".cond", ".from": how a path names operand i of a statement.
std::string_view operand_name(NodeKind kind, size_t i);
// ".left", ".right", ".value", ...: how a path names operand i of an expression.
std::string operand_name(const Expr& expr, size_t i);

}  // namespace vyre

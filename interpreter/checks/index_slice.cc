// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/index_slice.h"

namespace vyre::interpreter {
namespace {

bool is_integer(std::optional<DataType::Kind> type) {
  return type == DataType::U32 || type == DataType::I32 || type == DataType::U64 ||
         type == DataType::I64;
}

bool may_wrap(Op op) {
  return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kShl ||
         op == Op::kNegate || op == Op::kWrappingAdd || op == Op::kWrappingSub;
}

class SliceFinder {
 public:
  explicit SliceFinder(const Resolved& resolved)
      : resolved_(resolved),
        users_of_variables_(resolved.variables.size()),
        values_of_variables_(resolved.variables.size()) {
    for (ExprId id = 0; id < resolved.expressions.size(); ++id) {
      const ResolvedExpr& record = resolved.expressions[id];
      if (record.expr->op() != Op::kVar || record.reference == kNoId) continue;
      users_of_variables_[record.reference].push_back(id);
    }
    for (const ResolvedStmt& stmt : resolved.statements) {
      const NodeKind kind = stmt.node->kind();
      if (stmt.variable == kNoId || (kind != NodeKind::kLet && kind != NodeKind::kAssign)) continue;
      values_of_variables_[stmt.variable].push_back(resolved.operands(stmt)[0]);
    }
  }

  IndexSlice run() {
    const std::vector<bool> inexact = find_inexact();
    const std::vector<bool> flows = find_flows();
    IndexSlice slice;
    slice.expressions.resize(inexact.size());
    slice.variables.resize(resolved_.variables.size());
    for (ExprId id = 0; id < inexact.size(); ++id) {
      slice.expressions[id] = inexact[id] && flows[id];
      const ResolvedExpr& record = resolved_.expressions[id];
      if (slice.expressions[id] && record.expr->op() == Op::kVar) {
        slice.variables[record.reference] = true;
      }
    }
    return slice;
  }

 private:
  // Something that may wrap gets into it.
  std::vector<bool> find_inexact() const {
    std::vector<bool> inexact(resolved_.expressions.size());
    std::vector<std::vector<ExprId>> users(inexact.size());
    std::vector<std::vector<VariableId>> assigned(inexact.size());
    std::vector<ExprId> work;
    const auto mark = [&](ExprId id) {
      if (inexact[id] || !is_integer(resolved_.expressions[id].type)) return;
      inexact[id] = true;
      work.push_back(id);
    };
    for (ExprId id = 0; id < inexact.size(); ++id) {
      const ResolvedExpr& record = resolved_.expressions[id];
      const std::span<const ExprId> operands = resolved_.operands(record);
      for (size_t i = 0; i < operands.size(); ++i) {
        if (carries_integers(record.expr->op(), i)) users[operands[i]].push_back(id);
      }
    }
    for (VariableId variable = 0; variable < values_of_variables_.size(); ++variable) {
      for (const ExprId value : values_of_variables_[variable]) assigned[value].push_back(variable);
    }
    for (ExprId id = 0; id < inexact.size(); ++id) {
      if (may_wrap(resolved_.expressions[id].expr->op())) mark(id);
    }
    while (!work.empty()) {
      const ExprId id = work.back();
      work.pop_back();
      for (const ExprId user : users[id]) mark(user);
      for (const VariableId variable : assigned[id]) {
        for (const ExprId user : users_of_variables_[variable]) mark(user);
      }
    }
    return inexact;
  }

  // It gets into an index.
  std::vector<bool> find_flows() const {
    std::vector<bool> flows(resolved_.expressions.size());
    std::vector<ExprId> work;
    const auto mark = [&](ExprId id) {
      if (flows[id]) return;
      flows[id] = true;
      work.push_back(id);
    };
    for (const ResolvedStmt& stmt : resolved_.statements) {
      if (stmt.node->kind() == NodeKind::kStore) mark(resolved_.operands(stmt)[0]);
    }
    for (const ResolvedExpr& record : resolved_.expressions) {
      if (record.expr->op() == Op::kLoad || is_atomic(record.expr->op())) {
        mark(resolved_.operands(record)[0]);
      }
    }
    while (!work.empty()) {
      const ResolvedExpr& record = resolved_.expressions[work.back()];
      work.pop_back();
      if (record.expr->op() == Op::kVar && record.reference != kNoId) {
        for (const ExprId value : values_of_variables_[record.reference]) mark(value);
      }
      const std::span<const ExprId> operands = resolved_.operands(record);
      for (size_t i = 0; i < operands.size(); ++i) {
        if (carries_integers(record.expr->op(), i)) mark(operands[i]);
      }
    }
    return flows;
  }

  const Resolved& resolved_;
  std::vector<std::vector<ExprId>> users_of_variables_;
  std::vector<std::vector<ExprId>> values_of_variables_;
};

}  // namespace

bool carries_integers(Op op, size_t operand) {
  switch (op_info(op).format) {
    case OpFormat::kInfixBitOr:
    case OpFormat::kInfixBitXor:
    case OpFormat::kInfixBitAnd:
    case OpFormat::kInfixAdd:
    case OpFormat::kInfixMul:
    case OpFormat::kPrefixMinus:
      return true;
    case OpFormat::kInfixShift:
      return operand == 0;
    case OpFormat::kCast:
      return op == Op::kCast;
    case OpFormat::kCall:
      return op == Op::kSelect ? operand > 0
                               : op == Op::kMin || op == Op::kMax || op == Op::kWrappingAdd ||
                                     op == Op::kWrappingSub;
    case OpFormat::kLiteral:
    case OpFormat::kVariable:
    case OpFormat::kBuffer:
    case OpFormat::kAxis:
    case OpFormat::kNullary:
    case OpFormat::kLoad:
    case OpFormat::kAtomic:
    case OpFormat::kInfixOr:
    case OpFormat::kInfixAnd:
    case OpFormat::kInfixCompare:
    case OpFormat::kPrefix:
    case OpFormat::kExtension:
    case OpFormat::kCallOp:
    case OpFormat::kOpaque:
      return false;
  }
  return false;
}

IndexSlice find_index_slice(const Resolved& resolved) { return SliceFinder(resolved).run(); }

}  // namespace vyre::interpreter

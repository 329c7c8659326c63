// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_shapes.h"

#include <algorithm>

#include "vyre/interpreter/statement_effects.h"

namespace vyre::interpreter {
namespace {

// More rounds than any program a person writes needs; beyond, everything counts as varying.
constexpr int kMaxRounds = 16;

struct Frame {
  ExprId id;
  size_t next;
};

class Analysis {
 public:
  explicit Analysis(const Resolved& resolved)
      : resolved_(resolved),
        rules_{resolved.program.workgroup_size()},
        marks_(resolved.expressions.size(), 0),
        known_(resolved.expressions.size(), Shape::kUniform) {
    shapes_.variables.assign(resolved.variables.size(), Shape::kUniform);
    shapes_.divides.assign(resolved.statements.size(), 0);
    shapes_.divider.assign(resolved.statements.size(), kNoId);
  }

  LaneShapes run() {
    for (int round = 0; round < kMaxRounds; ++round) {
      changed_ = false;
      visit_all();
      if (!changed_) return std::move(shapes_);
    }
    std::ranges::fill(shapes_.variables, Shape::kVarying);
    visit_all();
    return std::move(shapes_);
  }

 private:
  void visit_all() {
    for (StmtId stmt = 0; stmt < resolved_.statements.size(); ++stmt) {
      set_divider(stmt);
      visit(stmt);
    }
  }

  void set_divider(StmtId stmt) {
    const StmtId parent = resolved_.statements[stmt].parent;
    if (parent == kNoId) return;
    shapes_.divider[stmt] = shapes_.divides[parent] != 0 ? parent : shapes_.divider[parent];
  }

  void visit(StmtId stmt) {
    const ResolvedStmt& record = resolved_.statements[stmt];
    const std::span<const ExprId> operands = resolved_.operands(record);
    const StatementEffects effects(resolved_, stmt);
    ++mark_;
    std::array<Shape, 2> shapes{};
    for (size_t i = 0; i < operands.size(); ++i) shapes[i] = shape(operands[i], effects);
    const NodeKind kind = record.node->kind();
    if (kind == NodeKind::kLet) {
      raise(record.variable, shapes[0]);
    } else if (kind == NodeKind::kAssign) {
      assign(stmt, shapes[0]);
    } else if (kind == NodeKind::kIf) {
      divide(stmt, shapes[0] != Shape::kUniform);
    } else if (kind == NodeKind::kLoop) {
      divide(stmt, shapes[0] != Shape::kUniform || shapes[1] != Shape::kUniform);
      raise(record.variable, shapes[0]);
    }
  }

  void assign(StmtId stmt, Shape shape) {
    // Lanes that do not take part keep the old value.
    const VariableId variable = resolved_.statements[stmt].variable;
    const StmtId declaration = resolved_.variables[variable].declaration;
    const bool all = shapes_.divider[stmt] == shapes_.divider[declaration];
    raise(variable, all && shape == Shape::kUniform ? Shape::kUniform : Shape::kVarying);
    // A step of its own for each assignment would have to be carried along.
    if (shapes_.variables[variable] == Shape::kAffine) raise(variable, Shape::kVarying);
  }

  void raise(VariableId variable, Shape shape) {
    if (shape <= shapes_.variables[variable]) return;
    shapes_.variables[variable] = shape;
    changed_ = true;
  }

  void divide(StmtId stmt, bool divides) {
    if (!divides || shapes_.divides[stmt] != 0) return;
    shapes_.divides[stmt] = 1;
    changed_ = true;
  }

  Shape shape(ExprId root, const StatementEffects& effects) {
    std::vector<Frame> stack{{root, 0}};
    std::array<Shape, 3> shapes{};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (marks_[frame.id] == mark_) {
        stack.pop_back();
        continue;
      }
      const ResolvedExpr& record = resolved_.expressions[frame.id];
      const std::span<const ExprId> operands = resolved_.operands(record);
      if (frame.next < operands.size()) {
        const ExprId operand = operands[frame.next++];
        stack.push_back({operand, 0});
        continue;
      }
      const size_t count = std::min(operands.size(), shapes.size());
      for (size_t i = 0; i < count; ++i) shapes[i] = known_[operands[i]];
      known_[frame.id] = rules_.of(resolved_, frame.id, std::span(shapes).first(count),
                                   shapes_.variables, effects.changes_what_is_read(record));
      marks_[frame.id] = mark_;
      stack.pop_back();
    }
    return known_[root];
  }

  const Resolved& resolved_;
  ShapeRules rules_;
  LaneShapes shapes_;
  std::vector<uint32_t> marks_;  // known_ holds for the statement with that mark
  std::vector<Shape> known_;
  uint32_t mark_ = 0;
  bool changed_ = false;
};

}  // namespace

Shape ShapeRules::of_id(uint32_t axis) const {
  if (workgroup_size[axis] == 1) return Shape::kUniform;
  const uint64_t all = uint64_t{workgroup_size.x} * workgroup_size.y * workgroup_size.z;
  return all == workgroup_size[axis] ? Shape::kAffine : Shape::kVarying;
}

bool keeps_affine(Op op, DataType::Kind type, std::span<const Shape> operands) {
  if (type != DataType::U32 && type != DataType::I32) return false;
  const auto known = [](Shape shape) { return shape != Shape::kVarying; };
  if (!std::ranges::all_of(operands, known)) return false;
  if (op == Op::kAdd || op == Op::kSub) return true;
  if (op == Op::kShl) return operands[1] == Shape::kUniform;
  return op == Op::kMul && (operands[0] == Shape::kUniform || operands[1] == Shape::kUniform);
}

Shape ShapeRules::of(const Resolved& resolved, ExprId id, std::span<const Shape> operands,
                     const std::vector<Shape>& variables, bool unsteady) const {
  const ResolvedExpr& record = resolved.expressions[id];
  const Expr& expr = *record.expr;
  const bool uniform =
      std::ranges::all_of(operands, [](Shape shape) { return shape == Shape::kUniform; });
  switch (expr.info().format) {
    case OpFormat::kLiteral:
    case OpFormat::kBuffer:
      return Shape::kUniform;
    case OpFormat::kVariable:
      return variables[record.reference];
    case OpFormat::kAxis:
      return expr.op() == Op::kWorkgroupId ? Shape::kUniform
                                           : of_id(static_cast<uint32_t>(expr.bits()));
    case OpFormat::kNullary:
      return expr.op() == Op::kSubgroupSize || single() ? Shape::kUniform : Shape::kVarying;
    case OpFormat::kLoad: {
      const bool own = resolved.program.buffers()[record.reference].is_local();
      return uniform && !unsteady && (!own || single()) ? Shape::kUniform : Shape::kVarying;
    }
    case OpFormat::kAtomic:
      return Shape::kVarying;
    case OpFormat::kCast:
    case OpFormat::kInfixOr:
    case OpFormat::kInfixAnd:
    case OpFormat::kInfixCompare:
    case OpFormat::kInfixBitOr:
    case OpFormat::kInfixBitXor:
    case OpFormat::kInfixBitAnd:
    case OpFormat::kInfixShift:
    case OpFormat::kInfixAdd:
    case OpFormat::kInfixMul:
    case OpFormat::kPrefix:
    case OpFormat::kPrefixMinus:
    case OpFormat::kCall:
    case OpFormat::kExtension:
    case OpFormat::kCallOp:
    case OpFormat::kOpaque:
      break;
  }
  if (expr.info().has(OpFlags::kSubgroup)) return Shape::kVarying;
  if (uniform) return Shape::kUniform;
  const std::optional<DataType::Kind> type = record.type;
  return type && keeps_affine(expr.op(), *type, operands) ? Shape::kAffine : Shape::kVarying;
}

LaneShapes find_shapes(const Resolved& resolved) { return Analysis(resolved).run(); }

}  // namespace vyre::interpreter

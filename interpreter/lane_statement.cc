// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/interpreter/checks/exact_compiler.h"
#include "vyre/interpreter/instruction_pairs.h"
#include "vyre/interpreter/lane_emitter.h"
#include "vyre/interpreter/lane_functions.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {
namespace {

constexpr size_t kMaxInstructions = 4'000'000;

class StatementCompiler {
 public:
  StatementCompiler(LaneFrame& frame, StmtId stmt, LaneOp& op)
      : frame_(frame),
        resolved_(frame.resolved()),
        stmt_(stmt),
        record_(resolved_.statements[stmt]),
        effects_(resolved_, stmt),
        op_(op),
        emitter_(frame),
        exact_(emitter_, frame) {}

  Status run() {
    op_.stmt = stmt_;
    for (const Expr& operand : record_.node->operands()) {
      op_.collective |= operand.has(ExprEffects::kSubgroups);
    }
    const std::span<const ExprId> operands = resolved_.operands(record_);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (Status status = compile(operands[i]); !status.ok()) return status;
      operands_[i] = results_.back();
      op_.results[i] = results_.back().value;
      results_.clear();
    }
    // Lanes that look at each other's values have to compute them together.
    if (op_.collective) hazards_.clear();
    const bool atomics_apart = effects_.parts_commute() && !op_.may_trap && hazards_.empty();
    // A lane that traps for what it loads too early cannot be brought back.
    const bool traps_by_hazard = op_.may_trap && !hazards_.empty();
    op_.lane_by_lane =
        !op_.collective && ((effects_.has_atomics() && !atomics_apart) || traps_by_hazard);
    op_.has_effects = effects_.has_atomics() || record_.node->kind() == NodeKind::kStore;
    finish_results();
    std::vector<LaneValue> kept(op_.results.begin(), op_.results.end());
    kept.insert(kept.end(), hazards_.begin(), hazards_.end());
    join_pairs(emitter_.code(), kept, emitter_.registers().lanes_registers(), frame_.kernels());
    assign_registers();
    return absl::OkStatus();
  }

 private:
  using Value = CompiledValue;
  struct Frame {
    ExprId id;
    size_t next = 0;
  };

  DataType::Kind type_of(ExprId id) const { return *resolved_.expressions[id].type; }

  // ---- the walk ----

  // Whether one evaluation serves all occurrences in this statement: nothing in it has an effect,
  // and what it loads cannot change before the statement ends.
  bool shareable(const Expr& expr) const {
    if (expr.has(ExprEffects::kAtomics)) return false;
    return !(effects_.has_atomics() && expr.has(ExprEffects::kLoads));
  }

  Status compile(ExprId root) {
    std::vector<Frame> frames{{root, 0}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const ResolvedExpr& record = resolved_.expressions[frame.id];
      const std::span<const ExprId> operands = resolved_.operands(record);
      if (frame.next == 0) {
        const auto known = known_.find(frame.id);
        if (known != known_.end()) {
          results_.push_back(known->second);
          frames.pop_back();
          continue;
        }
      }
      if (frame.next < operands.size()) {
        const ExprId operand = operands[frame.next++];
        frames.push_back({operand, 0});
        continue;
      }
      if (emitter_.code().size() >= kMaxInstructions) return too_large();
      const size_t first = results_.size() - operands.size();
      Value value;
      Status status = emit(frame.id, std::span(results_).subspan(first), value);
      if (!status.ok()) return status;
      if (follows_exact_values()) {
        value.exact = exact_.of(frame.id, std::span(results_).subspan(first), value);
      }
      if (shareable(*record.expr)) known_.emplace(frame.id, value);
      results_.resize(first);
      results_.push_back(value);
      frames.pop_back();
    }
    return absl::OkStatus();
  }

  Status too_large() const {
    return absl::ResourceExhaustedError(fmt::format(
        "the expressions of {} take more than {} instructions. Fix: bind them with let; the pass "
        "bind_shared does it for shared operands without effects.",
        resolved_.path(stmt_), kMaxInstructions));
  }

  Status no_kernel(const Expr& expr, DataType::Kind type) const {
    return absl::UnimplementedError(
        fmt::format("`{}` on {} at {} has no scalar kernel. Fix: compute it in f32, or from "
                    "operations that {} has.",
                    expr.info().mnemonic, DataType(type).spelling(), resolved_.path(stmt_),
                    DataType(type).spelling()));
  }

  Status emit(ExprId id, std::span<const Value> operands, Value& result) {
    const ResolvedExpr& record = resolved_.expressions[id];
    const Expr& expr = *record.expr;
    result.type = record.type.value_or(DataType::U32);
    switch (expr.info().format) {
      case OpFormat::kLiteral:
        result.value = frame_.constant(expr.bits(), is_wide(result.type));
        return absl::OkStatus();
      case OpFormat::kVariable:
        result.value = frame_.variable(record.reference);
        return absl::OkStatus();
      case OpFormat::kBuffer:
        result.value = frame_.buffer_length(record.reference);
        return absl::OkStatus();
      case OpFormat::kAxis:
        result.value = id_value(expr.op(), static_cast<uint32_t>(expr.bits()));
        return absl::OkStatus();
      case OpFormat::kNullary:
        result.value = expr.op() == Op::kSubgroupSize ? frame_.constant(kSubgroupLanes, false)
                                                      : frame_.subgroup_local_id();
        return absl::OkStatus();
      case OpFormat::kLoad:
        note_access({stmt_, id, record.reference, AccessKind::kLoad}, operands[0]);
        result.value = emit_load(record, operands[0].value, is_wide(result.type));
        return absl::OkStatus();
      case OpFormat::kAtomic:
        note_access({stmt_, id, record.reference, AccessKind::kAtomic}, operands[0]);
        result.value = emit_atomic(record, operands);
        return absl::OkStatus();
      case OpFormat::kCast:
        return emit_conversion(record, operands[0], result);
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
        return emit_operation(record, operands, result);
      case OpFormat::kExtension:
      case OpFormat::kCallOp:
      case OpFormat::kOpaque:
        break;
    }
    VYRE_UNREACHABLE("carried operations are refused before compilation");
  }

  // ---- leaves and memory ----

  LaneValue id_value(Op op, uint32_t axis) {
    if (op == Op::kWorkgroupId) return frame_.workgroup_id(axis);
    const Shape shape = frame_.rules().of_id(axis);
    const LaneValue zero = frame_.constant(0, false);
    if (op == Op::kLocalId) {
      if (shape == Shape::kVarying) return frame_.local_id(axis);
      return shape == Shape::kUniform ? zero : LaneEmitter::affine(zero, frame_.constant(1, false));
    }
    const LaneValue begin = frame_.workgroup_begin(axis);
    if (shape == Shape::kUniform) return begin;
    if (shape == Shape::kAffine) return LaneEmitter::affine(begin, frame_.constant(1, false));
    const std::array operands{frame_.local_id(axis), begin};
    return emitter_.apply(scalar::find_kernel(Op::kAdd, DataType::U32), operands, false);
  }

  // Tells the checkers where lanes are about to reach memory.
  void note_access(const AccessSite& site, const Value& of_index) {
    if (!frame_.checks().any()) return;
    if (follows_exact_values()) exact_.compare(frame_.site(site), of_index);
    const LaneValue& index = of_index.value;
    LaneInstruction code;
    code.run = &lane::note_access;
    code.buffer = site.buffer;
    code.identity = frame_.site(site);
    code.operands = {index.slot, index.step};
    code.arity = index.shape == Shape::kAffine ? 2 : 1;
    code.scalars = index.shape == Shape::kVarying ? 0 : 1;
    code.wide = index.wide ? 1 : 0;
    // Without lanes of its own it speaks for all of them, which have one index then.
    emitter_.push(code, index.shape != Shape::kUniform);
  }

  LaneValue emit_load(const ResolvedExpr& record, const LaneValue& index, bool wide) {
    const uint32_t buffer = record.reference;
    const bool own = resolved_.program.buffers()[buffer].is_local();
    if (record_.node->kind() == NodeKind::kStore && buffer == record_.buffer && !own) {
      hazards_.push_back(index);
    }
    LaneInstruction code;
    code.buffer = buffer;
    code.operands[0] = index.slot;
    code.wide = static_cast<uint8_t>((index.wide ? 1 : 0) | (wide ? kWideTarget : 0));
    const bool same_for_all =
        !effects_.changes_what_is_read(record) && (!own || frame_.rules().single());
    if (index.shape == Shape::kUniform && same_for_all) {
      code.run = &lane::load_scalar;
      return emitter_.push_scalar(code, wide);
    }
    if (index.shape != Shape::kVarying && !index.wide) {
      code.run = &lane::load_affine;
      code.operands[1] =
          index.shape == Shape::kAffine ? index.step : frame_.constant(0, false).slot;
      return emitter_.push_lanes(code, wide);
    }
    code.run = &lane::load_gather;
    code.scalars = index.shape == Shape::kUniform ? 1 : 0;
    return emitter_.push_lanes(code, wide);
  }

  LaneValue emit_atomic(const ResolvedExpr& record, std::span<const Value> operands) {
    LaneInstruction code;
    code.run = &lane::atomic;
    code.op = record.expr->op();
    code.buffer = record.reference;
    code.arity = static_cast<uint8_t>(operands.size());
    std::array<LaneValue, 3> values{};
    for (size_t i = 0; i < operands.size(); ++i) values[i] = emitter_.spread(operands[i].value);
    // Index, value, expected: the value always stands second.
    if (record.expr->has_expected()) std::swap(values[1], values[2]);
    LaneEmitter::describe(code, std::span(values).first(operands.size()));
    return emitter_.push_lanes(code, false);
  }

  // ---- operations ----

  Status emit_conversion(const ResolvedExpr& record, const Value& operand, Value& result) {
    const DataType::Kind to = record.expr->type().kind();
    const scalar::Kernel kernel = record.expr->op() == Op::kCast
                                      ? scalar::find_cast_kernel(operand.type, to)
                                      : scalar::find_bitcast_kernel(operand.type, to);
    if (kernel == nullptr) return no_kernel(*record.expr, operand.type);
    result.value = emitter_.apply(kernel, std::array{operand.value}, is_wide(result.type));
    return absl::OkStatus();
  }

  Status emit_operation(const ResolvedExpr& record, std::span<const Value> operands,
                        Value& result) {
    const Expr& expr = *record.expr;
    // The type that picks the kernel: of the first operand, for select of the arms.
    const DataType::Kind type = operands[expr.op() == Op::kSelect ? 1 : 0].type;
    if (expr.info().has(OpFlags::kSubgroup)) return emit_subgroup(expr, type, operands, result);
    const scalar::Kernel kernel = scalar::find_kernel(expr.op(), type);
    if (kernel == nullptr) return emit_derived(expr, type, operands, result);
    std::array<LaneValue, 3> values{};
    std::array<Shape, 3> shapes{};
    for (size_t i = 0; i < operands.size(); ++i) {
      values[i] = operands[i].value;
      shapes[i] = values[i].shape;
    }
    const auto used = std::span(values).first(operands.size());
    const bool uniform = std::ranges::all_of(
        used, [](const LaneValue& value) { return value.shape == Shape::kUniform; });
    if (!uniform && keeps_affine(expr.op(), type, std::span(shapes).first(operands.size()))) {
      result.value = emitter_.apply_affine(expr.op(), values[0], values[1]);
      return absl::OkStatus();
    }
    if (expr.info().has(OpFlags::kMayTrap) && is_signed_integer(type)) op_.may_trap = true;
    result.value = emitter_.apply(kernel, used, is_wide(result.type));
    return absl::OkStatus();
  }

  // A derived operation is its meaning over operands that are evaluated already.
  Status emit_derived(const Expr& expr, DataType::Kind type, std::span<const Value> operands,
                      Value& result) {
    const std::vector<DerivedStep>& steps = frame_.derived(expr.op(), type);
    if (steps.empty()) return no_kernel(expr, type);
    std::vector<LaneValue> values(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      const DerivedStep& step = steps[i];
      if (step.kernel == nullptr) {
        values[i] = frame_.constant(step.constant, is_wide(step.type));
        continue;
      }
      std::array<LaneValue, 3> parts{};
      const size_t arity = std::min<size_t>(step.arity, parts.size());
      for (size_t j = 0; j < arity; ++j) {
        const int32_t number = step.operands[j];
        parts[j] = number < 0 ? operands[static_cast<size_t>(-number - 1)].value
                              : values[static_cast<size_t>(number)];
      }
      values[i] = emitter_.apply(step.kernel, std::span(parts).first(arity), is_wide(step.type));
    }
    result.value = values.back();
    return absl::OkStatus();
  }

  Status emit_subgroup(const Expr& expr, DataType::Kind type, std::span<const Value> operands,
                       Value& result) {
    LaneInstruction code;
    if (expr.op() == Op::kSubgroupBallot) {
      code.run = &lane::ballot;
    } else if (expr.op() == Op::kSubgroupShuffle) {
      code.run = &lane::shuffle;
    } else {
      const std::optional<scalar::Reduction> reduction = scalar::find_reduction(expr.op(), type);
      if (!reduction) return no_kernel(expr, type);
      code.run = &lane::reduce;
      code.identity = reduction->identity;
      code.kernel = reduction->combine;
    }
    std::array<LaneValue, 3> values{};
    for (size_t i = 0; i < operands.size(); ++i) values[i] = emitter_.spread(operands[i].value);
    LaneEmitter::describe(code, std::span(values).first(operands.size()));
    code.arity = static_cast<uint8_t>(operands.size());
    result.value = emitter_.push_lanes(code, is_wide(result.type));
    return absl::OkStatus();
  }

  // ---- the statement ----

  void finish_results() {
    const NodeKind kind = record_.node->kind();
    if (kind == NodeKind::kLet || kind == NodeKind::kAssign) {
      finish_let();
      assign_exact();
    } else if (kind == NodeKind::kStore) {
      op_.results[1] = emitter_.spread(op_.results[1]);
      note_access({stmt_, kNoId, record_.buffer, AccessKind::kStore}, operands_[0]);
    } else if (kind == NodeKind::kIf) {
      op_.results[0] = emitter_.spread(op_.results[0]);
    }
    if (frame_.checks().any() && record_.destination != kNoId) {
      op_.site = frame_.site({stmt_, kNoId, record_.buffer, AccessKind::kCopyRead});
      frame_.site({stmt_, kNoId, record_.destination, AccessKind::kCopyWrite});
    }
    // What lanes store, later strips load again.
    op_.scalar_only = !emitter_.has_lane_code() && hazards_.empty();
  }

  bool follows_exact_values() const { return frame_.checks().has(Check::kWrap); }

  void assign_exact() {
    if (!follows_exact_values()) return;
    Value value = operands_[0];
    // The variable may be where the value has been computed.
    value.value = op_.variable.shape == Shape::kVarying ? op_.results[0] : op_.variable;
    exact_.assign(record_.variable, value);
  }

  void finish_let() {
    const LaneValue variable = frame_.variable(record_.variable);
    op_.variable = variable;
    const StmtId declaration = resolved_.variables[record_.variable].declaration;
    const std::vector<StmtId>& divider = frame_.shapes().divider;
    // All lanes that have the variable take part: the others' elements are nobody's.
    op_.direct = !effects_.has_atomics() && divider[stmt_] == divider[declaration];
    LaneValue& result = op_.results[0];
    if (variable.shape == Shape::kUniform) {
      emitter_.move_scalar(result.slot, variable.slot);
      return;
    }
    if (variable.shape == Shape::kAffine) {
      emitter_.copy_scalar(result.slot, variable.slot);
      emitter_.copy_scalar(
          result.shape == Shape::kAffine ? result.step : frame_.constant(0, false).slot,
          variable.step);
      return;
    }
    if (result.shape != Shape::kVarying) result = emitter_.to_lanes(result);
    if (!op_.direct) return;
    std::vector<LaneInstruction>& code = emitter_.code();
    if (!code.empty() && code.back().target == result.slot && is_elementwise(code.back())) {
      code.back().target = variable.slot;
    } else {
      LaneInstruction move;
      move.run = variable.wide ? &lane::copy_wide : &lane::copy_narrow;
      move.operands[0] = result.slot;
      move.arity = 1;
      move.target = variable.slot;
      if (variable.wide) move.wide = 1 | kWideTarget;
      emitter_.push(move, true);
    }
    result = variable;
  }

  // Whether lane i of the result depends on lane i of the operands alone.
  static bool is_elementwise(const LaneInstruction& code) {
    return code.run != &lane::shuffle && code.run != &lane::reduce && code.run != &lane::ballot;
  }

  void assign_registers() {
    LaneProgram& program = frame_.program();
    RegisterAssignment& registers = emitter_.registers();
    std::vector<LaneInstruction>& code = emitter_.code();
    for (LaneValue& value : op_.results) registers.keep(value);
    for (LaneValue& value : hazards_) registers.keep(value);
    registers.assign(code, program.strip_lanes);
    for (LaneValue& value : op_.results) registers.place(value);
    for (LaneValue& value : hazards_) registers.place(value);
    frame_.need(registers.scalar_count(), registers.lanes_count());
    op_.code_begin = static_cast<uint32_t>(program.instructions.size());
    program.instructions.insert(program.instructions.end(), code.begin(), code.end());
    op_.code_end = static_cast<uint32_t>(program.instructions.size());
    op_.hazards_begin = static_cast<uint32_t>(program.hazards.size());
    program.hazards.insert(program.hazards.end(), hazards_.begin(), hazards_.end());
    op_.hazards_end = static_cast<uint32_t>(program.hazards.size());
  }

  LaneFrame& frame_;
  const Resolved& resolved_;
  StmtId stmt_;
  const ResolvedStmt& record_;
  StatementEffects effects_;
  LaneOp& op_;
  std::vector<LaneValue> hazards_;
  std::vector<Value> results_;
  std::unordered_map<ExprId, Value> known_;
  std::array<Value, 2> operands_{};
  LaneEmitter emitter_;
  ExactCompiler exact_;
};

}  // namespace

Status compile_statement(LaneFrame& frame, StmtId stmt, LaneOp& op) {
  return StatementCompiler(frame, stmt, op).run();
}

}  // namespace vyre::interpreter

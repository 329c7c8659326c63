// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/plain/plain_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "vyre/ir/check.h"
#include "vyre/ir/derived_steps.h"

namespace vyre::interpreter {
namespace {

constexpr size_t kMaxInstructions = 4'000'000;

using DerivedSteps = std::map<std::pair<Op, DataType::Kind>, std::vector<DerivedStep>>;

class StatementCompiler {
 public:
  StatementCompiler(const Resolved& resolved, StmtId stmt, DerivedSteps& derived)
      : resolved_(resolved), stmt_(stmt), derived_(derived) {
    for (const Expr& operand : resolved.statements[stmt].node->operands()) {
      has_atomics_ |= operand.has(ExprEffects::kAtomics);
      code_.collective |= operand.has(ExprEffects::kSubgroups);
    }
  }

  StatusOr<StatementCode> run() {
    const std::span<const ExprId> operands = resolved_.operands(resolved_.statements[stmt_]);
    for (size_t i = 0; i < operands.size(); ++i) {
      Status status = compile(operands[i], code_.results[i]);
      if (!status.ok()) return status;
    }
    return std::move(code_);
  }

 private:
  struct Frame {
    ExprId id;
    size_t next = 0;
  };

  // Whether one evaluation serves all occurrences in this statement: nothing in it has an effect,
  // and what it loads cannot change before the statement ends.
  bool shareable(const Expr& expr) const {
    if (expr.has(ExprEffects::kAtomics)) return false;
    return !(has_atomics_ && expr.has(ExprEffects::kLoads));
  }

  Status compile(ExprId root, uint32_t& result) {
    std::vector<Frame> frames{{root, 0}};
    std::vector<uint32_t> results;
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const ResolvedExpr& record = resolved_.expressions[frame.id];
      const std::span<const ExprId> operands = resolved_.operands(record);
      if (frame.next == 0) {
        const auto known = registers_.find(frame.id);
        if (known != registers_.end()) {
          results.push_back(known->second);
          frames.pop_back();
          continue;
        }
      }
      if (frame.next < operands.size()) {
        const ExprId operand = operands[frame.next++];
        frames.push_back({operand, 0});
        continue;
      }
      if (code_.instructions.size() >= kMaxInstructions) return too_large();
      const size_t first = results.size() - operands.size();
      uint32_t target = 0;
      Status status = emit(frame.id, std::span(results).subspan(first), target);
      if (!status.ok()) return status;
      if (shareable(*record.expr)) registers_.emplace(frame.id, target);
      results.resize(first);
      results.push_back(target);
      frames.pop_back();
    }
    result = results.back();
    return absl::OkStatus();
  }

  Status too_large() const {
    return absl::ResourceExhaustedError(fmt::format(
        "the expressions of {} take more than {} instructions. Fix: bind them with let; the pass "
        "bind_shared does it for shared operands without effects.",
        resolved_.path(stmt_), kMaxInstructions));
  }

  uint32_t push(Instruction instruction) {
    code_.instructions.push_back(instruction);
    return static_cast<uint32_t>(code_.instructions.size() - 1);
  }

  Status emit(ExprId id, std::span<const uint32_t> operands, uint32_t& target) {
    const ResolvedExpr& record = resolved_.expressions[id];
    const Expr& expr = *record.expr;
    Instruction instruction;
    instruction.op = expr.op();
    instruction.immediate = expr.bits();
    instruction.reference = record.reference;
    std::copy_n(operands.begin(), std::min<size_t>(operands.size(), 3),
                instruction.operands.begin());
    switch (expr.info().format) {
      case OpFormat::kLiteral:
        instruction.action = Action::kConstant;
        break;
      case OpFormat::kVariable:
        instruction.action = Action::kVariable;
        instruction.reference = resolved_.variables[record.reference].slot;
        break;
      case OpFormat::kBuffer:
        instruction.action = Action::kBufLen;
        break;
      case OpFormat::kAxis:
        instruction.action = axis_action(expr.op());
        break;
      case OpFormat::kNullary:
        instruction.action =
            expr.op() == Op::kSubgroupLocalId ? Action::kSubgroupLocalId : Action::kConstant;
        instruction.immediate = kSubgroupWidth;
        break;
      case OpFormat::kLoad:
        instruction.action = Action::kLoad;
        break;
      case OpFormat::kAtomic:
        instruction.action = Action::kAtomic;
        // Index, value, expected: the value always stands second.
        if (expr.has_expected()) std::swap(instruction.operands[1], instruction.operands[2]);
        break;
      case OpFormat::kCast:
        return emit_conversion(record, operands[0], target);
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
        return emit_operation(record, operands, target);
      case OpFormat::kExtension:
      case OpFormat::kCallOp:
      case OpFormat::kOpaque:
        VYRE_UNREACHABLE("carried operations are refused before compilation");
    }
    target = push(instruction);
    return absl::OkStatus();
  }

  static Action axis_action(Op op) {
    if (op == Op::kInvocationId) return Action::kInvocationId;
    return op == Op::kWorkgroupId ? Action::kWorkgroupId : Action::kLocalId;
  }

  DataType::Kind type_of(ExprId id) const { return *resolved_.expressions[id].type; }

  Status emit_conversion(const ResolvedExpr& record, uint32_t operand, uint32_t& target) {
    const DataType::Kind from = type_of(resolved_.operands(record)[0]);
    const DataType::Kind to = record.expr->type().kind();
    Instruction instruction;
    instruction.action = Action::kKernel;
    instruction.operands[0] = operand;
    instruction.kernel = record.expr->op() == Op::kCast ? scalar::find_cast_kernel(from, to)
                                                        : scalar::find_bitcast_kernel(from, to);
    if (instruction.kernel == nullptr) return no_kernel(*record.expr, from);
    target = push(instruction);
    return absl::OkStatus();
  }

  // The type that picks the kernel: of the first operand, for select of the arms.
  DataType::Kind deciding_type(const ResolvedExpr& record) const {
    const size_t deciding = record.expr->op() == Op::kSelect ? 1 : 0;
    return type_of(resolved_.operands(record)[deciding]);
  }

  Status emit_operation(const ResolvedExpr& record, std::span<const uint32_t> operands,
                        uint32_t& target) {
    const Expr& expr = *record.expr;
    const DataType::Kind type = deciding_type(record);
    if (is_derived(expr.op(), type)) return emit_derived(expr, type, operands, target);
    Instruction instruction;
    instruction.op = expr.op();
    std::copy(operands.begin(), operands.end(), instruction.operands.begin());
    if (expr.info().has(OpFlags::kSubgroup)) {
      return emit_subgroup(expr, type, instruction, target);
    }
    instruction.action = Action::kKernel;
    instruction.kernel = scalar::find_kernel(expr.op(), type);
    if (instruction.kernel == nullptr) return no_kernel(expr, type);
    target = push(instruction);
    return absl::OkStatus();
  }

  Status emit_subgroup(const Expr& expr, DataType::Kind type, Instruction instruction,
                       uint32_t& target) {
    if (expr.op() == Op::kSubgroupBallot) {
      instruction.action = Action::kBallot;
    } else if (expr.op() == Op::kSubgroupShuffle) {
      instruction.action = Action::kShuffle;
    } else {
      const std::optional<scalar::Reduction> reduction = scalar::find_reduction(expr.op(), type);
      if (!reduction) return no_kernel(expr, type);
      instruction.action = Action::kReduce;
      instruction.immediate = reduction->identity;
      instruction.kernel = reduction->combine;
    }
    target = push(instruction);
    return absl::OkStatus();
  }

  // A derived operation is its meaning over operands that are evaluated already.
  Status emit_derived(const Expr& expr, DataType::Kind type, std::span<const uint32_t> operands,
                      uint32_t& target) {
    const auto [entry, inserted] = derived_.try_emplace({expr.op(), type});
    if (inserted) entry->second = derived_steps(expr.op(), type);
    const std::vector<DerivedStep>& steps = entry->second;
    if (steps.empty()) return no_kernel(expr, type);
    const auto base = static_cast<uint32_t>(code_.instructions.size());
    for (const DerivedStep& step : steps) {
      Instruction instruction;
      instruction.action = step.kernel == nullptr ? Action::kConstant : Action::kKernel;
      instruction.immediate = step.constant;
      instruction.kernel = step.kernel;
      for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const int32_t operand = step.operands[i];
        instruction.operands[i] = operand < 0 ? operands[static_cast<size_t>(-operand - 1)]
                                              : base + static_cast<uint32_t>(operand);
      }
      target = push(instruction);
    }
    return absl::OkStatus();
  }

  Status no_kernel(const Expr& expr, DataType::Kind type) const {
    return absl::UnimplementedError(
        fmt::format("`{}` on {} at {} has no scalar kernel. Fix: compute it in f32, or from "
                    "operations that {} has.",
                    expr.info().mnemonic, DataType(type).spelling(), resolved_.path(stmt_),
                    DataType(type).spelling()));
  }

  static constexpr uint64_t kSubgroupWidth = 32;

  const Resolved& resolved_;
  StmtId stmt_;
  DerivedSteps& derived_;
  StatementCode code_;
  bool has_atomics_ = false;
  std::unordered_map<ExprId, uint32_t> registers_;
};

}  // namespace

StatusOr<PlainCode> compile_plain(const Resolved& resolved) {
  PlainCode code;
  DerivedSteps derived;
  code.statements.reserve(resolved.statements.size());
  for (StmtId stmt = 0; stmt < resolved.statements.size(); ++stmt) {
    StatusOr<StatementCode> statement = StatementCompiler(resolved, stmt, derived).run();
    if (!statement.ok()) return statement.status();
    code.register_count = std::max(code.register_count, statement->instructions.size());
    code.statements.push_back(*std::move(statement));
  }
  return code;
}

}  // namespace vyre::interpreter

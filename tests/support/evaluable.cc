// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/evaluable.h"

#include <iterator>
#include <map>
#include <optional>

#include "tests/support/edge_values.h"
#include "vyre/ir/check.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/type_rules.h"

namespace vyre::test {
namespace {

using Operands = std::vector<Expr>;

struct Row {
  Op op;
  size_t arity;
  Expr (*build)(const Operands&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#define VYRE_OP(...)
#define VYRE_UNARY_OP(op, builder, ...) \
  {Op::op, 1, [](const Operands& o) { return Expr::builder(o[0]); }},
#define VYRE_BINARY_OP(op, builder, ...) \
  {Op::op, 2, [](const Operands& o) { return Expr::builder(o[0], o[1]); }},
#include "vyre/ir/ops.def"
      {Op::kSelect, 3, [](const Operands& o) { return Expr::select(o[0], o[1], o[2]); }},
      {Op::kFma, 3, [](const Operands& o) { return Expr::fma(o[0], o[1], o[2]); }},
  };
  return all;
}

bool has_value(Op op, Kind operand, Kind target, size_t arity) {
  const std::vector<uint64_t> ones(arity, 1);
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
  return evaluate_op(op, operand, target, ones, trap).has_value();
}

// None where the type rules refuse the operands.
std::optional<Kind> result_of(const Row& row, Kind type) {
  Operands operands(row.arity, Expr::literal(type, 0));
  std::vector<std::optional<Kind>> types(row.arity, type);
  if (row.op == Op::kSelect) {
    operands[0] = Expr::bool_(true);
    types[0] = DataType::Bool;
  }
  const TypeResult result = check_types(row.build(operands), types);
  return result.errors.empty() ? result.type : std::nullopt;
}

std::vector<Operation> find_operations() {
  std::vector<Operation> all;
  for (const Row& row : rows()) {
    if (op_info(row.op).has(OpFlags::kSubgroup)) continue;
    for (const Kind type : kValueTypes) {
      if (!takes_operand_type(row.op, type)) continue;
      const std::optional<Kind> result = result_of(row, type);
      if (!result || !has_value(row.op, type, *result, row.arity)) continue;
      all.push_back({row.op, type, *result, row.arity, row.build});
    }
  }
  return all;
}

std::vector<Conversion> find_conversions(Op op) {
  std::vector<Conversion> all;
  for (const Kind from : kValueTypes) {
    for (const Kind to : element_types()) {
      const bool legal = op == Op::kCast ? is_legal_cast(from, to) : is_legal_bitcast(from, to);
      if (legal && has_value(op, from, to, 1)) all.push_back({from, to});
    }
  }
  return all;
}

std::vector<SubgroupOperation> find_subgroup_operations() {
  std::vector<SubgroupOperation> all;
  for (const OpInfo& info : all_ops()) {
    if (!info.has(OpFlags::kSubgroup)) continue;
    for (const Kind type : kValueTypes) {
      if (!takes_operand_type(info.op, type)) continue;
      const bool reduces = info.rule == TypeRule::kReduce || info.rule == TypeRule::kReduceBits;
      if (reduces && !scalar::find_reduction(info.op, type)) continue;
      all.push_back({info.op, type, info.rule == TypeRule::kBallot ? DataType::U32 : type});
    }
  }
  return all;
}

std::vector<Op> find_atomics(bool commutative) {
  std::vector<Op> all;
  for (const OpInfo& info : all_ops()) {
    if (!is_atomic(info.op) || !takes_operand_type(info.op, DataType::U32)) continue;
    const bool depends = info.rule == TypeRule::kAtomicCas || info.op == Op::kAtomicExchange;
    if (!commutative || !depends) all.push_back(info.op);
  }
  return all;
}

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = find_operations();
  return all;
}

const std::vector<Conversion>& casts() {
  static const std::vector<Conversion> all = find_conversions(Op::kCast);
  return all;
}

const std::vector<Conversion>& bitcasts() {
  static const std::vector<Conversion> all = find_conversions(Op::kBitcast);
  return all;
}

const std::vector<Op>& atomics() {
  static const std::vector<Op> all = find_atomics(false);
  return all;
}

const std::vector<Op>& commutative_atomics() {
  static const std::vector<Op> all = find_atomics(true);
  return all;
}

const std::vector<SubgroupOperation>& subgroup_operations() {
  static const std::vector<SubgroupOperation> all = find_subgroup_operations();
  return all;
}

Expr build(const SubgroupOperation& operation, const Expr& value, const Expr& lane) {
  if (operation.op == Op::kSubgroupBallot) return Expr::subgroup_ballot(value);
  if (operation.op == Op::kSubgroupShuffle) return Expr::subgroup_shuffle(value, lane);
  for (const Row& row : rows()) {
    if (row.op == operation.op) return row.build({value});
  }
  VYRE_UNREACHABLE("a subgroup operation without a builder");
}

const std::vector<Kind>& element_types() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> found(std::begin(kValueTypes), std::end(kValueTypes));
#define VYRE_DATA_TYPE(name, tag, spelling, size, stride, bits, role) \
  if (DataType::Role::role == DataType::Role::kMemory) found.push_back(DataType::name);
#include "vyre/ir/data_types.def"
    return found;
  }();
  return all;
}

const std::vector<Kind>& elements_loaded_as(Kind value_type) {
  static const std::map<Kind, std::vector<Kind>> all = [] {
    std::map<Kind, std::vector<Kind>> by_value;
    for (const Kind element : element_types()) by_value[*value_type_of(element)].push_back(element);
    return by_value;
  }();
  return all.at(value_type);
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_program.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/edge_values.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/type_rules.h"

namespace vyre::test {
namespace {

using Kind = DataType::Kind;
using namespace literals;

constexpr uint32_t kWorkgroup = 4;
constexpr uint32_t kInvocations = 12;
constexpr uint32_t kPerInvocation = 4;
constexpr uint32_t kInputCount = 19;

std::string suffix(Kind type) { return DataType(type).spelling(); }

// An operation on operands of one type.
struct Candidate {
  Op op;
  Kind operand;
  Expr (*unary)(Expr);
  Expr (*binary)(Expr, Expr);
};

struct Row {
  Op op;
  Expr (*unary)(Expr);
  Expr (*binary)(Expr, Expr);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#define VYRE_OP(...)
#define VYRE_UNARY_OP(op, builder, ...) \
  {Op::op, [](Expr a) { return Expr::builder(std::move(a)); }, nullptr},
#define VYRE_BINARY_OP(op, builder, ...) \
  {Op::op, nullptr, [](Expr a, Expr b) { return Expr::builder(std::move(a), std::move(b)); }},
#include "vyre/ir/ops.def"
  };
  return all;
}

// By result type.
std::map<Kind, std::vector<Candidate>> candidates() {
  std::map<Kind, std::vector<Candidate>> by_result;
  for (const Row& row : rows()) {
    if (op_info(row.op).has(OpFlags::kSubgroup)) continue;
    for (const Kind type : kValueTypes) {
      if (!takes_operand_type(row.op, type)) continue;
      const Expr operand = Expr::literal(type, 0);
      const Expr e = row.unary != nullptr ? row.unary(operand) : row.binary(operand, operand);
      const std::vector<std::optional<Kind>> types(e.operands().size(), type);
      const TypeResult result = check_types(e, types);
      if (!result.type || !result.errors.empty()) continue;
      // Functions of f64 that nothing evaluates yet.
      const uint64_t ones[] = {1, 1};
      scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
      if (!evaluate_op(row.op, type, *result.type, ones, trap)) continue;
      by_result[*result.type].push_back({row.op, type, row.unary, row.binary});
    }
  }
  return by_result;
}

class Generator {
 public:
  explicit Generator(uint64_t seed)
      : random_(seed), candidates_(candidates()), collective_(random_.percent(20)) {}

  Program run() {
    Body body = top_level();
    return Program::wrapped(buffers(), {kWorkgroup, 1, 1}, std::move(body))
        .with_extent(Dim3{kInvocations, 1, 1});
  }

 private:
  struct Variable {
    std::string name;
    Kind type;
    bool assignable;
  };
  struct Shared {
    Expr expr;
    Kind type;
  };

  static std::vector<BufferDecl> buffers() {
    std::vector<BufferDecl> all;
    uint32_t binding = 0;
    for (const Kind type : kValueTypes) {
      all.push_back(
          BufferDecl::read("in_" + suffix(type), binding++, type).with_count(kInputCount));
    }
    for (const Kind type : kValueTypes) {
      all.push_back(BufferDecl::output("out_" + suffix(type), binding++, type)
                        .with_count(kInvocations * kPerInvocation));
    }
    all.push_back(BufferDecl::output("words", binding++, DataType::U32).with_count(kInvocations));
    all.push_back(BufferDecl::workgroup("scratch", kWorkgroup * kPerInvocation, DataType::F32));
    all.push_back(BufferDecl::local("own", 8, DataType::U32));
    return all;
  }

  Kind any_type() {
    return std::array{
        DataType::U32, DataType::U32, DataType::I32, DataType::I32, DataType::F32,
        DataType::F32, DataType::U64, DataType::I64, DataType::F64, DataType::Bool}[random_.below(
        10)];
  }

  // ---- statements ----

  Body top_level() {
    std::vector<Node> nodes = statements(3, 8);
    if (collective_) {
      for (int i = 0; i < 2; ++i) {
        nodes.push_back(Node::barrier());
        const Expr element = own_element();
        nodes.push_back(Node::store("out_u32", element, collective_u32()));
      }
    }
    for (const Kind type : kValueTypes) nodes.push_back(output(type, 4));
    // A second region, which sees nothing that is bound in the first one.
    std::vector<Node> second;
    variables_.clear();
    shared_.clear();
    for (const Kind type : kValueTypes) {
      if (random_.percent(50)) second.push_back(output(type, 3));
    }
    return {Node::region("first", std::nullopt, std::move(nodes)),
            Node::region("second", "test", std::move(second))};
  }

  std::vector<Node> statements(uint32_t depth, uint32_t most) {
    const size_t variables = variables_.size();
    const size_t shared = shared_.size();
    std::vector<Node> nodes;
    const uint32_t count = 1 + random_.below(most);
    for (uint32_t i = 0; i < count; ++i) nodes.push_back(statement(depth));
    if (depth < 3) {
      variables_.resize(variables);
      shared_.resize(shared, Shared{0_u, DataType::U32});
    }
    return nodes;
  }

  Node statement(uint32_t depth) {
    const uint32_t roll = random_.below(100);
    if (roll < 30) return let();
    if (roll < 48) return assign();
    if (roll < 60) return output(any_type(), 3);
    if (roll < 64) return store("scratch", own_scratch(), DataType::F32, 3);
    if (roll < 68) return store("own", expr(DataType::U32, 1) & 7_u, DataType::U32, 3);
    if (roll < 73) return let_atomic();
    if (depth == 0) return let();
    if (roll < 82) return branch(depth);
    if (roll < 92) return loop(depth);
    if (roll < 95) return Node::block(statements(depth - 1, 4));
    if (roll < 97) return Node::region("nested", std::nullopt, statements(depth - 1, 4));
    return exit(depth);
  }

  Node let() {
    const Kind type = any_type();
    const Expr value = expr(type, 4);
    const std::string name = fmt::format("v{}", next_name_++);
    variables_.push_back({name, type, true});
    return Node::let_bind(name, value);
  }

  Node assign() {
    std::vector<Variable> targets;
    for (const Variable& variable : variables_) {
      if (variable.assignable) targets.push_back(variable);
    }
    if (targets.empty()) return let();
    const Variable& target = random_.pick(targets);
    return Node::assign(target.name, expr(target.type, 3));
  }

  Node output(Kind type, uint32_t depth) {
    if (random_.percent(25)) depth = 1;  // little between an operation and the bytes
    return store("out_" + suffix(type), own_element(), type, depth);
  }

  // The index is made before the value: the order of a call's arguments is the compiler's choice.
  Node store(const std::string& buffer, const Expr& index, Kind type, uint32_t depth) {
    return Node::store(buffer, index, expr(type, depth));
  }

  // A word that no other invocation uses.
  Node let_atomic() {
    const std::string name = fmt::format("v{}", next_name_++);
    const Expr value = expr(DataType::U32, 2);
    const Expr word = Expr::gid_x();
    variables_.push_back({name, DataType::U32, true});
    using Atomic = Expr (*)(const Expr&, const Expr&);
#define VYRE_ATOMIC(builder) \
  [](const Expr& at, const Expr& operand) { return Expr::builder("words", at, operand); }
    static constexpr Atomic kAtomics[] = {
        VYRE_ATOMIC(atomic_add),      VYRE_ATOMIC(atomic_or),        VYRE_ATOMIC(atomic_and),
        VYRE_ATOMIC(atomic_xor),      VYRE_ATOMIC(atomic_min),       VYRE_ATOMIC(atomic_max),
        VYRE_ATOMIC(atomic_exchange), VYRE_ATOMIC(atomic_lru_update)};
#undef VYRE_ATOMIC
    const uint32_t which = random_.below(9);
    const Expr old = which < 8 ? kAtomics[which](word, value)
                               : Expr::atomic_compare_exchange("words", word, 0u, value);
    return Node::let_bind(name, random_.percent(25) ? old * 0u : old);
  }

  Node branch(uint32_t depth) {
    const Expr condition =
        random_.percent(15) ? Expr::bool_(random_.percent(50)) : expr(DataType::Bool, 3);
    std::vector<Node> then = statements(depth - 1, 4);
    if (random_.percent(50)) return Node::if_then(condition, std::move(then));
    return Node::if_then_else(condition, std::move(then), statements(depth - 1, 4));
  }

  // Bounds that differ between invocations, at most 6 iterations.
  Node loop(uint32_t depth) {
    const Expr from =
        random_.percent(60) ? Expr::u32(random_.below(3)) : expr(DataType::U32, 2) & 3_u;
    const Expr to =
        random_.percent(40) ? Expr::u32(random_.below(5)) : expr(DataType::U32, 2) & 5_u;
    const std::string name = fmt::format("i{}", next_name_++);
    const size_t variables = variables_.size();
    variables_.push_back({name, DataType::U32, false});
    std::vector<Node> body = statements(depth - 1, 4);
    variables_.resize(variables);
    return Node::loop_for(name, from, to, std::move(body));
  }

  Node exit(uint32_t depth) {
    if (collective_) return let();
    Body end = random_.percent(40) ? Node::return_() : Node::trap(expr(DataType::U32, 1), "random");
    // What follows the end is never reached.
    const Expr selector = expr(DataType::U32, 1);
    const Expr condition = Expr::eq(selector, Expr::u32(random_.below(4)));
    return Node::if_then(condition, {std::move(end), statements(depth - 1, 2)});
  }

  // ---- expressions ----

  Expr own_element() {
    return Expr::gid_x() * kPerInvocation + (expr(DataType::U32, 1) & (kPerInvocation - 1));
  }
  Expr own_scratch() {
    return Expr::local_x() * kPerInvocation + (expr(DataType::U32, 1) & (kPerInvocation - 1));
  }

  Expr collective_u32() {
    const Expr value = expr(DataType::U32, 2);
    switch (random_.below(8)) {
      case 0:
        return Expr::subgroup_add(value);
      case 1:
        return Expr::subgroup_mul(value);
      case 2:
        return Expr::subgroup_min(value) + Expr::subgroup_max(value);
      case 3:
        return Expr::subgroup_and(value) ^ Expr::subgroup_or(value);
      case 4:
        return Expr::subgroup_xor(value) + Expr::subgroup_size();
      case 5:
        return Expr::subgroup_shuffle(value, Expr::subgroup_local_id() ^ 1_u);
      case 6:
        return Expr::subgroup_ballot(expr(DataType::Bool, 2)) + 0_u;
      default:
        return Expr::bitcast(DataType::U32, Expr::subgroup_add(expr(DataType::F32, 2)));
    }
  }

  Expr literal(Kind type) {
    if (type == DataType::Bool) return Expr::bool_(random_.percent(50));
    if (random_.percent(50)) return special_literal(type);
    return Expr::literal(type, random_.pick(edge_values(type)));
  }

  // 0, 1, -0, all ones: what identities look for.
  Expr special_literal(Kind type) {
    if (type == DataType::Bool) return literal(type);
    const bool wide = *DataType(type).bit_width() == 64;
    const uint64_t one = type == DataType::F32   ? 0x3F800000
                         : type == DataType::F64 ? 0x3FF0000000000000
                                                 : 1;
    const uint64_t sign = wide ? uint64_t{1} << 63 : uint64_t{1} << 31;
    const uint64_t ones = wide ? ~uint64_t{0} : 0xFFFFFFFFU;
    return Expr::literal(
        type, std::array{uint64_t{0}, one, sign, ones}[random_.below(is_integer(type) ? 4 : 3)]);
  }

  Expr leaf(Kind type) {
    const uint32_t roll = random_.below(100);
    if (roll < 35) return literal(type);
    if (roll < 70) {
      std::vector<Variable> fitting;
      for (const Variable& variable : variables_) {
        if (variable.type == type) fitting.push_back(variable);
      }
      if (!fitting.empty()) return Expr::var(random_.pick(fitting).name);
    }
    if (type == DataType::U32 && roll < 80) {
      return std::array{Expr::gid_x(), Expr::local_x(), Expr::workgroup_x(),
                        Expr::buf_len("in_f32")}[random_.below(4)];
    }
    if (type == DataType::F32 && roll < 75) return Expr::load("scratch", own_scratch());
    if (type == DataType::U32 && roll < 85) return Expr::load("own", literal(DataType::U32));
    return Expr::load("in_" + suffix(type), Expr::gid_x() + Expr::u32(random_.below(9)));
  }

  Expr expr(Kind type, uint32_t depth) {
    if (random_.percent(15)) {
      std::vector<Shared> fitting;
      for (const Shared& shared : shared_) {
        if (shared.type == type) fitting.push_back(shared);
      }
      if (!fitting.empty()) return random_.pick(fitting).expr;
    }
    if (depth == 0 || random_.percent(15)) return leaf(type);
    const Expr result = compound(type, depth - 1);
    if (random_.percent(30)) shared_.push_back({result, type});
    return result;
  }

  Expr compound(Kind type, uint32_t depth) {
    const uint32_t roll = random_.below(100);
    if (roll < 8) {
      const Kind condition = random_.percent(70) ? DataType::Bool : DataType::U32;
      if (random_.percent(15)) return constant_choice(type, condition, depth);
      Expr chosen = expr(condition, depth);
      if (random_.percent(20)) chosen = Expr::not_(chosen);
      const Expr arm = expr(type, depth);
      return Expr::select(chosen, arm, random_.percent(15) ? arm : expr(type, depth));
    }
    if (roll < 16) return converted(type, depth);
    if (roll < 20 && is_float(type)) {
      const Expr a = expr(type, depth);
      const Expr b = expr(type, depth);
      return Expr::fma(a, b, expr(type, depth));
    }
    const Candidate& candidate = random_.pick(candidates_.at(type));
    const Expr left = expr(candidate.operand, depth);
    if (candidate.unary != nullptr) return candidate.unary(left);
    Expr right = random_.percent(12) ? left : expr(candidate.operand, depth);
    if (random_.percent(15)) right = special_literal(candidate.operand);
    if (op_info(candidate.op).has(OpFlags::kMayTrap) && is_signed_integer(candidate.operand) &&
        (collective_ || random_.percent(90))) {
      right = positive(candidate.operand, right);
    }
    if (random_.percent(15)) return candidate.binary(right, left_or_positive(candidate, left));
    return candidate.binary(left, right);
  }

  // A choice that is known before the run, now and then against an arm that traps.
  Expr constant_choice(Kind type, Kind condition, uint32_t depth) {
    const Expr chosen = Expr::literal(condition, random_.below(2));
    const Expr arm = expr(type, depth);
    if (!is_signed_integer(type) || collective_ || random_.percent(50)) {
      return Expr::select(chosen, arm, expr(type, depth));
    }
    const Expr divisor = expr(type, depth) & Expr::literal(type, 1);
    const Expr trapping = arm / divisor;
    return random_.percent(50) ? Expr::select(chosen, trapping, arm)
                               : Expr::select(chosen, arm, trapping);
  }

  // The divisor when operands change places.
  Expr left_or_positive(const Candidate& candidate, const Expr& left) {
    const bool may_trap = op_info(candidate.op).has(OpFlags::kMayTrap);
    return may_trap && is_signed_integer(candidate.operand) ? positive(candidate.operand, left)
                                                            : left;
  }

  static Expr positive(Kind type, const Expr& value) {
    return (value & Expr::literal(type, 7)) + Expr::literal(type, 1);
  }

  Expr converted(Kind type, uint32_t depth) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const Kind from = any_type();
      if (random_.percent(30) && is_legal_bitcast(from, type)) {
        return Expr::bitcast(type, expr(from, depth));
      }
      if (is_legal_cast(from, type)) return Expr::cast(type, expr(from, depth));
    }
    return leaf(type);
  }

  Random random_;
  std::map<Kind, std::vector<Candidate>> candidates_;
  bool collective_;  // barriers and subgroup operations, and nothing that could make them diverge
  std::vector<Variable> variables_;
  std::vector<Shared> shared_;  // expressions whose names are in scope
  uint32_t next_name_ = 0;
};

}  // namespace

uint64_t Random::next() {
  // splitmix64
  state_ += 0x9E3779B97F4A7C15U;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

Program random_program(uint64_t seed) { return Generator(seed).run(); }

std::vector<std::vector<std::byte>> random_inputs(const Program& program, uint64_t seed) {
  Random random(seed ^ 0x5EED);
  std::vector<std::vector<std::byte>> inputs;
  for (const BufferDecl& decl : program.buffers()) {
    std::vector<std::byte>& bytes = inputs.emplace_back();
    if (!decl.is_bound()) continue;
    bytes.resize(decl.static_byte_length().value_or(0));
    if (!decl.is_input()) continue;
    const std::vector<uint64_t> edges = edge_values(decl.element().kind());
    const size_t width = *decl.element().bit_width() / 8;
    for (size_t at = 0; at + width <= bytes.size(); at += width) {
      const uint64_t sign = uint64_t{1} << (8 * width - 1);
      const uint64_t bits = decl.element().kind() == DataType::Bool ? random.below(2)
                            : random.percent(15) ? sign * random.below(2)  // 0, -0, the least
                            : random.percent(60) ? random.pick(edges)
                                                 : random.next();
      std::memcpy(bytes.data() + at, &bits, width);
    }
  }
  return inputs;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_expressions.h"

#include <fmt/format.h>

#include <utility>

#include "tests/support/edge_values.h"

namespace vyre::test {

using namespace literals;

ExpressionGenerator::ExpressionGenerator(Random& random, const Shape& shape, Buffers& buffers,
                                         ExpressionSettings settings)
    : random_(random), shape_(shape), buffers_(buffers), settings_(settings) {
  for (const Operation& operation : operations()) {
    by_result_[operation.result].push_back(&operation);
  }
  for (const SubgroupOperation& operation : subgroup_operations()) {
    subgroups_by_result_[operation.result].push_back(&operation);
  }
  for (const Kind type : kValueTypes) narrow_[type] = random_.pick(elements_loaded_as(type));
}

void ExpressionGenerator::close_scope(const Scope& scope) {
  while (variables_.size() > scope.variables) {
    free_names_.push_back(std::move(variables_.back().name));
    variables_.pop_back();
  }
  shared_.erase(shared_.begin() + static_cast<std::ptrdiff_t>(scope.shared), shared_.end());
}

std::string ExpressionGenerator::bind(Kind type, bool assignable, bool uniform) {
  std::string name;
  if (!free_names_.empty() && random_.percent(40)) {
    name = std::move(free_names_.back());
    free_names_.pop_back();
  } else {
    name = fmt::format("v{}", next_name_++);
  }
  variables_.push_back({name, type, assignable, uniform});
  return name;
}

void ExpressionGenerator::forget_names() {
  free_names_.clear();
  variables_.clear();
  shared_.clear();
  clear_numbers();
}

void ExpressionGenerator::clear_numbers() {
  global_name_.reset();
  local_name_.reset();
}

void ExpressionGenerator::set_numbers(std::string global, std::string local) {
  global_name_ = std::move(global);
  local_name_ = std::move(local);
}

// ---- numbers of invocations ----

Expr ExpressionGenerator::local_number() const {
  if (local_name_) return Expr::var(*local_name_);
  const Dim3 size = shape_.workgroup;
  Expr number = Expr::local_x();
  if (size.y > 1) number = Expr::local_y() * size.x + number;
  if (size.z > 1) number = Expr::local_z() * (size.x * size.y) + number;
  return number;
}

Expr ExpressionGenerator::workgroup_number() const {
  const Dim3 grid = shape_.grid;
  Expr number = Expr::workgroup_x();
  if (grid.y > 1) number = Expr::workgroup_y() * grid.x + number;
  if (grid.z > 1) number = Expr::workgroup_z() * (grid.x * grid.y) + number;
  return number;
}

Expr ExpressionGenerator::global_number() const {
  if (global_name_) return Expr::var(*global_name_);
  if (settings_.by_workgroup) return workgroup_number() * shape_.lanes + local_number();
  const uint32_t width = shape_.grid.x * shape_.workgroup.x;
  const uint32_t height = shape_.grid.y * shape_.workgroup.y;
  const uint32_t depth = shape_.grid.z * shape_.workgroup.z;
  Expr number = Expr::gid_x();
  if (height > 1) number = Expr::gid_y() * width + number;
  if (depth > 1) number = Expr::gid_z() * (width * height) + number;
  return number;
}

// ---- indices ----

Expr ExpressionGenerator::element_of_owner(uint32_t each) {
  if (index_depth_ > 1 || random_.percent(40)) return Expr::u32(random_.below(each));
  ++index_depth_;
  const Expr chosen = any(DataType::U32, 1);
  --index_depth_;
  return (each & (each - 1)) == 0 ? chosen & Expr::u32(each - 1) : chosen % each;
}

Expr ExpressionGenerator::own_index(const Buffer& buffer) {
  const bool global = is_global(buffer.kind);
  const Expr owner = global ? global_number() : local_number();
  const uint32_t owners = global ? shape_.invocations : shape_.lanes;
  const uint32_t each = buffer.each;
  if (buffer.layout == Layout::kStrided) {
    const Expr index = each == 1 ? owner : element_of_owner(each) * owners + owner;
    return perturbed(index, buffer);
  }
  const Expr blocked = each == 1 ? owner : owner * each + element_of_owner(each);
  const bool reversed = buffer.layout == Layout::kReversed;
  return perturbed(reversed ? Expr::u32(owners * each - 1) - blocked : blocked, buffer);
}

// Neighbouring, strided, reversed, common.
Expr ExpressionGenerator::simple_index(const Buffer& buffer) {
  const Expr number = random_.percent(60) ? global_number() : local_number();
  switch (random_.below(5)) {
    case 0:
      return number + Expr::u32(random_.below(9));
    case 1:
      return number * Expr::u32(1 + random_.below(3));
    case 2:
      return Expr::buf_len(buffer.name) - 1_u - number;
    case 3:
      return Expr::u32(random_.below(12));
    default:
      return number;
  }
}

Expr ExpressionGenerator::any_index(const Buffer& buffer) {
  Expr index = simple_index(buffer);
  if (index_depth_ <= 1 && random_.percent(45)) {
    ++index_depth_;
    index = any(DataType::U32, random_.below(2));  // often gathered by what another buffer holds
    --index_depth_;
  }
  if (random_.percent(65)) {
    const bool literal = buffer.count.value_or(0) > 0 && random_.percent(50);
    index = index % (literal ? Expr::u32(*buffer.count) : Expr::buf_len(buffer.name));
  }
  return perturbed(index, buffer);
}

Expr ExpressionGenerator::index(const Buffer& buffer) {
  const bool owned = buffer.use == BufferUse::kOwned || buffer.use == BufferUse::kCrossing ||
                     (buffer.use == BufferUse::kCopied && buffer.kind != BufferKind::kLocal);
  return owned ? own_index(buffer) : any_index(buffer);
}

Expr ExpressionGenerator::perturbed(const Expr& index, const Buffer& buffer) {
  if (settings_.strays && random_.percent(10)) return out_of_bounds(index, buffer);
  return random_.percent(15) ? Expr::cast(DataType::U64, index) : index;
}

// At or above the buffer's length whatever the index was, or the index itself for some invocations.
Expr ExpressionGenerator::out_of_bounds(const Expr& index, const Buffer& buffer) {
  switch (random_.below(6)) {
    case 0:
      return index + Expr::buf_len(buffer.name);
    case 1:
      return Expr::buf_len(buffer.name);
    case 2:
      return Expr::u32(0xFFFFFFFF - random_.below(3));
    case 3: {
      const Expr parity = local_number() & 1_u;
      return Expr::select(Expr::eq(parity, 0_u), index, 0xFFFFFFFF_u);
    }
    case 4:
      return Expr::cast(DataType::U64, index) + Expr::u64(uint64_t{1} << 32);
    default:
      return Expr::cast(DataType::U64, index) | Expr::u64(uint64_t{1} << 63);
  }
}

// ---- leaves ----

Kind ExpressionGenerator::any_type() {
  return random_.one_of<Kind>({DataType::U32, DataType::U32, DataType::I32, DataType::I32,
                               DataType::F32, DataType::F32, DataType::U64, DataType::I64,
                               DataType::F64, DataType::Bool});
}

Kind ExpressionGenerator::any_element(Kind value_type) {
  return random_.percent(60) ? value_type : narrow_.at(value_type);
}

// 0, 1, -0 and all ones: what identities look for.
Expr ExpressionGenerator::special_literal(Kind type) {
  if (type == DataType::Bool) return Expr::bool_(random_.percent(50));
  const bool wide = *DataType(type).bit_width() == 64;
  const uint64_t one = type == DataType::F32   ? 0x3F800000
                       : type == DataType::F64 ? 0x3FF0000000000000
                                               : 1;
  const uint64_t sign = wide ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t ones = wide ? ~uint64_t{0} : 0xFFFFFFFFU;
  const uint64_t bits[] = {0, one, sign, ones};
  return Expr::literal(type, bits[random_.below(is_integer(type) ? 4 : 3)]);
}

Expr ExpressionGenerator::literal(Kind type) {
  if (type == DataType::Bool || random_.percent(35)) return special_literal(type);
  if (random_.percent(35)) {
    const uint32_t small = random_.below(64);
    if (type == DataType::F32) return Expr::f32(static_cast<float>(small) * 0.25F - 4.0F);
    if (type == DataType::F64) return Expr::f64(static_cast<double>(small) * 0.125 - 3.0);
    return Expr::literal(type, small);
  }
  return Expr::literal(type, random_.pick(edge_values(type)));
}

std::optional<Expr> ExpressionGenerator::variable(Kind type, bool uniform) {
  std::vector<const ProgramVariable*> fitting;
  for (const ProgramVariable& known : variables_) {
    if (known.type == type && (known.uniform || !uniform)) fitting.push_back(&known);
  }
  if (fitting.empty()) return std::nullopt;
  return Expr::var(random_.pick(fitting)->name);
}

std::optional<Expr> ExpressionGenerator::shared(Kind type) {
  std::vector<const Shared*> fitting;
  for (const Shared& known : shared_) {
    if (known.type != type) continue;
    // What traps must not stand where others look at the lane; what looks across, only there.
    if (meeting_ ? known.expr.has(ExprEffects::kMayTrap) : known.expr.has(ExprEffects::kSubgroups))
      continue;
    fitting.push_back(&known);
  }
  if (fitting.empty()) return std::nullopt;
  return random_.pick(fitting)->expr;
}

const Buffer& ExpressionGenerator::lengthy() {
  return buffers_.find(BufferUse::kInput, BufferKind::kRead, any_element(any_type()));
}

Expr ExpressionGenerator::builtin() {
  const auto axis = static_cast<uint8_t>(random_.below(3));
  if (meeting_ && random_.percent(30)) {
    return random_.percent(60) ? Expr::subgroup_local_id() : Expr::subgroup_size();
  }
  switch (random_.below(6)) {
    case 0:
      return Expr::invocation_id(axis);
    case 1:
      return Expr::workgroup_id(axis);
    case 2:
      return Expr::local_id(axis);
    case 3:
      return global_number();
    case 4:
      return Expr::buf_len(lengthy().name);
    default:
      return Expr::gid_x();
  }
}

Expr ExpressionGenerator::leaf(Kind type) {
  if (random_.percent(literal_share_)) return literal(type);
  const uint32_t roll = random_.below(100);
  if (roll < 45) {
    if (std::optional<Expr> found = variable(type, false)) return *std::move(found);
  }
  if (type == DataType::U32 && roll < 65) return builtin();
  return load_leaf(type);
}

Expr ExpressionGenerator::load_leaf(Kind type) {
  const Kind element = any_element(type);
  const uint32_t roll = random_.below(100);
  BufferUse use = BufferUse::kInput;
  BufferKind kind = BufferKind::kRead;
  // An index that loads what an index loads: inputs alone.
  if (roll < 50 || index_depth_ > 0) {
    if (index_depth_ > 1) return literal(type);
  } else if (roll < 60) {
    kind = BufferKind::kUniform;
  } else if (roll < 78) {
    use = BufferUse::kOwned;
    kind = random_.one_of({BufferKind::kReadWrite, BufferKind::kOutput, BufferKind::kTransient});
  } else if (roll < 88) {
    use = BufferUse::kOwned;
    kind = BufferKind::kWorkgroup;
  } else {
    use = BufferUse::kPrivate;
    kind = BufferKind::kLocal;
  }
  // What nobody has written is zero, which is of little interest.
  const bool starts_as_zero = use != BufferUse::kInput && kind != BufferKind::kReadWrite;
  if (starts_as_zero && buffers_.find_written(use, kind, element) == nullptr &&
      random_.percent(85)) {
    use = BufferUse::kInput;
    kind = BufferKind::kRead;
  }
  const Buffer& buffer = buffers_.find(use, kind, element);
  ++index_depth_;
  const Expr at = index(buffer);
  --index_depth_;
  return Expr::load(buffer.name, at);
}

// ---- expressions ----

Expr ExpressionGenerator::any(Kind type, uint32_t depth) {
  if (random_.percent(15)) {
    if (std::optional<Expr> found = shared(type)) return *std::move(found);
  }
  if (depth == 0 || random_.percent(15)) return leaf(type);
  Expr result = compound(type, depth - 1);
  if (random_.percent(30)) shared_.push_back({result, type});
  return result;
}

Expr ExpressionGenerator::condition(uint32_t depth) {
  if (random_.percent(12)) return Expr::bool_(random_.percent(50));
  return any(random_.percent(75) ? DataType::Bool : DataType::U32, depth);
}

Expr ExpressionGenerator::compound(Kind type, uint32_t depth) {
  if (meeting_ && random_.percent(25)) {
    const auto fitting = subgroups_by_result_.find(type);
    if (fitting != subgroups_by_result_.end()) {
      return subgroup(*random_.pick(fitting->second), depth);
    }
  }
  const uint32_t roll = random_.below(100);
  if (roll < 3) return constant_choice(type, depth);
  if (roll < 7) {
    Expr chosen = condition(depth);
    if (random_.percent(20)) chosen = Expr::not_(chosen);
    const Expr arm = any(type, depth);
    return Expr::select(chosen, arm, random_.percent(15) ? arm : any(type, depth));
  }
  if (roll < 16) return converted(type, depth);
  return operation(*random_.pick(by_result_.at(type)), depth);
}

Expr ExpressionGenerator::operation(const Operation& operation, uint32_t depth) {
  std::vector<Expr> operands;
  for (size_t i = 0; i < operation.arity; ++i) {
    if (operation.op == Op::kSelect && i == 0) {
      operands.push_back(condition(depth));
    } else if (i > 0 && operation.op != Op::kSelect && random_.percent(10)) {
      operands.push_back(operands[0]);
    } else if (operation.arity > 1 && random_.percent(12)) {
      operands.push_back(special_literal(operation.operand));
    } else {
      operands.push_back(any(operation.operand, depth));
    }
  }
  if (op_info(operation.op).rule == TypeRule::kLogical && random_.percent(25)) {
    operands[random_.below(2)] = any(DataType::Bool, depth);
  }
  if (operation.may_trap()) {
    const bool traps = settings_.traps && !meeting_ && random_.percent(30);
    if (!traps) operands[1] = divisor(operation.operand, operands[1]);
  }
  return operation.build(operands);
}

// Neither 0 nor -1.
Expr ExpressionGenerator::divisor(Kind type, const Expr& value) {
  const Expr small = (value & Expr::literal(type, 7)) + Expr::literal(type, 1);
  switch (random_.below(4)) {
    case 0:
      return Expr::max(value, Expr::literal(type, 1));
    case 1:
      return -(small + Expr::literal(type, 1));
    default:
      return small;
  }
}

// A choice that is known before the run, now and then against an arm that traps.
Expr ExpressionGenerator::constant_choice(Kind type, uint32_t depth) {
  const Kind condition = random_.percent(70) ? DataType::Bool : DataType::U32;
  const Expr chosen = Expr::literal(condition, random_.below(2));
  const Expr arm = any(type, depth);
  if (!is_signed_integer(type) || !settings_.traps || meeting_) {
    return Expr::select(chosen, arm, any(type, depth));
  }
  const Expr trapping = arm / (any(type, depth) | Expr::literal(type, 1));  // MIN / -1
  return random_.percent(50) ? Expr::select(chosen, trapping, arm)
                             : Expr::select(chosen, arm, trapping);
}

Expr ExpressionGenerator::converted(Kind type, uint32_t depth) {
  const bool bits = random_.percent(30);
  std::vector<Conversion> fitting;
  for (const Conversion& conversion : bits ? bitcasts() : casts()) {
    if (*value_type_of(conversion.to) == type) fitting.push_back(conversion);
  }
  if (fitting.empty()) return leaf(type);
  const Conversion& chosen = random_.pick(fitting);
  return bits ? bitcast(chosen, depth) : cast(chosen, depth);
}

Expr ExpressionGenerator::cast(const Conversion& conversion, uint32_t depth) {
  return Expr::cast(conversion.to, any(conversion.from, depth));
}

Expr ExpressionGenerator::bitcast(const Conversion& conversion, uint32_t depth) {
  return Expr::bitcast(conversion.to, any(conversion.from, depth));
}

Expr ExpressionGenerator::subgroup(const SubgroupOperation& operation, uint32_t depth) {
  const Expr value = any(operation.type, depth);
  Expr lane = Expr::subgroup_local_id() ^ Expr::u32(1U << random_.below(6));
  if (random_.percent(30)) lane = any(DataType::U32, 1) & 31_u;
  if (random_.percent(15)) lane = any(DataType::U32, 1);  // mostly a lane that is absent
  return build(operation, value, lane);
}

Expr ExpressionGenerator::stored_value(Kind element, uint32_t depth) {
  const Kind type = *value_type_of(element);
  if (random_.percent(75)) return any(type, depth);
  switch (type) {
    case DataType::Bool:
      return any(DataType::U32, depth);
    case DataType::U32:
      return any(random_.percent(50) ? DataType::Bool : DataType::I32, depth);
    case DataType::I32:
      return any(DataType::U32, depth);
    case DataType::U64:
      return any(DataType::I64, depth);
    case DataType::I64:
      return any(DataType::U64, depth);
    default:
      return any(type, depth);
  }
}

// ---- uniform expressions ----

Expr ExpressionGenerator::uniform_leaf(Kind type) {
  const uint32_t roll = random_.below(100);
  if (roll < 50) {
    if (std::optional<Expr> found = variable(type, true)) return *std::move(found);
  }
  if (type == DataType::U32 && roll < 75) {
    if (random_.percent(50)) return Expr::buf_len(lengthy().name);
    return Expr::workgroup_id(static_cast<uint8_t>(random_.below(3)));
  }
  return literal(type);
}

Expr ExpressionGenerator::uniform(Kind type, uint32_t depth) {
  if (depth == 0 || random_.percent(20)) return uniform_leaf(type);
  const Operation& chosen = *random_.pick(by_result_.at(type));
  std::vector<Expr> operands;
  for (size_t i = 0; i < chosen.arity; ++i) {
    const bool condition = chosen.op == Op::kSelect && i == 0;
    operands.push_back(uniform(condition ? Kind{DataType::Bool} : chosen.operand, depth - 1));
  }
  if (chosen.may_trap()) operands[1] = divisor(chosen.operand, operands[1]);
  return chosen.build(operands);
}

}  // namespace vyre::test

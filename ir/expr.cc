// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/expr.h"

#include <atomic>
#include <charconv>
#include <limits>
#include <memory>
#include <new>

#include "vyre/ir/check.h"
#include "vyre/ir/structural.h"

namespace vyre {
namespace internal {

// Fields that few expressions have.
struct ExprExtra {
  DataType type;
  std::string payload;
};

// One allocation an expression: the operands stand behind the struct.
struct ExprData {
  mutable std::atomic<uint32_t> references{1};
  Op op;
  ExprEffects effects = ExprEffects::kNone;
  MemoryOrdering ordering = MemoryOrdering::kSeqCst;
  bool has_expected = false;
  uint32_t operand_count = 0;
  uint32_t depth = 1;
  uint64_t size = 1;
  uint64_t bits = 0;
  Digest digest;
  std::string name;
  Place place;
  std::unique_ptr<ExprExtra> extra;

  Expr* operands() { return reinterpret_cast<Expr*>(this + 1); }
  const Expr* operands() const { return reinterpret_cast<const Expr*>(this + 1); }

  static ExprData* allocate(size_t operand_count) {
    void* memory = ::operator new(sizeof(ExprData) + operand_count * sizeof(Expr));
    return new (memory) ExprData;
  }
  // Frees the object alone; the operands' handles must have been emptied.
  static void destroy(const ExprData* data) {
    data->~ExprData();
    ::operator delete(const_cast<ExprData*>(data));
  }
  static const ExprData* detach(Expr& handle) { return std::exchange(handle.data_, nullptr); }
};
static_assert(alignof(ExprData) >= alignof(Expr));

}  // namespace internal

using internal::ExprData;

// Builds expressions; the one place that fills in what is computed at construction.
class ExprFactory {
 public:
  ExprFactory(Op op, size_t operand_count, Place place) : data_(ExprData::allocate(operand_count)) {
    data_->op = op;
    data_->place = std::move(place);
  }

  ExprFactory& name(std::string_view name) {
    data_->name = name;
    return *this;
  }
  ExprFactory& bits(uint64_t bits) {
    data_->bits = bits;
    return *this;
  }
  ExprFactory& type(DataType type) {
    extra().type = std::move(type);
    return *this;
  }
  ExprFactory& payload(std::string payload) {
    extra().payload = std::move(payload);
    return *this;
  }
  ExprFactory& ordering(MemoryOrdering ordering) {
    data_->ordering = ordering;
    return *this;
  }
  ExprFactory& has_expected(bool value) {
    data_->has_expected = value;
    return *this;
  }
  ExprFactory& operand(Expr expr) {
    new (data_->operands() + data_->operand_count) Expr(std::move(expr));
    ++data_->operand_count;
    return *this;
  }
  Expr finish() {
    summarise();
    return Expr(data_);
  }

  // A copy of everything but the operands.
  static ExprFactory like(const ExprData& old, size_t operand_count, Place place) {
    ExprFactory factory(old.op, operand_count, std::move(place));
    factory.name(old.name).bits(old.bits).ordering(old.ordering).has_expected(old.has_expected);
    if (old.extra) factory.data_->extra = std::make_unique<internal::ExprExtra>(*old.extra);
    return factory;
  }

 private:
  internal::ExprExtra& extra() {
    if (!data_->extra) data_->extra = std::make_unique<internal::ExprExtra>();
    return *data_->extra;
  }

  static ExprEffects own_effects(Op op) {
    const OpInfo& info = op_info(op);
    ExprEffects effects = ExprEffects::kNone;
    if (info.has(OpFlags::kReads)) effects = effects | ExprEffects::kLoads;
    if (info.has(OpFlags::kAtomic)) effects = effects | ExprEffects::kAtomics;
    if (info.has(OpFlags::kMayTrap)) effects = effects | ExprEffects::kMayTrap;
    if (is_collective(info.op)) effects = effects | ExprEffects::kSubgroups;
    if (info.has(OpFlags::kOpaque)) effects = effects | ExprEffects::kOpaque;
    if (op == Op::kVar) effects = effects | ExprEffects::kVariables;
    return effects;
  }

  void summarise() {
    const OpInfo& info = op_info(data_->op);
    data_->effects = own_effects(data_->op);
    uint32_t depth = 0;
    DigestBuilder digest;
    digest.add_u8(static_cast<uint8_t>(info.group)).add_u8(info.tag);
    digest.add_u64(data_->bits).add_text(data_->name);
    if (is_atomic(data_->op)) {
      digest.add_u8(static_cast<uint8_t>(data_->ordering)).add_u8(data_->has_expected ? 1 : 0);
    }
    if (data_->extra) {
      internal::add_type(digest, data_->extra->type);
      digest.add_text(data_->extra->payload);
    }
    digest.add_u32(data_->operand_count);
    for (uint32_t i = 0; i < data_->operand_count; ++i) {
      const Expr& operand = data_->operands()[i];
      data_->effects = data_->effects | operand.effects();
      if (operand.depth() > depth) depth = operand.depth();
      if (__builtin_add_overflow(data_->size, operand.size(), &data_->size)) {
        data_->size = std::numeric_limits<uint64_t>::max();
      }
      digest.add(operand.digest());
    }
    data_->depth = depth == std::numeric_limits<uint32_t>::max() ? depth : depth + 1;
    data_->digest = digest.finish();
  }

  ExprData* data_;
};

Expr::Expr(const Expr& other) noexcept : data_(other.data_) {
  if (data_ != nullptr) data_->references.fetch_add(1, std::memory_order_relaxed);
}

Expr& Expr::operator=(const Expr& other) noexcept {
  Expr copy(other);
  std::swap(data_, copy.data_);
  return *this;
}

Expr& Expr::operator=(Expr&& other) noexcept {
  std::swap(data_, other.data_);
  return *this;
}

Expr::~Expr() {
  if (data_ != nullptr) release(data_);
}

void Expr::release(const ExprData* data) noexcept {
  if (data->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // Depth is the user's, so the objects that become free are chained instead of recursed into.
  std::vector<const ExprData*> free_list{data};
  while (!free_list.empty()) {
    auto* dead = const_cast<ExprData*>(free_list.back());
    free_list.pop_back();
    for (uint32_t i = 0; i < dead->operand_count; ++i) {
      const ExprData* operand = ExprData::detach(dead->operands()[i]);
      if (operand != nullptr && operand->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        free_list.push_back(operand);
      }
    }
    ExprData::destroy(dead);
  }
}

Op Expr::op() const { return data_->op; }
std::span<const Expr> Expr::operands() const { return {data_->operands(), data_->operand_count}; }
std::string_view Expr::name() const { return data_->name; }
uint64_t Expr::bits() const { return data_->bits; }
const DataType& Expr::type() const {
  VYRE_CHECK(data_->extra != nullptr, "this expression carries no type");
  return data_->extra->type;
}
MemoryOrdering Expr::ordering() const { return data_->ordering; }
bool Expr::has_expected() const { return data_->has_expected; }
std::string_view Expr::payload() const {
  return data_->extra ? std::string_view(data_->extra->payload) : std::string_view();
}
const Place& Expr::place() const { return data_->place; }
const Digest& Expr::digest() const { return data_->digest; }
ExprEffects Expr::effects() const { return data_->effects; }
uint32_t Expr::depth() const { return data_->depth; }
uint64_t Expr::size() const { return data_->size; }

Expr Expr::with_operands(std::vector<Expr> operands) const {
  VYRE_CHECK(operands.size() == data_->operand_count, "with_operands keeps the operand count");
  ExprFactory factory = ExprFactory::like(*data_, operands.size(), data_->place);
  for (Expr& operand : operands) factory.operand(std::move(operand));
  return factory.finish();
}

Expr Expr::with_place(Place place) const {
  ExprFactory factory = ExprFactory::like(*data_, data_->operand_count, std::move(place));
  for (const Expr& operand : operands()) factory.operand(operand);
  return factory.finish();
}

namespace {

// Whether the two objects agree in everything but their operands.
bool same_but_operands(const Expr& a, const Expr& b) {
  if (a.op() != b.op() || a.bits() != b.bits() || a.name() != b.name()) return false;
  if (a.operands().size() != b.operands().size() || a.payload() != b.payload()) return false;
  if (is_atomic(a.op())) {
    return a.ordering() == b.ordering() && a.has_expected() == b.has_expected();
  }
  const OpFormat format = a.info().format;
  if (format == OpFormat::kCast || format == OpFormat::kLiteral) return a.type() == b.type();
  return true;
}

}  // namespace

bool operator==(const Expr& a, const Expr& b) {
  if (a.data_ == b.data_) return true;
  if (a.digest() != b.digest()) return false;
  return internal::equal_graphs(a, b, same_but_operands,
                                [](const Expr& e) { return e.operands(); });
}

namespace {

constexpr std::pair<DataType::Kind, Op> kLiteralOps[] = {
    {DataType::U32, Op::kLitU32},  {DataType::I32, Op::kLitI32}, {DataType::U64, Op::kLitU64},
    {DataType::I64, Op::kLitI64},  {DataType::F32, Op::kLitF32}, {DataType::F64, Op::kLitF64},
    {DataType::Bool, Op::kLitBool}};

Op literal_op(DataType::Kind type) {
  for (const auto& [kind, op] : kLiteralOps) {
    if (kind == type) return op;
  }
  VYRE_UNREACHABLE("only value types have literals");
}

Expr named_leaf(Op op, std::string_view name, Place place) {
  return ExprFactory(op, 0, std::move(place)).name(name).finish();
}
Expr axis_leaf(Op op, uint8_t axis, Place place) {
  return ExprFactory(op, 0, std::move(place)).bits(axis).finish();
}
Expr unary(Op op, Operand operand, Place place) {
  return ExprFactory(op, 1, std::move(place)).operand(std::move(operand).take()).finish();
}
Expr binary(Op op, Operand left, Operand right, Place place) {
  return ExprFactory(op, 2, std::move(place))
      .operand(std::move(left).take())
      .operand(std::move(right).take())
      .finish();
}
Expr ternary(Op op, Operand a, Operand b, Operand c, Place place) {
  return ExprFactory(op, 3, std::move(place))
      .operand(std::move(a).take())
      .operand(std::move(b).take())
      .operand(std::move(c).take())
      .finish();
}

}  // namespace

Expr Expr::literal(DataType::Kind type, uint64_t bits, Place place) {
  // Bits that the type does not have would make two literals of one value.
  if (type == DataType::Bool) bits = bits != 0 ? 1 : 0;
  if (DataType(type).size_bytes() == 4) bits &= 0xFFFFFFFF;
  return ExprFactory(literal_op(type), 0, std::move(place)).bits(bits).type(type).finish();
}
Expr Expr::u32(uint32_t value, Place place) {
  return literal(DataType::U32, value, std::move(place));
}
Expr Expr::i32(int32_t value, Place place) {
  return literal(DataType::I32, static_cast<uint32_t>(value), std::move(place));
}
Expr Expr::u64(uint64_t value, Place place) {
  return literal(DataType::U64, value, std::move(place));
}
Expr Expr::i64(int64_t value, Place place) {
  return literal(DataType::I64, static_cast<uint64_t>(value), std::move(place));
}
Expr Expr::f32(float value, Place place) {
  return literal(DataType::F32, std::bit_cast<uint32_t>(value), std::move(place));
}
Expr Expr::f64(double value, Place place) {
  return literal(DataType::F64, std::bit_cast<uint64_t>(value), std::move(place));
}
Expr Expr::bool_(bool value, Place place) {
  return literal(DataType::Bool, value ? 1 : 0, std::move(place));
}
Expr Expr::var(std::string_view name, Place place) {
  return named_leaf(Op::kVar, name, std::move(place));
}
Expr Expr::buf_len(std::string_view buffer, Place place) {
  return named_leaf(Op::kBufLen, buffer, std::move(place));
}
Expr Expr::buffer_ref(std::string_view buffer, Place place) {
  return named_leaf(Op::kBufferRef, buffer, std::move(place));
}
Expr Expr::invocation_id(uint8_t axis, Place place) {
  return axis_leaf(Op::kInvocationId, axis, std::move(place));
}
Expr Expr::workgroup_id(uint8_t axis, Place place) {
  return axis_leaf(Op::kWorkgroupId, axis, std::move(place));
}
Expr Expr::local_id(uint8_t axis, Place place) {
  return axis_leaf(Op::kLocalId, axis, std::move(place));
}
Expr Expr::is_first_workgroup(Place place) {
  return eq(workgroup_id(0, place), Operand(0U, place), place);
}
Expr Expr::subgroup_local_id(Place place) {
  return ExprFactory(Op::kSubgroupLocalId, 0, std::move(place)).finish();
}
Expr Expr::subgroup_size(Place place) {
  return ExprFactory(Op::kSubgroupSize, 0, std::move(place)).finish();
}
Expr Expr::load(std::string_view buffer, Operand index, Place place) {
  return ExprFactory(Op::kLoad, 1, std::move(place))
      .name(buffer)
      .operand(std::move(index).take())
      .finish();
}

#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...)                                        \
  Expr Expr::builder(Operand left, Operand right, Place place) {                        \
    return binary(Op::enumerator, std::move(left), std::move(right), std::move(place)); \
  }
#define VYRE_UNARY_OP(enumerator, builder, ...)                         \
  Expr Expr::builder(Operand operand, Place place) {                    \
    return unary(Op::enumerator, std::move(operand), std::move(place)); \
  }
#include "vyre/ir/ops.def"

Expr Expr::opaque_binary(uint32_t extension_id, Operand left, Operand right, Place place) {
  return ExprFactory(Op::kBinOpaque, 2, std::move(place))
      .bits(extension_id)
      .operand(std::move(left).take())
      .operand(std::move(right).take())
      .finish();
}
Expr Expr::opaque_unary(uint32_t extension_id, Operand operand, Place place) {
  return ExprFactory(Op::kUnOpaque, 1, std::move(place))
      .bits(extension_id)
      .operand(std::move(operand).take())
      .finish();
}
Expr Expr::select(Operand condition, Operand if_true, Operand if_false, Place place) {
  return ternary(Op::kSelect, std::move(condition), std::move(if_true), std::move(if_false),
                 std::move(place));
}
Expr Expr::cast(DataType target, Operand value, Place place) {
  return ExprFactory(Op::kCast, 1, std::move(place))
      .type(std::move(target))
      .operand(std::move(value).take())
      .finish();
}
Expr Expr::bitcast(DataType target, Operand value, Place place) {
  return ExprFactory(Op::kBitcast, 1, std::move(place))
      .type(std::move(target))
      .operand(std::move(value).take())
      .finish();
}
Expr Expr::fma(Operand a, Operand b, Operand c, Place place) {
  return ternary(Op::kFma, std::move(a), std::move(b), std::move(c), std::move(place));
}
Expr Expr::call(std::string_view op_id, std::vector<Expr> arguments, Place place) {
  ExprFactory factory(Op::kCallOp, arguments.size(), std::move(place));
  factory.name(op_id);
  for (Expr& argument : arguments) factory.operand(std::move(argument));
  return factory.finish();
}
Expr Expr::opaque(std::string_view kind, std::string payload, Place place) {
  return ExprFactory(Op::kOpaque, 0, std::move(place))
      .name(kind)
      .payload(std::move(payload))
      .finish();
}
Expr Expr::subgroup_ballot(Operand condition, Place place) {
  return unary(Op::kSubgroupBallot, std::move(condition), std::move(place));
}
Expr Expr::subgroup_shuffle(Operand value, Operand lane, Place place) {
  return binary(Op::kSubgroupShuffle, std::move(value), std::move(lane), std::move(place));
}

Expr Expr::atomic(Op op, std::string_view buffer, Expr index, const Expr* expected, Expr value,
                  MemoryOrdering ordering, uint32_t extension_id, Place place) {
  VYRE_CHECK(vyre::is_atomic(op), "Expr::atomic takes an atomic op");
  ExprFactory factory(op, expected != nullptr ? 3 : 2, std::move(place));
  factory.name(buffer).ordering(ordering).has_expected(expected != nullptr);
  if (op == Op::kAtomicOpaque) factory.bits(extension_id);
  factory.operand(std::move(index));
  if (expected != nullptr) factory.operand(*expected);
  factory.operand(std::move(value));
  return factory.finish();
}

#define VYRE_ATOMIC(builder, enumerator)                                                   \
  Expr Expr::builder(std::string_view buffer, Operand index, Operand value, Place place) { \
    return atomic(Op::enumerator, buffer, std::move(index).take(), nullptr,                \
                  std::move(value).take(), MemoryOrdering::kSeqCst, 0, std::move(place));  \
  }
VYRE_ATOMIC(atomic_add, kAtomicAdd)
VYRE_ATOMIC(atomic_or, kAtomicOr)
VYRE_ATOMIC(atomic_and, kAtomicAnd)
VYRE_ATOMIC(atomic_xor, kAtomicXor)
VYRE_ATOMIC(atomic_min, kAtomicMin)
VYRE_ATOMIC(atomic_max, kAtomicMax)
VYRE_ATOMIC(atomic_exchange, kAtomicExchange)
VYRE_ATOMIC(atomic_lru_update, kAtomicLruUpdate)
#undef VYRE_ATOMIC

Expr Expr::atomic_add_ordered(std::string_view buffer, Operand index, Operand value,
                              MemoryOrdering ordering, Place place) {
  return atomic(Op::kAtomicAdd, buffer, std::move(index).take(), nullptr, std::move(value).take(),
                ordering, 0, std::move(place));
}
Expr Expr::atomic_compare_exchange(std::string_view buffer, Operand index, Operand expected,
                                   Operand value, Place place) {
  return atomic_compare_exchange_ordered(buffer, std::move(index), std::move(expected),
                                         std::move(value), MemoryOrdering::kSeqCst,
                                         std::move(place));
}
Expr Expr::atomic_compare_exchange_ordered(std::string_view buffer, Operand index, Operand expected,
                                           Operand value, MemoryOrdering ordering, Place place) {
  return atomic(Op::kAtomicCompareExchange, buffer, std::move(index).take(), &expected.expr(),
                std::move(value).take(), ordering, 0, std::move(place));
}

namespace internal {

void add_type(DigestBuilder& digest, const DataType& type) {
  digest.add_u8(type.kind());
  // Spelling is injective over types with payloads, and iterative over their nesting.
  if (type.has_payload()) digest.add_text(type.spelling());
}

uint32_t f32_literal_bits(const char* text) {
  std::string digits;
  for (const char* c = text; *c != 0; ++c) {
    if (*c != '\'') digits += *c;
  }
  auto format = std::chars_format::general;
  const char* begin = digits.data();
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    format = std::chars_format::hex;
    begin += 2;
  }
  float value = 0;
  const auto result = std::from_chars(begin, digits.data() + digits.size(), value, format);
  // Out of range: from_chars leaves the value alone; what C++ itself would give is an infinity for
  // large and zero for small ones.
  if (result.ec == std::errc::result_out_of_range) {
    const bool negative_exponent = digits.find("e-") != std::string::npos ||
                                   digits.find("E-") != std::string::npos ||
                                   digits.find("p-") != std::string::npos;
    value = negative_exponent ? 0.0F : std::numeric_limits<float>::infinity();
  }
  return std::bit_cast<uint32_t>(value);
}

}  // namespace internal
}  // namespace vyre

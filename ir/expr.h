// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Expr: an expression of the IR, as an immutable value.
//
//   Expr row = Expr::var("row");
//   Expr e = Expr::load("x", row * 4u + Expr::local_id(0)) + 1.5f;
//   e == e;                        // true: structural equality, bit by bit
//   Expr c = Expr::lt(row, 8u);    // a comparison in the IR
//
// An Expr is a recipe, not a value: each occurrence is evaluated where it stands. Copying a handle
// shares the text, not the result; bind the result with Node::let_bind to share it.
//
// Operands are expressions, floats or uint32_t. Any other number is refused by the compiler, since
// its IR type would be a guess: write 1_u, -1_i or 1.5_f (namespace vyre::literals), or Expr::i32.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/digest.h"
#include "vyre/ir/op.h"
#include "vyre/ir/place.h"

namespace vyre {

class Operand;
namespace internal {
struct ExprData;
}

// What a subtree contains; computed once, when it is built.
enum class ExprEffects : uint8_t {
  kNone = 0,
  kLoads = 1 << 0,
  kAtomics = 1 << 1,
  kMayTrap = 1 << 2,    // a division that traps if its operands are signed integers
  kSubgroups = 1 << 3,  // something that looks at other lanes: is_collective()
  kOpaque = 1 << 4,     // calls and extensions
  kVariables = 1 << 5,
};
constexpr ExprEffects operator|(ExprEffects a, ExprEffects b) {
  return static_cast<ExprEffects>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr bool has_effect(ExprEffects set, ExprEffects effect) {
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(effect)) != 0;
}

class Expr {
 public:
  Expr(const Expr& other) noexcept;
  Expr(Expr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Expr& operator=(const Expr& other) noexcept;
  Expr& operator=(Expr&& other) noexcept;
  ~Expr();

  // Leaves.
  static Expr u32(uint32_t value, Place place = Place::here());
  static Expr i32(int32_t value, Place place = Place::here());
  static Expr u64(uint64_t value, Place place = Place::here());
  static Expr i64(int64_t value, Place place = Place::here());
  static Expr f32(float value, Place place = Place::here());
  static Expr f64(double value, Place place = Place::here());
  static Expr bool_(bool value, Place place = Place::here());
  // A literal of a value type by its bits, zero-extended.
  static Expr literal(DataType::Kind type, uint64_t bits, Place place = Place::here());
  static Expr var(std::string_view name, Place place = Place::here());
  static Expr buf_len(std::string_view buffer, Place place = Place::here());
  static Expr buffer_ref(std::string_view buffer, Place place = Place::here());
  static Expr invocation_id(uint8_t axis, Place place = Place::here());
  static Expr workgroup_id(uint8_t axis, Place place = Place::here());
  static Expr local_id(uint8_t axis, Place place = Place::here());
  static Expr gid_x(Place place = Place::here()) { return invocation_id(0, std::move(place)); }
  static Expr gid_y(Place place = Place::here()) { return invocation_id(1, std::move(place)); }
  static Expr gid_z(Place place = Place::here()) { return invocation_id(2, std::move(place)); }
  static Expr workgroup_x(Place place = Place::here()) { return workgroup_id(0, std::move(place)); }
  static Expr workgroup_y(Place place = Place::here()) { return workgroup_id(1, std::move(place)); }
  static Expr workgroup_z(Place place = Place::here()) { return workgroup_id(2, std::move(place)); }
  static Expr local_x(Place place = Place::here()) { return local_id(0, std::move(place)); }
  static Expr local_y(Place place = Place::here()) { return local_id(1, std::move(place)); }
  static Expr local_z(Place place = Place::here()) { return local_id(2, std::move(place)); }
  // workgroup_id.x == 0
  static Expr is_first_workgroup(Place place = Place::here());
  static Expr subgroup_local_id(Place place = Place::here());
  static Expr subgroup_size(Place place = Place::here());

  // buffer[index]
  static Expr load(std::string_view buffer, Operand index, Place place = Place::here());

  // One function a row of ops.def: add, sub, ..., lt, and_, ..., negate, exp, ..., subgroup_add.
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  static Expr builder(Operand left, Operand right, Place place = Place::here());
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  static Expr builder(Operand operand, Place place = Place::here());
#include "vyre/ir/ops.def"

  static Expr opaque_binary(uint32_t extension_id, Operand left, Operand right,
                            Place place = Place::here());
  static Expr opaque_unary(uint32_t extension_id, Operand operand, Place place = Place::here());
  static Expr select(Operand condition, Operand if_true, Operand if_false,
                     Place place = Place::here());
  static Expr cast(DataType target, Operand value, Place place = Place::here());
  static Expr bitcast(DataType target, Operand value, Place place = Place::here());
  static Expr fma(Operand a, Operand b, Operand c, Place place = Place::here());
  static Expr call(std::string_view op_id, std::vector<Expr> arguments,
                   Place place = Place::here());
  static Expr opaque(std::string_view kind, std::string payload, Place place = Place::here());
  static Expr subgroup_ballot(Operand condition, Place place = Place::here());
  static Expr subgroup_shuffle(Operand value, Operand lane, Place place = Place::here());

  // Atomics on a u32 word of a buffer, sequentially consistent; they give the old value.
  static Expr atomic_add(std::string_view buffer, Operand index, Operand value,
                         Place place = Place::here());
  static Expr atomic_or(std::string_view buffer, Operand index, Operand value,
                        Place place = Place::here());
  static Expr atomic_and(std::string_view buffer, Operand index, Operand value,
                         Place place = Place::here());
  static Expr atomic_xor(std::string_view buffer, Operand index, Operand value,
                         Place place = Place::here());
  static Expr atomic_min(std::string_view buffer, Operand index, Operand value,
                         Place place = Place::here());
  static Expr atomic_max(std::string_view buffer, Operand index, Operand value,
                         Place place = Place::here());
  static Expr atomic_exchange(std::string_view buffer, Operand index, Operand value,
                              Place place = Place::here());
  static Expr atomic_lru_update(std::string_view buffer, Operand index, Operand value,
                                Place place = Place::here());
  static Expr atomic_compare_exchange(std::string_view buffer, Operand index, Operand expected,
                                      Operand value, Place place = Place::here());
  static Expr atomic_add_ordered(std::string_view buffer, Operand index, Operand value,
                                 MemoryOrdering ordering, Place place = Place::here());
  static Expr atomic_compare_exchange_ordered(std::string_view buffer, Operand index,
                                              Operand expected, Operand value,
                                              MemoryOrdering ordering, Place place = Place::here());
  // Any atomic op. `expected` is null where there is none; wrong combinations are kept and
  // diagnosed (V059, V060). `extension_id` matters for kAtomicOpaque only.
  static Expr atomic(Op op, std::string_view buffer, Expr index, const Expr* expected, Expr value,
                     MemoryOrdering ordering, uint32_t extension_id = 0,
                     Place place = Place::here());

  // The same operation, name, type and place over other operands; as many as before.
  Expr with_operands(std::vector<Expr> operands) const;
  Expr with_place(Place place) const;

  Op op() const;
  const OpInfo& info() const { return op_info(op()); }
  std::span<const Expr> operands() const;
  const Expr& operand(size_t i) const { return operands()[i]; }

  // Variable, buffer, op id or extension kind; empty where the op has none.
  std::string_view name() const;
  // Literal bits (zero-extended), axis or extension id; 0 where the op has none.
  uint64_t bits() const;
  // A literal's type, the target of a cast or bitcast.
  const DataType& type() const;
  // Atomics: the ordering and whether an expected value stands between index and value.
  MemoryOrdering ordering() const;
  bool has_expected() const;
  // The bytes of an opaque expression.
  std::string_view payload() const;

  const Place& place() const;
  const Digest& digest() const;
  ExprEffects effects() const;
  bool has(ExprEffects effect) const { return has_effect(effects(), effect); }
  uint32_t depth() const;  // 1 for a leaf
  uint64_t size() const;   // nodes of the tree, shared ones counted at each use; saturates

  // Whether both handles name one object. Implies equality, is not implied by it.
  bool same_object(const Expr& other) const { return data_ == other.data_; }
  // An identity for side tables; valid while a handle to the object is kept.
  const void* identity() const { return data_; }

  // Structural equality by bits: a NaN equals the same NaN, -0 differs from +0. Expr::eq builds a
  // comparison in the IR instead.
  friend bool operator==(const Expr& a, const Expr& b);

 private:
  friend struct internal::ExprData;
  friend class ExprFactory;
  explicit Expr(const internal::ExprData* data) noexcept : data_(data) {}
  static void release(const internal::ExprData* data) noexcept;

  const internal::ExprData* data_;
};

// A number with its IR type, as the literals below give it.
struct Literal {
  DataType::Kind type;
  uint64_t bits;

  // The negated literal (not an expression that negates one).
  constexpr Literal operator-() const {
    return type == DataType::F32 ? Literal{type, bits ^ 0x80000000U}
                                 : Literal{type, (0 - bits) & 0xFFFFFFFFU};
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator Expr() const { return Expr::literal(type, bits, Place()); }
};

// An argument of an expression builder: an Expr, a Literal, a float or a uint32_t.
class Operand {
 public:
  // NOLINTBEGIN(google-explicit-constructor): conversion is the purpose, and it notes the place.
  Operand(Expr expr, Place place = Place::here())
      : expr_(std::move(expr)), place_(std::move(place)) {}
  Operand(Literal literal, Place place = Place::here())
      : expr_(Expr::literal(literal.type, literal.bits, place)), place_(std::move(place)) {}
  Operand(float value, Place place = Place::here())
      : expr_(Expr::f32(value, place)), place_(std::move(place)) {}
  Operand(uint32_t value, Place place = Place::here())
      : expr_(Expr::u32(value, place)), place_(std::move(place)) {}
  // This number's IR type would be a guess.
  template <typename T>
  requires(std::is_arithmetic_v<T>) Operand(T write_1_u_or_1_i_or_1_5_f_or_Expr_u64)
  = delete;
  // NOLINTEND(google-explicit-constructor)

  Expr take() && { return std::move(expr_); }
  const Expr& expr() const { return expr_; }
  const Place& place() const { return place_; }

 private:
  Expr expr_;
  Place place_;
};

#define VYRE_EXPR_OPERATOR(symbol, builder)                             \
  inline Expr operator symbol(Operand a, Operand b) {                   \
    Place place = a.place();                                            \
    return Expr::builder(std::move(a), std::move(b), std::move(place)); \
  }
VYRE_EXPR_OPERATOR(+, add)
VYRE_EXPR_OPERATOR(-, sub)
VYRE_EXPR_OPERATOR(*, mul)
VYRE_EXPR_OPERATOR(/, div)
VYRE_EXPR_OPERATOR(%, rem)
VYRE_EXPR_OPERATOR(&, bitand_)
VYRE_EXPR_OPERATOR(|, bitor_)
VYRE_EXPR_OPERATOR(^, bitxor)
VYRE_EXPR_OPERATOR(<<, shl)
VYRE_EXPR_OPERATOR(>>, shr)
#undef VYRE_EXPR_OPERATOR
inline Expr operator-(const Expr& a) { return Expr::negate(a, a.place()); }
inline Expr operator~(const Expr& a) { return Expr::bitnot(a, a.place()); }
// C++ would not evaluate the right side of these; the IR always does. Use Expr::and_, Expr::or_.
Expr operator&&(const Expr&, const Expr&) = delete;
Expr operator||(const Expr&, const Expr&) = delete;
Expr operator!(const Expr&) = delete;
// == compares two expressions as values of C++; these would be mistaken for comparisons in the IR.
Expr operator<(const Expr&, const Operand& use_Expr_lt) = delete;
Expr operator<=(const Expr&, const Operand& use_Expr_le) = delete;
Expr operator>(const Expr&, const Operand& use_Expr_gt) = delete;
Expr operator>=(const Expr&, const Operand& use_Expr_ge) = delete;
template <typename T>
requires(std::is_arithmetic_v<T>) bool operator==(const Expr&, T use_Expr_eq) = delete;

namespace internal {
// The f32 nearest to the text of a C++ literal; one rounding, whatever its length.
uint32_t f32_literal_bits(const char* text);
}  // namespace internal

namespace literals {
consteval Literal operator""_u(unsigned long long value) {
  if (value > 0xFFFFFFFFU) throw "a u32 literal is at most 4294967295";
  return {DataType::U32, value};
}
// Up to 2147483648, so that -2147483648_i can be written.
consteval Literal operator""_i(unsigned long long value) {
  if (value > 0x80000000U) throw "an i32 literal is at most 2147483647";
  return {DataType::I32, value};
}
inline Literal operator""_f(const char* text) {
  return {DataType::F32, internal::f32_literal_bits(text)};
}
}  // namespace literals

}  // namespace vyre

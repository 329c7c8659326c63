// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorder's handles: Val, Var, Buf and buf[i], and the operations on them. vyre/ir/kernel.h is
// the header to include.
//
//   Val<f32> half = x[i] * 0.5;            // an expression; 0.5 becomes an f32
//   sum += max(half, 0);                   // sum is a Var<f32>: an assignment
//   y[i] = select(half > sum, half, sum);  // a store
//
// Operators make IR: `a == b` gives a Val<bool>, not an answer. Both operands have one type, and a
// C++ number takes the type of what it stands next to. && and || are deleted, since the IR always
// evaluates both sides: write and_(a, b), or_(a, b).
//
// Besides the operators there is one function a row of ops.def, by its builder's name: min, max,
// abs, exp, log, sqrt, floor, is_nan, popcount, rotate_left, ..., and select, fma, cast<T>,
// bitcast<T>. Subgroup operations (subgroup_add, subgroup_shuffle, ...) are bound where they are
// written, because what they give depends on it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vyre/ir/kernel_recording.h"
#include "vyre/ir/kernel_types.h"

namespace vyre {

template <ValueType T>
class Val;
template <ValueType T>
class Var;
template <ElementType E>
class Element;
template <ElementType E>
class Buf;
template <ValueType T>
class Arg;

namespace internal {

template <typename X>
struct RecordedType {};
template <typename T>
struct RecordedType<Val<T>> {
  using Type = T;
};
template <typename T>
struct RecordedType<Var<T>> {
  using Type = T;
};
template <typename E>
struct RecordedType<Element<E>> {
  using Type = value_of<E>;
};

}  // namespace internal

// A Val, a Var or an element of a buffer.
template <typename X>
concept Recorded = requires {
  typename internal::RecordedType<std::remove_cvref_t<X>>::Type;
};
template <Recorded X>
using recorded_type = typename internal::RecordedType<std::remove_cvref_t<X>>::Type;

namespace internal {

// X is a handle of a T, or a number that can stand for one.
template <typename X, typename T>
concept GoesWith =
    (Recorded<X> && std::same_as<typename RecordedType<X>::Type, T>) || NumberFor<X, T>;
// A is a handle, and X goes with its type.
template <typename X, typename A>
concept TypedBy = Recorded<A> && GoesWith<X, typename RecordedType<A>::Type>;

// Operands of one operation that is the recorder's business.
template <typename R, typename L>
concept PairedWith = (Recorded<L> && (Recorded<R> || std::is_arithmetic_v<R>)) ||
                     (Recorded<R> && std::is_arithmetic_v<L>);
template <typename R, typename L>
concept MismatchedWith = PairedWith<R, L> && !(TypedBy<R, L> || TypedBy<L, R>);

// The type that the arms of a choice have together; void where they have none.
template <typename A, typename B>
constexpr auto arms() {
  if constexpr (TypedBy<B, A>) {
    return std::type_identity<recorded_type<A>>();
  } else if constexpr (TypedBy<A, B>) {
    return std::type_identity<recorded_type<B>>();
  } else if constexpr (std::same_as<A, B> && is_one_of<A, f32, u32>) {
    return std::type_identity<A>();
  } else {
    return std::type_identity<void>();
  }
}
template <typename A, typename B>
using ArmsType = typename decltype(arms<A, B>())::type;
template <typename B, typename A>
concept ArmWith = ValueType<ArmsType<A, B>>;

template <typename X>
concept IndexValue = Recorded<X> && is_one_of<recorded_type<X>, u32, u64>;

template <typename X, typename To>
concept BitsOf = Recorded<X> && ValueType<To> && sizeof(To) == sizeof(recorded_type<X>) &&
                 !is_one_of<bool, To, recorded_type<X>>;

// What says its type itself, and that type.
template <typename X>
concept Bindable = Recorded<X> || is_one_of<std::remove_cvref_t<X>, f32, u32>;
template <Bindable X>
using BoundType = ArmsType<std::remove_cvref_t<X>, std::remove_cvref_t<X>>;
template <typename N>
concept Untyped = std::is_arithmetic_v<N> && !Bindable<N>;

// `Result`, looked up only where T is known.
template <typename T, typename Result>
struct Later {
  using Type = Result;
};
template <typename T>
using U32 = typename Later<T, u32>::Type;

// The operators and functions of a type; found through the arguments alone.
template <typename T>
struct Operations {
#define VYRE_KERNEL_OPERATOR(symbol, builder, rule)                                              \
  friend Val<ResultOf<TypeRule::rule, T>> operator symbol(                                       \
      const Arg<T>& a, const Arg<T>& b) requires Takes<T, TypeRule::rule> {                      \
    return Val<ResultOf<TypeRule::rule, T>>(record(&Expr::builder, a.argument(), b.argument())); \
  }
  VYRE_KERNEL_OPERATOR(+, add, kArithmetic)
  VYRE_KERNEL_OPERATOR(-, sub, kArithmetic)
  VYRE_KERNEL_OPERATOR(*, mul, kArithmetic)
  VYRE_KERNEL_OPERATOR(/, div, kArithmetic)
  VYRE_KERNEL_OPERATOR(%, rem, kRemainder)
  VYRE_KERNEL_OPERATOR(&, bitand_, kBitwise)
  VYRE_KERNEL_OPERATOR(|, bitor_, kBitwise)
  VYRE_KERNEL_OPERATOR(^, bitxor, kBitwise)
  VYRE_KERNEL_OPERATOR(<<, shl, kShift)
  VYRE_KERNEL_OPERATOR(>>, shr, kShift)
  VYRE_KERNEL_OPERATOR(<, lt, kOrdering)
  VYRE_KERNEL_OPERATOR(<=, le, kOrdering)
  VYRE_KERNEL_OPERATOR(>, gt, kOrdering)
  VYRE_KERNEL_OPERATOR(>=, ge, kOrdering)
  VYRE_KERNEL_OPERATOR(==, eq, kEquality)
  VYRE_KERNEL_OPERATOR(!=, ne, kEquality)
#undef VYRE_KERNEL_OPERATOR

#define VYRE_KERNEL_PREFIX(symbol, builder, rule)                                  \
  friend Val<ResultOf<TypeRule::rule, T>> operator symbol(                         \
      const Arg<T>& a) requires Takes<T, TypeRule::rule> {                         \
    return Val<ResultOf<TypeRule::rule, T>>(record(&Expr::builder, a.argument())); \
  }
  VYRE_KERNEL_PREFIX(-, negate, kNegate)
  VYRE_KERNEL_PREFIX(~, bitnot, kIntegerUnary)
  VYRE_KERNEL_PREFIX(!, not_, kNot)
#undef VYRE_KERNEL_PREFIX

#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, mnemonic, format, rule, ...)                         \
  friend Val<ResultOf<TypeRule::rule, T>> builder(                                               \
      const Arg<T>& a, const Arg<T>& b) requires Takes<T, TypeRule::rule> {                      \
    return Val<ResultOf<TypeRule::rule, T>>(record(&Expr::builder, a.argument(), b.argument())); \
  }
#define VYRE_UNARY_OP(enumerator, builder, mnemonic, format, rule, ...)                        \
  friend Val<ResultOf<TypeRule::rule, T>> builder(                                             \
      const Arg<T>& a) requires Takes<T, TypeRule::rule> {                                     \
    const RecordedValue value = record(&Expr::builder, a.argument());                          \
    return Val<ResultOf<TypeRule::rule, T>>(                                                   \
        is_reduction(TypeRule::rule) ? bind_now(#builder, value, a.argument().place) : value); \
  }
#include "vyre/ir/ops.def"

  // a * b + c, rounded once.
  friend Val<ResultOf<TypeRule::kFma, T>> fma(const Arg<T>& a, const Arg<T>& b,
                                              const Arg<T>& c) requires Takes<T, TypeRule::kFma> {
    return Val<T>(record(&Expr::fma, a.argument(), b.argument(), c.argument()));
  }
  // The value of another lane of the subgroup.
  friend Val<T> subgroup_shuffle(const Arg<T>& value, const Arg<U32<T>>& lane) {
    const Argument& a = value.argument();
    return Val<T>(
        bind_now("subgroup_shuffle", record(&Expr::subgroup_shuffle, a, lane.argument()), a.place));
  }
  // Bit i is the condition of lane i of the subgroup.
  friend Val<U32<T>> subgroup_ballot(const Arg<T>& condition) requires std::same_as<T, bool> {
    const Argument& a = condition.argument();
    return Val<U32<T>>(bind_now("subgroup_ballot", record(&Expr::subgroup_ballot, a), a.place));
  }
};

#define VYRE_KERNEL_COMPOUNDS(X) \
  X(+=, add, kArithmetic)        \
  X(-=, sub, kArithmetic)        \
  X(*=, mul, kArithmetic)        \
  X(/=, div, kArithmetic)        \
  X(%=, rem, kRemainder)         \
  X(&=, bitand_, kBitwise)       \
  X(|=, bitor_, kBitwise)        \
  X(^=, bitxor, kBitwise)        \
  X(<<=, shl, kShift)            \
  X(>>=, shr, kShift)

}  // namespace internal

// Two operands of different types, or a number that cannot have the other's type: convert one with
// cast<T>(value), or write the number in the type that is meant.
#define VYRE_KERNEL_MISMATCH(symbol)                   \
  template <typename L, internal::MismatchedWith<L> R> \
  void operator symbol(const L& operands_must_have_one_type, const R& use_cast) = delete;
VYRE_KERNEL_MISMATCH(+)
VYRE_KERNEL_MISMATCH(-)
VYRE_KERNEL_MISMATCH(*)
VYRE_KERNEL_MISMATCH(/)
VYRE_KERNEL_MISMATCH(%)
VYRE_KERNEL_MISMATCH(&)
VYRE_KERNEL_MISMATCH(|)
VYRE_KERNEL_MISMATCH(^)
VYRE_KERNEL_MISMATCH(<<)
VYRE_KERNEL_MISMATCH(>>)
VYRE_KERNEL_MISMATCH(<)
VYRE_KERNEL_MISMATCH(<=)
VYRE_KERNEL_MISMATCH(>)
VYRE_KERNEL_MISMATCH(>=)
VYRE_KERNEL_MISMATCH(==)
VYRE_KERNEL_MISMATCH(!=)
#undef VYRE_KERNEL_MISMATCH

// C++ would not evaluate the right side of these; the IR always does. Use and_(a, b), or_(a, b).
template <typename L, internal::PairedWith<L> R>
void operator&&(const L& use_and_, const R& both_sides_are_evaluated) = delete;
template <typename L, internal::PairedWith<L> R>
void operator||(const L& use_or_, const R& both_sides_are_evaluated) = delete;

// A value of type T as an argument: a Val, a Var (read here), an element (loaded where it was
// written) or a C++ number that goes with T. It notes the caller's line.
template <ValueType T>
class Arg {
 public:
  // NOLINTBEGIN(google-explicit-constructor): conversion is the purpose.
  Arg(const Val<T>& value, Place place = Place::here())
      : argument_{value.recorded(), std::move(place), {}} {}
  Arg(const Var<T>& variable, Place place = Place::here())
      : argument_{internal::read_variable(variable.handle(), place), place, {}} {}
  template <ElementOf<T> E>
  Arg(const Element<E>& element, Place place = Place::here())
      : argument_{internal::load(element.handle()), std::move(place), {}} {}
  template <NumberFor<T> N>
  Arg(N number, Place place = Place::here()) : argument_(make(number, std::move(place))) {}
  // NOLINTEND(google-explicit-constructor)

  const internal::Argument& argument() const { return argument_; }

 private:
  template <typename N>
  static internal::Argument make(N number, Place place) {
    if constexpr (std::same_as<N, bool>) {
      return internal::bool_argument(number, std::move(place));
    } else if constexpr (std::same_as<N, float>) {
      return internal::float_argument(kind_of<T>, number, std::move(place));
    } else if constexpr (std::floating_point<N>) {
      return internal::double_argument(kind_of<T>, number, std::move(place));
    } else if constexpr (std::signed_integral<N>) {
      return internal::signed_argument(kind_of<T>, number, std::move(place));
    } else {
      return internal::unsigned_argument(kind_of<T>, number, std::move(place));
    }
  }

  internal::Argument argument_;
};

// An index: a u32 or u64 value, or an integer, which becomes a u32.
class Index {
 public:
  // NOLINTBEGIN(google-explicit-constructor): conversion is the purpose.
  template <internal::IndexValue X>
  Index(const X& value, Place place = Place::here())
      : argument_(Arg<recorded_type<X>>(value, std::move(place)).argument()) {}
  template <NumberFor<u32> N>
  Index(N number, Place place = Place::here())
      : argument_(std::in_range<u32>(number)
                      ? Arg<u32>(number, place).argument()
                      : internal::impossible_index(std::to_string(number), place)) {}
  // NOLINTEND(google-explicit-constructor)

  const internal::Argument& argument() const { return argument_; }

 private:
  internal::Argument argument_;
};

// An expression of type T: a recipe that is evaluated in each statement that uses it. Bind it with
// Kernel::let to evaluate it once. It cannot be assigned: Kernel::var makes a variable. C++ cannot
// branch on it: use Kernel::if_ or select.
template <ValueType T>
class Val : internal::Operations<T> {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a variable or an element is a value when read.
  Val(const Var<T>& variable, Place place = Place::here())
      : recorded_(Arg<T>(variable, std::move(place)).argument().value) {}
  template <ElementOf<T> E>
  Val(const Element<E>& element, Place place = Place::here())
      : recorded_(Arg<T>(element, std::move(place)).argument().value) {}
  // NOLINTEND(google-explicit-constructor)
  Val(const Val&) = default;
  // It would change which expression the C++ name stands for, once, whatever loop it is written
  // in. Use Kernel::var for something that changes.
  Val& operator=(const Val&) = delete;
  ~Val() = default;

  const Expr& expr() const { return recorded_.expr; }
  const internal::RecordedValue& recorded() const { return recorded_; }

  // For the recorder.
  explicit Val(internal::RecordedValue recorded) : recorded_(std::move(recorded)) {}

 private:
  internal::RecordedValue recorded_;
};

// A variable of the program: reading it makes an expression, assigning it makes a statement. It
// cannot be copied, since that could mean either variable or value: `Val<T> now = v;` reads it.
template <ValueType T>
class Var : internal::Operations<T> {
 public:
  Var(const Var&) = delete;
  // Both name the same variable afterwards.
  Var(Var&& other) noexcept : handle_(other.handle_) {}
  // Not a candidate, so that `v = w` is an assignment in the program and notes its line.
  Var& operator=(const Var&) requires(sizeof(T) == 0) = delete;
  ~Var() = default;

  void operator=(const Arg<T>& value) { internal::assign(handle_, value.argument()); }
#define VYRE_KERNEL_COMPOUND(symbol, builder, rule)                                         \
  void operator symbol(const Arg<T>& value) requires internal::Takes<T, TypeRule::rule> {   \
    const Place& place = value.argument().place;                                            \
    const internal::Argument old{internal::read_variable(handle_, place), place, {}};       \
    internal::assign(handle_,                                                               \
                     {internal::record(&Expr::builder, old, value.argument()), place, {}}); \
  }
  VYRE_KERNEL_COMPOUNDS(VYRE_KERNEL_COMPOUND)
#undef VYRE_KERNEL_COMPOUND

  // As the program spells it: unique among the names that are live.
  std::string_view name() const { return internal::variable_name(handle_); }
  const internal::VariableHandle& handle() const { return handle_; }

  // For the recorder.
  explicit Var(internal::VariableHandle handle) : handle_(std::move(handle)) {}

 private:
  internal::VariableHandle handle_;
};

// buf[i]: a load where it is used as a value, a store where it is assigned. As a value it is dated
// by where buf[i] was written.
template <ElementType E>
class Element : internal::Operations<value_of<E>> {
 public:
  using Value = value_of<E>;

  Element(const Element&) = default;
  Element& operator=(const Element&) requires(sizeof(E) == 0) = delete;
  ~Element() = default;

  void operator=(const Arg<Value>& value) { internal::store(handle_, value.argument()); }
#define VYRE_KERNEL_COMPOUND(symbol, builder, rule)                                               \
  void operator symbol(const Arg<Value>& value) requires internal::Takes<Value, TypeRule::rule> { \
    const Place& place = value.argument().place;                                                  \
    const internal::Argument old{internal::load_now(handle_, place), place, {}};                  \
    internal::store(handle_,                                                                      \
                    {internal::record(&Expr::builder, old, value.argument()), place, {}});        \
  }
  VYRE_KERNEL_COMPOUNDS(VYRE_KERNEL_COMPOUND)
#undef VYRE_KERNEL_COMPOUND

  const internal::ElementHandle& handle() const { return handle_; }

  // For the recorder.
  explicit Element(internal::ElementHandle handle) : handle_(std::move(handle)) {}

 private:
  internal::ElementHandle handle_;
};
#undef VYRE_KERNEL_COMPOUNDS

// A buffer of the kernel. Copies name the same buffer.
template <ElementType E>
class Buf {
 public:
  // A load out of bounds gives zero, a store out of bounds is dropped.
  Element<E> operator[](const Index& index) const {
    return Element<E>(internal::element(handle_, index.argument()));
  }
  // The number of elements bound to it.
  Val<u32> size(Place place = Place::here()) const {
    return Val<u32>(internal::buffer_length(handle_, place));
  }

  // One indivisible step on a u32 element, in the program even if the result is not used. They
  // give the old value, bound to a name: k.let("ticket", counter.atomic_add(0, 1)) names it.
#define VYRE_KERNEL_ATOMIC(builder, op)                                                 \
  Val<u32> builder(const Index& index, const Arg<u32>& value,                           \
                   MemoryOrdering ordering = MemoryOrdering::kSeqCst)                   \
      const requires std::same_as<E, u32> {                                             \
    return Val<u32>(internal::record_atomic(Op::op, handle_, index.argument(), nullptr, \
                                            value.argument(), ordering));               \
  }
  VYRE_KERNEL_ATOMIC(atomic_add, kAtomicAdd)
  VYRE_KERNEL_ATOMIC(atomic_or, kAtomicOr)
  VYRE_KERNEL_ATOMIC(atomic_and, kAtomicAnd)
  VYRE_KERNEL_ATOMIC(atomic_xor, kAtomicXor)
  VYRE_KERNEL_ATOMIC(atomic_min, kAtomicMin)
  VYRE_KERNEL_ATOMIC(atomic_max, kAtomicMax)
  VYRE_KERNEL_ATOMIC(atomic_exchange, kAtomicExchange)
  VYRE_KERNEL_ATOMIC(atomic_lru_update, kAtomicLruUpdate)
#undef VYRE_KERNEL_ATOMIC
  Val<u32> atomic_compare_exchange(
      const Index& index, const Arg<u32>& expected, const Arg<u32>& value,
      MemoryOrdering ordering = MemoryOrdering::kSeqCst) const requires std::same_as<E, u32> {
    return Val<u32>(internal::record_atomic(Op::kAtomicCompareExchange, handle_, index.argument(),
                                            &expected.argument(), value.argument(), ordering));
  }

  std::string_view name() const { return internal::buffer_name(handle_); }

  // For the recorder.
  explicit Buf(internal::BufferHandle handle) : handle_(std::move(handle)) {}

 private:
  internal::BufferHandle handle_;
};

// if_true where the condition holds, else if_false; all three are evaluated. Between two numbers,
// name the type: select<f32>(c, 1, 0).
template <typename A, internal::ArmWith<A> B>
Val<internal::ArmsType<A, B>> select(const Arg<bool>& condition, const A& if_true,
                                     const B& if_false) {
  using T = internal::ArmsType<A, B>;
  const Place& place = condition.argument().place;
  return Val<T>(internal::record(&Expr::select, condition.argument(),
                                 Arg<T>(if_true, place).argument(),
                                 Arg<T>(if_false, place).argument()));
}
template <ValueType T>
Val<T> select(const Arg<bool>& condition, const std::type_identity_t<Arg<T>>& if_true,
              const std::type_identity_t<Arg<T>>& if_false) {
  return Val<T>(internal::record(&Expr::select, condition.argument(), if_true.argument(),
                                 if_false.argument()));
}

// The value converted; cast<f16>(x) rounds to f16 and gives an f32.
template <ElementType To, Recorded X>
Val<value_of<To>> cast(const X& value, Place place = Place::here()) {
  return Val<value_of<To>>(internal::record_cast(
      kind_of<To>, Arg<recorded_type<X>>(value, std::move(place)).argument()));
}

// The same bits as another type of the same width: f32, u32, i32; f64, u64, i64.
template <ValueType To, internal::BitsOf<To> X>
Val<To> bitcast(const X& value, Place place = Place::here()) {
  return Val<To>(internal::record_bitcast(
      kind_of<To>, Arg<recorded_type<X>>(value, std::move(place)).argument()));
}

}  // namespace vyre

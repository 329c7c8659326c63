// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Kernel: writes a program down as it is called. What it makes are the IR's plain values (Expr,
// Node, Program); docs/recorder.md is a guide.
//
//   StatusOr<Program> saxpy(uint32_t n, float a) {
//     Kernel k("saxpy", {256, 1, 1});
//     auto x = k.read<f32>("x", n);
//     auto y = k.read_write<f32>("y", n);
//     auto i = k.let("i", k.invocation_id());
//     k.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
//     return k.finish({n});
//   }
//
// C++ checks the types. What it cannot check (a value used out of its scope, or after what it read
// was assigned) is kept and returned by finish(), each with the lines and a fix.
//
// Not for: rewriting programs (vyre/passes), or statements no kernel of one's own needs (async
// copies, collectives): make those with Node and hand them to emit().
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/kernel_values.h"
#include "vyre/ir/node.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

// A buffer's number of elements; without one it is sized by what is bound to it.
class BufferCount {
 public:
  BufferCount() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a count is written as a number.
  BufferCount(std::integral auto count)
      : count_(static_cast<uint32_t>(count)), fits_(std::in_range<uint32_t>(count)) {}

  std::optional<uint32_t> count() const { return count_; }
  bool fits() const { return fits_; }

 private:
  std::optional<uint32_t> count_;
  bool fits_ = true;
};

// What Kernel::if_ gives; else_ must be called on it directly.
class If {
 public:
  template <std::invocable F>
  void else_(F&& body, Place place = Place::here()) {
    begin(place);
    std::forward<F>(body)();
    end();
  }

 private:
  friend class Kernel;
  If(std::shared_ptr<internal::Recorder> recorder, uint64_t id)
      : recorder_(std::move(recorder)), id_(id) {}
  void begin(const Place& place);
  void end();

  std::shared_ptr<internal::Recorder> recorder_;
  uint64_t id_;
};

class Kernel {
  // Keeps explicit template arguments away from overloads that deduce theirs.
  enum class Deduced { kYes };

 public:
  // The body goes into one region with this name.
  Kernel(std::string_view name, Dim3 workgroup_size, const Place& place = Place::here());
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel() = default;

  // The program, or InvalidArgument: with every error of the recording or, if there is none, with
  // what the validator has against the program (ir/validate/validate.h). The extent is the number
  // of invocations an ordinary run needs along each axis. Called once, after all blocks have ended.
  StatusOr<Program> finish();
  StatusOr<Program> finish(Dim3 extent);
  // Whether there has been no error so far.
  bool ok() const;

  // Buffers that the caller binds. Bindings are numbered from 0 in the order of declaration.
  template <ElementType E>
  Buf<E> read(std::string_view name, BufferCount count = {}, Place place = Place::here()) {
    return bound<E>(&BufferDecl::read, name, count, place);
  }
  // Supplied and returned.
  template <ElementType E>
  Buf<E> read_write(std::string_view name, BufferCount count = {}, Place place = Place::here()) {
    return bound<E>(&BufferDecl::read_write, name, count, place);
  }
  // Not supplied, zero at the start, returned: BufferDecl::output.
  template <ElementType E>
  Buf<E> output(std::string_view name, BufferCount count = {}, Place place = Place::here()) {
    return bound<E>(&BufferDecl::output, name, count, place);
  }
  // The same with access kWriteOnly.
  template <ElementType E>
  Buf<E> write(std::string_view name, BufferCount count = {}, Place place = Place::here()) {
    return bound<E>(&write_decl, name, count, place);
  }
  template <ElementType E>
  Buf<E> uniform(std::string_view name, BufferCount count = {}, Place place = Place::here()) {
    return bound<E>(&BufferDecl::uniform, name, count, place);
  }
  // Scratch: one array a workgroup, one an invocation, one a run.
  template <ElementType E>
  Buf<E> workgroup(std::string_view name, BufferCount count, Place place = Place::here()) {
    return scratch<E>(&BufferDecl::workgroup, name, count, place);
  }
  template <ElementType E>
  Buf<E> local(std::string_view name, BufferCount count, Place place = Place::here()) {
    return scratch<E>(&BufferDecl::local, name, count, place);
  }
  template <ElementType E>
  Buf<E> transient(std::string_view name, BufferCount count, Place place = Place::here()) {
    return scratch<E>(&BufferDecl::transient, name, count, place);
  }
  // A declaration as it is, binding included; its element type must be E.
  template <ElementType E>
  Buf<E> buffer(const BufferDecl& declaration, Place place = Place::here()) {
    return Buf<E>(declare(declaration, kind_of<E>, place));
  }

  // Binds a value to a name, so that it is evaluated here, once. The name is made unique (i, i.1,
  // i.2, ...) where it is taken. A number alone needs its type: let<i32>("step", 4); a float and a
  // uint32_t have theirs.
  template <ValueType T>
  Val<T> let(std::string_view name, const std::type_identity_t<Arg<T>>& value,
             Place place = Place::here()) {
    return Val<T>(bind(name, value.argument(), place, false));
  }
  template <Deduced = Deduced::kYes, internal::Bindable X>
  Val<internal::BoundType<X>> let(std::string_view name, X&& value, Place place = Place::here()) {
    const Arg<internal::BoundType<X>> argument(value, place);
    return Val<internal::BoundType<X>>(
        bind(name, argument.argument(), place, std::is_rvalue_reference_v<X&&>));
  }
  template <Deduced = Deduced::kYes, internal::Untyped N>
  void let(std::string_view name, N name_its_type_as_in_let_i32) = delete;

  // The same for a variable, which can be assigned.
  template <ValueType T>
  Var<T> var(std::string_view name, const std::type_identity_t<Arg<T>>& value,
             Place place = Place::here()) {
    return Var<T>(variable(name, value.argument(), place, false));
  }
  template <Deduced = Deduced::kYes, internal::Bindable X>
  Var<internal::BoundType<X>> var(std::string_view name, X&& value, Place place = Place::here()) {
    const Arg<internal::BoundType<X>> argument(value, place);
    return Var<internal::BoundType<X>>(
        variable(name, argument.argument(), place, std::is_rvalue_reference_v<X&&>));
  }
  template <Deduced = Deduced::kYes, internal::Untyped N>
  void var(std::string_view name, N name_its_type_as_in_var_i32) = delete;

  // Indices of the invocation along an axis: 0, 1, 2.
  Val<u32> invocation_id(uint32_t axis = 0, Place place = Place::here());
  Val<u32> workgroup_id(uint32_t axis = 0, Place place = Place::here());
  Val<u32> local_id(uint32_t axis = 0, Place place = Place::here());
  Val<u32> subgroup_local_id(Place place = Place::here());
  Val<u32> subgroup_size(Place place = Place::here());

  // Control flow. Bodies are called once, at once; what they record becomes the block.
  template <std::invocable F>
  If if_(const Arg<bool>& condition, F&& body, Place place = Place::here()) {
    begin_if(condition.argument(), place);
    std::forward<F>(body)();
    return end_if();
  }
  // from..to, half open, in steps of one; the bounds are evaluated once. The body gets the index.
  template <std::invocable<Val<u32>> F>
  void for_(std::string_view name, const Arg<u32>& from, const Arg<u32>& to, F&& body,
            Place place = Place::here()) {
    std::forward<F>(body)(begin_for(name, from.argument(), to.argument(), place));
    end_for();
  }
  // A loop that only return_, a trap or a limit ends.
  template <std::invocable F>
  void forever(F&& body, Place place = Place::here()) {
    begin_forever(place);
    std::forward<F>(body)();
    end_forever();
  }
  template <std::invocable F>
  void block(F&& body, Place place = Place::here()) {
    begin_block(place);
    std::forward<F>(body)();
    end_block();
  }
  // A block that says which builder made it.
  template <std::invocable F>
  void region(std::string_view generator, F&& body, Place place = Place::here()) {
    begin_region(generator, place);
    std::forward<F>(body)();
    end_region();
  }

  // All invocations of the workgroup meet; with kGridSync, of the grid, and names bound before it
  // are gone after it.
  void barrier(MemoryOrdering ordering = MemoryOrdering::kSeqCst, Place place = Place::here());
  void return_(Place place = Place::here());
  // Ends the run with an error.
  void trap(std::string_view tag, const Arg<u32>& address = Arg<u32>(0U),
            Place place = Place::here());

  // Statements and expressions made by other means. An expression has the type its author says it
  // has; names and buffers in both are the program's (Var::name, Buf::name, Val::expr).
  void emit(const Body& body, Place place = Place::here());
  template <ValueType T>
  Val<T> value(const Expr& expr, Place place = Place::here()) {
    return Val<T>(adopt(expr, place));
  }

 private:
  // The number is the binding of a bound buffer, the count of a scratch one.
  using Declare = BufferDecl (*)(std::string_view name, uint32_t number, DataType, Place);

  static BufferDecl write_decl(std::string_view name, uint32_t binding, DataType element,
                               Place place);
  template <ElementType E>
  Buf<E> bound(Declare make, std::string_view name, BufferCount count, const Place& place) {
    return Buf<E>(declare_bound(make, name, kind_of<E>, count, place));
  }
  template <ElementType E>
  Buf<E> scratch(Declare make, std::string_view name, BufferCount count, const Place& place) {
    return Buf<E>(declare_scratch(make, name, kind_of<E>, count, place));
  }
  internal::BufferHandle declare_bound(Declare make, std::string_view name, DataType::Kind element,
                                       BufferCount count, const Place& place);
  internal::BufferHandle declare_scratch(Declare make, std::string_view name,
                                         DataType::Kind element, BufferCount count,
                                         const Place& place);
  internal::BufferHandle declare(const BufferDecl& declaration, DataType::Kind element,
                                 const Place& place);

  // `consumed`: the caller gives the value away, so that a name it was bound to can be replaced.
  internal::RecordedValue bind(std::string_view name, const internal::Argument& value,
                               const Place& place, bool consumed);
  internal::VariableHandle variable(std::string_view name, const internal::Argument& value,
                                    const Place& place, bool consumed);
  internal::RecordedValue adopt(const Expr& expr, const Place& place);
  Val<u32> axis(Expr (*make)(uint8_t, Place), uint32_t axis, const Place& place);

  void begin_if(const internal::Argument& condition, const Place& place);
  If end_if();
  Val<u32> begin_for(std::string_view name, const internal::Argument& from,
                     const internal::Argument& to, const Place& place);
  void end_for();
  void begin_forever(const Place& place);
  void end_forever();
  void begin_block(const Place& place);
  void end_block();
  void begin_region(std::string_view generator, const Place& place);
  void end_region();

  std::shared_ptr<internal::Recorder> recorder_;
};

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Part of lane_kernels_impl.h: loops over lanes, made from functors and the forms of their
// operands.
#pragma once

#include <type_traits>

#include "vyre/interpreter/lane_isa.h"
#include "vyre/interpreter/lane_kernels.h"

namespace vyre::interpreter::VYRE_LANE_ISA {
namespace {

// How a type stands in lanes.
template <typename T>
struct StoredType {
  using Type = T;
};
template <>
struct StoredType<bool> {
  using Type = uint32_t;
};
template <typename T>
using Stored = typename StoredType<T>::Type;

template <typename T>
VYRE_INLINE T from_scalar(uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> narrowed =
        static_cast<decltype(narrowed)>(bits);
    return __builtin_bit_cast(T, narrowed);
  } else {
    return static_cast<T>(bits);
  }
}
template <typename T>
VYRE_INLINE uint64_t to_scalar(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::is_same_v<T, float>) {
    return __builtin_bit_cast(uint32_t, value);
  } else if constexpr (std::is_same_v<T, double>) {
    return __builtin_bit_cast(uint64_t, value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <typename T, bool kScalar>
struct LaneOperand {
  const Stored<T>* lanes;
  VYRE_INLINE LaneOperand(const std::byte* at, uint32_t first)
      : lanes(reinterpret_cast<const Stored<T>*>(at) + first) {}
  VYRE_INLINE T operator[](uint32_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return lanes[i] != 0;
    } else {
      return lanes[i];
    }
  }
};
template <typename T>
struct LaneOperand<T, true> {
  T value;
  VYRE_INLINE LaneOperand(const std::byte* at, uint32_t)
      : value(from_scalar<T>(*reinterpret_cast<const uint64_t*>(at))) {}
  VYRE_INLINE T operator[](uint32_t) const { return value; }
};

VYRE_INLINE std::byte* place(const LaneContext& context, Slot slot) {
  return context.banks[slot.bank()] + size_t{slot.offset()} * 8;
}

// Lanes beyond the last active one are computed too, so that loops have no remainders.
VYRE_INLINE uint32_t whole_blocks(uint32_t lanes) {
  return (lanes + kBlockLanes - 1) / kBlockLanes * kBlockLanes;
}

// A functor F with a static `of(A...)` becomes a lane function for each set of scalar operands.
template <typename F, typename R, typename A, unsigned kScalars>
void run1(const LaneInstruction& instruction, LaneContext& context) {
  std::byte* target = place(context, instruction.target);
  const std::byte* from = place(context, instruction.operands[0]);
  if constexpr (kScalars == 1) {
    *reinterpret_cast<uint64_t*>(target) =
        to_scalar<R>(F::of(from_scalar<A>(*reinterpret_cast<const uint64_t*>(from))));
  } else {
    const uint32_t begin = context.first / kBlockLanes * kBlockLanes;
    LaneOperand<A, false> a(from, begin);
    Stored<R>* to = reinterpret_cast<Stored<R>*>(target) + begin;
    const uint32_t count = whole_blocks(context.last - begin);
    VYRE_VECTORIZE
    for (uint32_t i = 0; i < count; ++i) to[i] = F::of(a[i]);
  }
}

template <typename F, typename R, typename A, typename B, unsigned kScalars>
void run2(const LaneInstruction& instruction, LaneContext& context) {
  std::byte* target = place(context, instruction.target);
  const uint32_t begin = context.first / kBlockLanes * kBlockLanes;
  LaneOperand<A, (kScalars & 1) != 0> a(place(context, instruction.operands[0]), begin);
  LaneOperand<B, (kScalars & 2) != 0> b(place(context, instruction.operands[1]), begin);
  if constexpr (kScalars == 3) {
    *reinterpret_cast<uint64_t*>(target) = to_scalar<R>(F::of(a[0], b[0]));
  } else {
    Stored<R>* to = reinterpret_cast<Stored<R>*>(target) + begin;
    const uint32_t count = whole_blocks(context.last - begin);
    VYRE_VECTORIZE
    for (uint32_t i = 0; i < count; ++i) to[i] = F::of(a[i], b[i]);
  }
}

template <typename F, typename R, typename A, typename B, typename C, unsigned kScalars>
void run3(const LaneInstruction& instruction, LaneContext& context) {
  std::byte* target = place(context, instruction.target);
  const uint32_t begin = context.first / kBlockLanes * kBlockLanes;
  LaneOperand<A, (kScalars & 1) != 0> a(place(context, instruction.operands[0]), begin);
  LaneOperand<B, (kScalars & 2) != 0> b(place(context, instruction.operands[1]), begin);
  LaneOperand<C, (kScalars & 4) != 0> c(place(context, instruction.operands[2]), begin);
  if constexpr (kScalars == 7) {
    *reinterpret_cast<uint64_t*>(target) = to_scalar<R>(F::of(a[0], b[0], c[0]));
  } else {
    Stored<R>* to = reinterpret_cast<Stored<R>*>(target) + begin;
    const uint32_t count = whole_blocks(context.last - begin);
    VYRE_VECTORIZE
    for (uint32_t i = 0; i < count; ++i) to[i] = F::of(a[i], b[i], c[i]);
  }
}

template <typename F, typename R, typename A>
constexpr LaneForms forms1() {
  return {{&run1<F, R, A, 0>, &run1<F, R, A, 1>}};
}
template <typename F, typename R, typename A, typename B>
constexpr LaneForms forms2() {
  return {{&run2<F, R, A, B, 0>, &run2<F, R, A, B, 1>, &run2<F, R, A, B, 2>, &run2<F, R, A, B, 3>}};
}
template <typename F, typename R, typename A, typename B, typename C>
constexpr LaneForms forms3() {
  return {{&run3<F, R, A, B, C, 0>, &run3<F, R, A, B, C, 1>, &run3<F, R, A, B, C, 2>,
           &run3<F, R, A, B, C, 3>, &run3<F, R, A, B, C, 4>, &run3<F, R, A, B, C, 5>,
           &run3<F, R, A, B, C, 6>, &run3<F, R, A, B, C, 7>}};
}

// Two functors in a row: G takes what F gives as its first operand.
template <typename F, typename G, typename R, typename A, typename C, unsigned kScalars>
void run_pair3(const LaneInstruction& instruction, LaneContext& context) {
  const uint32_t begin = context.first / kBlockLanes * kBlockLanes;
  LaneOperand<A, (kScalars & 1) != 0> a(place(context, instruction.operands[0]), begin);
  LaneOperand<A, (kScalars & 2) != 0> b(place(context, instruction.operands[1]), begin);
  LaneOperand<C, (kScalars & 4) != 0> c(place(context, instruction.operands[2]), begin);
  Stored<R>* to = reinterpret_cast<Stored<R>*>(place(context, instruction.target)) + begin;
  const uint32_t count = whole_blocks(context.last - begin);
  VYRE_VECTORIZE
  for (uint32_t i = 0; i < count; ++i) to[i] = G::of(F::of(a[i], b[i]), c[i]);
}

template <typename F, typename G, typename R, typename A, typename C, unsigned kScalars>
void run_pair4(const LaneInstruction& instruction, LaneContext& context) {
  const uint32_t begin = context.first / kBlockLanes * kBlockLanes;
  LaneOperand<A, (kScalars & 1) != 0> a(place(context, instruction.operands[0]), begin);
  LaneOperand<A, (kScalars & 2) != 0> b(place(context, instruction.operands[1]), begin);
  LaneOperand<C, (kScalars & 4) != 0> c(place(context, instruction.operands[2]), begin);
  LaneOperand<C, (kScalars & 8) != 0> d(place(context, instruction.operands[3]), begin);
  Stored<R>* to = reinterpret_cast<Stored<R>*>(place(context, instruction.target)) + begin;
  const uint32_t count = whole_blocks(context.last - begin);
  VYRE_VECTORIZE
  for (uint32_t i = 0; i < count; ++i) to[i] = G::of(F::of(a[i], b[i]), c[i], d[i]);
}

// The first functor has a lane among its operands, or it would be a scalar.
template <typename F, typename G, typename R, typename A, typename C>
constexpr LaneForms pair3() {
  return {{&run_pair3<F, G, R, A, C, 0>, &run_pair3<F, G, R, A, C, 1>, &run_pair3<F, G, R, A, C, 2>,
           nullptr, &run_pair3<F, G, R, A, C, 4>, &run_pair3<F, G, R, A, C, 5>,
           &run_pair3<F, G, R, A, C, 6>}};
}
template <typename F, typename G, typename R, typename A, typename C>
constexpr LaneForms pair4() {
  return {{&run_pair4<F, G, R, A, C, 0>, &run_pair4<F, G, R, A, C, 1>, &run_pair4<F, G, R, A, C, 2>,
           nullptr, &run_pair4<F, G, R, A, C, 4>, &run_pair4<F, G, R, A, C, 5>,
           &run_pair4<F, G, R, A, C, 6>, nullptr, &run_pair4<F, G, R, A, C, 8>,
           &run_pair4<F, G, R, A, C, 9>, &run_pair4<F, G, R, A, C, 10>, nullptr,
           &run_pair4<F, G, R, A, C, 12>, &run_pair4<F, G, R, A, C, 13>,
           &run_pair4<F, G, R, A, C, 14>}};
}

}  // namespace
}  // namespace vyre::interpreter::VYRE_LANE_ISA

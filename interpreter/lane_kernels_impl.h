// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The lane kernels of one instruction set. A source file defines VYRE_LANE_ISA, a name for the set,
// includes this and is compiled for it.
//
// Everything in the parts has internal linkage or the set's namespace, and calls nothing that a
// linker could take from a file that was compiled for another set.
#pragma once

#include <type_traits>

#include "vyre/interpreter/lane_functors.h"
#include "vyre/interpreter/lane_isa.h"
#include "vyre/interpreter/lane_kernel_sink.h"
#include "vyre/interpreter/lane_loops.h"
#include "vyre/interpreter/lane_special.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre::interpreter::VYRE_LANE_ISA {
namespace {

template <typename F, typename R, typename A>
void add1(const LaneKernelSink& sink, scalar::Kernel kernel) {
  sink.add(sink.all, kernel, sizeof(Stored<A>) == 8, forms1<F, R, A>());
}
template <typename F, typename R, typename T>
void add2(const LaneKernelSink& sink, Op op, DataType::Kind type) {
  sink.add(sink.all, scalar::find_kernel(op, type), sizeof(Stored<T>) == 8, forms2<F, R, T, T>());
}

template <typename T>
void add_number(const LaneKernelSink& sink, DataType::Kind type) {
  add2<Add, T, T>(sink, Op::kAdd, type);
  add2<Sub, T, T>(sink, Op::kSub, type);
  add2<Mul, T, T>(sink, Op::kMul, type);
  add2<Min, T, T>(sink, Op::kMin, type);
  add2<Max, T, T>(sink, Op::kMax, type);
  add2<Equal, bool, T>(sink, Op::kEq, type);
  add2<NotEqual, bool, T>(sink, Op::kNe, type);
  add2<Less, bool, T>(sink, Op::kLt, type);
  add2<Greater, bool, T>(sink, Op::kGt, type);
  add2<LessEqual, bool, T>(sink, Op::kLe, type);
  add2<GreaterEqual, bool, T>(sink, Op::kGe, type);
  add1<Negate, T, T>(sink, scalar::find_kernel(Op::kNegate, type));
}

template <typename T>
void add_integer(const LaneKernelSink& sink, DataType::Kind type) {
  add_number<T>(sink, type);
  add2<BitAnd, T, T>(sink, Op::kBitAnd, type);
  add2<BitOr, T, T>(sink, Op::kBitOr, type);
  add2<BitXor, T, T>(sink, Op::kBitXor, type);
  add2<ShiftLeft, T, T>(sink, Op::kShl, type);
  add2<ShiftRight, T, T>(sink, Op::kShr, type);
  add1<BitNot, T, T>(sink, scalar::find_kernel(Op::kBitNot, type));
  if constexpr (std::is_unsigned_v<T>) {
    add2<UnsignedDivide, T, T>(sink, Op::kDiv, type);
    add2<UnsignedRemainder, T, T>(sink, Op::kMod, type);
  }
}

template <typename T>
void add_float(const LaneKernelSink& sink, DataType::Kind type) {
  add_number<T>(sink, type);
  add2<FloatDivide, T, T>(sink, Op::kDiv, type);
  add1<Abs, T, T>(sink, scalar::find_kernel(Op::kAbs, type));
  add1<Sqrt, T, T>(sink, scalar::find_kernel(Op::kSqrt, type));
#if defined(__FMA__)
  sink.add(sink.all, scalar::find_kernel(Op::kFma, type), sizeof(T) == 8,
           forms3<FusedMultiplyAdd, T, T, T, T>());
#endif
#if defined(__SSE4_1__)
  add1<Floor, T, T>(sink, scalar::find_kernel(Op::kFloor, type));
  add1<Ceil, T, T>(sink, scalar::find_kernel(Op::kCeil, type));
  add1<Trunc, T, T>(sink, scalar::find_kernel(Op::kTrunc, type));
#endif
}

// Truth and choice have one kernel for all types: what counts is the width.
template <typename T>
void add_choices(const LaneKernelSink& sink, DataType::Kind type) {
  add2<Both, bool, T>(sink, Op::kAnd, DataType::U32);
  add2<Either, bool, T>(sink, Op::kOr, DataType::U32);
  add1<IsZero, bool, T>(sink, scalar::find_kernel(Op::kLogicalNot, DataType::U32));
  // A condition is a bool or a u32.
  sink.add(sink.all, scalar::find_kernel(Op::kSelect, type), sizeof(T) == 8,
           forms3<Select, T, uint32_t, T, T>());
}

// A choice by a comparison is made while the comparison is at hand.
template <typename F, typename T>
void add_choice_by(const LaneKernelSink& sink, Op op, DataType::Kind type) {
  sink.add_pair(sink.all, scalar::find_kernel(op, type),
                scalar::find_kernel(Op::kSelect, DataType::U32),
                pair4<F, Select, uint32_t, T, uint32_t>());
}
template <typename T>
void add_choices_by(const LaneKernelSink& sink, DataType::Kind type) {
  add_choice_by<Equal, T>(sink, Op::kEq, type);
  add_choice_by<NotEqual, T>(sink, Op::kNe, type);
  add_choice_by<Less, T>(sink, Op::kLt, type);
  add_choice_by<Greater, T>(sink, Op::kGt, type);
  add_choice_by<LessEqual, T>(sink, Op::kLe, type);
  add_choice_by<GreaterEqual, T>(sink, Op::kGe, type);
}

// A product in a sum, with both roundings.
template <typename T>
void add_product_sum(const LaneKernelSink& sink, DataType::Kind type) {
  sink.add_pair(sink.all, scalar::find_kernel(Op::kMul, type), scalar::find_kernel(Op::kAdd, type),
                pair3<Mul, Add, T, T, T>());
}

template <typename To, typename From>
void add_cast(const LaneKernelSink& sink, DataType::Kind from, DataType::Kind to) {
  add1<Convert<To>, To, From>(sink, scalar::find_cast_kernel(from, to));
}

// Casts that the language's conversions give: not those from floats to integers.
template <typename From>
void add_casts(const LaneKernelSink& sink, DataType::Kind from) {
  add_cast<float, From>(sink, from, DataType::F32);
  add_cast<double, From>(sink, from, DataType::F64);
  if constexpr (!std::is_floating_point_v<From>) {
    add_cast<uint32_t, From>(sink, from, DataType::U32);
    add_cast<int32_t, From>(sink, from, DataType::I32);
    add_cast<uint64_t, From>(sink, from, DataType::U64);
    add_cast<int64_t, From>(sink, from, DataType::I64);
  }
  if constexpr (!std::is_same_v<From, bool>) add_cast<bool, From>(sink, from, DataType::Bool);
}

}  // namespace

void add_lane_kernels(const LaneKernelSink& sink) {
  add_integer<uint32_t>(sink, DataType::U32);
  add_integer<int32_t>(sink, DataType::I32);
  add_integer<uint64_t>(sink, DataType::U64);
  add_integer<int64_t>(sink, DataType::I64);
  add_float<float>(sink, DataType::F32);
  add_float<double>(sink, DataType::F64);
  sink.add(sink.all, scalar::find_kernel(Op::kExp, DataType::F32), false, {{&run_exp}});
  add2<Equal, bool, bool>(sink, Op::kEq, DataType::Bool);
  add2<NotEqual, bool, bool>(sink, Op::kNe, DataType::Bool);
  add_choices_by<float>(sink, DataType::F32);
  add_choices_by<uint32_t>(sink, DataType::U32);
  add_choices_by<int32_t>(sink, DataType::I32);
  add_product_sum<float>(sink, DataType::F32);
  add_product_sum<double>(sink, DataType::F64);
  sink.set_strided_load(sink.all, &load_strided);
  add_choices<uint32_t>(sink, DataType::U32);
  add_choices<uint64_t>(sink, DataType::U64);
  add_casts<uint32_t>(sink, DataType::U32);
  add_casts<int32_t>(sink, DataType::I32);
  add_casts<uint64_t>(sink, DataType::U64);
  add_casts<int64_t>(sink, DataType::I64);
  add_casts<float>(sink, DataType::F32);
  add_casts<double>(sink, DataType::F64);
  add_casts<bool>(sink, DataType::Bool);
}

}  // namespace vyre::interpreter::VYRE_LANE_ISA

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What atomics leave in memory and how a subgroup's lanes are reduced: both are choices of kernels.
#include <algorithm>

#include "vyre/ir/scalar/kernels.h"

namespace vyre::scalar {
namespace {

constexpr uint32_t kF32Infinity = 0x7F800000;
constexpr uint64_t kF64Infinity = uint64_t{0x7FF} << 52;

// A value for each of the groups of types.
struct Identities {
  uint64_t u32, u64, i32, i64, f32, f64;
};
constexpr Identities kZero{0, 0, 0, 0, 0, 0};
constexpr Identities kOne{1, 1, 1, 1, 0x3F800000, uint64_t{0x3FF} << 52};
constexpr Identities kLargest{0xFFFFFFFF,        ~uint64_t{0}, 0x7FFFFFFF,
                              ~uint64_t{0} >> 1, kF32Infinity, kF64Infinity};
constexpr Identities kSmallest{
    0, 0, 0x80000000, uint64_t{1} << 63, 0xFF800000, uint64_t{0xFFF} << 52};
constexpr Identities kOnes{0xFFFFFFFF, ~uint64_t{0}, 0xFFFFFFFF, ~uint64_t{0}, 0, 0};

uint64_t identity_of(const Identities& row, DataType::Kind type) {
  if (type == DataType::U32) return row.u32;
  if (type == DataType::U64) return row.u64;
  if (type == DataType::I32) return row.i32;
  if (type == DataType::I64) return row.i64;
  return type == DataType::F32 ? row.f32 : row.f64;
}

// The combining operation has a kernel exactly for the types that the reduction takes.
std::optional<Reduction> reduction(Op combine, const Identities& row, DataType::Kind type) {
  const Kernel kernel = find_kernel(combine, type);
  if (kernel == nullptr) return std::nullopt;
  return Reduction{identity_of(row, type), kernel};
}

}  // namespace

std::optional<Reduction> find_reduction(Op op, DataType::Kind type) {
  if (op == Op::kSubgroupAdd) return reduction(Op::kAdd, kZero, type);
  if (op == Op::kSubgroupMul) return reduction(Op::kMul, kOne, type);
  if (op == Op::kSubgroupMin) return reduction(Op::kMin, kLargest, type);
  if (op == Op::kSubgroupMax) return reduction(Op::kMax, kSmallest, type);
  if (op == Op::kSubgroupAnd) return reduction(Op::kBitAnd, kOnes, type);
  if (op == Op::kSubgroupOr) return reduction(Op::kBitOr, kZero, type);
  if (op == Op::kSubgroupXor) return reduction(Op::kBitXor, kZero, type);
  return std::nullopt;
}

std::optional<uint32_t> atomic_update(Op op, uint32_t old, uint32_t value, uint32_t expected) {
  if (op == Op::kAtomicAdd) return old + value;
  if (op == Op::kAtomicOr) return old | value;
  if (op == Op::kAtomicAnd) return old & value;
  if (op == Op::kAtomicXor) return old ^ value;
  if (op == Op::kAtomicMin) return std::min(old, value);
  if (op == Op::kAtomicMax || op == Op::kAtomicLruUpdate) return std::max(old, value);
  if (op == Op::kAtomicExchange) return value;
  if (op == Op::kAtomicCompareExchange) return old == expected ? value : old;
  return std::nullopt;
}

}  // namespace vyre::scalar

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/exact_kernels.h"

#include <algorithm>

namespace vyre::interpreter {
namespace {

using Trap = scalar::ArithmeticTrap;

// Kernel of f(left, right), far if one of them is.
template <typename F>
uint64_t near(const uint64_t* operands, F f) {
  const auto left = static_cast<int64_t>(operands[0]);
  const auto right = static_cast<int64_t>(operands[1]);
  if (left == kFar || right == kFar) return static_cast<uint64_t>(kFar);
  return static_cast<uint64_t>(f(left, right));
}

uint64_t add(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) {
    int64_t sum = 0;
    return __builtin_add_overflow(left, right, &sum) ? kFar : sum;
  });
}

uint64_t sub(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) {
    int64_t difference = 0;
    return __builtin_sub_overflow(left, right, &difference) ? kFar : difference;
  });
}

uint64_t mul(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) {
    int64_t product = 0;
    return __builtin_mul_overflow(left, right, &product) ? kFar : product;
  });
}

uint64_t negate(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t value, int64_t) { return value == kFar ? kFar : -value; });
}

uint64_t shl(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) {
    if (left == 0) return int64_t{0};
    int64_t shifted = 0;
    if (right < 0 || right > 62) return kFar;
    return __builtin_mul_overflow(left, int64_t{1} << right, &shifted) ? kFar : shifted;
  });
}

uint64_t shr(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) {
    return left >> std::clamp<int64_t>(right, 0, 63);
  });
}

// The low bits of a number are those of what it wrapped to.
uint64_t bit_and(const uint64_t* operands, Trap&) {
  const auto left = static_cast<int64_t>(operands[0]);
  const auto right = static_cast<int64_t>(operands[1]);
  const auto is_mask = [](int64_t value) { return value >= 0 && value <= 0xFFFFFFFF; };
  if (is_mask(left) || is_mask(right)) return operands[2];
  return near(operands, [](int64_t a, int64_t b) { return a & b; });
}

uint64_t bit_or(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) { return left | right; });
}

uint64_t bit_xor(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) { return left ^ right; });
}

uint64_t div(const uint64_t* operands, Trap&) {
  if (operands[1] == 0) return operands[2];
  return near(operands, [](int64_t left, int64_t right) { return left / right; });
}

uint64_t rem(const uint64_t* operands, Trap&) {
  if (operands[1] == 0) return operands[2];
  return near(operands, [](int64_t left, int64_t right) { return right == -1 ? 0 : left % right; });
}

uint64_t least(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) { return std::min(left, right); });
}

uint64_t largest(const uint64_t* operands, Trap&) {
  return near(operands, [](int64_t left, int64_t right) { return std::max(left, right); });
}

uint64_t choose(const uint64_t* operands, Trap&) {
  return operands[0] != 0 ? operands[1] : operands[2];
}

// Of a number, its exact value, and what it was converted to.
uint64_t convert(const uint64_t* operands, Trap&) {
  return operands[0] == operands[1] ? operands[2] : operands[0];
}

uint64_t same(const uint64_t* operands, Trap&) { return operands[0]; }

uint64_t of_u32(const uint64_t* operands, Trap&) { return static_cast<uint32_t>(operands[0]); }

uint64_t of_i32(const uint64_t* operands, Trap&) {
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(operands[0])});
}

uint64_t of_u64(const uint64_t* operands, Trap&) {
  return operands[0] >> 63 != 0 ? static_cast<uint64_t>(kFar) : operands[0];
}

}  // namespace

scalar::Kernel find_exact_kernel(Op op) {
  struct Row {
    Op op;
    scalar::Kernel kernel;
  };
  constexpr Row kRows[] = {{Op::kAdd, add},         {Op::kWrappingAdd, add}, {Op::kSub, sub},
                           {Op::kWrappingSub, sub}, {Op::kMul, mul},         {Op::kNegate, negate},
                           {Op::kShl, shl},         {Op::kShr, shr},         {Op::kBitAnd, bit_and},
                           {Op::kBitOr, bit_or},    {Op::kBitXor, bit_xor},  {Op::kDiv, div},
                           {Op::kMod, rem},         {Op::kMin, least},       {Op::kMax, largest},
                           {Op::kSelect, choose},   {Op::kCast, convert}};
  const auto* const found = std::ranges::find(kRows, op, &Row::op);
  return found == std::end(kRows) ? nullptr : found->kernel;
}

scalar::Kernel find_exact_kernel_of_value(DataType::Kind type) {
  if (type == DataType::U32) return of_u32;
  if (type == DataType::I32) return of_i32;
  return type == DataType::U64 ? of_u64 : same;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Part of lane_kernels_impl.h: kernels that are more than a loop over one functor.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "vyre/interpreter/lane_loops.h"
#include "vyre/ir/scalar/f32_exp_lanes.h"
#include "vyre/ir/scalar/f32_math.h"

namespace vyre::interpreter::VYRE_LANE_ISA {
namespace {

// exp for all lanes of a block at once: an estimate with a bound on its error, which almost always
// rounds to one f32; where it does not, the block asks the scalar kernel.
#if defined(__AVX512F__)
inline constexpr size_t kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr size_t kVectorBytes = 32;
#else
inline constexpr size_t kVectorBytes = 16;
#endif
using Doubles [[gnu::vector_size(kVectorBytes)]] = double;
using Words [[gnu::vector_size(kVectorBytes)]] = uint64_t;
using Floats [[gnu::vector_size(kVectorBytes / 2)]] = float;
using Marks [[gnu::vector_size(kVectorBytes / 2)]] = int32_t;

VYRE_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_pd(a, b, c);
#elif defined(__AVX2__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

[[maybe_unused]] void run_exp(const LaneInstruction& instruction, LaneContext& context) {
  constexpr uint32_t kStep = kVectorBytes / sizeof(double);
  const float* from = reinterpret_cast<const float*>(place(context, instruction.operands[0]));
  float* to = reinterpret_cast<float*>(place(context, instruction.target));
  for (uint32_t block = context.first / kBlockLanes * kBlockLanes; block < context.last;
       block += kBlockLanes) {
    float x[kBlockLanes];
    Marks open{};
    __builtin_memcpy(x, from + block, sizeof(x));
    for (uint32_t i = 0; i < kBlockLanes; i += kStep) {
      Floats argument;
      __builtin_memcpy(&argument, x + i, sizeof(argument));
      const Doubles value = scalar::detail::estimate_exp_lanes<Doubles, Words>(
          __builtin_convertvector(argument, Doubles), multiply_add);
      const Words magnitude = __builtin_bit_cast(Words, value) & ~(uint64_t{1} << 63);
      const Doubles error = __builtin_bit_cast(Doubles, magnitude) * scalar::detail::kExpLanesError;
      const Floats low = __builtin_convertvector(value - error, Floats);
      const Floats high = __builtin_convertvector(value + error, Floats);
      // A NaN is as good as any other.
      open |= (low != high) & (argument == argument);
      __builtin_memcpy(to + block + i, &low, sizeof(low));
    }
    int32_t marks = 0;
    for (uint32_t i = 0; i < kStep; ++i) marks |= open[i];
    if (marks == 0) [[likely]] {
      continue;
    }
    for (uint32_t i = 0; i < kBlockLanes; ++i) to[block + i] = scalar::f32_exp(x[i]);
  }
}

// Whole vectors are put together before they are stored: a wide load that follows has to wait for
// narrow stores to reach memory.
[[maybe_unused]] void load_strided(uint32_t* to, const std::byte* from, int64_t step,
                                   uint32_t count) {
  using Block [[gnu::vector_size(4 * kBlockLanes)]] = uint32_t;
  const auto word = [&](uint32_t i) {
    uint32_t value;
    __builtin_memcpy(&value, from + static_cast<int64_t>(i) * step, sizeof(value));
    return value;
  };
  uint32_t i = 0;
  for (; i + kBlockLanes <= count; i += kBlockLanes) {
    const Block block = {word(i),      word(i + 1),  word(i + 2),  word(i + 3),
                         word(i + 4),  word(i + 5),  word(i + 6),  word(i + 7),
                         word(i + 8),  word(i + 9),  word(i + 10), word(i + 11),
                         word(i + 12), word(i + 13), word(i + 14), word(i + 15)};
    __builtin_memcpy(to + i, &block, sizeof(block));
  }
  for (; i < count; ++i) to[i] = word(i);
}

}  // namespace
}  // namespace vyre::interpreter::VYRE_LANE_ISA

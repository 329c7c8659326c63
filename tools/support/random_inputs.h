// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Inputs that need no file, the same on every machine.
//
//   StatusOr<std::optional<Generator>> g = parse_generator("random:7");
//   std::vector<std::byte> q = generate(*g, DataType::F32, /*count=*/128, /*position=*/0);
//
// random:S is SplitMix64. Its state starts at mix(S) + position, where position counts the
// program's inputs from 0; element i (from 0) takes the bits
//
//   r = mix(start + (i + 1) * 0x9E3779B97F4A7C15)                    modulo 2^64
//   mix(z): z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9; z = (z ^ z >> 27) * 0x94D049BB133111EB;
//           z ^ z >> 31
//
// A float with p significant bits (f32 24, f64 53, f16 11, bf16 8, f8e4m3 4, f8e5m2 3) is
// (r >> (64 - p)) * 2^(1-p) - 1: exact, uniform in [-1, 1). A signed integer is (r >> 59) - 16, an
// unsigned one r >> 59, a bool r >> 63.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

struct Generator {
  enum class Kind : uint8_t { kRandom, kArange, kZeros, kOnes };
  Kind kind = Kind::kRandom;
  uint64_t seed = 1;
};

// "random", "random:SEED", "arange" (0, 1, 2, ...), "zeros", "ones"; none if it is a file's name.
// InvalidArgument for a malformed seed, and for what is neither, with the nearest known word.
StatusOr<std::optional<Generator>> parse_generator(std::string_view text);

// The bytes of a buffer of `count` elements of a value or memory type.
std::vector<std::byte> generate(const Generator& generator, DataType::Kind element, uint64_t count,
                                uint64_t position);

// Element i of the stream that starts at a seed and a position.
uint64_t random_bits(uint64_t seed, uint64_t position, uint64_t i);

}  // namespace vyre::tools

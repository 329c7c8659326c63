// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Between memory and values: what a load of an element gives and what a store leaves (design rules
// E11, E14). Elements are little-endian and need no alignment.
//
//   std::byte word[2];
//   store_element(DataType::F16, word, std::bit_cast<uint32_t>(65535.0f));
//   load_element(DataType::F16, word);                  // 0x7F800000: overflow gives infinity
//
// A load gives the element's value type (value_type_of): u8, u16 -> u32; i8, i16 -> i32 with sign;
// f16, bf16, f8e4m3, f8e5m2 -> f32 exactly; a bool is whether its word is not zero. A store takes
// bits of that value type, or of the integer type of the same width and other sign, or bool for u32
// and back: integers keep the low bits, bool memory gets 0 or 1, floats round once to nearest even
// and keep subnormals, and every NaN becomes the format's canonical one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vyre/ir/data_type.h"

namespace vyre::scalar {

using Loader = uint64_t (*)(const std::byte* element);
using Storer = void (*)(std::byte* element, uint64_t value);

// For loops over many elements of one type. Null for carried types.
Loader find_loader(DataType::Kind element);
Storer find_storer(DataType::Kind element);

// For one element of a value or memory type.
uint64_t load_element(DataType::Kind element, const std::byte* bytes);
void store_element(DataType::Kind element, std::byte* bytes, uint64_t value);

// The bits of an element or a value with a NaN replaced by the type's canonical NaN: 7FC00000,
// 7FF8000000000000 (f64), 7E00 (f16), 7FC0 (bf16), 7F (f8e4m3), 7E (f8e5m2).
uint64_t canonical_nan(DataType::Kind type, uint64_t bits);

}  // namespace vyre::scalar

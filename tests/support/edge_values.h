// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The inputs at which scalar operations go wrong, as bit patterns of a value type.
//
//   for (uint64_t bits : test::edge_values(DataType::I32)) ...
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "vyre/ir/data_type.h"

namespace vyre::test {

inline constexpr DataType::Kind kValueTypes[] = {DataType::Bool, DataType::U32, DataType::I32,
                                                 DataType::U64,  DataType::I64, DataType::F32,
                                                 DataType::F64};

// For integers 0, small numbers, the ends of the range, widths and their neighbours; for floats
// zeros, ones, subnormals, ties, the largest numbers, infinities and NaNs, of both signs.
inline std::vector<uint64_t> edge_values(DataType::Kind type) {
  if (type == DataType::Bool) return {0, 1};
  if (type == DataType::F32) {
    std::vector<uint64_t> values;
    for (const uint64_t magnitude : std::initializer_list<uint64_t>{
             0x00000000, 0x00000001, 0x00000002, 0x007FFFFF, 0x00800000, 0x00800001, 0x33800000,
             0x34000000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000,
             0x40200000, 0x4B000001, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F800000, 0x5F000000,
             0x5F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7F812345}) {
      values.push_back(magnitude);
      values.push_back(magnitude | 0x80000000);
    }
    return values;
  }
  if (type == DataType::F64) {
    std::vector<uint64_t> values;
    for (const uint64_t magnitude : std::initializer_list<uint64_t>{
             0x0000000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
             0x36A0000000000000, 0x3690000000000001, 0x3CA0000000000000, 0x3FDFFFFFFFFFFFFF,
             0x3FE0000000000000, 0x3FF0000000000000, 0x3FF0000000000001, 0x3FF8000000000000,
             0x4004000000000000, 0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41F0000000000000,
             0x4330000000000001, 0x4340000000000000, 0x43E0000000000000, 0x43F0000000000000,
             0x47EFFFFFF0000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000,
             0x7FF0000000012345}) {
      values.push_back(magnitude);
      values.push_back(magnitude | 0x8000000000000000);
    }
    return values;
  }
  std::vector<uint64_t> values = {
      0,          1,          2,          3,          5,          7,          31,
      32,         33,         63,         64,         255,        0x7FFF,     0xFFFF,
      0x12345678, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xDEADBEEF, 0xFFFFFFFE, 0xFFFFFFFF};
  if (type == DataType::U64 || type == DataType::I64) {
    for (const uint64_t wide : std::initializer_list<uint64_t>{
             0x100000000, 0x0020000000000001, 0x7FFFFFFFFFFFFFFF, 0x123456789ABCDEF0}) {
      values.push_back(wide);
    }
    for (const uint64_t high :
         std::initializer_list<uint64_t>{0x8000000000000000, 0x8000000000000001, 0xFFFFFFFFFFFFFFFE,
                                         0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF80000000}) {
      values.push_back(high);
    }
  }
  return values;
}

}  // namespace vyre::test

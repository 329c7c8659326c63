// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// NumPy's .npy files: the header, checked before anything is allocated for the data.
//
//   StatusOr<NpyHeader> header = parse_npy_header(first_bytes, file_size);
//   header->shape;                                     // {8, 16}
//   std::string file = npy_header_bytes("<f4", {8, 16});   // the data follows
//
// Read: versions 1.0 and 2.0, little-endian numbers and bools, row-major order. Written: 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre::tools {

struct NpyHeader {
  char kind = 'f';         // f: float, u: unsigned, i: signed, b: bool
  uint32_t item_size = 4;  // bytes of an element
  std::vector<uint64_t> shape;
  uint64_t elements = 1;     // product of the shape
  uint64_t data_offset = 0;  // of the first element in the file

  // "f4", "b1"
  std::string dtype() const;
};

// No longer header is read: far more than 32 dimensions need.
inline constexpr size_t kMaxNpyHeader = 16384;

// `first_bytes` are the first bytes of a file of `file_size` bytes: all, or at least kMaxNpyHeader.
// InvalidArgument if the header is malformed or of a kind not listed above, or if the file has more
// or fewer bytes than it says.
StatusOr<NpyHeader> parse_npy_header(std::span<const std::byte> first_bytes, uint64_t file_size);

// The header of a row-major array; `descr` as "<f4" or "|b1".
std::string npy_header_bytes(std::string_view descr, std::span<const uint64_t> shape);

// "(8, 16)", "(128,)", "()"
std::string shape_text(std::span<const uint64_t> shape);

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Safetensors files: named tensors in one file, the header checked before anything is allocated for
// the data.
//
//   StatusOr<std::vector<SafetensorsEntry>> entries = parse_safetensors_header(first, file_size);
//   (*entries)[0].name;                                       // "q"
//   std::string file = safetensors_header_bytes("q", "F32", {8, 16}, 512);   // the data follows
//
// A file is the header's length (8 bytes, little-endian), the header (a JSON object: name to dtype,
// shape and data_offsets), and the tensors' bytes, little-endian and row-major, without holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre::tools {

struct SafetensorsEntry {
  std::string name;
  std::string dtype;  // "F32", "BF16", "F8_E4M3", "BOOL"
  std::vector<uint64_t> shape;
  uint64_t elements = 1;     // product of the shape
  uint64_t data_offset = 0;  // of the first byte in the file
  uint64_t bytes = 0;
};

// No longer header is read. The format allows 100 MB; this holds some 100,000 tensors.
inline constexpr size_t kMaxSafetensorsHeader = size_t{16} << 20;

// How many of the first bytes are the header, its length included. `start` is the first 8 bytes or
// all there are. InvalidArgument if the length is impossible.
StatusOr<uint64_t> safetensors_header_size(std::span<const std::byte> start, uint64_t file_size);

// `first_bytes` are as many as safetensors_header_size() says. Entries are in the order of their
// data. InvalidArgument if the header is malformed, or the data are not exactly the tensors'. A
// dtype may be any word; only where it is that of a buffer is the tensor's size checked.
StatusOr<std::vector<SafetensorsEntry>> parse_safetensors_header(
    std::span<const std::byte> first_bytes, uint64_t file_size);

// The header of a file with one tensor.
std::string safetensors_header_bytes(std::string_view name, std::string_view dtype,
                                     std::span<const uint64_t> shape, uint64_t bytes);

}  // namespace vyre::tools

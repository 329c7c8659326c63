// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Arrays in files: .npy, .safetensors, or the bytes of a buffer as they are, named by element type
// (q.f32, ids.u32, x.bf16).
//
//   ArraySpec spec{DataType::F32, 128, {8, 16}};
//   StatusOr<std::vector<std::byte>> q = read_array("q.npy", spec);   // what a buffer holds
//   StatusOr<std::string> file = array_file_bytes("out.npy", spec, bytes);
//
// A bool is one byte in npy (b1) and in safetensors, and a word in a buffer and in .bool files.
// NumPy has no bf16 and no f8 types: their bits are u2 and u1.
//
// In a .safetensors file an array is the tensor with the buffer's name, or the one that stands
// behind a colon: model.safetensors:layers.0.q. A file is written with one tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

// What an array has to be.
struct ArraySpec {
  DataType::Kind element = DataType::F32;
  std::optional<uint64_t> count;  // none: any
  // Known where the catalog says so. A file may also be flat, with as many elements.
  std::vector<uint64_t> shape;
  // Of the buffer: which tensor of a .safetensors file it is.
  std::string name{};
};

// InvalidArgument if a file of that name cannot hold such elements: its extension is unknown, or
// that of another element type.
Status check_array_name(std::string_view path, DataType::Kind element);

// The bytes of a buffer. InvalidArgument, naming the file and what is wrong: it cannot be read, is
// malformed, or has another element type, shape or number of elements; it has more than max_bytes
// (ResourceExhausted). Nothing is allocated for a file of the wrong size.
StatusOr<std::vector<std::byte>> read_array(const std::string& path, const ArraySpec& spec,
                                            uint64_t max_bytes = uint64_t{4} << 30);

// The contents of a file of that name; errors of check_array_name. An npy file has the shape of
// `spec` if that has as many elements, and is flat otherwise.
StatusOr<std::string> array_file_bytes(std::string_view path, const ArraySpec& spec,
                                       std::span<const std::byte> buffer);

// A whole file of at most max_bytes, for text formats. InvalidArgument if it cannot be read, is no
// regular file, or is larger.
StatusOr<std::string> read_small_file(const std::string& path, uint64_t max_bytes);

}  // namespace vyre::tools

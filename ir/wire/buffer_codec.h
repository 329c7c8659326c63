// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Buffers on the wire. A declaration stands in three places: in the metadata record, in the memory
// regions behind the records, and, if it can be written, in the output set at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/wire/byte_reader.h"
#include "vyre/ir/wire/byte_writer.h"

namespace vyre::wire {

// A declaration without what the memory regions add: its access, kind and element type.
std::vector<BufferDecl> read_metadata_buffers(ByteReader& in, uint16_t version);
// Completes the declarations.
void read_memory_regions(ByteReader& in, std::vector<BufferDecl>& buffers);
void read_output_set(ByteReader& in, const std::vector<BufferDecl>& buffers);

void write_metadata_buffers(ByteWriter& out, const std::vector<BufferDecl>& buffers);
void write_memory_regions(ByteWriter& out, const std::vector<BufferDecl>& buffers);
void write_output_set(ByteWriter& out, const std::vector<BufferDecl>& buffers);

// The bytes by which the original orders buffers before it takes a fingerprint.
std::string canonical_key(const BufferDecl& buffer);

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Data types on the wire: as the target of a cast, where they may nest, and as the elements of a
// buffer.
#pragma once

#include "vyre/ir/data_type.h"
#include "vyre/ir/wire/byte_reader.h"
#include "vyre/ir/wire/byte_writer.h"

namespace vyre::wire {

// U32 after an error. `budget` falls by one a type and must not reach zero.
DataType read_type(ByteReader& in, uint64_t& budget);
// How many types nest in it, itself included.
uint32_t type_depth(const DataType& type);
void write_type(ByteWriter& out, const DataType& type);

// What stands behind an element's tag in a memory region.
DataType read_element(ByteReader& in, uint8_t tag);
void write_element(ByteWriter& out, const DataType& type);
// Reads a tag that a buffer's elements may have.
uint8_t read_element_tag(ByteReader& in);
bool is_dense_element(DataType::Kind kind);

}  // namespace vyre::wire

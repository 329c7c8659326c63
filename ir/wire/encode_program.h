// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The bytes of a program under limits of one's choice: a file keeps those of its readers, a
// fingerprint only those that keep it finite.
#pragma once

#include <cstdint>

#include "vyre/ir/program.h"
#include "vyre/ir/wire/byte_writer.h"
#include "vyre/ir/wire/limits.h"

namespace vyre::wire {

struct EncodeLimits {
  uint32_t depth = kMaxDepth;
  size_t record_bytes = kMaxRecordBytes;
};

// The whole file, or an error.
ByteWriter encode_program(const Program& program, const EncodeLimits& limits);

}  // namespace vyre::wire

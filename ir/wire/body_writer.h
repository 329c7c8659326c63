// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Statements and expressions to bytes.
#pragma once

#include <cstdint>

#include "vyre/ir/node.h"
#include "vyre/ir/wire/byte_writer.h"

namespace vyre::wire {

// One statement with all in it. `max_depth` as kMaxDepth counts.
void write_node(ByteWriter& out, const Node& node, uint32_t max_depth);

// The kind of the original's opaque expression that stands for a literal of 64 bits, and back.
const char* literal64_kind(Op op);
std::optional<DataType::Kind> literal64_type(std::string_view kind);

// What an expression's bytes start with, up to its first operand.
void write_expr_head(ByteWriter& out, const Expr& expr);

}  // namespace vyre::wire

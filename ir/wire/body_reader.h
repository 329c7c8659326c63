// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Statements and expressions from bytes, at any depth.
#pragma once

#include <cstdint>
#include <optional>

#include "vyre/ir/node.h"
#include "vyre/ir/wire/byte_reader.h"

namespace vyre::wire {

// One statement with all in it; none after an error. `budget` falls by one a statement, expression
// and data type; at zero there is an error.
std::optional<Node> read_node(ByteReader& in, uint64_t& budget);

// The name of a statement's record.
std::string_view record_name(const Node& node);

}  // namespace vyre::wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Changing a program at one place, all else being shared with the program it came from.
//
//   const BodyPath path{{0, 0}, {3, 1}};                 // entry[0].body, its statement 3,
//   otherwise body_at(program, path)[2]; with_statements(program, path, 2, 3, {});            //
//   without that statement
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::tools {

// From the entry down: which statement, and which of its bodies. The entry itself has no steps.
struct BodyStep {
  uint32_t statement;
  uint8_t body;
};
using BodyPath = std::vector<BodyStep>;

std::span<const Node> body_at(const Program& program, const BodyPath& path);

// The program with other statements in the place of those from `begin` to before `end`.
Program with_statements(const Program& program, const BodyPath& path, size_t begin, size_t end,
                        std::vector<Node> statements);

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs in the original's debug formats, to compare with its recorded texts byte by byte.
//
//   debug_text(program);             // as in wire/*.txt: one field a line
//   debug_text_line(program.entry()) // as "entry_debug" of traps.json: on one line
//
// Covers what the recorded texts contain; throws std::logic_error for anything else. Recursive, so
// for programs of ordinary depth only.
#pragma once

#include <span>
#include <string>

#include "vyre/ir/program.h"

namespace vyre::test {

std::string debug_text(const Program& program);
std::string debug_text_line(std::span<const Node> nodes);

// A float as the original prints it: shortest digits that read back, at least one decimal, an
// exponent below 1e-4 and from 1e16 on.
std::string debug_float(float value);

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The segments of a program (design rule E20): the whole grid runs one before any workgroup starts
// the next.
//
//   for (const Segment& segment : split_segments(resolved)) run_grid(segment.statements);
#pragma once

#include <vector>

#include "vyre/ir/resolve.h"

namespace vyre::interpreter {

// A part of the program between two grid barriers: its top-level statements in order. A block or
// region that contains a grid barrier is flattened: its statements stand in the list instead of it.
// The barriers themselves are in no list.
struct Segment {
  std::vector<StmtId> statements;
};

// One more than the program has grid barriers at that level; each may be empty. A grid barrier
// inside an if or a loop, which resolve refuses, splits nothing.
std::vector<Segment> split_segments(const Resolved& resolved);

}  // namespace vyre::interpreter

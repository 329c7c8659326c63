// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A picture of a program for Graphviz: in the middle an outline of its regions, loops and
// conditions; on the left the buffers that it only reads, on the right those that it writes; lines
// say which part of the program reads (blue), writes (orange) or does both (purple).
//
//   std::string dot = region_graph_dot(program);   // dot -Tsvg
//
// A line ends at the innermost region, loop or condition around the access; statements and
// expressions are not shown. The same program gives the same text.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/program.h"

namespace vyre {

// Beyond either limit the picture ends with a note, since nobody could read it.
struct DotOptions {
  uint32_t max_parts = 400;  // rows of the outline
  uint32_t max_statements = 1'000'000;
};

std::string region_graph_dot(const Program& program, const DotOptions& options = {});

}  // namespace vyre

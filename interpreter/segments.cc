// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/segments.h"

namespace vyre::interpreter {
namespace {

bool is_grid_barrier(const Node& node) {
  return node.kind() == NodeKind::kBarrier && node.ordering() == MemoryOrdering::kGridSync;
}

bool is_flattened(const Node& node) {
  return (node.kind() == NodeKind::kBlock || node.kind() == NodeKind::kRegion) &&
         node.has(NodeEffects::kGridSync);
}

}  // namespace

std::vector<Segment> split_segments(const Resolved& resolved) {
  std::vector<Segment> segments(1);
  const auto end = static_cast<StmtId>(resolved.statements.size());
  // Statements are numbered in pre-order: a flattened body is what follows its block.
  for (StmtId stmt = 0; stmt < end;) {
    const Node& node = *resolved.statements[stmt].node;
    if (is_flattened(node)) {
      ++stmt;
      continue;
    }
    if (is_grid_barrier(node)) {
      segments.emplace_back();
    } else {
      segments.back().statements.push_back(stmt);
    }
    stmt = resolved.statements[stmt].end;
  }
  return segments;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Node paths: where in a program a statement or an operand stands, as text.
#include "vyre/ir/paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/check.h"
#include "vyre/ir/resolve.h"

namespace vyre {

std::string_view operand_name(NodeKind kind, size_t i) {
  switch (kind) {
    case NodeKind::kStore:
      return i == 0 ? ".index" : ".value";
    case NodeKind::kIf:
      return ".cond";
    case NodeKind::kLoop:
      return i == 0 ? ".from" : ".to";
    case NodeKind::kAsyncLoad:
    case NodeKind::kAsyncStore:
      return i == 0 ? ".offset" : ".size";
    case NodeKind::kTrap:
      return ".address";
    case NodeKind::kLet:
    case NodeKind::kAssign:
    case NodeKind::kReturn:
    case NodeKind::kBlock:
    case NodeKind::kBarrier:
    case NodeKind::kIndirectDispatch:
    case NodeKind::kAsyncWait:
    case NodeKind::kRegion:
    case NodeKind::kResume:
    case NodeKind::kAllReduce:
    case NodeKind::kAllGather:
    case NodeKind::kReduceScatter:
    case NodeKind::kBroadcast:
    case NodeKind::kOpaque:
      return ".value";
  }
  VYRE_UNREACHABLE("a node kind without operand names");
}

std::string operand_name(const Expr& expr, size_t i) {
  static constexpr const char* kSelect[] = {".cond", ".if_true", ".if_false"};
  static constexpr const char* kFma[] = {".a", ".b", ".c"};
  if (expr.op() == Op::kSelect) return kSelect[i];
  if (expr.op() == Op::kFma) return kFma[i];
  if (expr.op() == Op::kCallOp) return fmt::format(".args[{}]", i);
  if (expr.op() == Op::kLoad) return ".index";
  if (expr.op() == Op::kSubgroupShuffle) return i == 0 ? ".value" : ".lane";
  if (is_atomic(expr.op())) {
    if (i == 0) return ".index";
    return i == 1 && expr.has_expected() ? ".expected" : ".value";
  }
  if (expr.operands().size() == 2) return i == 0 ? ".left" : ".right";
  return ".operand";
}

namespace internal {

std::string joined_steps(size_t count, const std::function<std::string(size_t)>& step) {
  constexpr size_t kKept = 32;
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i == kKept && count > 2 * kKept) {
      text += "...";
      i = count - kKept;
    }
    text += step(i);
  }
  return text;
}

std::string path_text(std::span<const PathStep> outermost_first) {
  return joined_steps(outermost_first.size(), [outermost_first](size_t i) {
    const PathStep& step = outermost_first[i];
    if (!step.parent) return fmt::format("entry[{}]", step.index);
    const char* body = ".body";
    if (*step.parent == NodeKind::kIf) body = step.body == 0 ? ".then" : ".otherwise";
    return fmt::format("{}[{}]", body, step.index);
  });
}

}  // namespace internal

std::string Resolved::path(StmtId stmt) const {
  std::vector<internal::PathStep> steps;
  for (StmtId s = stmt; s != kNoId; s = statements[s].parent) {
    const ResolvedStmt& record = statements[s];
    internal::PathStep step{std::nullopt, record.body, record.index};
    if (record.parent != kNoId) step.parent = statements[record.parent].node->kind();
    steps.push_back(step);
  }
  std::ranges::reverse(steps);
  return internal::path_text(steps);
}

}  // namespace vyre

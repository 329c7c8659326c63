// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Rules about the shape of a program: what may stand where, and how deep.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "vyre/ir/region.h"
#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

void check_entry(Reporter& reporter) {
  const std::vector<ResolvedStmt>& statements = reporter.resolved().statements;
  if (statements.empty()) {
    return reporter.program("V105", "the program has no statements, not even a region",
                            "Write what it does in a region: `region \"name\" { ... }`, or in C++ "
                            "Node::region or Program::wrapped.");
  }
  for (StmtId stmt = 0; stmt < statements.size(); stmt = statements[stmt].end) {
    const Node& node = *statements[stmt].node;
    if (node.kind() == NodeKind::kRegion) continue;
    // One is enough to say it: the mend is the same for all.
    return reporter.at(
        stmt, "V105",
        fmt::format("a statement `{}` stands outside of all regions", node.info().keyword),
        "Put all statements into a region: `region \"name\" { ... }`, or in C++ Program::wrapped.");
  }
}

void check_nesting(uint32_t max_nesting, Reporter& reporter) {
  const std::vector<ResolvedStmt>& statements = reporter.resolved().statements;
  std::vector<uint32_t> level(statements.size());
  for (StmtId stmt = 0; stmt < statements.size(); ++stmt) {
    const ResolvedStmt& record = statements[stmt];
    level[stmt] = (record.parent == kNoId ? 0 : level[record.parent]) +
                  (record.node->bodies().empty() ? 0 : 1);
    if (level[stmt] <= max_nesting) continue;
    return reporter.at(stmt, "V018",
                       fmt::format("statements are nested more than {} deep", max_nesting),
                       "Split the program, or flatten blocks and ifs that stand in each other.");
  }
}

void check_unreachable(Reporter& reporter) {
  const std::vector<ResolvedStmt>& statements = reporter.resolved().statements;
  for (StmtId stmt = 0; stmt < statements.size(); ++stmt) {
    const ResolvedStmt& record = statements[stmt];
    if (record.node->kind() != NodeKind::kReturn || record.end == statements.size()) continue;
    const ResolvedStmt& next = statements[record.end];
    if (next.parent != record.parent || next.body != record.body) continue;
    // A grid barrier starts everyone anew.
    if (next.node->kind() == NodeKind::kBarrier &&
        next.node->ordering() == MemoryOrdering::kGridSync) {
      continue;
    }
    reporter.at(record.end, "V112",
                fmt::format("nothing reaches this statement: a return stands before it at {}",
                            where(reporter.resolved(), stmt)),
                "Remove what follows the return, or put the return under a condition.");
  }
}

void check_self_exclusive(Reporter& reporter) {
  const std::vector<ResolvedStmt>& statements = reporter.resolved().statements;
  std::unordered_map<std::string_view, StmtId> first;  // looked up only
  for (StmtId stmt = 0; stmt < statements.size(); ++stmt) {
    const Node& node = *statements[stmt].node;
    if (node.kind() != NodeKind::kRegion || !is_self_exclusive_region(node.generator())) continue;
    const auto [found, inserted] = first.try_emplace(node.generator(), stmt);
    if (inserted) continue;
    reporter.at(stmt, "V115",
                fmt::format("a region of `{}`, which may stand in a program once, stands at {} too",
                            node.generator(), where(reporter.resolved(), found->second)),
                "Run the two one after the other, as programs of their own.");
  }
}

void check_indirect_dispatch(Reporter& reporter) {
  const Resolved& resolved = reporter.resolved();
  std::unordered_set<std::string_view> buffers;
  for (const BufferDecl& decl : resolved.program.buffers()) buffers.insert(decl.name());
  for (StmtId stmt = 0; stmt < resolved.statements.size(); ++stmt) {
    const Node& node = *resolved.statements[stmt].node;
    if (node.kind() != NodeKind::kIndirectDispatch) continue;
    if (node.count_offset() % 4 != 0) {
      reporter.at(stmt, "V126",
                  fmt::format("the counts stand at byte {}, which is not a multiple of 4",
                              node.count_offset()),
                  "Give the offset of a u32 word.");
    }
    if (!buffers.contains(node.buffer())) {
      reporter.at(stmt, "V127",
                  fmt::format("there is no buffer `{}` to take the counts from", node.buffer()),
                  "Declare it among the program's buffers.");
    }
  }
}

}  // namespace

void check_statements(const ValidateOptions& options, Reporter& reporter) {
  check_entry(reporter);
  check_self_exclusive(reporter);
  check_indirect_dispatch(reporter);
  if (!options.source) return;
  check_nesting(options.max_nesting, reporter);
  check_unreachable(reporter);
}

}  // namespace vyre::internal

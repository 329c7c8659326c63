// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Asynchronous copies: each is started, then waited for, by one invocation in one segment (E20).
// What happens under an if or in a loop is known only when the program runs; what stands outside of
// them is checked here.
#include <fmt/format.h>

#include <map>

#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

bool is_start(const Node& node) {
  return node.kind() == NodeKind::kAsyncLoad || node.kind() == NodeKind::kAsyncStore;
}
bool is_wait(const Node& node) { return node.kind() == NodeKind::kAsyncWait; }

void check_tags(Reporter& reporter) {
  const std::vector<ResolvedStmt>& statements = reporter.resolved().statements;
  for (StmtId stmt = 0; stmt < statements.size(); ++stmt) {
    const Node& node = *statements[stmt].node;
    if (!is_start(node) && !is_wait(node)) continue;
    if (!node.tag().empty()) continue;
    reporter.at(stmt, is_wait(node) ? "V128" : "V117",
                fmt::format("the tag of `{}` is empty", node.info().keyword),
                "Give each copy in flight a tag of its own.");
  }
}

// Follows the copies of one invocation through the statements outside of ifs and loops.
class StraightLine {
 public:
  explicit StraightLine(Reporter& reporter)
      : reporter_(reporter), statements_(reporter.resolved().statements) {}

  void check() {
    StmtId stmt = 0;
    while (stmt < statements_.size()) {
      const ResolvedStmt& record = statements_[stmt];
      const NodeKind kind = record.node->kind();
      if (kind == NodeKind::kIf || kind == NodeKind::kLoop) {
        forget(stmt + 1, record.end);
        stmt = record.end;
        continue;
      }
      execute(stmt);
      ++stmt;
    }
    end_segment();
  }

 private:
  // What is known of a tag: the statement that started its copy, or, if there is none, that no copy
  // is pending.
  using Pending = std::optional<StmtId>;

  void execute(StmtId stmt) {
    const Node& node = *statements_[stmt].node;
    if (node.kind() == NodeKind::kBarrier && node.ordering() == MemoryOrdering::kGridSync) {
      end_segment();
    } else if (ended_) {
      return;
    } else if (is_start(node)) {
      start(stmt);
    } else if (is_wait(node)) {
      wait(stmt);
    } else if (node.kind() == NodeKind::kReturn) {
      report_unfinished();
      ended_ = true;
    } else if (node.kind() == NodeKind::kTrap) {
      ended_ = true;  // and leaves its copies behind (E9)
    }
  }

  void end_segment() {
    if (!ended_) report_unfinished();
    tags_.clear();
    ended_ = false;
  }

  void start(StmtId stmt) {
    const std::string_view tag = statements_[stmt].node->tag();
    const std::optional<Pending> known = state_of(tag);
    if (known && *known) {
      reporter_.at(stmt, "V138",
                   fmt::format("a copy with the tag `{}` is pending already, from {}", tag,
                               where(reporter_.resolved(), **known)),
                   "Wait for that one first, or use another tag.");
    }
    tags_.insert_or_assign(tag, Pending(stmt));
  }

  void wait(StmtId stmt) {
    const std::string_view tag = statements_[stmt].node->tag();
    const std::optional<Pending> known = state_of(tag);
    if (known && !*known) {
      reporter_.at(stmt, "V139", fmt::format("no copy with the tag `{}` is pending here", tag),
                   "Start the copy before, and wait for it once.");
    }
    tags_.insert_or_assign(tag, Pending());
  }

  // Nothing is known any more of the tags that statements under an if or in a loop name.
  void forget(StmtId begin, StmtId end) {
    for (StmtId stmt = begin; stmt < end; ++stmt) {
      const Node& node = *statements_[stmt].node;
      if (is_start(node) || is_wait(node)) tags_.insert_or_assign(node.tag(), std::nullopt);
    }
  }

  // Nothing if it is unknown whether a copy is pending.
  std::optional<Pending> state_of(std::string_view tag) const {
    const auto found = tags_.find(tag);
    return found == tags_.end() ? std::optional<Pending>(Pending()) : found->second;
  }

  void report_unfinished() {
    for (const auto& [tag, known] : tags_) {
      if (!known || !*known) continue;
      reporter_.at(**known, "V140",
                   fmt::format("nothing waits for this copy, whose tag is `{}`", tag),
                   "Wait for it in the same segment, before the invocation ends.");
    }
  }

  Reporter& reporter_;
  const std::vector<ResolvedStmt>& statements_;
  // By tag; one that is not here has no copy pending.
  std::map<std::string_view, std::optional<Pending>> tags_;
  bool ended_ = false;
};

}  // namespace

void check_async(const ValidateOptions& options, Reporter& reporter) {
  check_tags(reporter);
  if (options.source) StraightLine(reporter).check();
}

}  // namespace vyre::internal

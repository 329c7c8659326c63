// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Atomic and ordinary accesses to one buffer have a barrier between them. The statements are taken
// in the order in which they stand, and a barrier for one that is always reached: what a run really
// does is for checkers of the run.
#include <fmt/format.h>

#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

// A hostile program may use one large shared expression after each of very many barriers.
constexpr uint64_t kMaxVisits = 100'000'000;

enum class Access : uint8_t { kPlain, kAtomic };

class AtomicMixing {
 public:
  explicit AtomicMixing(Reporter& reporter)
      : reporter_(reporter),
        resolved_(reporter.resolved()),
        buffers_(resolved_.program.buffers().size()),
        mentions_(resolved_.expressions.size()),
        visited_in_(resolved_.expressions.size()) {}

  void check() {
    if (!find_mixed()) return;
    for (StmtId stmt = 0; stmt < resolved_.statements.size(); ++stmt) {
      const ResolvedStmt& record = resolved_.statements[stmt];
      if (record.node->kind() == NodeKind::kBarrier) ++interval_;
      for (const ExprId operand : resolved_.operands(record)) visit_expr(stmt, operand);
      for_each_plain(record, [&](uint32_t buffer) { access(buffer, stmt, Access::kPlain); });
    }
  }

 private:
  struct Seen {
    uint32_t interval = 0;  // counts from 1; what is older has a barrier behind it
    StmtId stmt = kNoId;
  };
  struct State {
    bool used[2] = {false, false};  // by access, anywhere
    Seen last[2];
    uint32_t reported_in = 0;
    bool is_mixed() const { return used[0] && used[1]; }
  };

  // The buffers that the statement itself, not its operands, reads or writes.
  template <typename F>
  static void for_each_plain(const ResolvedStmt& record, F f) {
    if (record.buffer != kNoId) f(record.buffer);
    if (record.destination != kNoId) f(record.destination);
  }

  static std::optional<Access> access_of(const ResolvedExpr& record) {
    if (record.reference == kNoId) return std::nullopt;
    if (record.expr->op() == Op::kLoad) return Access::kPlain;
    return is_atomic(record.expr->op()) ? std::optional(Access::kAtomic) : std::nullopt;
  }

  bool find_mixed() {
    for (const ResolvedExpr& record : resolved_.expressions) {
      const std::optional<Access> access = access_of(record);
      if (access) buffers_[record.reference].used[static_cast<size_t>(*access)] = true;
    }
    for (const ResolvedStmt& record : resolved_.statements) {
      for_each_plain(record, [&](uint32_t buffer) { buffers_[buffer].used[0] = true; });
    }
    bool any = false;
    for (ExprId id = 0; id < resolved_.expressions.size(); ++id) {
      const ResolvedExpr& record = resolved_.expressions[id];
      mentions_[id] = access_of(record) && buffers_[record.reference].is_mixed();
      any = any || mentions_[id];
      for (const ExprId operand : resolved_.operands(record)) {
        mentions_[id] = mentions_[id] || mentions_[operand];
      }
    }
    return any;
  }

  void visit_expr(StmtId stmt, ExprId root) {
    std::vector<ExprId> stack{root};
    while (!stack.empty() && visits_ < kMaxVisits) {
      const ExprId id = stack.back();
      stack.pop_back();
      if (!mentions_[id] || visited_in_[id] == interval_) continue;
      visited_in_[id] = interval_;
      ++visits_;
      const ResolvedExpr& record = resolved_.expressions[id];
      if (const std::optional<Access> kind = access_of(record)) {
        access(record.reference, stmt, *kind);
      }
      for (const ExprId operand : resolved_.operands(record)) stack.push_back(operand);
    }
  }

  void access(uint32_t buffer, StmtId stmt, Access kind) {
    State& state = buffers_[buffer];
    const auto mine = static_cast<size_t>(kind);
    state.last[mine] = {interval_, stmt};
    const Seen& other = state.last[1 - mine];
    if (other.interval != interval_ || state.reported_in == interval_) return;
    state.reported_in = interval_;
    reporter_.at(stmt, "V116",
                 fmt::format("buffer `{}` is accessed {} here and {} at {}, without a barrier "
                             "between the two",
                             resolved_.program.buffers()[buffer].name(), spelled(kind),
                             spelled(kind == Access::kPlain ? Access::kAtomic : Access::kPlain),
                             where(resolved_, other.stmt)),
                 "Use atomics for both, or put a barrier between them.");
  }

  static const char* spelled(Access kind) {
    return kind == Access::kAtomic ? "by an atomic" : "without one";
  }

  Reporter& reporter_;
  const Resolved& resolved_;
  std::vector<State> buffers_;
  std::vector<bool> mentions_;  // by expression: an access to a mixed buffer stands in it
  std::vector<uint32_t> visited_in_;
  uint32_t interval_ = 1;  // barriers passed, and one
  uint64_t visits_ = 0;
};

}  // namespace

void check_atomic_mixing(Reporter& reporter) { AtomicMixing(reporter).check(); }

}  // namespace vyre::internal

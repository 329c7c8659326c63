// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Atomic and ordinary accesses to one buffer have a barrier between them on every way that a
// workgroup can take: they are in different phases.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vyre/ir/analysis/barrier_phases.h"
#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

// A hostile program may use one large shared expression, with accesses to many buffers, after each
// of very many barriers.
constexpr uint64_t kMaxVisits = 100'000'000;

enum class Access : uint8_t { kPlain, kAtomic };

struct Use {
  uint32_t buffer;
  Access access;
  bool operator==(const Use&) const = default;
};

// What an expression does to mixed buffers, with all under it.
struct Uses {
  enum class Number : uint8_t { kNone, kOne, kSeveral };
  Number number = Number::kNone;  // of different ones
  Use one{};

  void add(const Uses& other) {
    if (other.number == Number::kNone || (number == Number::kOne && *this == other)) return;
    *this = number == Number::kNone ? other : Uses{.number = Number::kSeveral};
  }
  bool operator==(const Uses&) const = default;
};

class AtomicMixing {
 public:
  explicit AtomicMixing(Reporter& reporter)
      : reporter_(reporter),
        resolved_(reporter.resolved()),
        phases_(resolved_),
        buffers_(resolved_.program.buffers().size()),
        uses_(resolved_.expressions.size()),
        visited_in_(resolved_.expressions.size(), kNoId) {}

  void check() {
    if (!find_mixed()) return;
    for (const StmtId stmt : statements_by_phase()) {
      const ResolvedStmt& record = resolved_.statements[stmt];
      const std::span<const ExprId> operands = resolved_.operands(record);
      for (size_t i = 0; i < operands.size(); ++i) visit_operand(stmt, i, operands[i]);
      for_each_plain(record, [&](uint32_t buffer) {
        const StmtId other = clash(buffer, stmt, Access::kPlain);
        if (other != kNoId) report(buffer, {.stmt = stmt}, Access::kPlain, other);
      });
    }
    if (visits_ < kMaxVisits) return;
    reporter_.program("V019",
                      fmt::format("each occurrence counted, more than {} expressions use buffers "
                                  "with atomic and other accesses",
                                  kMaxVisits),
                      "Bind shared subexpressions with let, or split the program.");
  }

 private:
  struct Step {
    ExprId id;
    size_t next = 0;  // operand
  };
  struct Seen {
    PhaseId phase = kNoId;
    StmtId stmt = kNoId;
  };
  struct State {
    bool used[2] = {false, false};  // by access, anywhere
    Seen last[2];
    PhaseId reported_in = kNoId;
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

  // Atomics on other memory have their own diagnostic.
  bool is_mixed(uint32_t buffer) const {
    return buffers_[buffer].is_mixed() && !resolved_.program.buffers()[buffer].is_workgroup();
  }

  std::optional<Use> use_of(const ResolvedExpr& record) const {
    const std::optional<Access> access = access_of(record);
    if (!access || !is_mixed(record.reference)) return std::nullopt;
    return Use{.buffer = record.reference, .access = *access};
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
      if (const std::optional<Use> own = use_of(record)) {
        uses_[id] = {.number = Uses::Number::kOne, .one = *own};
        any = true;
      }
      for (const ExprId operand : resolved_.operands(record)) uses_[id].add(uses_[operand]);
    }
    return any;
  }

  // Those of one phase together, in the order in which they stand.
  std::vector<StmtId> statements_by_phase() const {
    std::vector<StmtId> order(resolved_.statements.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](StmtId stmt) { return phases_.of(stmt); });
    return order;
  }

  // Every expression under the operand that this phase has not met.
  void visit_operand(StmtId stmt, size_t operand, ExprId root) {
    std::vector<Step> way;
    const auto meet = [&](const Use& use) {
      const StmtId other = clash(use.buffer, stmt, use.access);
      if (other == kNoId) return;
      const size_t length = way.size();
      lead_to_use(way);
      report(use.buffer, site_of(stmt, operand, way), use.access, other);
      way.resize(length);
    };
    const auto enter = [&](ExprId id) {
      const Uses& uses = uses_[id];
      if (uses.number == Uses::Number::kNone || visited_in_[id] == phases_.of(stmt) ||
          visits_ == kMaxVisits) {
        return;
      }
      visited_in_[id] = phases_.of(stmt);
      ++visits_;
      way.push_back({id});
      if (uses.number == Uses::Number::kSeveral) return;
      // All that stands under it does the same.
      meet(uses.one);
      way.pop_back();
    };
    enter(root);
    while (!way.empty()) {
      const ResolvedExpr& record = resolved_.expressions[way.back().id];
      if (way.back().next < resolved_.operands(record).size()) {
        enter(resolved_.operands(record)[way.back().next++]);
        continue;
      }
      if (const std::optional<Use> own = use_of(record)) meet(*own);
      way.pop_back();
    }
  }

  // Down to an expression that is a use itself, from one that is or under which all do the same.
  void lead_to_use(std::vector<Step>& way) const {
    while (!use_of(resolved_.expressions[way.back().id])) {
      const std::span<const ExprId> operands =
          resolved_.operands(resolved_.expressions[way.back().id]);
      size_t i = 0;
      while (uses_[operands[i]].number == Uses::Number::kNone) ++i;
      way.back().next = i + 1;
      way.push_back({operands[i]});
    }
  }

  static ExprSite site_of(StmtId stmt, size_t operand, const std::vector<Step>& way) {
    ExprSite site{.stmt = stmt, .operand = operand};
    for (const Step& step : way) {
      site.chain.push_back(step.id);
      site.steps.push_back(step.next - 1);
    }
    site.steps.pop_back();
    return site;
  }

  // The statement with the other kind of access that this one is the first to meet in its phase;
  // kNoId if there is none.
  StmtId clash(uint32_t buffer, StmtId stmt, Access kind) {
    if (!is_mixed(buffer)) return kNoId;
    State& state = buffers_[buffer];
    const PhaseId phase = phases_.of(stmt);
    const auto mine = static_cast<size_t>(kind);
    state.last[mine] = {phase, stmt};
    const Seen& other = state.last[1 - mine];
    if (other.phase != phase || state.reported_in == phase) return kNoId;
    state.reported_in = phase;
    return other.stmt;
  }

  void report(uint32_t buffer, const ExprSite& site, Access kind, StmtId other) {
    std::string cause = fmt::format(
        "buffer `{}` is accessed {} here and {} at {}, and on a way between the two stands no "
        "barrier",
        resolved_.program.buffers()[buffer].name(), spelled(kind),
        spelled(kind == Access::kPlain ? Access::kAtomic : Access::kPlain),
        where(resolved_, other));
    std::string fix = "Use atomics for both, or put barriers between them, round a loop, too.";
    if (site.chain.empty()) {
      reporter_.at(site.stmt, "V116", std::move(cause), std::move(fix));
    } else {
      reporter_.at(site, "V116", std::move(cause), std::move(fix));
    }
  }

  static const char* spelled(Access kind) {
    return kind == Access::kAtomic ? "by an atomic" : "by an ordinary load or store";
  }

  Reporter& reporter_;
  const Resolved& resolved_;
  const BarrierPhases phases_;
  std::vector<State> buffers_;
  std::vector<Uses> uses_;  // by expression
  std::vector<PhaseId> visited_in_;
  uint64_t visits_ = 0;
};

}  // namespace

void check_atomic_mixing(Reporter& reporter) { AtomicMixing(reporter).check(); }

}  // namespace vyre::internal

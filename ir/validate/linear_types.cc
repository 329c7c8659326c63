// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Linear types: how often a program may use a buffer. A use is a load, a store, an atomic, a copy
// or whatever else names the buffer, except for its length. Uses in the two bodies of an if exclude
// each other; one in a loop may happen more than once. A buffer counts as used if it is used
// anywhere.
#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/resolve_declarations.h"
#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

// A hostile program may use one large shared expression in very many statements.
constexpr uint64_t kMaxVisits = 100'000'000;

class LinearTypes {
 public:
  explicit LinearTypes(Reporter& reporter)
      : reporter_(reporter),
        resolved_(reporter.resolved()),
        buffers_(resolved_.program.buffers()),
        uses_(buffers_.size()),
        mentions_(resolved_.expressions.size()),
        visits_(resolved_.expressions.size()) {
    for (uint32_t i = 0; i < buffers_.size(); ++i) by_name_.emplace(buffers_[i].name(), i);
    for (ExprId id = 0; id < resolved_.expressions.size(); ++id) {
      const std::optional<uint32_t> buffer = used_by(id);
      mentions_[id] = buffer && buffers_[*buffer].linear_type() != LinearType::kUnrestricted;
      for (const ExprId operand : resolved_.operands(resolved_.expressions[id])) {
        mentions_[id] = mentions_[id] || mentions_[operand];
      }
    }
  }

  void check() {
    for (StmtId stmt = 0; stmt < resolved_.statements.size(); ++stmt) {
      while (!around_.empty() && resolved_.statements[around_.back()].end <= stmt) leave();
      visit(stmt);
      if (!resolved_.statements[stmt].node->bodies().empty()) enter(stmt);
    }
    for (uint32_t i = 0; i < buffers_.size(); ++i) check_used(i);
    if (visited_ < kMaxVisits) return;
    reporter_.program(
        "V019",
        fmt::format("each occurrence counted, more than {} expressions use buffers of "
                    "linear types",
                    kMaxVisits),
        "Bind shared subexpressions with let, or split the program.");
  }

 private:
  struct Uses {
    StmtId last = kNoId;
    bool reported = false;
  };
  struct Visits {
    StmtId stmt = kNoId;
    uint8_t count = 0;
  };

  bool is_loop(StmtId stmt) const {
    return resolved_.statements[stmt].node->kind() == NodeKind::kLoop;
  }
  void enter(StmtId stmt) {
    around_.push_back(stmt);
    loops_ += is_loop(stmt) ? 1 : 0;
  }
  void leave() {
    loops_ -= is_loop(around_.back()) ? 1 : 0;
    around_.pop_back();
  }

  std::optional<uint32_t> used_by(ExprId id) const {
    const ResolvedExpr& record = resolved_.expressions[id];
    const Op op = record.expr->op();
    const bool uses = op == Op::kLoad || op == Op::kBufferRef || is_atomic(op);
    return uses && record.reference != kNoId ? std::optional(record.reference) : std::nullopt;
  }

  void visit(StmtId stmt) {
    for (const ExprId operand : resolved_.operands(resolved_.statements[stmt])) {
      if (mentions_[operand]) visit_expr(stmt, operand);
    }
    const Node& node = *resolved_.statements[stmt].node;
    if (node.kind() == NodeKind::kStore) return use(resolved_.statements[stmt].buffer, stmt);
    const bool copies = node.info().has(NodeFlags::kAsync) && !node.operands().empty();
    const bool carried = node.info().has(NodeFlags::kCarried) && node.kind() != NodeKind::kOpaque;
    if (!copies && !carried) return;
    for (const std::string_view name : {node.name(), node.second_name()}) {
      const auto found = by_name_.find(name);
      if (found != by_name_.end()) use(found->second, stmt);
    }
  }

  // All uses under an operand. What was met twice in a statement need not be met again.
  void visit_expr(StmtId stmt, ExprId root) {
    std::vector<ExprId> stack{root};
    while (!stack.empty() && visited_ < kMaxVisits) {
      const ExprId id = stack.back();
      stack.pop_back();
      ++visited_;
      Visits& visits = visits_[id];
      if (visits.stmt != stmt) visits = {stmt, 0};
      if (visits.count == 2) continue;
      ++visits.count;
      if (const std::optional<uint32_t> buffer = used_by(id)) use(*buffer, stmt);
      for (const ExprId operand : resolved_.operands(resolved_.expressions[id])) {
        if (mentions_[operand]) stack.push_back(operand);
      }
    }
  }

  void use(uint32_t buffer, StmtId stmt) {
    if (buffer == kNoId) return;
    Uses& uses = uses_[buffer];
    const LinearType type = buffers_[buffer].linear_type();
    const bool at_most_once = type == LinearType::kLinear || type == LinearType::kAffine;
    const StmtId before = std::exchange(uses.last, stmt);
    if (!at_most_once || uses.reported) return;
    if (loops_ > 0) return report(buffer, fmt::format("used in a loop, at {}", at(stmt)));
    if (before == kNoId || exclude(before, stmt)) return;
    report(buffer, before == stmt
                       ? fmt::format("used twice at {}", at(stmt))
                       : fmt::format("used at {}, and again at {}", at(before), at(stmt)));
  }

  // Whether two statements stand in different bodies of an if, the second where the walk is.
  bool exclude(StmtId first, StmtId second) const {
    if (first == second) return false;
    const auto after = std::ranges::upper_bound(around_, first);
    if (after == around_.begin()) return false;
    const ResolvedStmt& innermost = resolved_.statements[*(after - 1)];
    return innermost.node->kind() == NodeKind::kIf && *(after - 1) != first &&
           first < innermost.else_begin && innermost.else_begin <= second;
  }

  std::string at(StmtId stmt) const { return where(resolved_, stmt); }

  void report(uint32_t buffer, const std::string& how) {
    uses_[buffer].reported = true;
    reporter_.buffer(
        buffer, "V070",
        fmt::format("buffer `{}` is {} and may be used once, but is {}", buffers_[buffer].name(),
                    spelling(buffers_[buffer].linear_type()), how),
        "Bind the value with let and use that, or declare the buffer unrestricted.");
  }

  void check_used(uint32_t buffer) {
    const LinearType type = buffers_[buffer].linear_type();
    const bool at_least_once = type == LinearType::kLinear || type == LinearType::kRelevant;
    if (!at_least_once || uses_[buffer].last != kNoId) return;
    reporter_.buffer(
        buffer, "V070",
        fmt::format("buffer `{}` is {} and is never used", buffers_[buffer].name(), spelling(type)),
        "Use it, or declare it unrestricted.");
  }

  Reporter& reporter_;
  const Resolved& resolved_;
  const std::vector<BufferDecl>& buffers_;
  NameMap<uint32_t> by_name_;
  std::vector<Uses> uses_;
  std::vector<bool> mentions_;  // by expression: a use of a restricted buffer stands in it
  std::vector<Visits> visits_;
  uint64_t visited_ = 0;
  std::vector<StmtId> around_;  // the statements around the one that is visited
  uint32_t loops_ = 0;          // how many of them are loops
};

}  // namespace

void check_linear_types(Reporter& reporter) {
  const bool needed = std::ranges::any_of(
      reporter.resolved().program.buffers(),
      [](const BufferDecl& decl) { return decl.linear_type() != LinearType::kUnrestricted; });
  if (needed) LinearTypes(reporter).check();
}

}  // namespace vyre::internal

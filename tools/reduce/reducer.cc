// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/reduce/reducer.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <bit>

#include "vyre/ir/resolve.h"
#include "vyre/ir/walk.h"
#include "vyre/tools/reduce/reduction.h"

namespace vyre::tools {
namespace {

uint64_t saturating_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

void add(Weight& sum, const Weight& other) {
  sum.nodes = saturating_add(sum.nodes, other.nodes);
  sum.details = saturating_add(sum.details, other.details);
}

// Bits that a size needs: halving it counts, whatever it is.
uint64_t bits_of(uint64_t size) { return static_cast<uint64_t>(std::bit_width(size)); }

uint64_t bits_of(Dim3 size) { return bits_of(size.x) + bits_of(size.y) + bits_of(size.z); }

// 0 is simplest, then 1, then other literals, then what a run has to supply.
uint64_t details_of(const Expr& expr) {
  if (!is_literal(expr.op())) return expr.name().size() + (expr.operands().empty() ? 3 : 0);
  if (expr.bits() == 0) return 0;
  const bool is_one = expr == Expr::u32(1) || expr == Expr::i32(1) || expr == Expr::u64(1) ||
                      expr == Expr::i64(1) || expr == Expr::bool_(true) || expr == Expr::f32(1) ||
                      expr == Expr::f64(1);
  return is_one ? 1 : 2;
}

// Of trees, with each object looked at once.
class WeightTable {
 public:
  Weight of(const Program& program) {
    for (const Expr* expr : expressions_of(program.entry())) {
      Weight weight{.nodes = 1, .details = details_of(*expr)};
      for (const Expr& operand : expr->operands()) add(weight, table_.at(operand.identity()));
      table_.emplace(expr->identity(), weight);
    }
    for (const Node* node : post_order(program.entry())) {
      Weight weight{.nodes = 1, .details = node->name().size() + node->tag().size()};
      if (node->source_region()) weight.details += 1 + node->source_region()->size();
      for (const Expr& operand : node->operands()) add(weight, table_.at(operand.identity()));
      for (const std::vector<Node>& body : node->bodies()) add_all(weight, body);
      table_.emplace(node->identity(), weight);
    }
    Weight weight;
    add_all(weight, program.entry());
    weight.objects = table_.size();
    return weight;
  }

 private:
  void add_all(Weight& weight, std::span<const Node> nodes) {
    for (const Node& node : nodes) add(weight, table_.at(node.identity()));
  }

  absl::flat_hash_map<const void*, Weight> table_;
};

uint64_t details_of(const BufferDecl& buffer) {
  uint64_t details = buffer.name().size() + bits_of(buffer.count().value_or(0));
  if (buffer.output_byte_range()) details += 1;
  if (!(buffer.hints() == MemoryHints{})) details += 1;
  if (buffer.bytes_extraction()) details += 1;
  if (buffer.linear_type() != LinearType::kUnrestricted) details += 1;
  if (buffer.shape_predicate()) details += 1;
  return details;
}

bool has_regions_only(const Program& program) {
  return std::ranges::all_of(program.entry(),
                             [](const Node& node) { return node.kind() == NodeKind::kRegion; });
}

// Candidates that are not worth a test take time, too.
constexpr uint64_t kCandidatesPerTest = 64;

}  // namespace

uint64_t ProgramSize::nodes() const {
  return saturating_add(saturating_add(statements, expressions), buffers);
}

ProgramSize size_of(const Program& program) {
  ProgramSize size;
  for (const Node& node : program.entry()) {
    size.statements = saturating_add(size.statements, node.node_count());
  }
  size.expressions = WeightTable().of(program).nodes - size.statements;
  size.buffers = program.buffers().size();
  return size;
}

Weight weight_of(const Program& program) {
  Weight weight = WeightTable().of(program);
  uint64_t details = bits_of(program.workgroup_size());
  for (const BufferDecl& buffer : program.buffers()) details += details_of(buffer);
  if (program.extent()) details += 1 + bits_of(*program.extent());
  if (program.entry_op_id()) details += 1 + program.entry_op_id()->size();
  if (program.non_composable_with_self()) details += 1;
  add(weight, {.nodes = program.buffers().size(), .details = details});
  return weight;
}

Reduction::Reduction(const Program& program, const Predicate& holds, const ReduceOptions& options)
    : program_(program),
      weight_(weight_of(program)),
      holds_(holds),
      options_(options),
      must_resolve_(!options.any_program && resolve(program).ok()),
      must_have_regions_(has_regions_only(program)) {}

bool Reduction::stopped() const {
  return tests_ >= options_.max_tests || candidates_ / kCandidatesPerTest >= options_.max_tests ||
         (options_.stop && options_.stop());
}

bool Reduction::attempt(const Program& candidate) {
  if (stopped()) return false;
  ++candidates_;
  const Weight weight = weight_of(candidate);
  if (weight >= weight_ || !tried_.insert(candidate.hash()).second) return false;
  if (must_have_regions_ && !has_regions_only(candidate)) return false;
  if (must_resolve_ && !resolve(candidate).ok()) return false;
  ++tests_;
  const bool holds = holds_(candidate);
  if (holds) {
    program_ = candidate;
    weight_ = weight;
    ++successes_;
  }
  if (options_.progress) options_.progress({tests_, weight_.nodes});
  return holds;
}

void remove_stretches(size_t size, const std::function<bool(size_t, size_t)>& remove) {
  for (size_t length = size; length > 0; length = std::min(length / 2, size)) {
    for (size_t end = size; end > 0;) {
      const size_t begin = end - std::min(end, length);
      if (remove(begin, end)) size -= end - begin;
      end = begin;
    }
  }
}

StatusOr<ReduceResult> reduce(const Program& program, const Predicate& holds,
                              const ReduceOptions& options) {
  if (!holds(program)) {
    return absl::FailedPreconditionError(
        "the predicate does not hold of the program as it is. Fix: let it hold of what is to be "
        "reduced.");
  }
  Reduction reduction(program, holds, options);
  uint64_t successes = 0;
  do {
    successes = reduction.successes();
    reduce_statements(reduction);
    reduce_variables(reduction);
    reduce_expressions(reduction);
    reduce_declarations(reduction);
    reduce_names(reduction);
  } while (reduction.successes() > successes && !reduction.stopped());
  return ReduceResult{reduction.program(), size_of(program), size_of(reduction.program()),
                      reduction.tests() + 1, !reduction.stopped()};
}

}  // namespace vyre::tools

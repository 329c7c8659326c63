// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Statements and expressions that were made by other means, taken into a kernel: what they bind,
// read and write is noted as if it had been recorded.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vyre/ir/kernel.h"
#include "vyre/ir/kernel_recorder.h"

namespace vyre {
namespace {

using internal::Recorder;
using internal::Reference;
using internal::References;
using internal::WriteCause;

// Calls `visit` once for each object of the expression's graph.
template <typename Visit>
void visit_expr(const Expr& root, Visit visit) {
  std::vector<const Expr*> stack{&root};
  std::unordered_set<const void*> seen;
  while (!stack.empty()) {
    const Expr& expr = *stack.back();
    stack.pop_back();
    if (!seen.insert(expr.identity()).second) continue;
    visit(expr);
    for (const Expr& operand : expr.operands()) stack.push_back(&operand);
  }
}

void note_atomics(Recorder& recorder, const Expr& root, const Place& place) {
  if (!root.has(ExprEffects::kAtomics)) return;
  visit_expr(root, [&](const Expr& expr) {
    if (!is_atomic(expr.op())) return;
    const auto buffer = recorder.find_buffer(expr.name());
    if (buffer) recorder.write_buffer(*buffer, place, WriteCause::kAtomic);
  });
}

// The slot that an expression reads, if it reads one that the kernel knows.
std::optional<uint32_t> slot_read(const Recorder& recorder, const Expr& expr) {
  if (expr.op() == Op::kVar) return recorder.find_name(expr.name());
  if (expr.op() == Op::kLoad) return recorder.find_buffer(expr.name());
  return std::nullopt;
}

std::shared_ptr<const References> references_in(Recorder& recorder, const Expr& root,
                                                const Place& place) {
  auto references = std::make_shared<References>();
  visit_expr(root, [&](const Expr& expr) {
    const auto slot = slot_read(recorder, expr);
    if (slot) references->push_back(recorder.history().read(*slot, place));
  });
  std::ranges::sort(*references, {}, &Reference::slot);
  const auto same_slot = [](const Reference& a, const Reference& b) { return a.slot == b.slot; };
  references->erase(std::unique(references->begin(), references->end(), same_slot),
                    references->end());
  return references;
}

void refuse_shadowing(Recorder& recorder, std::string_view name, const Place& place) {
  if (!recorder.find_name(name)) return;
  recorder.report(place, fmt::format("the emitted statements bind `{}`, which is bound already. "
                                     "Fix: rename one of them",
                                     name));
}

// What the statement itself does, without its bodies.
void note_statement(Recorder& recorder, const Node& node, bool nested, const Place& place) {
  for (const Expr& operand : node.operands()) note_atomics(recorder, operand, place);
  switch (node.kind()) {
    case NodeKind::kLet:
      refuse_shadowing(recorder, node.name(), place);
      if (!nested && !recorder.find_name(node.name())) recorder.adopt_name(node.name(), place);
      return;
    case NodeKind::kLoop:
      return refuse_shadowing(recorder, node.name(), place);
    case NodeKind::kAssign: {
      const auto slot = recorder.find_name(node.name());
      if (slot) recorder.history().write(*slot, place, WriteCause::kAssigned);
      return;
    }
    case NodeKind::kStore: {
      const auto buffer = recorder.find_buffer(node.buffer());
      if (buffer) recorder.write_buffer(*buffer, place, WriteCause::kStored);
      return;
    }
    case NodeKind::kBarrier:
      return recorder.barrier(node.ordering(), place);
    case NodeKind::kIf:
    case NodeKind::kBlock:
    case NodeKind::kRegion:
    case NodeKind::kReturn:
    case NodeKind::kTrap:
    case NodeKind::kAsyncLoad:
    case NodeKind::kAsyncStore:
      return;
    // A copy writes its destination here; what the others write is not said in the statement.
    case NodeKind::kAsyncWait:
    case NodeKind::kIndirectDispatch:
    case NodeKind::kResume:
    case NodeKind::kAllReduce:
    case NodeKind::kAllGather:
    case NodeKind::kReduceScatter:
    case NodeKind::kBroadcast:
    case NodeKind::kOpaque:
      return recorder.write_all_buffers(place);
  }
}

}  // namespace

void Kernel::emit(const Body& body, Place place) {
  struct Item {
    const Node* node;
    bool nested;
  };
  std::vector<Item> stack;
  const auto push = [&stack](std::span<const Node> nodes, bool nested) {
    for (size_t i = nodes.size(); i > 0; --i) stack.push_back({&nodes[i - 1], nested});
  };
  push(body.nodes(), false);
  while (!stack.empty()) {
    const auto [node, nested] = stack.back();
    stack.pop_back();
    note_statement(*recorder_, *node, nested, place);
    for (size_t i = node->bodies().size(); i > 0; --i) push(node->body(i - 1), true);
  }
  for (const Node& node : body.nodes()) recorder_->emit(node);
}

internal::RecordedValue Kernel::adopt(const Expr& expr, const Place& place) {
  const internal::RecordedValue value(recorder_, expr, references_in(*recorder_, expr, place));
  const bool matters_where = expr.has(ExprEffects::kAtomics) || expr.has(ExprEffects::kSubgroups) ||
                             expr.has(ExprEffects::kOpaque);
  if (!matters_where) return value;
  internal::RecordedValue bound = internal::bind_now("value", value, place);
  note_atomics(*recorder_, expr, place);
  return bound;
}

}  // namespace vyre

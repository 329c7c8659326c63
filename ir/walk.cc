// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/walk.h"

#include <absl/container/flat_hash_set.h>

namespace vyre {
namespace {

using Visited = absl::flat_hash_set<const void*>;

// Appends what is under root and not visited yet.
void append_post_order(const Expr& root, Visited& visited, std::vector<const Expr*>& order) {
  struct Frame {
    const Expr* expr;
    size_t next;
  };
  if (!visited.insert(root.identity()).second) return;
  std::vector<Frame> stack{{&root, 0}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next == frame.expr->operands().size()) {
      order.push_back(frame.expr);
      stack.pop_back();
      continue;
    }
    const Expr& operand = frame.expr->operand(frame.next++);
    if (visited.insert(operand.identity()).second) stack.push_back({&operand, 0});
  }
}

}  // namespace

std::vector<const Expr*> post_order(const Expr& root) { return post_order(std::span(&root, 1)); }

std::vector<const Expr*> post_order(std::span<const Expr> roots) {
  Visited visited;
  std::vector<const Expr*> order;
  for (const Expr& root : roots) append_post_order(root, visited, order);
  return order;
}

std::vector<const Node*> post_order(std::span<const Node> entry) {
  // `rest` is what is left of the body at `body`; `owner` is pushed once all its bodies are done.
  struct Frame {
    const Node* owner;
    size_t body;
    std::span<const Node> rest;
  };
  Visited visited;
  std::vector<const Node*> order;
  std::vector<Frame> stack{{nullptr, 0, entry}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (!frame.rest.empty()) {
      const Node& node = frame.rest.front();
      frame.rest = frame.rest.subspan(1);
      if (visited.insert(node.identity()).second) stack.push_back({&node, 0, {}});
      continue;
    }
    if (frame.owner != nullptr && frame.body < frame.owner->bodies().size()) {
      frame.rest = frame.owner->body(frame.body++);
      continue;
    }
    if (frame.owner != nullptr) order.push_back(frame.owner);
    stack.pop_back();
  }
  return order;
}

std::vector<const Expr*> expressions_of(std::span<const Node> entry) {
  Visited visited;
  std::vector<const Expr*> order;
  for (const Node* node : post_order(entry)) {
    for (const Expr& operand : node->operands()) append_post_order(operand, visited, order);
  }
  return order;
}

}  // namespace vyre

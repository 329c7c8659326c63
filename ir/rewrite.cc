// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "vyre/ir/walk.h"

namespace vyre {
namespace {

std::vector<Expr> copy_of(std::span<const Expr> exprs) { return {exprs.begin(), exprs.end()}; }

// Gives new objects the place of what they replace. New is what is not known; known are the
// objects of the program and results of earlier calls.
class Placer {
 public:
  void know(const Expr& expr) {
    if (known_.insert(expr.identity()).second) kept_exprs_.push_back(expr);
  }
  void know(const Node& node) {
    if (known_.insert(node.identity()).second) kept_nodes_.push_back(node);
  }

  Expr place(const Expr& root, const Place& place) {
    std::vector<std::pair<Expr, bool>> stack{{root, false}};
    while (!stack.empty()) {
      const auto [expr, operands_done] = stack.back();
      if (is_placed(expr)) {
        stack.pop_back();
        continue;
      }
      if (!operands_done) {
        stack.back().second = true;
        for (const Expr& operand : expr.operands()) stack.emplace_back(operand, false);
        continue;
      }
      stack.pop_back();
      finish(expr, place);
    }
    return placed(root);
  }

  Node place(const Node& root, const Place& place) {
    std::vector<std::pair<Node, bool>> stack{{root, false}};
    while (!stack.empty()) {
      const auto [node, bodies_done] = stack.back();
      if (is_placed(node)) {
        stack.pop_back();
        continue;
      }
      if (!bodies_done) {
        stack.back().second = true;
        for (const std::vector<Node>& body : node.bodies()) {
          for (const Node& child : body) stack.emplace_back(child, false);
        }
        continue;
      }
      stack.pop_back();
      finish(node, place);
    }
    return placed(root);
  }

 private:
  template <typename T>
  bool is_placed(const T& object) const {
    return known_.contains(object.identity()) || replaced<T>().contains(object.identity());
  }
  // Of an object that is placed already.
  template <typename T>
  T placed(const T& object) const {
    const auto it = replaced<T>().find(object.identity());
    return it == replaced<T>().end() ? object : it->second;
  }

  void finish(const Expr& expr, const Place& place) {
    std::vector<Expr> operands = copy_of(expr.operands());
    bool changed = false;
    for (Expr& operand : operands) changed |= exchange(operand);
    Expr result = changed ? expr.with_operands(std::move(operands)) : expr;
    if (!expr.place().copied()) result = result.with_place(place);
    remember(expr, std::move(result));
  }

  void finish(const Node& node, const Place& place_of_replaced) {
    std::vector<Expr> operands = copy_of(node.operands());
    std::vector<std::vector<Node>> bodies(node.bodies().begin(), node.bodies().end());
    const Place& own = node.place().copied() ? node.place() : place_of_replaced;
    bool changed = false;
    for (Expr& operand : operands) {
      Expr result = place(operand, own);
      changed |= !result.same_object(operand);
      operand = std::move(result);
    }
    for (std::vector<Node>& body : bodies) {
      for (Node& child : body) changed |= exchange(child);
    }
    Node result = changed ? node.with_parts(std::move(operands), std::move(bodies)) : node;
    if (!node.place().copied()) result = result.with_place(place_of_replaced);
    remember(node, std::move(result));
  }

  // Puts the placed object in the place of `object`; says whether it is another one.
  template <typename T>
  bool exchange(T& object) const {
    T result = placed(object);
    const bool other = !result.same_object(object);
    object = std::move(result);
    return other;
  }

  void remember(const Expr& expr, Expr result) {
    know(result);
    kept_exprs_.push_back(expr);
    replaced_exprs_.insert_or_assign(expr.identity(), std::move(result));
  }
  void remember(const Node& node, Node result) {
    know(result);
    kept_nodes_.push_back(node);
    replaced_nodes_.insert_or_assign(node.identity(), std::move(result));
  }

  template <typename T>
  const absl::flat_hash_map<const void*, T>& replaced() const {
    if constexpr (std::is_same_v<T, Expr>) {
      return replaced_exprs_;
    } else {
      return replaced_nodes_;
    }
  }

  absl::flat_hash_set<const void*> known_;
  absl::flat_hash_map<const void*, Expr> replaced_exprs_;
  absl::flat_hash_map<const void*, Node> replaced_nodes_;
  // Identities are good only while the objects live.
  std::vector<Expr> kept_exprs_;
  std::vector<Node> kept_nodes_;
};

class Rewrite {
 public:
  explicit Rewrite(const Rewriter& rewriter) : rewriter_(rewriter) {}

  Expr expr(const Expr& root) {
    struct Frame {
      const Expr* expr;
      size_t next;
    };
    std::vector<Frame> stack{{&root, 0}};
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == 0 && exprs_.contains(frame.expr->identity())) {
        stack.pop_back();
      } else if (frame.next < frame.expr->operands().size()) {
        const Expr& operand = frame.expr->operand(frame.next++);
        if (!exprs_.contains(operand.identity())) stack.push_back({&operand, 0});
      } else {
        exprs_.emplace(frame.expr->identity(), finish(*frame.expr));
        stack.pop_back();
      }
    }
    return exprs_.find(root.identity())->second;
  }

  std::vector<Node> body(std::span<const Node> entry) {
    std::vector<Frame> stack;
    stack.push_back(Frame{nullptr, {}, {}, {{}}});
    stack.back().rest = entry;
    while (true) {
      Frame& frame = stack.back();
      if (!frame.rest.empty()) {
        const Node& node = frame.rest.front();
        frame.rest = frame.rest.subspan(1);
        if (!append_known(node, frame.bodies.back())) stack.push_back(open(node));
        continue;
      }
      if (frame.owner == nullptr) return std::move(frame.bodies.front());
      if (frame.bodies.size() < frame.owner->bodies().size()) {
        frame.rest = frame.owner->body(frame.bodies.size());
        frame.bodies.emplace_back();
        continue;
      }
      std::vector<Node> result = finish(frame);
      const Node& owner = *frame.owner;
      stack.pop_back();
      append(result, stack.back().bodies.back());
      if (memoises()) nodes_.emplace(owner.identity(), std::move(result));
    }
  }

 private:
  // A statement whose bodies are being rewritten; the last of `bodies` is in the making.
  struct Frame {
    const Node* owner;
    std::vector<Expr> operands;
    std::span<const Node> rest;
    std::vector<std::vector<Node>> bodies;
  };

  // Without a callback, every occurrence of a statement becomes the same thing.
  bool memoises() const { return !rewriter_.every_occurrence || !rewriter_.node; }

  static void append(const std::vector<Node>& nodes, std::vector<Node>& to) {
    to.insert(to.end(), nodes.begin(), nodes.end());
  }

  bool append_known(const Node& node, std::vector<Node>& to) const {
    if (!memoises()) return false;
    const auto it = nodes_.find(node.identity());
    if (it == nodes_.end()) return false;
    append(it->second, to);
    return true;
  }

  Frame open(const Node& node) {
    Frame frame{&node, {}, {}, {}};
    for (const Expr& operand : node.operands()) frame.operands.push_back(expr(operand));
    return frame;
  }

  Expr finish(const Expr& expr) {
    std::vector<Expr> operands;
    bool changed = false;
    for (const Expr& operand : expr.operands()) {
      operands.push_back(exprs_.find(operand.identity())->second);
      changed |= !operands.back().same_object(operand);
    }
    const Expr rebuilt = changed ? expr.with_operands(std::move(operands)) : expr;
    placer_.know(expr);
    placer_.know(rebuilt);
    if (!rewriter_.expr) return rebuilt;
    const Expr result = rewriter_.expr(rebuilt);
    return placer_.place(result, expr.place());
  }

  std::vector<Node> finish(Frame& frame) {
    const Node& node = *frame.owner;
    const auto same = [](const auto& a, const auto& b) { return a.same_object(b); };
    bool changed = !std::ranges::equal(frame.operands, node.operands(), same);
    for (size_t i = 0; i < frame.bodies.size(); ++i) {
      changed |= !std::ranges::equal(frame.bodies[i], node.body(i), same);
    }
    const Node rebuilt =
        changed ? node.with_parts(std::move(frame.operands), std::move(frame.bodies)) : node;
    if (!rewriter_.node) return {rebuilt};
    placer_.know(node);
    placer_.know(rebuilt);
    std::vector<Node> result = rewriter_.node(rebuilt).take();
    for (Node& replacement : result) replacement = placer_.place(replacement, node.place());
    return result;
  }

  const Rewriter& rewriter_;
  Placer placer_;
  absl::flat_hash_map<const void*, Expr> exprs_;
  absl::flat_hash_map<const void*, std::vector<Node>> nodes_;
};

}  // namespace

Expr rewrite_expr(const Expr& root, const Rewriter& rewriter) {
  return Rewrite(rewriter).expr(root);
}

std::vector<Node> rewrite(std::span<const Node> entry, const Rewriter& rewriter) {
  return Rewrite(rewriter).body(entry);
}

Program rewrite(const Program& program, const Rewriter& rewriter) {
  std::vector<Node> entry = rewrite(program.entry(), rewriter);
  const bool same = std::ranges::equal(
      entry, program.entry(), [](const Node& a, const Node& b) { return a.same_object(b); });
  return same ? program : program.with_entry(std::move(entry));
}

}  // namespace vyre

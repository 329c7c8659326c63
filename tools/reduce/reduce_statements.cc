// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <span>

#include "vyre/tools/reduce/reduction.h"
#include "vyre/tools/reduce/tree_edit.h"

namespace vyre::tools {
namespace {

std::vector<Node> copied(std::span<const Node> nodes) { return {nodes.begin(), nodes.end()}; }

// What may take the place of a statement that holds others, the smallest first.
std::vector<std::vector<Node>> replacements_of(const Node& node) {
  std::vector<std::vector<Node>> all;
  switch (node.kind()) {
    case NodeKind::kIf:
      all.push_back(copied(node.body(0)));
      all.push_back(copied(node.body(1)));
      break;
    case NodeKind::kLoop: {
      all.push_back(copied(node.body()));
      std::vector<Node> once = copied(node.body());
      once.insert(once.begin(), Node::let_bind(node.name(), node.operand(0), node.place()));
      all.push_back(once);
      all.push_back({Node::block(once, node.place())});
      all.push_back({Node::loop_for(node.name(), 0u, 1u, copied(node.body()), node.place())});
      break;
    }
    case NodeKind::kBlock:
    case NodeKind::kRegion:
      all.push_back(copied(node.body()));
      break;
    case NodeKind::kLet:
    case NodeKind::kAssign:
    case NodeKind::kStore:
    case NodeKind::kReturn:
    case NodeKind::kBarrier:
    case NodeKind::kIndirectDispatch:
    case NodeKind::kAsyncLoad:
    case NodeKind::kAsyncWait:
    case NodeKind::kAsyncStore:
    case NodeKind::kTrap:
    case NodeKind::kResume:
    case NodeKind::kAllReduce:
    case NodeKind::kAllGather:
    case NodeKind::kReduceScatter:
    case NodeKind::kBroadcast:
    case NodeKind::kOpaque:
      break;
  }
  return all;
}

class StatementReducer {
 public:
  explicit StatementReducer(Reduction& reduction) : reduction_(reduction) {}

  void reduce() {
    std::vector<BodyPath> pending{{}};
    while (!pending.empty() && !reduction_.stopped()) {
      const BodyPath path = std::move(pending.back());
      pending.pop_back();
      reduce_body(path);
      push_bodies(path, pending);
    }
  }

 private:
  std::span<const Node> body(const BodyPath& path) const {
    return body_at(reduction_.program(), path);
  }

  bool replace(const BodyPath& path, size_t begin, size_t end, std::vector<Node> nodes) {
    return reduction_.attempt(
        with_statements(reduction_.program(), path, begin, end, std::move(nodes)));
  }

  void reduce_body(const BodyPath& path) {
    do {
      remove_stretches(body(path).size(),
                       [&](size_t begin, size_t end) { return replace(path, begin, end, {}); });
    } while (open_statements(path) && !reduction_.stopped());
  }

  // Whether a statement made place for what was in it.
  bool open_statements(const BodyPath& path) {
    bool any = false;
    for (size_t i = body(path).size(); i-- > 0;) {
      for (std::vector<Node>& nodes : replacements_of(body(path)[i])) {
        if (!replace(path, i, i + 1, std::move(nodes))) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  void push_bodies(const BodyPath& path, std::vector<BodyPath>& pending) const {
    const std::span<const Node> nodes = body(path);
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t b = 0; b < nodes[i].bodies().size(); ++b) {
        if (nodes[i].body(b).empty()) continue;
        pending.push_back(path);
        pending.back().push_back({static_cast<uint32_t>(i), static_cast<uint8_t>(b)});
      }
    }
  }

  Reduction& reduction_;
};

}  // namespace

void reduce_statements(Reduction& reduction) { StatementReducer(reduction).reduce(); }

}  // namespace vyre::tools

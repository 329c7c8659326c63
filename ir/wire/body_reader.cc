// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/body_reader.h"

#include <fmt/format.h>

#include <vector>

#include "vyre/ir/check.h"
#include "vyre/ir/wire/expr_reader.h"
#include "vyre/ir/wire/limits.h"

namespace vyre::wire {
namespace {

// A statement being read: its fields, then its operands, then its bodies.
struct Pending {
  NodeKind kind = NodeKind::kReturn;
  std::string_view name;
  std::string_view second_name;
  std::string_view tag;
  std::optional<std::string> source_region;
  MemoryOrdering ordering = MemoryOrdering::kSeqCst;
  CollectiveOp collective = CollectiveOp::kSum;
  uint64_t number = 0;  // offset or root
  uint32_t group = 0;
  std::vector<Expr> operands;
  std::vector<std::vector<Node>> bodies;
  uint64_t left = 0;  // statements of the last body that are to come
};

class NodeReader {
 public:
  NodeReader(ByteReader& in, uint64_t& budget) : in_(in), budget_(budget), exprs_(in, budget) {}

  std::optional<Node> read() {
    while (in_.ok()) {
      pending_.push_back(read_head());
      while (in_.ok() && is_complete()) {
        Node node = build();
        pending_.pop_back();
        if (pending_.empty()) return node;
        pending_.back().bodies.back().push_back(std::move(node));
      }
    }
    return std::nullopt;
  }

 private:
  // Whether the last one is whole; opens its next body where it is not.
  bool is_complete() {
    Pending& top = pending_.back();
    while (in_.ok()) {
      if (!top.bodies.empty() && top.left > 0) {
        --top.left;
        return false;
      }
      if (top.bodies.size() == node_info(top.kind).bodies) return true;
      top.bodies.emplace_back();
      top.left = in_.limited(in_.u32(), kMaxNodes, "statements of a list");
    }
    return false;
  }

  NodeKind read_kind() {
    const size_t start = in_.position();
    const uint8_t tag = in_.u8();
    for (const NodeInfo& info : all_nodes()) {
      if (info.tag == tag) return info.kind;
    }
    in_.fail_at(start, kTagIsKnown, fmt::format("{:#04x} is not a statement's tag", tag));
    return NodeKind::kReturn;
  }

  CollectiveOp read_collective() {
    const size_t start = in_.position();
    const uint8_t tag = in_.u8();
    if (tag < static_cast<uint8_t>(CollectiveOp::kSum) ||
        tag > static_cast<uint8_t>(CollectiveOp::kBitXor)) {
      in_.fail_at(start, kTagIsKnown,
                  fmt::format("{:#04x} is not the operation of a collective", tag));
      return CollectiveOp::kSum;
    }
    return static_cast<CollectiveOp>(tag);
  }

  // All but the bodies.
  Pending read_head() {
    if (budget_ <= 1) in_.fail(kLimitIsKept, "the program has too many statements and expressions");
    --budget_;
    Pending pending;
    pending.kind = read_kind();
    read_fields(pending);
    while (in_.ok() && pending.operands.size() < node_info(pending.kind).operands) {
      pending.operands.push_back(exprs_.read());
    }
    const bool tag_behind = pending.kind == NodeKind::kAsyncLoad ||
                            pending.kind == NodeKind::kAsyncStore ||
                            pending.kind == NodeKind::kTrap;
    if (tag_behind) pending.tag = in_.text();
    return pending;
  }

  void read_fields(Pending& pending) {
    switch (pending.kind) {
      case NodeKind::kIf:
      case NodeKind::kReturn:
      case NodeKind::kBlock:
      case NodeKind::kTrap:
        return;
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kStore:
      case NodeKind::kLoop:
        pending.name = in_.text();
        return;
      case NodeKind::kBarrier:
        pending.ordering = read_ordering(in_);
        return;
      case NodeKind::kIndirectDispatch:
        pending.name = in_.text();
        pending.number = in_.u64();
        return;
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        pending.name = in_.text();
        pending.second_name = in_.text();
        return;
      case NodeKind::kAsyncWait:
      case NodeKind::kResume:
        pending.tag = in_.text();
        return;
      case NodeKind::kRegion:
        pending.name = in_.text();
        if (in_.boolean()) pending.source_region = in_.text();
        return;
      case NodeKind::kAllReduce:
        pending.name = in_.text();
        pending.collective = read_collective();
        pending.group = in_.u32();
        return;
      case NodeKind::kAllGather:
        pending.name = in_.text();
        pending.second_name = in_.text();
        pending.group = in_.u32();
        return;
      case NodeKind::kReduceScatter:
        pending.name = in_.text();
        pending.second_name = in_.text();
        pending.collective = read_collective();
        pending.group = in_.u32();
        return;
      case NodeKind::kBroadcast:
        pending.name = in_.text();
        pending.number = in_.u32();
        pending.group = in_.u32();
        return;
      case NodeKind::kOpaque:
        pending.name = in_.text();
        pending.second_name =
            in_.take(in_.limited(in_.u32(), kMaxOpaqueBytes, "bytes of a payload"));
        return;
    }
    VYRE_UNREACHABLE("a statement that is not read");
  }

  Node build() {
    Pending& p = pending_.back();
    const Place place;
    const auto body = [&p](size_t i) { return Body(std::move(p.bodies[i])); };
    const auto operand = [&p](size_t i) { return Operand(std::move(p.operands[i]), Place()); };
    switch (p.kind) {
      case NodeKind::kLet:
        return Node::let_bind(p.name, operand(0), place);
      case NodeKind::kAssign:
        return Node::assign(p.name, operand(0), place);
      case NodeKind::kStore:
        return Node::store(p.name, operand(0), operand(1), place);
      case NodeKind::kIf:
        return Node::if_then_else(operand(0), body(0), body(1), place);
      case NodeKind::kLoop:
        return Node::loop_for(p.name, operand(0), operand(1), body(0), place);
      case NodeKind::kReturn:
        return Node::return_(place);
      case NodeKind::kBlock:
        return Node::block(body(0), place);
      case NodeKind::kBarrier:
        return Node::barrier_with_ordering(p.ordering, place);
      case NodeKind::kIndirectDispatch:
        return Node::indirect_dispatch(p.name, p.number, place);
      case NodeKind::kAsyncLoad:
        return Node::async_load_ext(p.name, p.second_name, operand(0), operand(1), p.tag, place);
      case NodeKind::kAsyncWait:
        return Node::async_wait(p.tag, place);
      case NodeKind::kRegion:
        return Node::region(p.name, std::move(p.source_region), body(0), place);
      case NodeKind::kAsyncStore:
        return Node::async_store(p.name, p.second_name, operand(0), operand(1), p.tag, place);
      case NodeKind::kTrap:
        return Node::trap(operand(0), p.tag, place);
      case NodeKind::kResume:
        return Node::resume(p.tag, place);
      case NodeKind::kAllReduce:
        return Node::all_reduce(p.name, p.collective, p.group, place);
      case NodeKind::kAllGather:
        return Node::all_gather(p.name, p.second_name, p.group, place);
      case NodeKind::kReduceScatter:
        return Node::reduce_scatter(p.name, p.second_name, p.collective, p.group, place);
      case NodeKind::kBroadcast:
        return Node::broadcast(p.name, static_cast<uint32_t>(p.number), p.group, place);
      case NodeKind::kOpaque:
        return Node::opaque(p.name, std::string(p.second_name), place);
    }
    VYRE_UNREACHABLE("a statement that is not built");
  }

  ByteReader& in_;
  uint64_t& budget_;
  ExprReader exprs_;
  std::vector<Pending> pending_;
};

}  // namespace

std::optional<Node> read_node(ByteReader& in, uint64_t& budget) {
  return NodeReader(in, budget).read();
}

std::string_view record_name(const Node& node) {
  return node.kind() == NodeKind::kOpaque ? node.name() : std::string_view(node.info().record_id);
}

}  // namespace vyre::wire

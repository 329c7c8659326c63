// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "vyre/ir/check.h"
#include "vyre/ir/structural.h"

namespace vyre {
namespace {

constexpr NodeInfo kNodes[] = {
#define VYRE_NODE(enumerator, keyword, record_id, tag, operands, bodies, flags, doc) \
  {NodeKind::enumerator,                                                             \
   &#enumerator[1],                                                                  \
   keyword,                                                                          \
   record_id,                                                                        \
   tag,                                                                              \
   operands,                                                                         \
   bodies,                                                                           \
   NodeFlags::flags,                                                                 \
   doc},
#include "vyre/ir/nodes.def"
};

}  // namespace

std::span<const NodeInfo> all_nodes() { return kNodes; }
const NodeInfo& node_info(NodeKind kind) { return kNodes[static_cast<size_t>(kind)]; }

const char* spelling(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::kSum:
      return "sum";
    case CollectiveOp::kMin:
      return "min";
    case CollectiveOp::kMax:
      return "max";
    case CollectiveOp::kBitAnd:
      return "bitand";
    case CollectiveOp::kBitOr:
      return "bitor";
    case CollectiveOp::kBitXor:
      return "bitxor";
  }
  VYRE_UNREACHABLE("a collective op without a spelling");
}

namespace internal {

struct NodeData {
  mutable std::atomic<uint32_t> references{1};
  NodeKind kind;
  NodeEffects effects = NodeEffects::kNone;
  MemoryOrdering ordering = MemoryOrdering::kSeqCst;
  CollectiveOp collective_op = CollectiveOp::kSum;
  uint32_t depth = 1;
  uint32_t group = 0;
  uint64_t number = 0;  // broadcast root, indirect offset
  uint64_t node_count = 1;
  Digest digest;
  std::string name;
  std::string second_name;
  std::string tag;
  std::optional<std::string> source_region;
  std::vector<Expr> operands;
  std::vector<std::vector<Node>> bodies;
  Place place;

  static const NodeData* detach(Node& handle) { return std::exchange(handle.data_, nullptr); }
};

}  // namespace internal

using internal::NodeData;

class NodeFactory {
 public:
  NodeFactory(NodeKind kind, Place place) : data_(std::make_unique<NodeData>()) {
    data_->kind = kind;
    data_->place = std::move(place);
  }
  // A copy of everything but operands and bodies.
  static NodeFactory like(const NodeData& old, Place place) {
    NodeFactory factory(old.kind, std::move(place));
    NodeData& data = *factory.data_;
    data.ordering = old.ordering;
    data.collective_op = old.collective_op;
    data.group = old.group;
    data.number = old.number;
    data.name = old.name;
    data.second_name = old.second_name;
    data.tag = old.tag;
    data.source_region = old.source_region;
    return factory;
  }

  NodeFactory& name(std::string_view name) {
    data_->name = name;
    return *this;
  }
  NodeFactory& second_name(std::string_view name) {
    data_->second_name = name;
    return *this;
  }
  NodeFactory& tag(std::string_view tag) {
    data_->tag = tag;
    return *this;
  }
  NodeFactory& source_region(std::optional<std::string> source_region) {
    data_->source_region = std::move(source_region);
    return *this;
  }
  NodeFactory& ordering(MemoryOrdering ordering) {
    data_->ordering = ordering;
    return *this;
  }
  NodeFactory& collective(CollectiveOp op, uint32_t group) {
    data_->collective_op = op;
    data_->group = group;
    return *this;
  }
  NodeFactory& number(uint64_t number) {
    data_->number = number;
    return *this;
  }
  NodeFactory& operand(Operand operand) { return expr(std::move(operand).take()); }
  NodeFactory& expr(Expr expr) {
    data_->operands.push_back(std::move(expr));
    return *this;
  }
  NodeFactory& body(std::vector<Node> body) {
    data_->bodies.push_back(std::move(body));
    return *this;
  }
  Node finish() {
    summarise();
    return Node(data_.release());
  }

 private:
  NodeEffects own_effects() const {
    NodeEffects effects = NodeEffects::kNone;
    if (data_->kind == NodeKind::kBarrier) {
      effects = data_->ordering == MemoryOrdering::kGridSync ? NodeEffects::kGridSync
                                                             : NodeEffects::kBarrier;
    }
    if (data_->kind == NodeKind::kReturn) effects = NodeEffects::kReturn;
    if (data_->kind == NodeKind::kTrap) effects = NodeEffects::kTrap;
    if (node_info(data_->kind).has(NodeFlags::kAsync)) effects = NodeEffects::kAsync;
    if (node_info(data_->kind).has(NodeFlags::kCarried)) effects = NodeEffects::kCarried;
    for (const Expr& operand : data_->operands) {
      if (operand.has(ExprEffects::kAtomics)) effects = effects | NodeEffects::kAtomic;
      if (operand.has(ExprEffects::kSubgroups)) effects = effects | NodeEffects::kSubgroup;
      if (operand.has(ExprEffects::kOpaque)) effects = effects | NodeEffects::kCarried;
    }
    return effects;
  }

  void summarise() {
    NodeData& data = *data_;
    data.effects = own_effects();
    DigestBuilder digest;
    digest.add_u8(node_info(data.kind).tag)
        .add_u8(static_cast<uint8_t>(data.ordering))
        .add_u8(static_cast<uint8_t>(data.collective_op))
        .add_u32(data.group)
        .add_u64(data.number)
        .add_text(data.name)
        .add_text(data.second_name)
        .add_text(data.tag)
        .add_u8(data.source_region ? 1 : 0)
        .add_text(data.source_region.value_or(""));
    digest.add_u64(data.operands.size());
    for (const Expr& operand : data.operands) digest.add(operand.digest());
    uint32_t depth = 0;
    digest.add_u64(data.bodies.size());
    for (const std::vector<Node>& body : data.bodies) {
      digest.add_u64(body.size());
      for (const Node& node : body) {
        digest.add(node.digest());
        data.effects = data.effects | node.effects();
        depth = std::max(depth, node.depth());
        if (__builtin_add_overflow(data.node_count, node.node_count(), &data.node_count)) {
          data.node_count = std::numeric_limits<uint64_t>::max();
        }
      }
    }
    data.depth = depth == std::numeric_limits<uint32_t>::max() ? depth : depth + 1;
    data.digest = digest.finish();
  }

  std::unique_ptr<NodeData> data_;
};

Node::Node(const Node& other) noexcept : data_(other.data_) {
  if (data_ != nullptr) data_->references.fetch_add(1, std::memory_order_relaxed);
}
Node& Node::operator=(const Node& other) noexcept {
  Node copy(other);
  std::swap(data_, copy.data_);
  return *this;
}
Node& Node::operator=(Node&& other) noexcept {
  std::swap(data_, other.data_);
  return *this;
}
Node::~Node() {
  if (data_ != nullptr) release(data_);
}

void Node::release(const NodeData* data) noexcept {
  if (data->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  std::vector<const NodeData*> free_list{data};
  while (!free_list.empty()) {
    auto* dead = const_cast<NodeData*>(free_list.back());
    free_list.pop_back();
    for (std::vector<Node>& body : dead->bodies) {
      for (Node& node : body) {
        const NodeData* child = NodeData::detach(node);
        if (child != nullptr && child->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
          free_list.push_back(child);
        }
      }
    }
    delete dead;
  }
}

Body::Body(Node node) { nodes_.push_back(std::move(node)); }
Body::Body(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
Body::Body(std::initializer_list<Body> parts) {
  for (const Body& part : parts) {
    nodes_.insert(nodes_.end(), part.nodes_.begin(), part.nodes_.end());
  }
}

NodeKind Node::kind() const { return data_->kind; }
std::span<const Expr> Node::operands() const { return data_->operands; }
std::span<const std::vector<Node>> Node::bodies() const { return data_->bodies; }
std::string_view Node::name() const { return data_->name; }
std::string_view Node::second_name() const { return data_->second_name; }
std::string_view Node::tag() const { return data_->tag; }
const std::optional<std::string>& Node::source_region() const { return data_->source_region; }
MemoryOrdering Node::ordering() const { return data_->ordering; }
CollectiveOp Node::collective_op() const { return data_->collective_op; }
uint32_t Node::group() const { return data_->group; }
uint32_t Node::root() const { return static_cast<uint32_t>(data_->number); }
uint64_t Node::count_offset() const { return data_->number; }
const Place& Node::place() const { return data_->place; }
const Digest& Node::digest() const { return data_->digest; }
NodeEffects Node::effects() const { return data_->effects; }
uint32_t Node::depth() const { return data_->depth; }
uint64_t Node::node_count() const { return data_->node_count; }

Node Node::with_parts(std::vector<Expr> operands, std::vector<std::vector<Node>> bodies) const {
  VYRE_CHECK(operands.size() == data_->operands.size() && bodies.size() == data_->bodies.size(),
             "with_parts keeps the number of operands and bodies");
  NodeFactory factory = NodeFactory::like(*data_, data_->place);
  for (Expr& operand : operands) factory.expr(std::move(operand));
  for (std::vector<Node>& body : bodies) factory.body(std::move(body));
  return factory.finish();
}

Node Node::with_place(Place place) const {
  NodeFactory factory = NodeFactory::like(*data_, std::move(place));
  for (const Expr& operand : data_->operands) factory.expr(operand);
  for (const std::vector<Node>& body : data_->bodies) factory.body(body);
  return factory.finish();
}

namespace {

// Whether two statements agree in everything but their bodies.
bool same_but_bodies(const Node& a, const Node& b) {
  if (a.kind() != b.kind() || a.name() != b.name() || a.second_name() != b.second_name() ||
      a.tag() != b.tag() || a.source_region() != b.source_region() ||
      a.ordering() != b.ordering() || a.collective_op() != b.collective_op() ||
      a.group() != b.group() || a.count_offset() != b.count_offset()) {
    return false;
  }
  for (size_t i = 0; i < a.bodies().size(); ++i) {
    if (a.body(i).size() != b.body(i).size()) return false;
  }
  return std::ranges::equal(a.operands(), b.operands());
}

}  // namespace

bool operator==(const Node& a, const Node& b) { return equal_bodies({&a, 1}, {&b, 1}); }

bool equal_bodies(std::span<const Node> a, std::span<const Node> b) {
  if (a.size() != b.size()) return false;
  std::vector<std::pair<const Node*, const Node*>> stack;
  const auto push = [&stack](std::span<const Node> left, std::span<const Node> right) {
    for (size_t i = 0; i < left.size(); ++i) stack.emplace_back(&left[i], &right[i]);
  };
  push(a, b);
  std::unordered_set<std::pair<const void*, const void*>, internal::PairHash> seen;
  while (!stack.empty()) {
    const auto [left, right] = stack.back();
    stack.pop_back();
    if (left->same_object(*right)) continue;
    if (left->digest() != right->digest()) return false;
    if (!seen.emplace(left->identity(), right->identity()).second) continue;
    if (!same_but_bodies(*left, *right)) return false;
    for (size_t i = 0; i < left->bodies().size(); ++i) push(left->body(i), right->body(i));
  }
  return true;
}

Node Node::let_bind(std::string_view name, Operand value, Place place) {
  return NodeFactory(NodeKind::kLet, std::move(place))
      .name(name)
      .operand(std::move(value))
      .finish();
}
Node Node::assign(std::string_view name, Operand value, Place place) {
  return NodeFactory(NodeKind::kAssign, std::move(place))
      .name(name)
      .operand(std::move(value))
      .finish();
}
Node Node::store(std::string_view buffer, Operand index, Operand value, Place place) {
  return NodeFactory(NodeKind::kStore, std::move(place))
      .name(buffer)
      .operand(std::move(index))
      .operand(std::move(value))
      .finish();
}
Node Node::if_then(Operand condition, Body then, Place place) {
  return if_then_else(std::move(condition), std::move(then), Body(), std::move(place));
}
Node Node::if_then_else(Operand condition, Body then, Body otherwise, Place place) {
  return NodeFactory(NodeKind::kIf, std::move(place))
      .operand(std::move(condition))
      .body(std::move(then).take())
      .body(std::move(otherwise).take())
      .finish();
}
Node Node::loop_for(std::string_view variable, Operand from, Operand to, Body body, Place place) {
  return NodeFactory(NodeKind::kLoop, std::move(place))
      .name(variable)
      .operand(std::move(from))
      .operand(std::move(to))
      .body(std::move(body).take())
      .finish();
}
Node Node::forever(Body body, Place place) {
  return loop_for(kForeverVariable, Operand(0U, place), Operand(0xFFFFFFFFU, place),
                  std::move(body), place);
}
Node Node::block(Body body, Place place) {
  return NodeFactory(NodeKind::kBlock, std::move(place)).body(std::move(body).take()).finish();
}
Node Node::region(std::string_view generator, std::optional<std::string> source_region, Body body,
                  Place place) {
  return NodeFactory(NodeKind::kRegion, std::move(place))
      .name(generator)
      .source_region(std::move(source_region))
      .body(std::move(body).take())
      .finish();
}
Node Node::return_(Place place) {
  return NodeFactory(NodeKind::kReturn, std::move(place)).finish();
}
Node Node::barrier(Place place) {
  return barrier_with_ordering(MemoryOrdering::kSeqCst, std::move(place));
}
Node Node::barrier_with_ordering(MemoryOrdering ordering, Place place) {
  return NodeFactory(NodeKind::kBarrier, std::move(place)).ordering(ordering).finish();
}
Node Node::trap(Operand address, std::string_view tag, Place place) {
  return NodeFactory(NodeKind::kTrap, std::move(place))
      .tag(tag)
      .operand(std::move(address))
      .finish();
}

Node Node::call(std::string_view op_id, std::vector<Expr> arguments, Place place) {
  std::vector<Node> bindings;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bindings.push_back(let_bind(fmt::format("arg{}", i), arguments[i], place));
  }
  return region(op_id, std::nullopt, std::move(bindings), place);
}

namespace {
NodeFactory async_copy(NodeKind kind, std::string_view source, std::string_view destination,
                       Operand offset, Operand size, std::string_view tag, Place place) {
  NodeFactory factory(kind, std::move(place));
  factory.name(source).second_name(destination).tag(tag);
  factory.operand(std::move(offset)).operand(std::move(size));
  return factory;
}
}  // namespace

Node Node::async_load_ext(std::string_view source, std::string_view destination, Operand offset,
                          Operand size, std::string_view tag, Place place) {
  return async_copy(NodeKind::kAsyncLoad, source, destination, std::move(offset), std::move(size),
                    tag, std::move(place))
      .finish();
}
Node Node::async_load(std::string_view tag, Place place) {
  return async_load_ext("__legacy_src__", "__legacy_dst__", Operand(0U, place), Operand(0U, place),
                        tag, place);
}
Node Node::async_store(std::string_view source, std::string_view destination, Operand offset,
                       Operand size, std::string_view tag, Place place) {
  return async_copy(NodeKind::kAsyncStore, source, destination, std::move(offset), std::move(size),
                    tag, std::move(place))
      .finish();
}
Node Node::async_wait(std::string_view tag, Place place) {
  return NodeFactory(NodeKind::kAsyncWait, std::move(place)).tag(tag).finish();
}
Node Node::indirect_dispatch(std::string_view count_buffer, uint64_t count_offset, Place place) {
  return NodeFactory(NodeKind::kIndirectDispatch, std::move(place))
      .name(count_buffer)
      .number(count_offset)
      .finish();
}
Node Node::resume(std::string_view tag, Place place) {
  return NodeFactory(NodeKind::kResume, std::move(place)).tag(tag).finish();
}
Node Node::all_reduce(std::string_view buffer, CollectiveOp op, uint32_t group, Place place) {
  return NodeFactory(NodeKind::kAllReduce, std::move(place))
      .name(buffer)
      .collective(op, group)
      .finish();
}
Node Node::all_gather(std::string_view input, std::string_view output, uint32_t group,
                      Place place) {
  return NodeFactory(NodeKind::kAllGather, std::move(place))
      .name(input)
      .second_name(output)
      .collective(CollectiveOp::kSum, group)
      .finish();
}
Node Node::reduce_scatter(std::string_view input, std::string_view output, CollectiveOp op,
                          uint32_t group, Place place) {
  return NodeFactory(NodeKind::kReduceScatter, std::move(place))
      .name(input)
      .second_name(output)
      .collective(op, group)
      .finish();
}
Node Node::broadcast(std::string_view buffer, uint32_t root, uint32_t group, Place place) {
  return NodeFactory(NodeKind::kBroadcast, std::move(place))
      .name(buffer)
      .number(root)
      .collective(CollectiveOp::kSum, group)
      .finish();
}
Node Node::opaque(std::string_view kind, std::string payload, Place place) {
  return NodeFactory(NodeKind::kOpaque, std::move(place)).name(kind).second_name(payload).finish();
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Node: a statement of the IR, as an immutable value. Body: a list of statements.
//
//   Node::if_then(Expr::lt(Expr::var("row"), 8u),
//                 {Node::let_bind("sum", 0.0f),
//                  Node::loop_for("k", 0u, 4u,
//                                 {Node::assign("sum", Expr::var("sum") +
//                                                          Expr::load("x", Expr::var("k")))}),
//                  Node::store("y", Expr::var("row"), Expr::var("sum"))});
//
// Each statement notes the line it was written on, for diagnostics.
#pragma once

#include <initializer_list>
#include <optional>

#include "vyre/ir/expr.h"

namespace vyre {

enum class NodeKind : uint8_t {
#define VYRE_NODE(enumerator, ...) enumerator,
#include "vyre/ir/nodes.def"
};

enum class NodeFlags : uint8_t {
  kNone = 0,
  kAsync = 1 << 0,
  kCarried = 1 << 1,  // kept, printed and encoded; refused when run
};

struct NodeInfo {
  NodeKind kind;
  const char* name;  // "kLet" without the k, as the original spells it: "Let"
  const char* keyword;
  const char* record_id;
  uint8_t tag;
  uint8_t operands;
  uint8_t bodies;
  NodeFlags flags;
  const char* doc;

  bool has(NodeFlags flag) const {
    return (static_cast<uint8_t>(flags) & static_cast<uint8_t>(flag)) != 0;
  }
};
std::span<const NodeInfo> all_nodes();
const NodeInfo& node_info(NodeKind kind);

// What a collective combines with; the original's wire numbers.
enum class CollectiveOp : uint8_t { kSum = 1, kMin, kMax, kBitAnd, kBitOr, kBitXor };
const char* spelling(CollectiveOp op);

// What a statement contains, nested ones included.
enum class NodeEffects : uint8_t {
  kNone = 0,
  kBarrier = 1 << 0,  // workgroup barrier
  kGridSync = 1 << 1,
  kReturn = 1 << 2,
  kTrap = 1 << 3,
  kAtomic = 1 << 4,
  kSubgroup = 1 << 5,
  kAsync = 1 << 6,
  kCarried = 1 << 7,  // something that cannot be run
};
constexpr NodeEffects operator|(NodeEffects a, NodeEffects b) {
  return static_cast<NodeEffects>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr bool has_effect(NodeEffects set, NodeEffects effect) {
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(effect)) != 0;
}

class Body;

namespace internal {
struct NodeData;
}

// A statement. An atomic whose old value nobody needs is an expression all the same: let_bind it.
class Node {
 public:
  Node(const Node& other) noexcept;
  Node(Node&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Node& operator=(const Node& other) noexcept;
  Node& operator=(Node&& other) noexcept;
  ~Node();

  static Node let_bind(std::string_view name, Operand value, Place place = Place::here());
  static Node assign(std::string_view name, Operand value, Place place = Place::here());
  static Node store(std::string_view buffer, Operand index, Operand value,
                    Place place = Place::here());
  static Node if_then(Operand condition, Body then, Place place = Place::here());
  static Node if_then_else(Operand condition, Body then, Body otherwise,
                           Place place = Place::here());
  // for variable in from..to: half open, steps of one; the bounds are evaluated once.
  static Node loop_for(std::string_view variable, Operand from, Operand to, Body body,
                       Place place = Place::here());
  // A loop that only return, a trap or a limit ends.
  static Node forever(Body body, Place place = Place::here());
  static Node block(Body body, Place place = Place::here());
  static Node region(std::string_view generator, std::optional<std::string> source_region,
                     Body body, Place place = Place::here());
  static Node return_(Place place = Place::here());
  static Node barrier(Place place = Place::here());
  static Node barrier_with_ordering(MemoryOrdering ordering, Place place = Place::here());
  static Node trap(Operand address, std::string_view tag, Place place = Place::here());

  // A region named op_id that binds the arguments as arg0, arg1, ...
  static Node call(std::string_view op_id, std::vector<Expr> arguments,
                   Place place = Place::here());

  // Byte copies: a load reads `size` bytes of `source` at byte `offset` and writes `destination`
  // from byte 0; a store reads `source` from byte 0 and writes `destination` at byte `offset`.
  // Both end at async_wait with the same tag.
  static Node async_load_ext(std::string_view source, std::string_view destination, Operand offset,
                             Operand size, std::string_view tag, Place place = Place::here());
  // The short form of the original: placeholder buffers, offset 0, size 0.
  static Node async_load(std::string_view tag, Place place = Place::here());
  static Node async_store(std::string_view source, std::string_view destination, Operand offset,
                          Operand size, std::string_view tag, Place place = Place::here());
  static Node async_wait(std::string_view tag, Place place = Place::here());

  // Carried, not executed.
  static Node indirect_dispatch(std::string_view count_buffer, uint64_t count_offset,
                                Place place = Place::here());
  static Node resume(std::string_view tag, Place place = Place::here());
  static Node all_reduce(std::string_view buffer, CollectiveOp op, uint32_t group,
                         Place place = Place::here());
  static Node all_gather(std::string_view input, std::string_view output, uint32_t group,
                         Place place = Place::here());
  static Node reduce_scatter(std::string_view input, std::string_view output, CollectiveOp op,
                             uint32_t group, Place place = Place::here());
  static Node broadcast(std::string_view buffer, uint32_t root, uint32_t group,
                        Place place = Place::here());
  static Node opaque(std::string_view kind, std::string payload, Place place = Place::here());

  // The same statement over other operands and bodies; as many of each as before.
  Node with_parts(std::vector<Expr> operands, std::vector<std::vector<Node>> bodies) const;
  Node with_place(Place place) const;

  NodeKind kind() const;
  const NodeInfo& info() const { return node_info(kind()); }

  // Let, assign: {value}. Store: {index, value}. If: {condition}. Loop: {from, to}.
  // Async: {offset, size}. Trap: {address}.
  std::span<const Expr> operands() const;
  const Expr& operand(size_t i) const { return operands()[i]; }
  // If: {then, otherwise}. Loop, block, region: {body}.
  std::span<const std::vector<Node>> bodies() const;
  std::span<const Node> body(size_t i = 0) const { return bodies()[i]; }

  // Let, assign, loop: the variable. Store, all_reduce, broadcast, indirect_dispatch: the buffer.
  // Region: the generator. Async copies, gather, scatter: the source. Opaque: the kind.
  std::string_view name() const;
  // Async copies, gather, scatter: the destination. Opaque: the payload bytes.
  std::string_view second_name() const;
  std::string_view buffer() const { return name(); }
  std::string_view generator() const { return name(); }
  std::string_view source() const { return name(); }
  std::string_view destination() const { return second_name(); }
  // Async copies and waits, traps, resumes.
  std::string_view tag() const;
  const std::optional<std::string>& source_region() const;
  MemoryOrdering ordering() const;     // barrier
  CollectiveOp collective_op() const;  // all_reduce, reduce_scatter
  uint32_t group() const;              // collectives
  uint32_t root() const;               // broadcast
  uint64_t count_offset() const;       // indirect_dispatch, in bytes

  const Place& place() const;
  const Digest& digest() const;
  NodeEffects effects() const;
  bool has(NodeEffects effect) const { return has_effect(effects(), effect); }
  uint32_t depth() const;       // nesting of statements: 1 for one without a body
  uint64_t node_count() const;  // statements, nested ones included; saturates

  bool same_object(const Node& other) const { return data_ == other.data_; }
  const void* identity() const { return data_; }

  // Structural equality by bits.
  friend bool operator==(const Node& a, const Node& b);

 private:
  friend struct internal::NodeData;
  friend class NodeFactory;
  explicit Node(const internal::NodeData* data) noexcept : data_(data) {}
  static void release(const internal::NodeData* data) noexcept;

  const internal::NodeData* data_;
};

// A list of statements: built from statements, lists of statements and braces of both, flattened.
class Body {
 public:
  Body() = default;
  // NOLINTBEGIN(google-explicit-constructor): conversion is the purpose.
  Body(Node node);
  Body(std::vector<Node> nodes);
  Body(std::initializer_list<Body> parts);
  // NOLINTEND(google-explicit-constructor)

  std::vector<Node> take() && { return std::move(nodes_); }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
};

bool equal_bodies(std::span<const Node> a, std::span<const Node> b);

// The variable of Node::forever's loop, and its upper bound.
inline constexpr std::string_view kForeverVariable = "__forever__";

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/stats.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "vyre/ir/check.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

void add(uint64_t& sum, uint64_t value) {
  if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<uint64_t>::max();
}

// How often each object occurs. Objects are given in post-order; what uses an object comes behind
// it, so going backwards, an object's count is complete when it is met.
template <typename T>
class Occurrences {
 public:
  explicit Occurrences(std::vector<const T*> post_order)
      : order_(std::move(post_order)), counts_(order_.size()) {
    for (size_t i = 0; i < order_.size(); ++i) index_.emplace(order_[i]->identity(), i);
  }

  void add_to(const T& object, uint64_t count) {
    add(counts_[index_.find(object.identity())->second], count);
  }

  // Calls f(object, count), users first; f adds to the counts of the parts.
  template <typename F>
  void for_each(F f) const {
    for (size_t i = order_.size(); i-- > 0;) f(*order_[i], counts_[i]);
  }

 private:
  std::vector<const T*> order_;
  std::vector<uint64_t> counts_;
  absl::flat_hash_map<const void*, size_t> index_;
};

void require(ProgramStats& stats, Capability capability) {
  stats.capability_bits |= static_cast<uint32_t>(capability);
}

// A type and the element types in it.
void count_type(DataType type, ProgramStats& stats) {
  while (true) {
    switch (type.kind()) {
      case DataType::F16:
        return require(stats, Capability::kF16);
      case DataType::BF16:
        return require(stats, Capability::kBf16);
      case DataType::F64:
        return require(stats, Capability::kF64);
      case DataType::Tensor:
        return require(stats, Capability::kTensor);
      case DataType::TensorShaped:
      case DataType::SparseCsr:
      case DataType::SparseCoo:
      case DataType::SparseBsr:
        require(stats, Capability::kTensor);
        break;
      case DataType::Vec:
      case DataType::Quantized:
        break;
      case DataType::U32:
      case DataType::I32:
      case DataType::U64:
      case DataType::I64:
      case DataType::F32:
      case DataType::Bool:
      case DataType::U8:
      case DataType::I8:
      case DataType::U16:
      case DataType::I16:
      case DataType::F8E4M3:
      case DataType::F8E5M2:
      case DataType::I4:
      case DataType::FP4:
      case DataType::NF4:
      case DataType::Vec2U32:
      case DataType::Vec4U32:
      case DataType::Bytes:
      case DataType::Array:
      case DataType::Handle:
      case DataType::DeviceMesh:
      case DataType::Opaque:
        return;
    }
    if (!type.has_payload()) return;
    type = type.element();
  }
}

void count_buffers(const Program& program, ProgramStats& stats) {
  for (const BufferDecl& buffer : program.buffers()) {
    count_type(buffer.element(), stats);
    add(stats.static_storage_bytes, buffer.static_byte_length().value_or(0));
  }
}

bool is_control_flow(NodeKind kind) {
  return kind == NodeKind::kIf || kind == NodeKind::kLoop || kind == NodeKind::kReturn ||
         kind == NodeKind::kTrap || kind == NodeKind::kResume;
}

bool is_collective(NodeKind kind) {
  return kind == NodeKind::kAllReduce || kind == NodeKind::kAllGather ||
         kind == NodeKind::kReduceScatter || kind == NodeKind::kBroadcast;
}

void count_node(const Node& node, uint64_t count, ProgramStats& stats) {
  const NodeKind kind = node.kind();
  stats.node_kinds_present |= node_kind_bit(kind);
  add(stats.node_count, count);
  if (kind == NodeKind::kRegion) add(stats.region_count, count);
  if (kind == NodeKind::kOpaque) add(stats.opaque_count, count);
  if (kind != NodeKind::kBlock && kind != NodeKind::kRegion) add(stats.instruction_count, count);
  if (is_control_flow(kind)) add(stats.control_flow_count, count);
  const bool copies = kind == NodeKind::kAsyncLoad || kind == NodeKind::kAsyncStore;
  if (kind == NodeKind::kStore || copies) add(stats.memory_op_count, count);
  if (node.info().has(NodeFlags::kAsync)) require(stats, Capability::kAsync);
  if (kind == NodeKind::kIndirectDispatch) require(stats, Capability::kIndirect);
  if (kind == NodeKind::kTrap) require(stats, Capability::kTrap);
  if (is_collective(kind)) require(stats, Capability::kCollectives);
}

void count_expr(const Expr& expr, uint64_t count, ProgramStats& stats) {
  const OpInfo& info = expr.info();
  const OpFormat format = info.format;
  const bool extension = format == OpFormat::kExtension || expr.op() == Op::kAtomicOpaque;
  if (format == OpFormat::kCallOp) add(stats.call_count, count);
  if (format == OpFormat::kOpaque || extension) add(stats.opaque_count, count);
  const bool leaf = format <= OpFormat::kNullary;
  if (!leaf) add(stats.instruction_count, count);
  if (format == OpFormat::kLoad || format == OpFormat::kAtomic) add(stats.memory_op_count, count);
  if (format == OpFormat::kAtomic) add(stats.atomic_op_count, count);
  if (info.has(OpFlags::kSubgroup)) require(stats, Capability::kSubgroup);
  if (format == OpFormat::kCast || format == OpFormat::kLiteral) count_type(expr.type(), stats);
}

// The largest number of lets of one body, and of the bodies in it, that are in scope at one point.
class LetsInScope {
 public:
  void visit(const Node& node) {
    uint64_t most = 0;
    for (const std::vector<Node>& body : node.bodies()) most = std::max(most, of_body(body));
    most_.emplace(node.identity(), most);
  }
  uint64_t of_body(std::span<const Node> body) const {
    uint64_t bound = 0;
    uint64_t most = 0;
    for (const Node& node : body) {
      if (node.kind() == NodeKind::kLet) ++bound;
      most = std::max(most, bound + most_.find(node.identity())->second);
    }
    return most;
  }

 private:
  absl::flat_hash_map<const void*, uint64_t> most_;
};

uint64_t lets_in_scope(std::span<const Node> entry) {
  LetsInScope lets;
  for (const Node* node : post_order(entry)) lets.visit(*node);
  return lets.of_body(entry);
}

constexpr Capability kCapabilities[] = {
    Capability::kSubgroup, Capability::kF16,   Capability::kBf16,
    Capability::kF64,      Capability::kAsync, Capability::kIndirect,
    Capability::kTensor,   Capability::kTrap,  Capability::kCollectives};

}  // namespace

const char* spelling(Capability capability) {
  switch (capability) {
    case Capability::kSubgroup:
      return "subgroup";
    case Capability::kF16:
      return "f16";
    case Capability::kBf16:
      return "bf16";
    case Capability::kF64:
      return "f64";
    case Capability::kAsync:
      return "async";
    case Capability::kIndirect:
      return "indirect";
    case Capability::kTensor:
      return "tensor";
    case Capability::kTrap:
      return "trap";
    case Capability::kCollectives:
      return "collectives";
  }
  VYRE_UNREACHABLE("a capability without a spelling");
}

uint32_t node_kind_bit(NodeKind kind) {
  const auto number = [kind]() -> uint32_t {
    switch (kind) {
      case NodeKind::kLet:
        return 0;
      case NodeKind::kAssign:
        return 1;
      case NodeKind::kStore:
        return 2;
      case NodeKind::kIf:
        return 3;
      case NodeKind::kLoop:
        return 4;
      case NodeKind::kIndirectDispatch:
        return 5;
      case NodeKind::kAsyncLoad:
        return 6;
      case NodeKind::kAsyncStore:
        return 7;
      case NodeKind::kAsyncWait:
        return 8;
      case NodeKind::kTrap:
        return 9;
      case NodeKind::kResume:
        return 10;
      case NodeKind::kReturn:
        return 11;
      case NodeKind::kBarrier:
        return 12;
      case NodeKind::kBlock:
        return 13;
      case NodeKind::kRegion:
        return 14;
      case NodeKind::kAllReduce:
        return 15;
      case NodeKind::kAllGather:
        return 16;
      case NodeKind::kReduceScatter:
        return 17;
      case NodeKind::kBroadcast:
        return 18;
      case NodeKind::kOpaque:
        return 19;
    }
    VYRE_UNREACHABLE("a statement kind without a bit");
  };
  return uint32_t{1} << number();
}

ProgramStats program_stats(const Program& program) {
  ProgramStats stats;
  count_buffers(program, stats);
  stats.top_level_regions = static_cast<uint64_t>(std::ranges::count_if(
      program.entry(), [](const Node& node) { return node.kind() == NodeKind::kRegion; }));
  stats.register_pressure_estimate = lets_in_scope(program.entry());

  Occurrences<Node> nodes(post_order(program.entry()));
  Occurrences<Expr> exprs(expressions_of(program.entry()));
  for (const Node& node : program.entry()) nodes.add_to(node, 1);
  nodes.for_each([&](const Node& node, uint64_t count) {
    count_node(node, count, stats);
    for (const std::vector<Node>& body : node.bodies()) {
      for (const Node& child : body) nodes.add_to(child, count);
    }
    for (const Expr& operand : node.operands()) exprs.add_to(operand, count);
  });
  exprs.for_each([&](const Expr& expr, uint64_t count) {
    count_expr(expr, count, stats);
    for (const Expr& operand : expr.operands()) exprs.add_to(operand, count);
  });
  return stats;
}

std::string stats_text(const ProgramStats& stats) {
  const std::pair<const char*, uint64_t> kRows[] = {
      {"statements", stats.node_count},
      {"regions", stats.region_count},
      {"top-level regions", stats.top_level_regions},
      {"instructions", stats.instruction_count},
      {"memory operations", stats.memory_op_count},
      {"atomics", stats.atomic_op_count},
      {"control flow", stats.control_flow_count},
      {"calls", stats.call_count},
      {"opaque", stats.opaque_count},
      {"lets in scope", stats.register_pressure_estimate},
      {"static storage (bytes)", stats.static_storage_bytes}};
  std::string text;
  for (const auto& [name, value] : kRows) text += fmt::format("{:<24}{}\n", name, value);

  std::vector<std::string> capabilities;
  for (const Capability capability : kCapabilities) {
    if (stats.has(capability)) capabilities.emplace_back(spelling(capability));
  }
  std::vector<std::string> kinds;
  for (const NodeInfo& info : all_nodes()) {
    if ((stats.node_kinds_present & node_kind_bit(info.kind)) != 0) kinds.emplace_back(info.name);
  }
  const auto list = [](const std::vector<std::string>& words) {
    return words.empty() ? std::string("none") : fmt::format("{}", fmt::join(words, ", "));
  };
  text += fmt::format("{:<24}{}\n", "capabilities", list(capabilities));
  text += fmt::format("{:<24}{}\n", "kinds of statements", list(kinds));
  return text;
}

}  // namespace vyre

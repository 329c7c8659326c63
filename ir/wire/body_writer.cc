// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/body_writer.h"

#include <fmt/format.h>

#include <variant>
#include <vector>

#include "vyre/ir/check.h"
#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/type_codec.h"

namespace vyre::wire {
namespace {

// What is still to be written. A list is taken apart one element at a time, so that there are never
// more tasks than levels, however wide a list is.
struct BodyTask {
  std::span<const Node> nodes;
};
struct Task {
  std::variant<std::span<const Expr>, std::span<const Node>, BodyTask, std::string_view, bool> what;
  uint32_t depth = 1;
};

class BodyWriter {
 public:
  BodyWriter(ByteWriter& out, uint32_t max_depth) : out_(out), max_depth_(max_depth) {}

  void write(const Node& node) {
    tasks_.push_back({std::span(&node, 1), 1});
    while (!tasks_.empty() && out_.ok()) step();
  }

 private:
  void step() {
    Task& task = tasks_.back();
    if (auto* exprs = std::get_if<std::span<const Expr>>(&task.what)) {
      if (exprs->empty()) return tasks_.pop_back();
      const Expr& expr = exprs->front();
      *exprs = exprs->subspan(1);
      return write_expr(expr, task.depth);
    }
    if (auto* nodes = std::get_if<std::span<const Node>>(&task.what)) {
      if (nodes->empty()) return tasks_.pop_back();
      const Node& node = nodes->front();
      *nodes = nodes->subspan(1);
      return write_node(node, task.depth);
    }
    const Task simple = task;
    tasks_.pop_back();
    if (const auto* body = std::get_if<BodyTask>(&simple.what)) {
      out_.limited(body->nodes.size(), kMaxNodes, "statements of a list");
      tasks_.push_back({body->nodes, simple.depth});
    } else if (const auto* text = std::get_if<std::string_view>(&simple.what)) {
      out_.text(*text);
    } else {
      out_.boolean(std::get<bool>(simple.what));
    }
  }

  void check_depth(uint32_t depth) {
    if (depth <= max_depth_) return;
    out_.fail(kDepthIsKept,
              fmt::format("statements and expressions nest deeper than {}", max_depth_));
  }

  void write_expr(const Expr& expr, uint32_t depth) {
    out_.set_place(expr.place());
    check_depth(expr.op() == Op::kCast ? depth + type_depth(expr.type()) : depth);
    write_expr_head(out_, expr);
    const std::span<const Expr> operands = expr.operands();
    if (!is_atomic(expr.op())) return push(operands, depth + 1);
    push(operands.subspan(1), depth + 1);
    push(expr.has_expected(), depth + 1);
    push(operands.first(1), depth + 1);
  }

  void write_node(const Node& node, uint32_t depth) {
    out_.set_place(node.place());
    check_depth(depth);
    out_.u8(node.info().tag);
    write_head(node);
    const std::span<const std::vector<Node>> bodies = node.bodies();
    for (size_t i = bodies.size(); i-- > 0;) push(BodyTask{bodies[i]}, depth + 1);
    if (has_tag_behind(node.kind())) push(node.tag(), depth + 1);
    push(node.operands(), depth + 1);
  }

  static bool has_tag_behind(NodeKind kind) {
    return kind == NodeKind::kAsyncLoad || kind == NodeKind::kAsyncStore || kind == NodeKind::kTrap;
  }

  template <typename T>
  void push(T what, uint32_t depth) {
    tasks_.push_back({what, depth});
  }

  // What stands between the statement's own tag and its operands.
  void write_head(const Node& node) {
    switch (node.kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kStore:
      case NodeKind::kLoop:
        return out_.text(node.name());
      case NodeKind::kIf:
      case NodeKind::kReturn:
      case NodeKind::kBlock:
      case NodeKind::kTrap:
        return;
      case NodeKind::kBarrier:
        return out_.u8(static_cast<uint8_t>(node.ordering()));
      case NodeKind::kIndirectDispatch:
        out_.text(node.buffer());
        return out_.u64(node.count_offset());
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        out_.text(node.source());
        return out_.text(node.destination());
      case NodeKind::kAsyncWait:
      case NodeKind::kResume:
        return out_.text(node.tag());
      case NodeKind::kRegion:
        out_.text(node.generator());
        out_.boolean(node.source_region().has_value());
        if (node.source_region()) out_.text(*node.source_region());
        return;
      case NodeKind::kAllReduce:
        out_.text(node.buffer());
        out_.u8(static_cast<uint8_t>(node.collective_op()));
        return out_.u32(node.group());
      case NodeKind::kAllGather:
        out_.text(node.source());
        out_.text(node.destination());
        return out_.u32(node.group());
      case NodeKind::kReduceScatter:
        out_.text(node.source());
        out_.text(node.destination());
        out_.u8(static_cast<uint8_t>(node.collective_op()));
        return out_.u32(node.group());
      case NodeKind::kBroadcast:
        out_.text(node.buffer());
        out_.u32(node.root());
        return out_.u32(node.group());
      case NodeKind::kOpaque:
        out_.text(node.name());
        out_.limited(node.second_name().size(), kMaxOpaqueBytes, "bytes of an opaque payload");
        return out_.raw(node.second_name());
    }
    VYRE_UNREACHABLE("a statement that is not written");
  }

  ByteWriter& out_;
  uint32_t max_depth_;
  std::vector<Task> tasks_;
};

void write_op(ByteWriter& out, uint8_t group_tag, const Expr& expr) {
  out.u8(group_tag);
  out.u8(expr.info().tag);
  if (expr.info().tag == kOpaqueTag) out.extension_id(expr.bits());
}

// Of the original's own expressions, by their tags.
void write_expr_fields(ByteWriter& out, const Expr& expr) {
  switch (expr.info().format) {
    case OpFormat::kLiteral:
      if (expr.op() == Op::kLitBool) return out.boolean(expr.bits() != 0);
      return out.u32(static_cast<uint32_t>(expr.bits()));
    case OpFormat::kVariable:
    case OpFormat::kBuffer:
    case OpFormat::kLoad:
      return out.text(expr.name());
    case OpFormat::kAxis:
      return out.u8(static_cast<uint8_t>(expr.bits()));
    case OpFormat::kCast:
      return write_type(out, expr.type());
    case OpFormat::kCallOp:
      out.text(expr.name());
      return out.limited(expr.operands().size(), kMaxArguments, "arguments");
    case OpFormat::kOpaque:
      out.text(expr.name());
      out.limited(expr.payload().size(), kMaxOpaqueBytes, "bytes of an opaque payload");
      return out.raw(expr.payload());
    case OpFormat::kNullary:
    case OpFormat::kInfixOr:
    case OpFormat::kInfixAnd:
    case OpFormat::kInfixCompare:
    case OpFormat::kInfixBitOr:
    case OpFormat::kInfixBitXor:
    case OpFormat::kInfixBitAnd:
    case OpFormat::kInfixShift:
    case OpFormat::kInfixAdd:
    case OpFormat::kInfixMul:
    case OpFormat::kPrefix:
    case OpFormat::kPrefixMinus:
    case OpFormat::kCall:
    case OpFormat::kAtomic:
    case OpFormat::kExtension:
      return;
  }
  VYRE_UNREACHABLE("an expression that is not written");
}

}  // namespace

const char* literal64_kind(Op op) {
  if (op == Op::kLitU64) return "vyre.literal.u64";
  if (op == Op::kLitI64) return "vyre.literal.i64";
  return "vyre.literal.f64";
}

std::optional<DataType::Kind> literal64_type(std::string_view kind) {
  if (kind == literal64_kind(Op::kLitU64)) return DataType::U64;
  if (kind == literal64_kind(Op::kLitI64)) return DataType::I64;
  if (kind == literal64_kind(Op::kLitF64)) return DataType::F64;
  return std::nullopt;
}

void write_expr_head(ByteWriter& out, const Expr& expr) {
  switch (expr.info().group) {
    case WireGroup::kExpr:
      out.u8(expr.info().tag);
      return write_expr_fields(out, expr);
    case WireGroup::kBinOp:
      return write_op(out, kBinOpTag, expr);
    case WireGroup::kUnOp:
      return write_op(out, kUnOpTag, expr);
    case WireGroup::kReduce:
      return write_op(out, kReduceTag, expr);
    case WireGroup::kAtomic:
      write_op(out, kAtomicTag, expr);
      out.u8(static_cast<uint8_t>(expr.ordering()));
      return out.text(expr.name());
    case WireGroup::kLiteral64:
      out.u8(kOpaqueTag);
      out.text(literal64_kind(expr.op()));
      out.u32(sizeof(uint64_t));
      return out.u64(expr.bits());
    case WireGroup::kVyre:
      return out.fail(kOpIsCarried, fmt::format("VIR0 has no operation `{}`", expr.info().name));
  }
  VYRE_UNREACHABLE("an expression of no wire group");
}

void write_node(ByteWriter& out, const Node& node, uint32_t max_depth) {
  BodyWriter(out, max_depth).write(node);
}

}  // namespace vyre::wire

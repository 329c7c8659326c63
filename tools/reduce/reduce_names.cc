// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <map>
#include <string>

#include "vyre/ir/check.h"
#include "vyre/ir/names.h"
#include "vyre/ir/walk.h"
#include "vyre/tools/reduce/reduction.h"

namespace vyre::tools {
namespace {

using NewNames = std::map<std::string, std::string, std::less<>>;

// a, b, ..., z, aa, ab, ...: those that the program does not have yet.
class ShortNames {
 public:
  explicit ShortNames(const Program& program) : taken_(program) {}

  std::string next() {
    while (true) {
      std::string name;
      for (uint64_t rest = ++last_; rest > 0; rest = (rest - 1) / 26) {
        name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
      }
      if (!is_reserved_word(name) && taken_.reserve(name)) return name;
    }
  }

 private:
  FreshNames taken_;
  uint64_t last_ = 0;
};

std::string_view renamed(const NewNames& names, std::string_view name) {
  const auto it = names.find(name);
  return it == names.end() ? name : std::string_view(it->second);
}

// Variables and buffers are two name spaces.
struct Renaming {
  NewNames variables;
  NewNames buffers;
};

Expr with_name(const Expr& expr, std::string_view name) {
  if (expr.op() == Op::kVar) return Expr::var(name, expr.place());
  if (expr.op() == Op::kLoad) return Expr::load(name, expr.operand(0), expr.place());
  if (expr.op() == Op::kBufLen) return Expr::buf_len(name, expr.place());
  if (expr.op() == Op::kBufferRef) return Expr::buffer_ref(name, expr.place());
  // The ids of calls and extensions are no names of the program's own.
  if (!is_atomic(expr.op())) return expr;
  const Expr* expected = expr.has_expected() ? &expr.operand(1) : nullptr;
  return Expr::atomic(expr.op(), name, expr.operand(0), expected, expr.operands().back(),
                      expr.ordering(), static_cast<uint32_t>(expr.bits()), expr.place());
}

Expr renamed(const Renaming& renaming, const Expr& expr) {
  const bool is_variable = expr.op() == Op::kVar;
  const std::string_view name =
      renamed(is_variable ? renaming.variables : renaming.buffers, expr.name());
  return name == expr.name() ? expr : with_name(expr, name);
}

Node renamed(const Renaming& renaming, const Node& node) {
  const auto variable = [&] { return renamed(renaming.variables, node.name()); };
  const auto buffer = [&](std::string_view name) { return renamed(renaming.buffers, name); };
  switch (node.kind()) {
    case NodeKind::kLet:
      return Node::let_bind(variable(), node.operand(0), node.place());
    case NodeKind::kAssign:
      return Node::assign(variable(), node.operand(0), node.place());
    case NodeKind::kLoop:
      return Node::loop_for(variable(), node.operand(0), node.operand(1), node.bodies()[0],
                            node.place());
    case NodeKind::kStore:
      return Node::store(buffer(node.buffer()), node.operand(0), node.operand(1), node.place());
    case NodeKind::kAsyncLoad:
      return Node::async_load_ext(buffer(node.source()), buffer(node.destination()),
                                  node.operand(0), node.operand(1), node.tag(), node.place());
    case NodeKind::kAsyncStore:
      return Node::async_store(buffer(node.source()), buffer(node.destination()), node.operand(0),
                               node.operand(1), node.tag(), node.place());
    case NodeKind::kIndirectDispatch:
      return Node::indirect_dispatch(buffer(node.buffer()), node.count_offset(), node.place());
    case NodeKind::kAllReduce:
      return Node::all_reduce(buffer(node.buffer()), node.collective_op(), node.group(),
                              node.place());
    case NodeKind::kAllGather:
      return Node::all_gather(buffer(node.source()), buffer(node.destination()), node.group(),
                              node.place());
    case NodeKind::kReduceScatter:
      return Node::reduce_scatter(buffer(node.source()), buffer(node.destination()),
                                  node.collective_op(), node.group(), node.place());
    case NodeKind::kBroadcast:
      return Node::broadcast(buffer(node.buffer()), node.root(), node.group(), node.place());
    case NodeKind::kIf:
    case NodeKind::kReturn:
    case NodeKind::kBlock:
    case NodeKind::kBarrier:
    case NodeKind::kAsyncWait:
    case NodeKind::kRegion:
    case NodeKind::kTrap:
    case NodeKind::kResume:
    case NodeKind::kOpaque:
      return node;
  }
  VYRE_UNREACHABLE("a statement of no kind");
}

Program renamed(const Renaming& renaming, const Program& program) {
  const Rewriter rewriter{
      .expr = [&](const Expr& expr) { return renamed(renaming, expr); },
      .node = [&](const Node& node) -> Body { return renamed(renaming, node); }};
  std::vector<BufferDecl> buffers;
  for (const BufferDecl& buffer : program.buffers()) {
    buffers.push_back(buffer.with_name(renamed(renaming.buffers, buffer.name())));
  }
  return rewrite(program, rewriter).with_buffers(std::move(buffers));
}

// Regions without a parent, and with a name of one letter.
Program with_short_regions(const Program& program) {
  const Rewriter rewriter{.expr = {}, .node = [](const Node& node) -> Body {
                            if (node.kind() != NodeKind::kRegion) return node;
                            return Node::region("r", std::nullopt, node.bodies()[0], node.place());
                          }};
  return rewrite(program, rewriter);
}

// All names that are not short, with short ones, in the order in which they are met.
NewNames short_variables(const Program& program, ShortNames& names) {
  NewNames result;
  const auto add = [&](std::string_view name) {
    if (name.size() > 1 && !result.contains(name)) result.emplace(name, names.next());
  };
  for (const Node* node : post_order(program.entry())) {
    const bool has_variable = node->kind() == NodeKind::kLet || node->kind() == NodeKind::kAssign ||
                              node->kind() == NodeKind::kLoop;
    if (has_variable && node->name() != kForeverVariable) add(node->name());
  }
  return result;
}

NewNames short_buffers(const Program& program, ShortNames& names) {
  NewNames result;
  for (const BufferDecl& buffer : program.buffers()) {
    if (buffer.name().size() > 1 && !result.contains(buffer.name())) {
      result.emplace(buffer.name(), names.next());
    }
  }
  return result;
}

// All of them at once, or else one by one.
void rename(Reduction& reduction, const NewNames& names, NewNames Renaming::*space) {
  Renaming all;
  all.*space = names;
  if (names.empty() || reduction.attempt(renamed(all, reduction.program()))) return;
  for (const auto& name : names) {
    Renaming one;
    (one.*space).insert(name);
    reduction.attempt(renamed(one, reduction.program()));
  }
}

}  // namespace

void reduce_names(Reduction& reduction) {
  ShortNames names(reduction.program());
  rename(reduction, short_variables(reduction.program(), names), &Renaming::variables);
  rename(reduction, short_buffers(reduction.program(), names), &Renaming::buffers);
  reduction.attempt(with_short_regions(reduction.program()));
}

}  // namespace vyre::tools

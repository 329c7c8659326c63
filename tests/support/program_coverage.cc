// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/program_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tests/support/edge_values.h"
#include "tests/support/evaluable.h"
#include "tests/support/random_memory.h"
#include "vyre/ir/run.h"
#include "vyre/ir/type_rules.h"

namespace vyre::test {
namespace {

constexpr const char* kProbes = "probes";

std::string name_of(Kind kind) { return DataType(kind).spelling(); }
std::string with_type(Op op, Kind type) {
  return fmt::format("{} {}", op_info(op).name, name_of(type));
}
std::string conversion(Kind from, Kind to) {
  return fmt::format("{} -> {}", name_of(from), name_of(to));
}
std::string access(const BufferDecl& decl) {
  return fmt::format("{} {}", spelling(kind_of(decl)), decl.element().spelling());
}
std::string axis(Op op, uint64_t number) {
  return fmt::format("{}.{}", op_info(op).mnemonic, "xyz"[number]);
}

class Prober {
 public:
  std::vector<Node> body(std::span<const Node> nodes) {
    std::vector<Node> probed;
    for (const Node& node : nodes) {
      probed.push_back(Node::store(kProbes, Expr::u32(statements_++), 1U));
      std::vector<std::vector<Node>> bodies;
      for (size_t i = 0; i < node.bodies().size(); ++i) bodies.push_back(body(node.body(i)));
      probed.push_back(node.with_parts({node.operands().begin(), node.operands().end()}, bodies));
    }
    return probed;
  }
  uint32_t statements() const { return statements_; }

 private:
  uint32_t statements_ = 0;
};

}  // namespace

Program with_probes(const Program& program) {
  Prober prober;
  Body entry = prober.body(program.entry());
  std::vector<BufferDecl> buffers = program.buffers();
  uint32_t binding = 0;
  for (const BufferDecl& decl : buffers) binding = std::max(binding, decl.binding() + 1);
  buffers.push_back(
      BufferDecl::output(kProbes, binding, DataType::U32).with_count(prober.statements()));
  return program.with_buffers(std::move(buffers)).with_entry(Node::block(std::move(entry)));
}

Coverage::Coverage(const RandomProgramOptions& options) {
  for (const Operation& operation : operations()) {
    expect("operation", with_type(operation.op, operation.operand));
  }
  for (const SubgroupOperation& operation : subgroup_operations()) {
    expect("subgroup", with_type(operation.op, operation.type));
  }
  for (const Conversion& c : casts()) expect("cast", conversion(c.from, c.to));
  for (const Conversion& c : bitcasts()) expect("bitcast", conversion(c.from, c.to));
  for (const Op op : atomics()) expect("atomic", op_info(op).name);
  for (const Kind type : kValueTypes) {
    expect("literal", name_of(type));
    expect("variable", name_of(type));
  }
  for (const BufferKind kind : kBufferKinds) {
    for (const Kind element : element_types()) {
      const std::string row = fmt::format("{} {}", spelling(kind), name_of(element));
      if (can_load(kind)) expect("load", row);
      if (can_store(kind)) expect("store", row);
    }
  }
  for (const OpInfo& info : all_ops()) {
    for (uint64_t i = 0; i < 3 && info.format == OpFormat::kAxis; ++i) {
      expect("builtin", axis(info.op, i));
    }
    if (info.format == OpFormat::kNullary) expect("builtin", info.name);
  }
  expect("builtin", "buf_len");
  for (const NodeInfo& info : all_nodes()) {
    if (!info.has(NodeFlags::kCarried) && (options.async || !info.has(NodeFlags::kAsync))) {
      expect("statement", info.name);
    }
  }
  expect("statement", "If with otherwise");
  for (const auto ordering : {MemoryOrdering::kAcquire, MemoryOrdering::kRelease,
                              MemoryOrdering::kAcqRel, MemoryOrdering::kSeqCst}) {
    expect("barrier", spelling(ordering));
  }
  if (options.grid_sync) expect("barrier", spelling(MemoryOrdering::kGridSync));
  for (const char* use : {"load", "store", "atomic"}) {
    for (const Kind type : {DataType::U32, DataType::U64}) {
      expect("index", fmt::format("{} {}", use, name_of(type)));
    }
  }
  for (const char* use : {"if", "select", "subgroup_ballot"}) {
    for (const Kind type : {DataType::Bool, DataType::U32}) {
      expect("condition", fmt::format("{} {}", use, name_of(type)));
    }
  }
  for (const char* row :
       {"1-D", "2-D", "3-D", "one invocation", "part of a subgroup", "one subgroup",
        "several subgroups", "subgroups and a part", "0 workgroups", "1 workgroups", "2 workgroups",
        "3 workgroups", "4 workgroups", "5 workgroups", "1-D grid", "2-D grid", "3-D grid",
        "ragged extent"}) {
    expect("shape", row);
  }
  for (const Kind element : element_types()) {
    for (const Kind value : kValueTypes) {
      if (check_store_value(element, value)) continue;
      expect("stored value", conversion(value, element));
    }
  }
}

// Where dimensions, subgroups or workgroups end.
void Coverage::add_shape(const Program& program) {
  const Dim3 size = program.workgroup_size();
  count("shape", size.z > 1 ? "3-D" : size.y > 1 ? "2-D" : "1-D");
  const uint64_t lanes = program.workgroup_invocations();
  count("shape", lanes == 1        ? "one invocation"
                 : lanes < 32      ? "part of a subgroup"
                 : lanes == 32     ? "one subgroup"
                 : lanes % 32 == 0 ? "several subgroups"
                                   : "subgroups and a part");
  if (!program.extent()) return;
  const Dim3 extent = *program.extent();
  const Dim3 grid = Dispatch::covering(extent, size).workgroups;
  count("shape", fmt::format("{} workgroups", uint64_t{grid.x} * grid.y * grid.z));
  count("shape", grid.z > 1 ? "3-D grid" : grid.y > 1 ? "2-D grid" : "1-D grid");
  const bool ragged = extent.x % size.x != 0 || extent.y % size.y != 0 || extent.z % size.z != 0;
  if (ragged) count("shape", "ragged extent");
}

void Coverage::count(const std::string& group, const std::string& row) {
  std::map<std::string, uint64_t>& rows = counts_.at(group);
  const auto found = rows.find(row);
  if (found != rows.end()) ++found->second;
}

void Coverage::add(const Resolved& resolved, std::span<const std::byte> probes) {
  ++programs_;
  add_shape(resolved.program);
  std::vector<char> seen(resolved.expressions.size());
  std::vector<ExprId> stack;
  for (StmtId stmt = 0; stmt < resolved.statements.size(); ++stmt) {
    uint32_t executed = 0;
    std::memcpy(&executed, probes.data() + stmt * sizeof(executed), sizeof(executed));
    if (executed == 0) continue;
    add_statement(resolved, stmt);
    const std::span<const ExprId> operands = resolved.operands(resolved.statements[stmt]);
    stack.assign(operands.begin(), operands.end());
    while (!stack.empty()) {
      const ExprId id = stack.back();
      stack.pop_back();
      if (std::exchange(seen[id], char{1}) != 0) continue;
      const ResolvedExpr& record = resolved.expressions[id];
      add_expression(resolved, record);
      const std::span<const ExprId> inner = resolved.operands(record);
      stack.insert(stack.end(), inner.begin(), inner.end());
    }
  }
}

void Coverage::add_statement(const Resolved& resolved, StmtId stmt) {
  const ResolvedStmt& record = resolved.statements[stmt];
  const Node& node = *record.node;
  const std::span<const ExprId> operands = resolved.operands(record);
  const auto type = [&](size_t i) { return *resolved.expressions[operands[i]].type; };
  count("statement", node.info().name);
  switch (node.kind()) {
    case NodeKind::kStore: {
      const BufferDecl& decl = resolved.program.buffers()[record.buffer];
      count("store", access(decl));
      count("index", fmt::format("store {}", name_of(type(0))));
      count("stored value", conversion(type(1), decl.element().kind()));
      break;
    }
    case NodeKind::kIf:
      count("condition", fmt::format("if {}", name_of(type(0))));
      if (!node.body(1).empty()) count("statement", "If with otherwise");
      break;
    case NodeKind::kBarrier:
      count("barrier", spelling(node.ordering()));
      break;
    default:
      break;
  }
}

void Coverage::add_expression(const Resolved& resolved, const ResolvedExpr& record) {
  const Expr& expr = *record.expr;
  const std::span<const ExprId> operands = resolved.operands(record);
  const auto type = [&](size_t i) { return *resolved.expressions[operands[i]].type; };
  const OpInfo& info = expr.info();
  switch (info.format) {
    case OpFormat::kLiteral:
      return count("literal", name_of(*record.type));
    case OpFormat::kVariable:
      return count("variable", name_of(*record.type));
    case OpFormat::kBuffer:
      return count("builtin", info.name);
    case OpFormat::kAxis:
      return count("builtin", axis(expr.op(), expr.bits()));
    case OpFormat::kNullary:
      return count("builtin", info.name);
    case OpFormat::kLoad:
      count("index", fmt::format("load {}", name_of(type(0))));
      return count("load", access(resolved.program.buffers()[record.reference]));
    case OpFormat::kAtomic:
      count("index", fmt::format("atomic {}", name_of(type(0))));
      return count("atomic", info.name);
    case OpFormat::kCast:
      return count(info.name, conversion(type(0), expr.type().kind()));
    default:
      break;
  }
  if (expr.op() == Op::kSelect || expr.op() == Op::kSubgroupBallot) {
    count("condition", fmt::format("{} {}", info.name, name_of(type(0))));
  }
  const Kind deciding = type(expr.op() == Op::kSelect ? 1 : 0);
  count(info.has(OpFlags::kSubgroup) ? "subgroup" : "operation", with_type(expr.op(), deciding));
}

std::string Coverage::missing() const {
  std::string text;
  for (const auto& [group, rows] : counts_) {
    for (const auto& [row, seen] : rows) {
      if (seen == 0) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", group, row);
    }
  }
  return text;
}

void Coverage::print(uint64_t first_seed, uint64_t count) const {
  fmt::print("coverage of {} programs, seeds {} to {}\n", programs_, first_seed,
             first_seed + count - 1);
  for (const auto& [group, rows] : counts_) {
    const auto least = std::ranges::min_element(
        rows, [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto seen = std::ranges::count_if(rows, [](const auto& row) { return row.second > 0; });
    fmt::print("  {:13}{:4} of {:4}; least: {} ({})\n", group, seen, rows.size(), least->first,
               least->second);
  }
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/dot.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "vyre/ir/names.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

constexpr size_t kMaxLabel = 44;
constexpr uint32_t kMaxIndent = 16;

// Cut to what fits a row, without cutting a character in two.
std::string shortened(std::string_view text) {
  if (text.size() <= kMaxLabel) return std::string(text);
  size_t end = kMaxLabel - 1;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0U) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

// The last part of a path such as vyre-libs::nn::flash_attention_2 says most.
std::string_view last_part(std::string_view path) {
  const size_t separator = path.rfind("::");
  return separator == std::string_view::npos ? path : path.substr(separator + 2);
}

// As a text of Graphviz's HTML-like labels. Control characters are illegal in them.
std::string escaped(std::string_view text) {
  if (!is_valid_utf8(text)) return "(not UTF-8)";
  std::string result;
  for (const char c : shortened(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<uint8_t>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return result;
}

std::string expr_text(const Expr& expr) {
  // Longer ones would be cut anyway.
  const StatusOr<std::string> text = print_expr(expr, {.max_bytes = 4096, .max_nodes = 1000});
  return text.ok() ? *text : "…";
}

struct Access {
  bool read = false;
  bool write = false;
};

// A row of the outline: the program itself, a region, a loop, a condition or an else.
struct Part {
  std::string label;  // HTML
  uint32_t level = 0;
  std::map<size_t, Access> accesses;  // by buffer
};

class RegionGraph {
 public:
  RegionGraph(const Program& program, const DotOptions& options)
      : options_(options), buffers_(program.buffers()), written_(buffers_.size()) {
    // Of two buffers with one name, a statement means the first.
    for (size_t i = 0; i < buffers_.size(); ++i) by_name_.emplace(buffers_[i].name(), i);
    const Dim3 size = program.workgroup_size();
    std::string label = fmt::format("<b>program</b> workgroup({}, {}, {})", size.x, size.y, size.z);
    if (const auto& extent = program.extent()) {
      label += fmt::format(" extent({}, {}, {})", extent->x, extent->y, extent->z);
    }
    parts_.push_back(Part{std::move(label), 0, {}});
    collect(program.entry());
  }

  std::string to_dot() const {
    std::string dot =
        "digraph program {\n"
        "  rankdir=LR; nodesep=0.2; ranksep=0.8; bgcolor=white;\n"
        "  node [fontname=\"Helvetica\", fontsize=11, shape=plain];\n"
        "  edge [arrowsize=0.6, penwidth=1.1];\n";
    write_outline(dot);
    for (size_t i = 0; i < buffers_.size(); ++i) write_buffer(i, dot);
    for (size_t i = 0; i < parts_.size(); ++i) write_accesses(i, dot);
    return dot + "}\n";
  }

 private:
  // A body to walk, and the part that its statements belong to.
  struct OpenBody {
    std::span<const Node> rest;
    size_t part;
    bool starts_else;  // the else has no part yet
  };

  void collect(std::span<const Node> entry) {
    std::vector<OpenBody> stack{{entry, 0, false}};
    uint32_t statements = 0;
    while (!stack.empty()) {
      OpenBody& top = stack.back();
      if (top.rest.empty()) {
        stack.pop_back();
        continue;
      }
      if (top.starts_else) {
        top.part = add_part("<b>else</b>", parts_[top.part].level);
        top.starts_else = false;
      }
      const Node& node = top.rest.front();
      top.rest = top.rest.subspan(1);
      cut_ = ++statements > options_.max_statements || parts_.size() > options_.max_parts;
      if (cut_) return;
      size_t part = top.part;
      if (const std::string label = label_of(node); !label.empty()) {
        part = add_part(label, parts_[part].level + 1);
      }
      add_accesses(node, parts_[part].accesses);
      for (size_t i = node.bodies().size(); i-- > 0;) {
        stack.push_back({node.body(i), part, i == 1});
      }
    }
  }

  size_t add_part(std::string label, uint32_t level) {
    parts_.push_back(Part{std::move(label), level, {}});
    return parts_.size() - 1;
  }

  // Empty for statements that have no row.
  static std::string label_of(const Node& node) {
    if (node.kind() == NodeKind::kRegion) {
      return fmt::format("<b>region</b> {}", escaped(last_part(node.generator())));
    }
    if (node.kind() == NodeKind::kIf) {
      return fmt::format("<b>if</b> {}", escaped(expr_text(node.operand(0))));
    }
    if (node.kind() != NodeKind::kLoop) return "";
    if (node.name() == kForeverVariable) return "<b>forever</b>";
    return fmt::format(
        "<b>for</b> {} <b>in</b> {}", escaped(node.name()),
        escaped(fmt::format("{}..{}", expr_text(node.operand(0)), expr_text(node.operand(1)))));
  }

  void note(std::string_view buffer, bool read, bool write, std::map<size_t, Access>& accesses) {
    const auto it = by_name_.find(buffer);
    if (it == by_name_.end()) return;
    Access& access = accesses[it->second];
    access.read |= read;
    access.write |= write;
    if (write) written_[it->second] = true;
  }

  void add_accesses(const Node& node, std::map<size_t, Access>& accesses) {
    switch (node.kind()) {
      case NodeKind::kStore:
        note(node.buffer(), false, true, accesses);
        break;
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
        note(node.source(), true, false, accesses);
        note(node.destination(), false, true, accesses);
        break;
      case NodeKind::kAllReduce:
      case NodeKind::kBroadcast:
        note(node.buffer(), true, true, accesses);
        break;
      case NodeKind::kIndirectDispatch:
        note(node.buffer(), true, false, accesses);
        break;
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kIf:
      case NodeKind::kLoop:
      case NodeKind::kReturn:
      case NodeKind::kBlock:
      case NodeKind::kBarrier:
      case NodeKind::kAsyncWait:
      case NodeKind::kRegion:
      case NodeKind::kTrap:
      case NodeKind::kResume:
      case NodeKind::kOpaque:
        break;
    }
    add_accesses_of_operands(node, accesses);
  }

  void add_accesses_of_operands(const Node& node, std::map<size_t, Access>& accesses) {
    std::vector<const Expr*> stack;
    absl::flat_hash_set<const void*> visited;
    const auto push = [&](const Expr& expr) {
      const bool touches = expr.has(ExprEffects::kLoads) || expr.has(ExprEffects::kAtomics) ||
                           expr.has(ExprEffects::kOpaque) || expr.op() == Op::kBufferRef;
      if (touches && visited.insert(expr.identity()).second) stack.push_back(&expr);
    };
    for (const Expr& operand : node.operands()) push(operand);
    while (!stack.empty()) {
      const Expr& expr = *stack.back();
      stack.pop_back();
      // What a call does with a buffer is not known, so it may do both.
      const bool both = is_atomic(expr.op()) || expr.op() == Op::kBufferRef;
      if (both || expr.op() == Op::kLoad) note(expr.name(), true, both, accesses);
      for (const Expr& operand : expr.operands()) push(operand);
    }
  }

  void write_outline(std::string& dot) const {
    dot +=
        "  program [label=<<table border=\"1\" color=\"#888888\" cellborder=\"0\" "
        "cellspacing=\"0\" cellpadding=\"4\">\n";
    for (size_t i = 0; i < parts_.size(); ++i) {
      std::string indent;
      for (uint32_t k = 0; k < std::min(parts_[i].level, kMaxIndent); ++k) {
        indent += "&#160;&#160;&#160;&#160;";
      }
      dot += fmt::format("    <tr><td align=\"left\" port=\"p{}\"{}>{}{}</td></tr>\n", i,
                         i == 0 ? " bgcolor=\"#eeeeee\"" : "", indent, parts_[i].label);
    }
    if (cut_) dot += "    <tr><td align=\"left\">… the rest is not shown</td></tr>\n";
    dot += "  </table>>];\n";
  }

  static std::string_view role_of(const BufferDecl& buffer) {
    if (buffer.is_local()) return "local";
    if (buffer.is_workgroup()) return "workgroup";
    if (buffer.is_transient()) return "transient";
    return buffer.is_output() ? "output" : spelling(buffer.access());
  }

  void write_buffer(size_t index, std::string& dot) const {
    const BufferDecl& buffer = buffers_[index];
    const std::string count = buffer.count() ? fmt::format("{}", *buffer.count()) : "";
    const std::string_view color = buffer.is_returned() ? "#fde7d3"
                                   : buffer.is_bound()  ? "#dcebfa"
                                                        : "#eeeeee";
    dot += fmt::format(
        "  b{} [label=<<table border=\"1\" color=\"#888888\" cellborder=\"0\" cellspacing=\"0\" "
        "cellpadding=\"4\" bgcolor=\"{}\"><tr><td><b>{}</b><br/>{} {}[{}]</td></tr></table>>];\n",
        index, color, escaped(buffer.name()), role_of(buffer), escaped(buffer.element().spelling()),
        count);
  }

  void write_accesses(size_t index, std::string& dot) const {
    for (const auto& [buffer, access] : parts_[index].accesses) {
      if (!written_[buffer]) {
        dot += fmt::format("  b{} -> program:p{}:w [color=\"#2b6cb0\"];\n", buffer, index);
        continue;
      }
      const std::string_view style = !access.write  ? "dir=back, color=\"#2b6cb0\""
                                     : !access.read ? "color=\"#c05621\""
                                                    : "dir=both, color=\"#6b46c1\"";
      dot += fmt::format("  program:p{}:e -> b{} [{}];\n", index, buffer, style);
    }
  }

  const DotOptions& options_;
  const std::vector<BufferDecl>& buffers_;
  std::vector<bool> written_;  // anywhere: such a buffer stands on the right
  std::vector<Part> parts_;
  std::map<std::string, size_t, std::less<>> by_name_;
  bool cut_ = false;
};

}  // namespace

std::string region_graph_dot(const Program& program, const DotOptions& options) {
  return RegionGraph(program, options).to_dot();
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/print.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "vyre/ir/format.h"
#include "vyre/ir/text_writer.h"

namespace vyre {
namespace {

using internal::TextWriter;

// Declarations. docs/text.md lists which word starts which, and what each leaves out.

std::string_view declaration_word(const BufferDecl& buffer) {
  if (buffer.is_output()) return "output";
  if (buffer.access() == BufferAccess::kWorkgroup) {
    return buffer.kind() == MemoryKind::kLocal ? "local" : "workgroup";
  }
  const bool transient =
      buffer.access() == BufferAccess::kReadWrite && buffer.kind() == MemoryKind::kPersistent;
  return transient ? "transient" : "buffer";
}

// What the word of a declaration says by itself.
struct Defaults {
  bool access_shown = false;
  bool binding_shown = false;
  MemoryKind kind = MemoryKind::kGlobal;
  bool live_out = false;
};

Defaults defaults_of(const BufferDecl& buffer, std::string_view word) {
  Defaults defaults;
  defaults.binding_shown = word == "buffer" || word == "output";
  defaults.access_shown =
      word == "buffer" || (word == "output" && buffer.access() != BufferAccess::kReadWrite);
  defaults.kind = default_kind(buffer.access());
  if (word == "local") defaults.kind = MemoryKind::kLocal;
  if (word == "transient") defaults.kind = MemoryKind::kPersistent;
  defaults.live_out = word == "output";
  return defaults;
}

void write_hints(const MemoryHints& hints, TextWriter& out) {
  if (hints == MemoryHints{}) return;
  std::string_view separator;
  out.text(" hints(");
  if (hints.coalesce_axis) {
    out.text("axis=").number(*hints.coalesce_axis);
    separator = ", ";
  }
  if (hints.preferred_alignment != 0) {
    out.text(separator).text("align=").number(hints.preferred_alignment);
    separator = ", ";
  }
  if (hints.cache_locality != CacheLocality::kTemporal) {
    out.text(separator).text(spelling(hints.cache_locality));
  }
  out.text(")");
}

void write_buffer(const BufferDecl& buffer, TextWriter& out) {
  const std::string_view word = declaration_word(buffer);
  const Defaults defaults = defaults_of(buffer, word);
  out.text(word).text(" ").name(buffer.name()).text(": ").text(buffer.element().spelling());
  out.text("[");
  if (buffer.count()) out.number(*buffer.count());
  out.text("]");
  if (defaults.access_shown) out.text(" ").text(spelling(buffer.access()));
  if (defaults.binding_shown || buffer.binding() != 0) {
    out.text(" binding(").number(buffer.binding()).text(")");
  }
  if (buffer.kind() != defaults.kind) out.text(" kind(").text(spelling(buffer.kind())).text(")");
  if (buffer.pipeline_live_out() != defaults.live_out) {
    out.text(buffer.pipeline_live_out() ? " live_out(true)" : " live_out(false)");
  }
  if (const auto& range = buffer.output_byte_range()) {
    out.text(" bytes(").number(range->begin).text("..").number(range->end).text(")");
  }
  write_hints(buffer.hints(), out);
  if (buffer.bytes_extraction()) out.text(" extraction");
  if (buffer.linear_type() != LinearType::kUnrestricted) {
    out.text(" linear(").text(spelling(buffer.linear_type())).text(")");
  }
  if (const auto& predicate = buffer.shape_predicate()) {
    out.text(" where(").text(predicate->to_string()).text(")");
  }
}

bool is_forever(const Node& loop) {
  return loop.name() == kForeverVariable && loop.operand(0) == Expr::u32(0) &&
         loop.operand(1) == Expr::u32(0xFFFFFFFF);
}

// Writes statements with a stack of the bodies that are open.
class StatementPrinter {
 public:
  explicit StatementPrinter(TextWriter& out) : out_(out) {}

  // One statement and all in it.
  void print(const Node& node) {
    out_.count_nodes(node.node_count());
    statement(node);
    write_open_bodies();
  }

  // A body in braces, and a line's end.
  void print_body(std::span<const Node> body) {
    open_body(body, {});
    write_open_bodies();
  }

  // The same where the opening brace is written already.
  void print_rest_of_body(std::span<const Node> body) {
    stack_.push_back({body, {}});
    write_open_bodies();
  }

 private:
  struct OpenBody {
    std::span<const Node> rest;
    std::span<const Node> otherwise;  // what follows after else
  };

  void write_open_bodies() {
    while (!stack_.empty() && out_.ok()) {
      OpenBody& top = stack_.back();
      if (top.rest.empty()) {
        close_body();
        continue;
      }
      const Node& node = top.rest.front();
      top.rest = top.rest.subspan(1);
      out_.indent(stack_.size());
      statement(node);
    }
  }

  void open_body(std::span<const Node> body, std::span<const Node> otherwise) {
    while (body.empty()) {
      out_.text("{}");
      if (otherwise.empty()) {
        out_.text("\n");
        return;
      }
      next_arm(body, otherwise);
    }
    out_.text("{\n");
    stack_.push_back({body, otherwise});
  }

  void close_body() {
    std::span<const Node> otherwise = stack_.back().otherwise;
    stack_.pop_back();
    out_.indent(stack_.size()).text("}");
    if (otherwise.empty()) {
      out_.text("\n");
      return;
    }
    std::span<const Node> body;
    next_arm(body, otherwise);
    open_body(body, otherwise);
  }

  // Writes "else", or "else if c" for an otherwise of one If; gives the body that follows and what
  // follows after that.
  void next_arm(std::span<const Node>& body, std::span<const Node>& otherwise) {
    out_.text(" else ");
    const Node& first = otherwise.front();
    if (otherwise.size() != 1 || first.kind() != NodeKind::kIf) {
      body = otherwise;
      otherwise = {};
      return;
    }
    out_.text("if ").expr(first.operand(0)).text(" ");
    body = first.body(0);
    otherwise = first.body(1);
  }

  void loop(const Node& node) {
    if (is_forever(node)) {
      out_.text("forever ");
    } else {
      out_.text("for ").name(node.name()).text(" in ").expr(node.operand(0));
      out_.text("..").expr(node.operand(1)).text(" ");
    }
    open_body(node.body(), {});
  }

  void region(const Node& node) {
    out_.text("region ").string(node.generator()).text(" ");
    if (node.source_region()) out_.text("from ").string(*node.source_region()).text(" ");
    open_body(node.body(), {});
  }

  void collective(const Node& node, std::string_view op) {
    out_.text(node.info().keyword).text(" ");
    if (!op.empty()) out_.text(op).text(" ");
    out_.name(node.name());
    const bool two_buffers =
        node.kind() == NodeKind::kAllGather || node.kind() == NodeKind::kReduceScatter;
    if (two_buffers) out_.text(" -> ").name(node.second_name());
    if (node.kind() == NodeKind::kBroadcast) out_.text(" root ").number(node.root());
    out_.text(" group ").number(node.group());
  }

  // Writes the statement's line, and opens its body if it has one.
  void statement(const Node& node) {
    switch (node.kind()) {
      case NodeKind::kIf:
        out_.text("if ").expr(node.operand(0)).text(" ");
        return open_body(node.body(0), node.body(1));
      case NodeKind::kLoop:
        return loop(node);
      case NodeKind::kBlock:
        out_.text("block ");
        return open_body(node.body(), {});
      case NodeKind::kRegion:
        return region(node);
      case NodeKind::kLet:
        out_.text("let ").name(node.name()).text(" = ").expr(node.operand(0));
        break;
      case NodeKind::kAssign:
        out_.name(node.name()).text(" = ").expr(node.operand(0));
        break;
      case NodeKind::kStore:
        out_.name(node.buffer()).text("[").expr(node.operand(0)).text("] = ");
        out_.expr(node.operand(1));
        break;
      case NodeKind::kReturn:
        out_.text("return");
        break;
      case NodeKind::kBarrier:
        out_.text("barrier ").text(spelling(node.ordering()));
        break;
      case NodeKind::kTrap:
        out_.text("trap ").string(node.tag()).text(" at ").expr(node.operand(0));
        break;
      case NodeKind::kAsyncLoad:
        out_.text("async_load ").string(node.tag()).text(" ").name(node.destination());
        out_.text(" <- ").name(node.source()).text("[").expr(node.operand(0)).text("; ");
        out_.expr(node.operand(1)).text("]");
        break;
      case NodeKind::kAsyncStore:
        out_.text("async_store ").string(node.tag()).text(" ").name(node.destination());
        out_.text("[").expr(node.operand(0)).text("] <- ").name(node.source()).text("[");
        out_.expr(node.operand(1)).text("]");
        break;
      case NodeKind::kAsyncWait:
      case NodeKind::kResume:
        out_.text(node.info().keyword).text(" ").string(node.tag());
        break;
      case NodeKind::kIndirectDispatch:
        out_.text("indirect_dispatch ").name(node.buffer()).text("[");
        out_.number(node.count_offset()).text("]");
        break;
      case NodeKind::kAllReduce:
      case NodeKind::kReduceScatter:
        collective(node, spelling(node.collective_op()));
        break;
      case NodeKind::kAllGather:
      case NodeKind::kBroadcast:
        collective(node, {});
        break;
      case NodeKind::kOpaque:
        out_.text("opaque ").string(node.name()).text(" ").bytes(node.second_name());
        break;
    }
    out_.text("\n");
  }

  TextWriter& out_;
  std::vector<OpenBody> stack_;
};

void write_sizes(std::string_view word, Dim3 size, TextWriter& out) {
  out.text(word).text("(").number(size.x).text(", ").number(size.y).text(", ").number(size.z);
  out.text(") ");
}

void write_program(const Program& program, TextWriter& out) {
  for (const Node& node : program.entry()) out.count_nodes(node.node_count());
  out.text("vyre 1\nprogram ");
  if (program.entry_op_id()) out.text("entry ").string(*program.entry_op_id()).text(" ");
  if (program.non_composable_with_self()) out.text("self_exclusive ");
  write_sizes("workgroup", program.workgroup_size(), out);
  if (program.extent()) write_sizes("extent", *program.extent(), out);
  StatementPrinter statements(out);
  if (program.buffers().empty()) return statements.print_body(program.entry());
  out.text("{\n");
  for (const BufferDecl& buffer : program.buffers()) {
    out.indent(1);
    write_buffer(buffer, out);
    out.text("\n");
  }
  if (!program.entry().empty()) out.text("\n");
  statements.print_rest_of_body(program.entry());
}

std::string text_or_error(StatusOr<std::string> text) {
  return text.ok() ? *std::move(text) : fmt::format("<{}>", message_of(text.status()));
}

}  // namespace

StatusOr<std::string> print(const Program& program, const PrintOptions& options) {
  TextWriter out(options);
  write_program(program, out);
  return std::move(out).finish();
}

StatusOr<std::string> print_node(const Node& node, const PrintOptions& options) {
  TextWriter out(options);
  StatementPrinter(out).print(node);
  StatusOr<std::string> text = std::move(out).finish();
  if (text.ok()) text->pop_back();
  return text;
}

StatusOr<std::string> print_buffer(const BufferDecl& buffer, const PrintOptions& options) {
  TextWriter out(options);
  write_buffer(buffer, out);
  return std::move(out).finish();
}

namespace internal {
std::string format_text(const Node& node) { return text_or_error(print_node(node)); }
std::string format_text(const BufferDecl& buffer) { return text_or_error(print_buffer(buffer)); }
std::string format_text(const Program& program) { return text_or_error(print(program)); }
}  // namespace internal

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/json.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "vyre/ir/check.h"
#include "vyre/ir/json_writer.h"
#include "vyre/ir/names.h"
#include "vyre/ir/print.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

using internal::JsonWriter;

struct DigestHash {
  size_t operator()(const Digest& digest) const { return static_cast<size_t>(digest.words[0]); }
};

// Gives each distinct part a number, in the order in which they are shown to it.
class Numbering {
 public:
  explicit Numbering(bool by_value) : by_value_(by_value) {}

  // Whether the part is a new one.
  template <typename Part>
  bool add(const Part& part) {
    const auto next = static_cast<uint32_t>(count_);
    uint32_t number = next;
    if (by_value_) number = by_digest_.try_emplace(part.digest(), next).first->second;
    by_object_.emplace(part.identity(), number);
    if (number == next) ++count_;
    return number == next;
  }

  uint32_t of(const void* identity) const { return by_object_.at(identity); }

 private:
  bool by_value_;
  size_t count_ = 0;
  absl::flat_hash_map<Digest, uint32_t, DigestHash> by_digest_;
  absl::flat_hash_map<const void*, uint32_t> by_object_;
};

std::string_view name_of(ShapePredicate::Kind kind) {
  switch (kind) {
    case ShapePredicate::Kind::kAtLeast:
      return "at_least";
    case ShapePredicate::Kind::kAtMost:
      return "at_most";
    case ShapePredicate::Kind::kExactly:
      return "exactly";
    case ShapePredicate::Kind::kMultipleOf:
      return "multiple_of";
    case ShapePredicate::Kind::kModEquals:
      return "mod_equals";
    case ShapePredicate::Kind::kAffineRange:
      return "affine_range";
    case ShapePredicate::Kind::kAnd:
      return "and";
    case ShapePredicate::Kind::kOr:
      return "or";
    case ShapePredicate::Kind::kNot:
      return "not";
  }
  VYRE_UNREACHABLE("a shape predicate without a name");
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return text;
}

class ProgramWriter {
 public:
  ProgramWriter(const Program& program, const JsonOptions& options)
      : program_(program),
        options_(options),
        out_(options.max_bytes),
        expressions_(!options.places),
        statements_(!options.places) {}

  StatusOr<std::string> write() && {
    if (options_.types) find_types();
    out_.begin_object();
    out_.next_line().key("format").string("vyre-program");
    out_.next_line().key("version").number(1);
    out_.next_line().key("hash").string(program_.hash().to_hex());
    out_.next_line().key("entry_op_id").string_or_null(program_.entry_op_id());
    out_.next_line().key("non_composable_with_self").boolean(program_.non_composable_with_self());
    out_.next_line().key("workgroup_size");
    dimensions(program_.workgroup_size());
    out_.next_line().key("extent");
    if (program_.extent()) {
      dimensions(*program_.extent());
    } else {
      out_.null();
    }
    out_.next_line().key("buffers");
    write_buffers();
    out_.next_line().key("expressions");
    write_expressions();
    out_.next_line().key("statements");
    write_statements();
    out_.next_line().key("entry");
    indices(program_.entry(), statements_);
    out_.end_object();
    return std::move(out_).finish();
  }

 private:
  // An object has one type, unless it is shared by scopes in which its names mean different things.
  void find_types() {
    const Resolved resolved = resolve(program_);
    for (const ResolvedExpr& expr : resolved.expressions) {
      const auto [it, added] = types_.emplace(expr.expr->digest(), expr.type);
      if (!added && it->second != expr.type) it->second = std::nullopt;
    }
  }

  void dimensions(Dim3 size) {
    out_.begin_array();
    for (size_t axis = 0; axis < 3; ++axis) out_.number(size[axis]);
    out_.end_array();
  }

  template <typename Part>
  void indices(std::span<const Part> parts, const Numbering& numbering) {
    out_.begin_array();
    for (const Part& part : parts) {
      if (!out_.ok()) break;
      out_.number(numbering.of(part.identity()));
    }
    out_.end_array();
  }

  void place(const Place& place) {
    if (!options_.places) return;
    out_.key("place");
    // The name of a file may be any bytes; a place that cannot be written is no place.
    const std::string text = place.to_string();
    out_.string_or_null(place.known() && is_valid_utf8(text) ? std::optional(text) : std::nullopt);
  }

  void write_buffers() {
    out_.begin_array();
    for (const BufferDecl& buffer : program_.buffers()) {
      if (!out_.ok()) break;
      out_.next_line().begin_object();
      write_buffer(buffer);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_buffer(const BufferDecl& buffer) {
    out_.key("name").string(buffer.name());
    out_.key("binding").number(buffer.binding());
    out_.key("access").string(spelling(buffer.access()));
    out_.key("kind").string(spelling(buffer.kind()));
    out_.key("element").string(buffer.element().spelling());
    out_.key("count");
    if (buffer.count()) {
      out_.number(*buffer.count());
    } else {
      out_.null();
    }
    out_.key("is_output").boolean(buffer.is_output());
    out_.key("pipeline_live_out").boolean(buffer.pipeline_live_out());
    out_.key("output_byte_range");
    if (const auto& range = buffer.output_byte_range()) {
      out_.begin_array().decimal(range->begin).decimal(range->end).end_array();
    } else {
      out_.null();
    }
    write_hints(buffer.hints());
    out_.key("bytes_extraction").boolean(buffer.bytes_extraction());
    out_.key("linear_type").string(spelling(buffer.linear_type()));
    write_predicate(buffer.shape_predicate());
    place(buffer.place());
  }

  void write_hints(const MemoryHints& hints) {
    out_.key("hints").begin_object().key("coalesce_axis");
    if (hints.coalesce_axis) {
      out_.number(*hints.coalesce_axis);
    } else {
      out_.null();
    }
    out_.key("preferred_alignment").number(hints.preferred_alignment);
    out_.key("cache_locality").string(spelling(hints.cache_locality)).end_object();
  }

  void write_predicate(const std::optional<ShapePredicate>& predicate) {
    out_.key("shape_predicate");
    if (!predicate) {
      out_.null();
      return;
    }
    out_.begin_array();
    for (const ShapePredicate::Term& term : predicate->terms()) {
      if (!out_.ok()) break;
      out_.begin_object().key("kind").string(name_of(term.kind)).key("values").begin_array();
      for (const int64_t value : term.values) out_.decimal(value);
      out_.end_array().end_object();
    }
    out_.end_array();
  }

  void write_expressions() {
    out_.begin_array();
    for (const Expr* expr : expressions_of(program_.entry())) {
      if (!out_.ok()) break;
      if (!expressions_.add(*expr)) continue;
      out_.next_line().begin_object();
      write_expression(*expr);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_expression(const Expr& expr) {
    out_.key("op").string(expr.info().name);
    write_attributes(expr);
    if (!expr.operands().empty()) {
      out_.key("operands");
      indices(expr.operands(), expressions_);
    }
    if (options_.types) {
      const auto it = types_.find(expr.digest());
      out_.key("value_type");
      out_.string_or_null(it != types_.end() && it->second
                              ? std::optional(DataType(*it->second).spelling())
                              : std::nullopt);
    }
    place(expr.place());
  }

  // What an operation is about besides its operands, by the format that its row names.
  void write_attributes(const Expr& expr) {
    switch (expr.info().format) {
      case OpFormat::kLiteral:
        out_.key("bits").string(fmt::format("{:#x}", expr.bits()));
        out_.key("text").string(print_expr(expr).value());
        return;
      case OpFormat::kVariable:
        out_.key("name").string(expr.name());
        return;
      case OpFormat::kBuffer:
      case OpFormat::kLoad:
        out_.key("buffer").string(expr.name());
        return;
      case OpFormat::kAxis:
        out_.key("axis").number(expr.bits());
        return;
      case OpFormat::kCast:
        out_.key("type").string(expr.type().spelling());
        return;
      case OpFormat::kAtomic:
        out_.key("buffer").string(expr.name());
        out_.key("ordering").string(spelling(expr.ordering()));
        out_.key("has_expected").boolean(expr.has_expected());
        if (expr.op() == Op::kAtomicOpaque) out_.key("extension_id").number(expr.bits());
        return;
      case OpFormat::kExtension:
        out_.key("extension_id").number(expr.bits());
        return;
      case OpFormat::kCallOp:
        out_.key("op_id").string(expr.name());
        return;
      case OpFormat::kOpaque:
        out_.key("extension").string(expr.name());
        out_.key("payload").string(hex(expr.payload()));
        return;
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
        return;
    }
  }

  void write_statements() {
    out_.begin_array();
    for (const Node* node : post_order(program_.entry())) {
      if (!out_.ok()) break;
      if (!statements_.add(*node)) continue;
      out_.next_line().begin_object();
      write_statement(*node);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_statement(const Node& node) {
    out_.key("kind").string(node.info().name);
    write_attributes(node);
    if (!node.operands().empty()) {
      out_.key("operands");
      indices(node.operands(), expressions_);
    }
    if (!node.bodies().empty()) {
      out_.key("bodies").begin_array();
      for (const std::vector<Node>& body : node.bodies()) {
        indices(std::span<const Node>(body), statements_);
      }
      out_.end_array();
    }
    place(node.place());
  }

  void write_attributes(const Node& node) {
    switch (node.kind()) {
      case NodeKind::kLet:
      case NodeKind::kAssign:
      case NodeKind::kLoop:
        out_.key("name").string(node.name());
        return;
      case NodeKind::kStore:
        out_.key("buffer").string(node.buffer());
        return;
      case NodeKind::kRegion:
        out_.key("generator").string(node.generator());
        out_.key("source_region").string_or_null(node.source_region());
        return;
      case NodeKind::kBarrier:
        out_.key("ordering").string(spelling(node.ordering()));
        return;
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        out_.key("tag").string(node.tag());
        return write_copy(node);
      case NodeKind::kAsyncWait:
      case NodeKind::kTrap:
      case NodeKind::kResume:
        out_.key("tag").string(node.tag());
        return;
      case NodeKind::kIndirectDispatch:
        out_.key("buffer").string(node.buffer());
        out_.key("count_offset").decimal(node.count_offset());
        return;
      case NodeKind::kAllReduce:
        out_.key("buffer").string(node.buffer());
        out_.key("combine").string(spelling(node.collective_op()));
        out_.key("group").number(node.group());
        return;
      case NodeKind::kAllGather:
        write_copy(node);
        out_.key("group").number(node.group());
        return;
      case NodeKind::kReduceScatter:
        write_copy(node);
        out_.key("combine").string(spelling(node.collective_op()));
        out_.key("group").number(node.group());
        return;
      case NodeKind::kBroadcast:
        out_.key("buffer").string(node.buffer());
        out_.key("root").number(node.root());
        out_.key("group").number(node.group());
        return;
      case NodeKind::kOpaque:
        out_.key("extension").string(node.name());
        out_.key("payload").string(hex(node.second_name()));
        return;
      case NodeKind::kIf:
      case NodeKind::kBlock:
      case NodeKind::kReturn:
        return;
    }
  }

  void write_copy(const Node& node) {
    out_.key("source").string(node.source());
    out_.key("destination").string(node.destination());
  }

  const Program& program_;
  const JsonOptions& options_;
  JsonWriter out_;
  Numbering expressions_;
  Numbering statements_;
  absl::flat_hash_map<Digest, std::optional<DataType::Kind>, DigestHash> types_;
};

}  // namespace

StatusOr<std::string> to_json(const Program& program, const JsonOptions& options) {
  return ProgramWriter(program, options).write();
}

}  // namespace vyre

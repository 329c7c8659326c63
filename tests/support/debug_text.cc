// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/debug_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace vyre::test {
namespace {

// A value as the debug format sees it: a word, or a name with fields, a tuple or a list.
struct Field;
struct Item {
  enum class Shape { kWord, kStruct, kTuple, kList };
  Shape shape = Shape::kWord;
  std::string name;
  std::vector<Field> parts;
};
struct Field {
  std::string label;
  Item value;
};
using Fields = std::vector<Field>;

Item word(std::string text) { return {Item::Shape::kWord, std::move(text), {}}; }
Item structure(std::string name, Fields fields) {
  return {Item::Shape::kStruct, std::move(name), std::move(fields)};
}
Item tuple(std::string name, Item value) {
  Fields parts;
  parts.push_back({"", std::move(value)});
  return {Item::Shape::kTuple, std::move(name), std::move(parts)};
}
Item list(std::vector<Item> values) {
  Fields parts;
  for (Item& value : values) parts.push_back({"", std::move(value)});
  return {Item::Shape::kList, "", std::move(parts)};
}

std::pair<std::string, std::string> brackets(const Item& item) {
  switch (item.shape) {
    case Item::Shape::kWord:
      return {"", ""};
    case Item::Shape::kStruct:
      return {item.name + " {", "}"};
    case Item::Shape::kTuple:
      return {item.name + "(", ")"};
    case Item::Shape::kList:
      return {"[", "]"};
  }
  throw std::logic_error("an item without a shape");
}

std::string label(const Field& part) { return part.label.empty() ? "" : part.label + ": "; }

void print_lines(std::string& out, const Item& item, size_t indent) {
  if (item.shape == Item::Shape::kWord) {
    out += item.name;
    return;
  }
  const auto [open, close] = brackets(item);
  out += open;
  if (!item.parts.empty()) {
    out += '\n';
    for (const Field& part : item.parts) {
      out.append(indent + 4, ' ').append(label(part));
      print_lines(out, part.value, indent + 4);
      out += ",\n";
    }
    out.append(indent, ' ');
  }
  out += close;
}

void print_line(std::string& out, const Item& item) {
  if (item.shape == Item::Shape::kWord) {
    out += item.name;
    return;
  }
  const auto [open, close] = brackets(item);
  const bool spaced = item.shape == Item::Shape::kStruct;
  out += open;
  const char* separator = spaced ? " " : "";
  for (const Field& part : item.parts) {
    out.append(separator).append(label(part));
    print_line(out, part.value);
    separator = ", ";
  }
  if (spaced) out += ' ';
  out += close;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    out += c;
  }
  return out + '"';
}

template <typename T>
Item number(T value) {
  return word(fmt::format("{}", value));
}
Item ident(std::string_view name) { return tuple("Ident", word(quoted(name))); }
Item flag(bool value) { return word(value ? "true" : "false"); }

std::string_view without_prefix(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// "Add" for kAdd, kSubgroupAdd and kAtomicAdd alike: the original has an enumeration for each.
Item op_name(const Expr& e) {
  static constexpr std::array kEnumerators = {
#define VYRE_OP(enumerator, ...) std::string_view(#enumerator),
#include "vyre/ir/ops.def"
  };
  std::string_view name = kEnumerators[static_cast<size_t>(e.op())].substr(1);
  if (e.info().group == WireGroup::kReduce) name = without_prefix(name, "Subgroup");
  if (e.info().group == WireGroup::kAtomic) name = without_prefix(name, "Atomic");
  if (e.op() == Op::kAtomicNand) name = "FetchNand";
  return word(std::string(name));
}

Item type_name(const DataType& type) {
  static constexpr std::pair<DataType::Kind, std::string_view> kNames[] = {
#define VYRE_DATA_TYPE(name, ...) {DataType::name, #name},
#include "vyre/ir/data_types.def"
  };
  for (const auto& [kind, name] : kNames) {
    if (type == DataType(kind)) return word(std::string(name));
  }
  throw std::logic_error("no recorded text has the type " + type.spelling());
}

Item ordering_name(MemoryOrdering ordering) {
  static constexpr std::array kNames = {"Relaxed", "Acquire", "Release",
                                        "AcqRel",  "SeqCst",  "GridSync"};
  return word(kNames[static_cast<size_t>(ordering)]);
}

Item expression(const Expr& e);

std::vector<Item> expressions(std::span<const Expr> list) {
  std::vector<Item> items;
  for (const Expr& e : list) items.push_back(expression(e));
  return items;
}

// An expression whose fields are its operands.
Item operation(std::string name, std::initializer_list<const char*> labels, const Expr& e,
               Fields first = {}) {
  size_t i = 0;
  for (const char* field : labels) first.push_back({field, expression(e.operand(i++))});
  return structure(std::move(name), std::move(first));
}

Item atomic(const Expr& e) {
  const size_t last = e.operands().size() - 1;
  return structure(
      "Atomic",
      {{"op", op_name(e)},
       {"buffer", ident(e.name())},
       {"index", expression(e.operand(0))},
       {"expected", e.has_expected() ? tuple("Some", expression(e.operand(1))) : word("None")},
       {"value", expression(e.operand(last))},
       {"ordering", ordering_name(e.ordering())}});
}

std::optional<Item> literal(const Expr& e) {
  const auto low = static_cast<uint32_t>(e.bits());
  if (e.op() == Op::kLitU32) return tuple("LitU32", number(low));
  if (e.op() == Op::kLitI32) return tuple("LitI32", number(static_cast<int32_t>(low)));
  if (e.op() == Op::kLitBool) return tuple("LitBool", flag(low != 0));
  if (e.op() == Op::kLitF32) {
    return tuple("LitF32", word(debug_float(std::bit_cast<float>(low))));
  }
  return std::nullopt;
}

Item expression(const Expr& e) {
  const WireGroup group = e.info().group;
  if (group == WireGroup::kBinOp)
    return operation("BinOp", {"left", "right"}, e, {{"op", op_name(e)}});
  if (group == WireGroup::kUnOp) return operation("UnOp", {"operand"}, e, {{"op", op_name(e)}});
  if (group == WireGroup::kReduce) {
    return operation("SubgroupReduce", {"value"}, e, {{"op", op_name(e)}});
  }
  if (group == WireGroup::kAtomic) return atomic(e);
  if (const auto item = literal(e)) return *item;
  const Op op = e.op();
  const std::string name = op_name(e).name;
  if (op == Op::kVar) return tuple("Var", ident(e.name()));
  if (op == Op::kLoad) return operation(name, {"index"}, e, {{"buffer", ident(e.name())}});
  if (op == Op::kBufLen || op == Op::kBufferRef)
    return structure(name, {{"buffer", ident(e.name())}});
  if (e.info().format == OpFormat::kAxis) return structure(name, {{"axis", number(e.bits())}});
  if (e.info().format == OpFormat::kNullary) return word(name);
  if (op == Op::kSelect) return operation(name, {"cond", "true_val", "false_val"}, e);
  if (op == Op::kCast) return operation(name, {"value"}, e, {{"target", type_name(e.type())}});
  if (op == Op::kFma) return operation(name, {"a", "b", "c"}, e);
  if (op == Op::kSubgroupBallot) return operation(name, {"cond"}, e);
  if (op == Op::kSubgroupShuffle) return operation(name, {"value", "lane"}, e);
  if (op == Op::kCallOp) {
    return structure("Call",
                     {{"op_id", ident(e.name())}, {"args", list(expressions(e.operands()))}});
  }
  throw std::logic_error("no recorded text has the expression " + name);
}

Item statement(const Node& n);

Item statements(std::span<const Node> nodes) {
  std::vector<Item> items;
  for (const Node& n : nodes) items.push_back(statement(n));
  return list(std::move(items));
}

Item region(const Node& n) {
  Item source = word("None");
  if (n.source_region()) {
    source = tuple("Some", structure("GeneratorRef", {{"name", word(quoted(*n.source_region()))}}));
  }
  return structure("Region", {{"generator", ident(n.generator())},
                              {"source_region", std::move(source)},
                              {"body", statements(n.body())}});
}

Item collective(const Node& n) {
  static constexpr std::array kOps = {"Sum", "Min", "Max", "BitAnd", "BitOr", "BitXor"};
  const std::string name = n.info().name;
  const Field group{"group", tuple("CommGroup", number(n.group()))};
  if (n.kind() == NodeKind::kBroadcast) {
    return structure(name, {{"buffer", ident(n.buffer())}, {"root", number(n.root())}, group});
  }
  Fields fields{{"input", ident(n.source())}, {"output", ident(n.destination())}};
  if (n.kind() == NodeKind::kReduceScatter) {
    fields.push_back({"op", word(kOps[static_cast<size_t>(n.collective_op()) - 1])});
  } else if (n.kind() != NodeKind::kAllGather) {
    throw std::logic_error("no recorded text has the statement " + name);
  }
  fields.push_back(group);
  return structure(name, std::move(fields));
}

Item statement(const Node& n) {
  const std::string name = n.info().name;
  const auto operand = [&n](size_t i) { return expression(n.operand(i)); };
  if (n.kind() == NodeKind::kLet || n.kind() == NodeKind::kAssign) {
    return structure(name, {{"name", ident(n.name())}, {"value", operand(0)}});
  }
  if (n.kind() == NodeKind::kStore) {
    return structure(name,
                     {{"buffer", ident(n.buffer())}, {"index", operand(0)}, {"value", operand(1)}});
  }
  if (n.kind() == NodeKind::kIf) {
    return structure(name, {{"cond", operand(0)},
                            {"then", statements(n.body(0))},
                            {"otherwise", statements(n.body(1))}});
  }
  if (n.kind() == NodeKind::kLoop) {
    return structure(name, {{"var", ident(n.name())},
                            {"from", operand(0)},
                            {"to", operand(1)},
                            {"body", statements(n.body())}});
  }
  if (n.kind() == NodeKind::kBlock) return tuple(name, statements(n.body()));
  if (n.kind() == NodeKind::kBarrier) {
    return structure(name, {{"ordering", ordering_name(n.ordering())}});
  }
  if (n.kind() == NodeKind::kRegion) return region(n);
  if (n.kind() == NodeKind::kTrap) {
    return structure(name, {{"address", operand(0)}, {"tag", ident(n.tag())}});
  }
  if (n.kind() == NodeKind::kReturn) return word(name);
  if (n.kind() == NodeKind::kAsyncLoad || n.kind() == NodeKind::kAsyncStore) {
    return structure(name, {{"source", ident(n.source())},
                            {"destination", ident(n.destination())},
                            {"offset", operand(0)},
                            {"size", operand(1)},
                            {"tag", ident(n.tag())}});
  }
  if (n.kind() == NodeKind::kAsyncWait || n.kind() == NodeKind::kResume) {
    return structure(name, {{"tag", ident(n.tag())}});
  }
  return collective(n);
}

Item hints_item(const MemoryHints& hints) {
  static constexpr std::array kLocalities = {"Streaming", "Temporal", "Random"};
  return structure(
      "MemoryHints",
      {{"coalesce_axis",
        hints.coalesce_axis ? tuple("Some", number(*hints.coalesce_axis)) : word("None")},
       {"preferred_alignment", number(hints.preferred_alignment)},
       {"cache_locality", word(kLocalities[static_cast<size_t>(hints.cache_locality)])}});
}

Item buffer_item(const BufferDecl& b) {
  static constexpr std::array kAccesses = {"ReadOnly", "ReadWrite", "Uniform", "Workgroup",
                                           "WriteOnly"};
  static constexpr std::array kKinds = {"Global",   "Shared", "Uniform",   "Local",
                                        "Readonly", "Push",   "Persistent"};
  static constexpr std::array kLinear = {"Linear", "Affine", "Relevant", "Unrestricted"};
  if (b.shape_predicate()) throw std::logic_error("no recorded text has a shape predicate");
  Item range = word("None");
  if (const auto& bytes = b.output_byte_range()) {
    range = tuple("Some", word(fmt::format("{}..{}", bytes->begin, bytes->end)));
  }
  return structure("BufferDecl",
                   {{"name", word(quoted(b.name()))},
                    {"binding", number(b.binding())},
                    {"access", word(kAccesses[static_cast<size_t>(b.access())])},
                    {"kind", word(kKinds[static_cast<size_t>(b.kind())])},
                    {"element", type_name(b.element())},
                    {"count", number(b.count().value_or(0))},
                    {"is_output", flag(b.is_output())},
                    {"pipeline_live_out", flag(b.pipeline_live_out())},
                    {"output_byte_range", std::move(range)},
                    {"hints", hints_item(b.hints())},
                    {"bytes_extraction", flag(b.bytes_extraction())},
                    {"linear_type", word(kLinear[static_cast<size_t>(b.linear_type())])},
                    {"shape_predicate", word("None")}});
}

}  // namespace

std::string debug_float(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer{};
  const float magnitude = std::fabs(value);
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                  std::chars_format::scientific)
                        .ptr;
  const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  const int exponent = std::stoi(std::string(text.substr(e + 1)));
  const std::string sign = std::signbit(value) ? "-" : "";
  if (magnitude != 0 && (exponent < -4 || exponent >= 16)) {
    return fmt::format("{}{}{}{}e{}", sign, digits[0], digits.size() > 1 ? "." : "",
                       digits.substr(1), exponent);
  }
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) digits.resize(whole + 1, '0');
  return sign + digits.substr(0, whole) + '.' + digits.substr(whole);
}

std::string debug_text(const Program& program) {
  const Dim3 size = program.workgroup_size();
  std::string out = fmt::format("workgroup_size: [{}, {}, {}]\nbuffers:\n", size.x, size.y, size.z);
  for (const BufferDecl& buffer : program.buffers()) {
    print_lines(out, buffer_item(buffer), 0);
    out += '\n';
  }
  out += "entry:\n";
  for (const Node& node : program.entry()) {
    print_lines(out, statement(node), 0);
    out += '\n';
  }
  return out;
}

std::string debug_text_line(std::span<const Node> nodes) {
  std::string out;
  print_line(out, statements(nodes));
  return out;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/json_program.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

namespace vyre::test {
namespace {

using nlohmann::json;

// The value whose spelling it is.
template <typename Enum>
Enum spelled(const std::string& text, int count) {
  for (int i = 0; i < count; ++i) {
    if (text == spelling(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  throw std::runtime_error("no such word: " + text);
}

uint64_t unsigned_of(const json& text) { return std::stoull(text.get<std::string>(), nullptr, 0); }

// A type's spelling, taken apart from the left.
class TypeReader {
 public:
  explicit TypeReader(std::string text) : text_(std::move(text)) {}

  DataType read() {
    const size_t end = text_.find_first_of("<;>", at_);
    const std::string word = text_.substr(at_, end - at_);
    for (const char* whole : {"vec2<u32>", "vec4<u32>"}) {
      if (text_.compare(at_, 9, whole) == 0) return plain(whole);
    }
    at_ = std::min(end, text_.size());
    if (!take('<')) return plain(word, 0);
    if (take('>')) return without_payload(word);
    if (word == "array") return close(DataType::array(number()));
    if (word == "handle") return close(DataType::handle(number()));
    if (word == "opaque") return close(DataType::opaque(number()));
    if (word == "device_mesh") return close(DataType::device_mesh(shape()));
    const DataType element = read();
    if (word == "sparse_csr") return close(DataType::sparse_csr(element));
    if (word == "sparse_coo") return close(DataType::sparse_coo(element));
    expect(';');
    if (word == "quantized") {
      const DataType::Quantization scale = quantization();
      expect(';');
      return close(DataType::quantized(element, scale, quantization()));
    }
    const std::vector<uint32_t> sizes = shape();
    if (word == "vec") return close(DataType::vec(element, static_cast<uint8_t>(sizes.at(0))));
    if (word == "tensor") return close(DataType::tensor(element, sizes));
    if (word == "sparse_bsr") {
      return close(DataType::sparse_bsr(element, sizes.at(0), sizes.at(1)));
    }
    throw std::runtime_error("no such type: " + text_);
  }

 private:
  DataType plain(const std::string& word, size_t skip = 9) {
    at_ += skip;
    return data_type_from_spelling(word).value();
  }
  // "tensor<>" is the shaped type that lacks its shape, "tensor" the type that has none.
  static DataType without_payload(const std::string& word) {
    return word == "tensor" ? DataType::TensorShaped : data_type_from_spelling(word).value();
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw std::runtime_error("not a type: " + text_);
  }
  DataType close(DataType type) {
    take('B');
    expect('>');
    return type;
  }
  uint32_t number() {
    size_t length = 0;
    const unsigned long value = std::stoul(text_.substr(at_), &length, 0);
    at_ += length;
    return static_cast<uint32_t>(value);
  }
  std::vector<uint32_t> shape() {
    std::vector<uint32_t> sizes;
    if (text_.compare(at_, 4, "none") == 0) {
      at_ += 4;
      return sizes;
    }
    while (at_ < text_.size() && text_[at_] != '>') {
      // "0x3" would be read as one hexadecimal number.
      const size_t end = text_.find_first_of("x>", at_);
      sizes.push_back(static_cast<uint32_t>(std::stoul(text_.substr(at_, end - at_))));
      at_ = end;
      take('x');
    }
    return sizes;
  }
  DataType::Quantization quantization() {
    const size_t end = text_.find_first_of("(;>", at_);
    const std::string word = text_.substr(at_, end - at_);
    at_ = end;
    uint32_t parameter = 0;
    if (take('(')) {
      parameter = number();
      expect(')');
    }
    const std::map<std::string, DataType::Granularity> words{
        {"none", DataType::Granularity::kNone},
        {"per_tensor", DataType::Granularity::kPerTensor},
        {"per_channel", DataType::Granularity::kPerChannel},
        {"per_group", DataType::Granularity::kPerGroup}};
    return {words.at(word), parameter};
  }

  std::string text_;
  size_t at_ = 0;
};

DataType type_of(const json& spelling) { return TypeReader(spelling.get<std::string>()).read(); }

std::string bytes_of(const json& hex) {
  const auto digits = hex.get<std::string>();
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

ShapePredicate predicate_of(const json& terms) {
  std::vector<ShapePredicate> stack;
  const auto pop = [&stack] {
    ShapePredicate last = stack.back();
    stack.pop_back();
    return last;
  };
  for (const json& term : terms) {
    const auto kind = term.at("kind").get<std::string>();
    std::vector<int64_t> values;
    for (const json& value : term.at("values")) {
      values.push_back(std::stoll(value.get<std::string>()));
    }
    const auto value = [&values](size_t i) { return static_cast<uint32_t>(values.at(i)); };
    if (kind == "not") {
      stack.push_back(ShapePredicate::negated(pop()));
    } else if (kind == "and" || kind == "or") {
      const ShapePredicate right = pop();
      const ShapePredicate left = pop();
      stack.push_back(kind == "and" ? ShapePredicate::both(left, right)
                                    : ShapePredicate::either(left, right));
    } else if (kind == "at_least") {
      stack.push_back(ShapePredicate::at_least(value(0)));
    } else if (kind == "at_most") {
      stack.push_back(ShapePredicate::at_most(value(0)));
    } else if (kind == "exactly") {
      stack.push_back(ShapePredicate::exactly(value(0)));
    } else if (kind == "multiple_of") {
      stack.push_back(ShapePredicate::multiple_of(value(0)));
    } else if (kind == "mod_equals") {
      stack.push_back(ShapePredicate::mod_equals(value(0), value(1)));
    } else if (kind == "affine_range") {
      stack.push_back(
          ShapePredicate::affine_range(values.at(0), values.at(1), values.at(2), values.at(3)));
    } else {
      throw std::runtime_error("no such term: " + kind);
    }
  }
  return stack.at(0);
}

BufferDecl buffer_of(const json& j) {
  BufferDecl buffer =
      BufferDecl::storage(j.at("name").get<std::string>(), j.at("binding"),
                          spelled<BufferAccess>(j.at("access"), 5), type_of(j.at("element")))
          .with_kind(spelled<MemoryKind>(j.at("kind"), 7))
          .with_output(j.at("is_output"))
          .with_pipeline_live_out(j.at("pipeline_live_out"))
          .with_bytes_extraction(j.at("bytes_extraction"))
          .with_linear_type(spelled<LinearType>(j.at("linear_type"), 4));
  if (!j.at("count").is_null()) buffer = buffer.with_count(j.at("count"));
  const json& range = j.at("output_byte_range");
  if (!range.is_null()) {
    buffer = buffer.with_output_byte_range({unsigned_of(range[0]), unsigned_of(range[1])});
  }
  const json& hints = j.at("hints");
  MemoryHints memory_hints{std::nullopt, hints.at("preferred_alignment"),
                           spelled<CacheLocality>(hints.at("cache_locality"), 3)};
  if (!hints.at("coalesce_axis").is_null()) memory_hints.coalesce_axis = hints.at("coalesce_axis");
  buffer = buffer.with_hints(memory_hints);
  const json& predicate = j.at("shape_predicate");
  return predicate.is_null() ? buffer : buffer.with_shape_predicate(predicate_of(predicate));
}

template <typename Part>
std::vector<Part> at_indices(const json& indices, const std::vector<Part>& parts) {
  std::vector<Part> result;
  for (const json& index : indices) result.push_back(parts.at(index.get<size_t>()));
  return result;
}

Op op_of(const std::string& name) {
  for (const OpInfo& info : all_ops()) {
    if (name == info.name) return info.op;
  }
  throw std::runtime_error("no such operation: " + name);
}

std::optional<Expr> unary_or_binary(Op op, const std::vector<Expr>& x) {
  switch (op) {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                           \
    return Expr::builder(x.at(0), x.at(1));
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                          \
    return Expr::builder(x.at(0));
#include "vyre/ir/ops.def"
    default:
      return std::nullopt;
  }
}

Expr atomic_of(const json& j, Op op, const std::vector<Expr>& x) {
  const bool has_expected = j.at("has_expected");
  const uint32_t id = op == Op::kAtomicOpaque ? j.at("extension_id").get<uint32_t>() : 0;
  return Expr::atomic(op, j.at("buffer").get<std::string>(), x.at(0),
                      has_expected ? &x.at(1) : nullptr, x.at(has_expected ? 2 : 1),
                      spelled<MemoryOrdering>(j.at("ordering"), 6), id);
}

Expr expression_of(const json& j, const std::vector<Expr>& earlier) {
  const Op op = op_of(j.at("op"));
  const std::vector<Expr> x = at_indices(j.value("operands", json::array()), earlier);
  const auto text = [&j](const char* key) { return j.at(key).get<std::string>(); };
  if (is_literal(op)) {
    return Expr::literal(data_type_from_spelling(op_info(op).mnemonic).value(),
                         unsigned_of(j.at("bits")));
  }
  if (is_atomic(op)) return atomic_of(j, op, x);
  if (op == Op::kVar) return Expr::var(text("name"));
  if (op == Op::kBufLen) return Expr::buf_len(text("buffer"));
  if (op == Op::kBufferRef) return Expr::buffer_ref(text("buffer"));
  if (op == Op::kInvocationId) return Expr::invocation_id(j.at("axis"));
  if (op == Op::kWorkgroupId) return Expr::workgroup_id(j.at("axis"));
  if (op == Op::kLocalId) return Expr::local_id(j.at("axis"));
  if (op == Op::kSubgroupLocalId) return Expr::subgroup_local_id();
  if (op == Op::kSubgroupSize) return Expr::subgroup_size();
  if (op == Op::kLoad) return Expr::load(text("buffer"), x.at(0));
  if (op == Op::kBinOpaque) return Expr::opaque_binary(j.at("extension_id"), x.at(0), x.at(1));
  if (op == Op::kUnOpaque) return Expr::opaque_unary(j.at("extension_id"), x.at(0));
  if (op == Op::kSelect) return Expr::select(x.at(0), x.at(1), x.at(2));
  if (op == Op::kFma) return Expr::fma(x.at(0), x.at(1), x.at(2));
  if (op == Op::kCast) return Expr::cast(type_of(j.at("type")), x.at(0));
  if (op == Op::kBitcast) return Expr::bitcast(type_of(j.at("type")), x.at(0));
  if (op == Op::kCallOp) return Expr::call(text("op_id"), x);
  if (op == Op::kOpaque) return Expr::opaque(text("extension"), bytes_of(j.at("payload")));
  if (op == Op::kSubgroupBallot) return Expr::subgroup_ballot(x.at(0));
  if (op == Op::kSubgroupShuffle) return Expr::subgroup_shuffle(x.at(0), x.at(1));
  return unary_or_binary(op, x).value();
}

CollectiveOp combine_of(const json& j) {
  for (uint8_t i = 1; i <= 6; ++i) {
    const auto op = static_cast<CollectiveOp>(i);
    if (j.at("combine").get<std::string>() == spelling(op)) return op;
  }
  throw std::runtime_error("no such collective");
}

NodeKind kind_of(const std::string& name) {
  for (const NodeInfo& info : all_nodes()) {
    if (name == info.name) return info.kind;
  }
  throw std::runtime_error("no such statement: " + name);
}

Node statement_of(const json& j, const std::vector<Expr>& expressions,
                  const std::vector<Node>& earlier) {
  const std::vector<Expr> x = at_indices(j.value("operands", json::array()), expressions);
  std::vector<std::vector<Node>> bodies;
  for (const json& body : j.value("bodies", json::array())) {
    bodies.push_back(at_indices(body, earlier));
  }
  const auto text = [&j](const char* key) { return j.at(key).get<std::string>(); };
  switch (kind_of(j.at("kind"))) {
    case NodeKind::kLet:
      return Node::let_bind(text("name"), x.at(0));
    case NodeKind::kAssign:
      return Node::assign(text("name"), x.at(0));
    case NodeKind::kStore:
      return Node::store(text("buffer"), x.at(0), x.at(1));
    case NodeKind::kIf:
      return Node::if_then_else(x.at(0), bodies.at(0), bodies.at(1));
    case NodeKind::kLoop:
      return Node::loop_for(text("name"), x.at(0), x.at(1), bodies.at(0));
    case NodeKind::kReturn:
      return Node::return_();
    case NodeKind::kBlock:
      return Node::block(bodies.at(0));
    case NodeKind::kBarrier:
      return Node::barrier_with_ordering(spelled<MemoryOrdering>(j.at("ordering"), 6));
    case NodeKind::kIndirectDispatch:
      return Node::indirect_dispatch(text("buffer"), unsigned_of(j.at("count_offset")));
    case NodeKind::kAsyncLoad:
      return Node::async_load_ext(text("source"), text("destination"), x.at(0), x.at(1),
                                  text("tag"));
    case NodeKind::kAsyncWait:
      return Node::async_wait(text("tag"));
    case NodeKind::kRegion: {
      const json& source = j.at("source_region");
      return Node::region(
          text("generator"),
          source.is_null() ? std::nullopt : std::optional(source.get<std::string>()), bodies.at(0));
    }
    case NodeKind::kAsyncStore:
      return Node::async_store(text("source"), text("destination"), x.at(0), x.at(1), text("tag"));
    case NodeKind::kTrap:
      return Node::trap(x.at(0), text("tag"));
    case NodeKind::kResume:
      return Node::resume(text("tag"));
    case NodeKind::kAllReduce:
      return Node::all_reduce(text("buffer"), combine_of(j), j.at("group"));
    case NodeKind::kAllGather:
      return Node::all_gather(text("source"), text("destination"), j.at("group"));
    case NodeKind::kReduceScatter:
      return Node::reduce_scatter(text("source"), text("destination"), combine_of(j),
                                  j.at("group"));
    case NodeKind::kBroadcast:
      return Node::broadcast(text("buffer"), j.at("root"), j.at("group"));
    case NodeKind::kOpaque:
      return Node::opaque(text("extension"), bytes_of(j.at("payload")));
  }
  throw std::runtime_error("no such statement");
}

Dim3 dimensions_of(const json& j) { return {j.at(0), j.at(1), j.at(2)}; }

}  // namespace

Program program_from_json(const std::string& text) {
  const json j = json::parse(text);
  if (j.at("format") != "vyre-program" || j.at("version") != 1) {
    throw std::runtime_error("another format");
  }
  std::vector<BufferDecl> buffers;
  for (const json& buffer : j.at("buffers")) buffers.push_back(buffer_of(buffer));
  std::vector<Expr> expressions;
  for (const json& expr : j.at("expressions")) {
    expressions.push_back(expression_of(expr, expressions));
  }
  std::vector<Node> statements;
  for (const json& node : j.at("statements")) {
    statements.push_back(statement_of(node, expressions, statements));
  }
  Program program = Program::from_raw_parts(buffers, dimensions_of(j.at("workgroup_size")),
                                            at_indices(j.at("entry"), statements))
                        .with_non_composable_with_self(j.at("non_composable_with_self"));
  const json& id = j.at("entry_op_id");
  if (!id.is_null()) program = program.with_entry_op_id(id.get<std::string>());
  const json& extent = j.at("extent");
  if (!extent.is_null()) program = program.with_extent(dimensions_of(extent));
  if (j.at("hash") != program.hash().to_hex()) throw std::runtime_error("another hash");
  return program;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The part of StatementParser that reads statements without bodies, each from its word on.
#include "vyre/ir/check.h"
#include "vyre/ir/parse_statement.h"
#include "vyre/ir/parse_words.h"

namespace vyre::internal {

std::optional<Node> StatementParser::simple_statement(NodeKind kind) {
  reader_.advance();
  switch (kind) {
    case NodeKind::kLet:
      return let();
    case NodeKind::kReturn:
      return Node::return_(place());
    case NodeKind::kBarrier:
      return barrier();
    case NodeKind::kTrap:
      return trap();
    case NodeKind::kResume:
    case NodeKind::kAsyncWait:
      return tagged(kind);
    case NodeKind::kAsyncLoad:
      return async_load();
    case NodeKind::kAsyncStore:
      return async_store();
    case NodeKind::kIndirectDispatch:
      return indirect_dispatch();
    case NodeKind::kAllReduce:
    case NodeKind::kAllGather:
    case NodeKind::kReduceScatter:
    case NodeKind::kBroadcast:
      return collective(kind);
    case NodeKind::kOpaque:
      return opaque();
    case NodeKind::kAssign:
    case NodeKind::kStore:
    case NodeKind::kIf:
    case NodeKind::kLoop:
    case NodeKind::kBlock:
    case NodeKind::kRegion:
      break;
  }
  VYRE_UNREACHABLE("a statement with a body or without a word");
}

std::optional<Node> StatementParser::let() {
  const std::optional<std::string> name = reader_.name("a variable");
  if (!name ||
      !reader_.expect("=", "after the variable of `let`, which takes the type of its value"))
    return std::nullopt;
  std::optional<Expr> value = expression();
  if (!value) return std::nullopt;
  return Node::let_bind(*name, *std::move(value), place());
}

std::optional<Node> StatementParser::barrier() {
  const std::optional<MemoryOrdering> ordering = read_ordering(reader_);
  if (!ordering) return std::nullopt;
  return Node::barrier_with_ordering(*ordering, place());
}

std::optional<Node> StatementParser::trap() {
  const std::optional<std::string> tag = reader_.string("the trap's tag");
  if (!tag || !reader_.expect("at", "and an address after the tag")) return std::nullopt;
  std::optional<Expr> address = expression();
  if (!address) return std::nullopt;
  return Node::trap(*std::move(address), *tag, place());
}

std::optional<Node> StatementParser::tagged(NodeKind kind) {
  const std::optional<std::string> tag = reader_.string("the tag");
  if (!tag) return std::nullopt;
  return kind == NodeKind::kResume ? Node::resume(*tag, place()) : Node::async_wait(*tag, place());
}

// "t" dst <- src[offset; size]
std::optional<Node> StatementParser::async_load() {
  const std::optional<std::string> tag = reader_.string("the tag");
  if (!tag) return std::nullopt;
  const std::optional<std::string> destination = reader_.name("a buffer");
  if (!destination || !reader_.expect_arrow("<-")) return std::nullopt;
  const std::optional<std::string> source = reader_.name("a buffer");
  if (!source) return std::nullopt;
  const Position bracket = reader_.token().position;
  reader_.set_mode(LexerMode::kSemicolons);
  std::optional<Expr> offset;
  if (reader_.expect("[", "and an offset after the source")) offset = expression();
  reader_.set_mode(LexerMode::kNormal);
  if (!offset || !reader_.expect(";", "and a size after the offset")) return std::nullopt;
  std::optional<Expr> size = expression();
  if (!size || !close_index(bracket)) return std::nullopt;
  return Node::async_load_ext(*source, *destination, *std::move(offset), *std::move(size), *tag,
                              place());
}

// "t" dst[offset] <- src[size]
std::optional<Node> StatementParser::async_store() {
  const std::optional<std::string> tag = reader_.string("the tag");
  if (!tag) return std::nullopt;
  const std::optional<std::string> destination = reader_.name("a buffer");
  if (!destination) return std::nullopt;
  std::optional<Expr> offset = index("and an offset after the destination");
  if (!offset || !reader_.expect_arrow("<-")) return std::nullopt;
  const std::optional<std::string> source = reader_.name("a buffer");
  if (!source) return std::nullopt;
  std::optional<Expr> size = index("and a size after the source");
  if (!size) return std::nullopt;
  return Node::async_store(*source, *destination, *std::move(offset), *std::move(size), *tag,
                           place());
}

std::optional<Node> StatementParser::indirect_dispatch() {
  const std::optional<std::string> buffer = reader_.name("a buffer");
  if (!buffer || !reader_.expect("[", "and an offset after the buffer")) return std::nullopt;
  const std::optional<uint64_t> offset = reader_.u64("an offset in bytes");
  if (!offset || !reader_.expect("]", "after the offset")) return std::nullopt;
  return Node::indirect_dispatch(*buffer, *offset, place());
}

std::optional<uint32_t> StatementParser::numbered(std::string_view word) {
  if (!reader_.expect(word, "and its number")) return std::nullopt;
  return reader_.u32("a number");
}

std::optional<Node> StatementParser::collective(NodeKind kind) {
  const bool combines = kind == NodeKind::kAllReduce || kind == NodeKind::kReduceScatter;
  const bool two_buffers = kind == NodeKind::kAllGather || kind == NodeKind::kReduceScatter;
  std::optional<CollectiveOp> op = CollectiveOp::kSum;
  if (combines) op = read_collective_op(reader_);
  if (!op) return std::nullopt;
  const std::optional<std::string> input = reader_.name("a buffer");
  if (!input) return std::nullopt;
  std::optional<std::string> output = input;
  if (two_buffers) output = reader_.expect_arrow("->") ? reader_.name("a buffer") : std::nullopt;
  if (!output) return std::nullopt;
  std::optional<uint32_t> root = 0;
  if (kind == NodeKind::kBroadcast) root = numbered("root");
  if (!root) return std::nullopt;
  const std::optional<uint32_t> group = numbered("group");
  if (!group) return std::nullopt;
  if (kind == NodeKind::kAllReduce) return Node::all_reduce(*input, *op, *group, place());
  if (kind == NodeKind::kAllGather) return Node::all_gather(*input, *output, *group, place());
  if (kind == NodeKind::kBroadcast) return Node::broadcast(*input, *root, *group, place());
  return Node::reduce_scatter(*input, *output, *op, *group, place());
}

std::optional<Node> StatementParser::opaque() {
  const std::optional<std::string> kind = reader_.string("the kind");
  if (!kind) return std::nullopt;
  std::optional<std::string> payload = reader_.bytes();
  if (!payload) return std::nullopt;
  return Node::opaque(*kind, *std::move(payload), place());
}

}  // namespace vyre::internal

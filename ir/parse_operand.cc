// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The part of ExprParser that reads where an operand is expected: literals, names, and the heads of
// operations up to their first operand.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <unordered_map>

#include "vyre/ir/foreign_words.h"
#include "vyre/ir/names.h"
#include "vyre/ir/number_text.h"
#include "vyre/ir/parse_expr.h"
#include "vyre/ir/parse_type.h"
#include "vyre/ir/parse_words.h"

namespace vyre::internal {
namespace {

struct WordLiteral {
  std::string_view word;
  DataType::Kind type;
  uint64_t bits;
  bool takes_sign;
};
constexpr WordLiteral kWordLiterals[] = {
    {"true", DataType::Bool, 1, false},
    {"false", DataType::Bool, 0, false},
    {"inf", DataType::F32, 0x7F800000, true},
    {"nan", DataType::F32, 0x7FC00000, false},
    {"inf_f64", DataType::F64, 0x7FF0000000000000, true},
    {"nan_f64", DataType::F64, 0x7FF8000000000000, false},
};

const WordLiteral* find_word_literal(const Token& token) {
  if (token.kind != TokenKind::kWord) return nullptr;
  for (const WordLiteral& row : kWordLiterals) {
    if (row.word == token.text) return &row;
  }
  return nullptr;
}

// Operations that start with a word or mark where an operand is expected.
std::optional<Op> operand_op(std::string_view text) {
  static const auto kOps = [] {
    std::unordered_map<std::string_view, Op> ops;
    for (const OpInfo& info : all_ops()) {
      const bool starts = info.format == OpFormat::kBuffer || info.format == OpFormat::kAxis ||
                          info.format == OpFormat::kNullary || info.format >= OpFormat::kPrefix;
      if (starts) ops.emplace(info.mnemonic, info.op);
    }
    return ops;
  }();
  const auto found = kOps.find(text);
  return found == kOps.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string_view> call_words() {
  std::vector<std::string_view> words;
  for (const OpInfo& info : all_ops()) {
    if (info.format >= OpFormat::kCall) words.push_back(info.mnemonic);
  }
  return words;
}

// What to write for a word that is called and no operation.
std::string call_fix(std::string_view word) {
  if (const char* foreign = foreign_fix(ForeignUse::kCall, word)) return foreign;
  const std::string_view type = data_type_from_spelling(word) ? word : foreign_type(word);
  if (!type.empty()) return fmt::format("write cast<{}>(...) to convert a value.", type);
  return write_nearest(word, call_words(),
                       "write an operation of docs/text.md, or call \"an.id\"(...) for one of a "
                       "library.");
}

}  // namespace

// Opens what stands before an operand, and reads the operand.
bool ExprParser::read_operand() {
  bool complete = false;
  while (!complete) {
    if (!read_part(complete)) return false;
  }
  return true;
}

// A leaf, which is complete, or a part in front of an operand.
bool ExprParser::read_part(bool& complete) {
  const Token token = reader_.token();
  switch (token.kind) {
    case TokenKind::kNumber:
      complete = true;
      number(token.position, false);
      return reader_.count_node();
    case TokenKind::kQuoted:
      return read_name(complete);
    case TokenKind::kWord:
      return read_word(complete);
    case TokenKind::kMark:
      break;
    case TokenKind::kEnd:
    case TokenKind::kString:
    case TokenKind::kBytes:
      return no_operand();
  }
  if (token.text == "(") {
    reader_.advance();
    return push({OpenKind::kGroup, Op::kVar, token.position, token.position, operands_.size()});
  }
  if (token.text == "-") return read_minus(complete);
  if (token.text == "~") return open_prefix(Op::kBitNot);
  if (token.text == "&") return read_reference(complete);
  return no_operand();
}

bool ExprParser::no_operand() {
  reader_.unexpected("an expression",
                     "write a literal, a variable, an element of a buffer or an operation.");
  return false;
}

bool ExprParser::open_prefix(Op op) {
  const Position position = reader_.token().position;
  reader_.advance();
  return push({OpenKind::kPrefix, op, position, position});
}

// A minus sign belongs to a number or an infinity behind it.
bool ExprParser::read_minus(bool& complete) {
  const Position position = reader_.token().position;
  reader_.advance();
  const Token& next = reader_.token();
  const WordLiteral* word = find_word_literal(next);
  if (next.kind == TokenKind::kNumber) {
    complete = true;
    number(position, true);
    return reader_.count_node();
  }
  if (word == nullptr || !word->takes_sign) {
    return push({OpenKind::kPrefix, Op::kNegate, position, position});
  }
  complete = true;
  reader_.advance();
  const uint64_t sign = word->type == DataType::F32 ? uint64_t{1} << 31 : uint64_t{1} << 63;
  return push_leaf(Expr::literal(word->type, word->bits | sign, place(position)));
}

// The literal at the current token. A wrong one is reported, and another one stands for it.
void ExprParser::number(Position position, bool negative) {
  std::variant<Literal, SyntaxError> number = read_number(reader_.token().text, negative);
  Literal literal{DataType::U32, 0};
  if (const auto* read = std::get_if<Literal>(&number)) {
    literal = *read;
  } else {
    reader_.fail(position, std::get<SyntaxError>(std::move(number)));
  }
  reader_.advance();
  operands_.push_back(
      {Expr::literal(literal.type, literal.bits, place(position)), OpFormat::kLiteral});
}

bool ExprParser::read_word(bool& complete) {
  const Token token = reader_.token();
  if (const WordLiteral* word = find_word_literal(token)) {
    complete = true;
    reader_.advance();
    return push_leaf(Expr::literal(word->type, word->bits, place(token.position)));
  }
  if (token.text == "f32" || token.text == "f64") {
    complete = true;
    return read_bit_literal(token.text == "f32" ? DataType::F32 : DataType::F64);
  }
  if (!is_reserved_word(token.text)) return read_name(complete);
  if (const std::optional<Op> op = operand_op(token.text)) return read_operation(*op, complete);
  if (token.starts_line) return no_operand();
  if (data_type_from_spelling(token.text)) {
    reader_.fail({"P019", fmt::format("{} is a type, not an operation", quoted(token.text)),
                  call_fix(token.text)});
  } else {
    reader_.reserved_word();
  }
  return false;
}

// f32(0x7f812345)
bool ExprParser::read_bit_literal(DataType::Kind type) {
  const Position position = reader_.token().position;
  const size_t most_digits = type == DataType::F32 ? 8 : 16;
  reader_.advance();
  if (!reader_.expect("(", "after a float's type")) return false;
  const Token& token = reader_.token();
  const bool hexadecimal = token.kind == TokenKind::kNumber && token.text.starts_with("0x");
  if (!hexadecimal) {
    reader_.unexpected("the bits of a float",
                       "write them in hexadecimal, as in f32(0x7fc00001); a conversion of a value "
                       "is written cast<f32>(x).");
    return false;
  }
  const std::optional<uint64_t> bits = read_bits(token.text, most_digits);
  if (!bits) {
    reader_.fail({"P012", fmt::format("{} is not the bits of this float", quoted(token.text)),
                  fmt::format("write 0x and one to {} hexadecimal digits.", most_digits)});
    return false;
  }
  reader_.advance();
  return reader_.expect(")", "after the bits") &&
         push_leaf(Expr::literal(type, *bits, place(position)));
}

// A variable or, up to its index, a load.
bool ExprParser::read_name(bool& complete) {
  const Token token = reader_.token();
  std::optional<std::string> name = reader_.name("a variable");
  if (!name) return false;
  const Position bracket = reader_.token().position;
  if (reader_.at_on_line("[")) {
    reader_.advance();
    heads_.push_back({*std::move(name), DataType(), 0, MemoryOrdering::kSeqCst, {}});
    return push({OpenKind::kLoad, Op::kLoad, token.position, bracket, operands_.size()});
  }
  if (reader_.at_on_line("(")) {
    reader_.fail(token.position, {"P019", fmt::format("{} is no operation", quoted(token.text)),
                                  call_fix(token.text)});
    return false;
  }
  const char* foreign = foreign_fix(ForeignUse::kAxis, token.text);
  if (foreign != nullptr && reader_.at_on_line(".")) {
    reader_.fail(token.position,
                 {"P019", fmt::format("{} is no operation", quoted(token.text)), foreign});
    return false;
  }
  complete = true;
  return push_leaf(Expr::var(*name, place(token.position)));
}

bool ExprParser::read_operation(Op op, bool& complete) {
  const OpFormat format = op_info(op).format;
  const Position position = reader_.token().position;
  if (format == OpFormat::kPrefix) return open_prefix(op);
  if (format == OpFormat::kCast) return open_cast(op, complete);
  if (format == OpFormat::kAtomic) return open_atomic(op);
  if (format == OpFormat::kExtension) return open_extension(op, complete);
  if (format == OpFormat::kCallOp) return open_call(complete);
  if (format == OpFormat::kCall || format == OpFormat::kPrefixMinus) {
    reader_.advance();
    return open_arguments(op, position, complete);
  }
  complete = true;
  if (format == OpFormat::kAxis) return read_axis(op);
  if (format == OpFormat::kBuffer) return read_length();
  if (format == OpFormat::kOpaque) return read_opaque();
  reader_.advance();
  return push_leaf(op == Op::kSubgroupSize ? Expr::subgroup_size(place(position))
                                           : Expr::subgroup_local_id(place(position)));
}

// invocation_id.x, or local_id(7)
bool ExprParser::read_axis(Op op) {
  static constexpr std::string_view kAxes[] = {"x", "y", "z"};
  const Position position = reader_.token().position;
  const char* word = op_info(op).mnemonic;
  reader_.advance();
  uint8_t axis = 0;
  if (reader_.at_on_line("(")) {
    reader_.advance();
    const std::optional<uint64_t> number = reader_.u64("an axis", 255);
    if (!number || !reader_.expect(")", "after the axis")) return false;
    axis = static_cast<uint8_t>(*number);
  } else {
    if (!reader_.expect(".", fmt::format("and an axis after `{}`", word))) return false;
    const std::optional<size_t> which = reader_.one_of("an axis", kAxes);
    if (!which) return false;
    axis = static_cast<uint8_t>(*which);
  }
  if (op == Op::kInvocationId) return push_leaf(Expr::invocation_id(axis, place(position)));
  if (op == Op::kWorkgroupId) return push_leaf(Expr::workgroup_id(axis, place(position)));
  return push_leaf(Expr::local_id(axis, place(position)));
}

// len(q)
bool ExprParser::read_length() {
  const Position position = reader_.token().position;
  reader_.advance();
  if (!reader_.expect("(", "after `len`")) return false;
  const std::optional<std::string> name = reader_.name("a buffer");
  return name && reader_.expect(")", "after the buffer") &&
         push_leaf(Expr::buf_len(*name, place(position)));
}

// &q
bool ExprParser::read_reference(bool& complete) {
  const Position position = reader_.token().position;
  reader_.advance();
  const std::optional<std::string> name = reader_.name("a buffer");
  complete = true;
  return name && push_leaf(Expr::buffer_ref(*name, place(position)));
}

// opaque "kind" x"0a1b"
bool ExprParser::read_opaque() {
  const Position position = reader_.token().position;
  reader_.advance();
  const std::optional<std::string> kind = reader_.string("the kind");
  if (!kind) return false;
  std::optional<std::string> payload = reader_.bytes();
  return payload && push_leaf(Expr::opaque(*kind, *std::move(payload), place(position)));
}

// From the parenthesis on. Without operands the operation is complete.
bool ExprParser::open_arguments(Op op, Position position, bool& complete, Head* head) {
  const Position bracket = reader_.token().position;
  if (reader_.token().starts_line || !reader_.at("(")) {
    reader_.unexpected("`(`", fmt::format("write the operands of `{}` in parentheses, on its line.",
                                          op_info(op).mnemonic));
    return false;
  }
  reader_.advance();
  if (head != nullptr) heads_.push_back(std::move(*head));
  const Open open{OpenKind::kArguments, op, position, bracket, operands_.size()};
  if (reader_.at(")")) {
    reader_.advance();
    complete = true;
    return finish_arguments(open) && reader_.count_node();
  }
  return push(open);
}

// cast<f16>(
bool ExprParser::open_cast(Op op, bool& complete) {
  const Position position = reader_.token().position;
  reader_.advance();
  std::optional<DataType> type =
      read_type(reader_, "<", fmt::format("and a type after `{}`", op_info(op).mnemonic));
  if (!type || !reader_.expect(">", "after the type")) return false;
  Head head{"", *std::move(type), 0, MemoryOrdering::kSeqCst, {}};
  return open_arguments(op, position, complete, &head);
}

// binop<0x80000001>(
bool ExprParser::open_extension(Op op, bool& complete) {
  const Position position = reader_.token().position;
  reader_.advance();
  if (!reader_.expect("<", "and an extension's number after the operation")) return false;
  const std::optional<uint32_t> id = reader_.id("an extension's number");
  if (!id || !reader_.expect(">", "after the number")) return false;
  Head head{"", DataType(), *id, MemoryOrdering::kSeqCst, {}};
  return open_arguments(op, position, complete, &head);
}

// call "op.id"(
bool ExprParser::open_call(bool& complete) {
  const Position position = reader_.token().position;
  reader_.advance();
  std::optional<std::string> id = reader_.string("the operation's id");
  if (!id) return false;
  Head head{*std::move(id), DataType(), 0, MemoryOrdering::kSeqCst, {}};
  return open_arguments(Op::kCallOp, position, complete, &head);
}

// atomic_add<seq_cst>(x[
bool ExprParser::open_atomic(Op op) {
  const Position position = reader_.token().position;
  reader_.advance();
  if (!reader_.expect("<", "and an ordering after an atomic operation")) return false;
  Head head;
  if (op == Op::kAtomicOpaque) {
    const std::optional<uint32_t> id = reader_.id("an extension's number");
    if (!id || !reader_.expect(",", "after the number")) return false;
    head.id = *id;
  }
  const std::optional<MemoryOrdering> ordering = read_ordering(reader_);
  if (!ordering || !reader_.expect(">", "after the ordering")) return false;
  head.ordering = *ordering;
  head.bracket = reader_.token().position;
  if (!reader_.expect("(", "after the ordering")) return false;
  std::optional<std::string> name = reader_.name("a buffer");
  if (!name) return false;
  head.name = *std::move(name);
  const Position bracket = reader_.token().position;
  if (!reader_.expect("[", "and an index after the buffer")) return false;
  heads_.push_back(std::move(head));
  return push({OpenKind::kAtomicIndex, op, position, bracket, operands_.size()});
}

}  // namespace vyre::internal

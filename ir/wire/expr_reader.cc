// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/expr_reader.h"

#include <fmt/format.h>

#include <iterator>

#include "vyre/ir/build_operation.h"
#include "vyre/ir/check.h"
#include "vyre/ir/wire/body_writer.h"
#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/type_codec.h"

namespace vyre::wire {

MemoryOrdering read_ordering(ByteReader& in) {
  const size_t start = in.position();
  const uint8_t tag = in.u8();
  if (tag <= static_cast<uint8_t>(MemoryOrdering::kGridSync)) {
    return static_cast<MemoryOrdering>(tag);
  }
  in.fail_at(start, kTagIsKnown, fmt::format("{:#04x} is not a memory ordering", tag));
  return MemoryOrdering::kSeqCst;
}

Op ExprReader::op_of(WireGroup group, uint8_t tag, size_t position) {
  if (const std::optional<Op> op = op_from_wire(group, tag)) return *op;
  in_.fail_at(position, kTagIsKnown, fmt::format("{:#04x} is not an operation's tag", tag));
  return Op::kLitU32;
}

void ExprReader::read_op(Pending& pending, WireGroup group) {
  const size_t start = in_.position();
  const uint8_t tag = in_.u8();
  pending.op = op_of(group, tag, start);
  if (op_info(pending.op).tag == kOpaqueTag) pending.bits = in_.extension_id();
  pending.wanted = group == WireGroup::kBinOp ? 2 : 1;
  if (group != WireGroup::kAtomic) return;
  pending.ordering = read_ordering(in_);
  pending.name = in_.text();
}

void ExprReader::read_opaque(Pending& pending) {
  pending.name = in_.text();
  pending.payload = in_.take(in_.limited(in_.u32(), kMaxOpaqueBytes, "bytes of a payload"));
  const std::optional<DataType::Kind> literal = literal64_type(pending.name);
  if (!literal || pending.payload.size() != sizeof(uint64_t)) return;
  pending.op = *literal == DataType::U64   ? Op::kLitU64
               : *literal == DataType::I64 ? Op::kLitI64
                                           : Op::kLitF64;
  pending.type = *literal;
  pending.bits = ByteReader(pending.payload).u64();
}

// Fields of the original's own expressions, by how text lays them out.
void ExprReader::read_fields(Pending& pending) {
  switch (op_info(pending.op).format) {
    case OpFormat::kLiteral:
      pending.bits = pending.op == Op::kLitBool ? uint64_t{in_.boolean()} : in_.u32();
      return;
    case OpFormat::kVariable:
    case OpFormat::kBuffer:
      pending.name = in_.text();
      return;
    case OpFormat::kLoad:
      pending.name = in_.text();
      pending.wanted = 1;
      return;
    case OpFormat::kAxis:
      pending.bits = in_.u8();
      return;
    case OpFormat::kCast:
      pending.type = read_type(in_, budget_);
      pending.wanted = 1;
      return;
    case OpFormat::kCallOp:
      pending.name = in_.text();
      pending.wanted = in_.limited(in_.u32(), kMaxArguments, "arguments");
      return;
    case OpFormat::kOpaque:
      return read_opaque(pending);
    case OpFormat::kCall:
      pending.wanted = *internal::plain_operand_count(pending.op);
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
    case OpFormat::kAtomic:
    case OpFormat::kExtension:
      return;
  }
  VYRE_UNREACHABLE("an expression that is not read");
}

ExprReader::Pending ExprReader::read_head() {
  Pending pending;
  pending.first = values_.size();
  const size_t start = in_.position();
  if (budget_ <= 1) in_.fail(kLimitIsKept, "the program has too many statements and expressions");
  --budget_;
  const uint8_t tag = in_.u8();
  if (tag == kBinOpTag) {
    read_op(pending, WireGroup::kBinOp);
  } else if (tag == kUnOpTag) {
    read_op(pending, WireGroup::kUnOp);
  } else if (tag == kReduceTag) {
    read_op(pending, WireGroup::kReduce);
  } else if (tag == kAtomicTag) {
    read_op(pending, WireGroup::kAtomic);
  } else {
    pending.op = op_of(WireGroup::kExpr, tag, start);
    if (in_.ok()) read_fields(pending);
  }
  return pending;
}

bool ExprReader::is_complete(Pending& pending) {
  const size_t present = values_.size() - pending.first;
  if (present < pending.wanted) return false;
  if (!is_atomic(pending.op) || present > 1) return true;
  pending.has_expected = in_.boolean();
  pending.wanted = pending.has_expected ? 3 : 2;
  return false;
}

Expr ExprReader::build_leaf(const Pending& pending) {
  const Place place;
  const auto axis = static_cast<uint8_t>(pending.bits);
  if (pending.op == Op::kLitU32) return Expr::literal(DataType::U32, pending.bits, place);
  if (pending.op == Op::kLitI32) return Expr::literal(DataType::I32, pending.bits, place);
  if (pending.op == Op::kLitBool) return Expr::literal(DataType::Bool, pending.bits, place);
  if (pending.op == Op::kLitF32) return Expr::literal(DataType::F32, pending.bits, place);
  if (pending.op == Op::kVar) return Expr::var(pending.name, place);
  if (pending.op == Op::kBufLen) return Expr::buf_len(pending.name, place);
  if (pending.op == Op::kBufferRef) return Expr::buffer_ref(pending.name, place);
  if (pending.op == Op::kInvocationId) return Expr::invocation_id(axis, place);
  if (pending.op == Op::kWorkgroupId) return Expr::workgroup_id(axis, place);
  if (pending.op == Op::kLocalId) return Expr::local_id(axis, place);
  if (pending.op == Op::kSubgroupLocalId) return Expr::subgroup_local_id(place);
  if (pending.op == Op::kSubgroupSize) return Expr::subgroup_size(place);
  return Expr::literal(pending.type.kind(), pending.bits, place);
}

Expr ExprReader::build(const Pending& pending, std::vector<Expr> operands) {
  const Place place;
  const auto id = static_cast<uint32_t>(pending.bits);
  switch (op_info(pending.op).format) {
    case OpFormat::kLiteral:
    case OpFormat::kVariable:
    case OpFormat::kBuffer:
    case OpFormat::kAxis:
    case OpFormat::kNullary:
      return build_leaf(pending);
    case OpFormat::kOpaque:
      return Expr::opaque(pending.name, std::string(pending.payload), place);
    case OpFormat::kLoad:
      return Expr::load(pending.name, std::move(operands[0]), place);
    case OpFormat::kCast:
      return Expr::cast(pending.type, std::move(operands[0]), place);
    case OpFormat::kExtension:
      if (operands.size() == 1) return Expr::opaque_unary(id, std::move(operands[0]), place);
      return Expr::opaque_binary(id, std::move(operands[0]), std::move(operands[1]), place);
    case OpFormat::kCallOp:
      return Expr::call(pending.name, std::move(operands), place);
    case OpFormat::kAtomic:
      return Expr::atomic(pending.op, pending.name, operands.front(),
                          pending.has_expected ? &operands[1] : nullptr, operands.back(),
                          pending.ordering, id, place);
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
      return internal::build_operation(pending.op, std::move(operands), place);
  }
  VYRE_UNREACHABLE("an expression that is not built");
}

Expr ExprReader::read() {
  do {
    pending_.push_back(read_head());
    while (in_.ok() && !pending_.empty() && is_complete(pending_.back())) {
      const auto first = values_.begin() + static_cast<std::ptrdiff_t>(pending_.back().first);
      std::vector<Expr> operands(std::make_move_iterator(first),
                                 std::make_move_iterator(values_.end()));
      values_.erase(first, values_.end());
      values_.push_back(build(pending_.back(), std::move(operands)));
      pending_.pop_back();
    }
  } while (in_.ok() && !pending_.empty());
  const Expr result = values_.empty() || !in_.ok() ? Expr::u32(0, Place()) : values_.front();
  pending_.clear();
  values_.clear();
  return result;
}

}  // namespace vyre::wire

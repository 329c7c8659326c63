// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/every_construct.h"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace vyre::test {
namespace {

Expr v(const char* name) { return Expr::var(name); }

std::vector<Expr> literals() {
  return {Expr::u32(0),
          Expr::u32(4294967295),
          Expr::i32(std::numeric_limits<int32_t>::min()),
          Expr::u64(std::numeric_limits<uint64_t>::max()),
          Expr::i64(std::numeric_limits<int64_t>::min()),
          Expr::bool_(true),
          Expr::bool_(false),
          Expr::f32(1.5F),
          Expr::f32(-0.0F),
          Expr::literal(DataType::F32, 0x7FC00000),
          Expr::literal(DataType::F32, 0xFF812345),
          Expr::literal(DataType::F32, 0xFF800000),
          Expr::f64(-1e300),
          Expr::literal(DataType::F64, uint64_t{0x7FF0} << 48),
          Expr::literal(DataType::F64, (uint64_t{0x7FF0} << 48) + 1)};
}

// The operation on variables, with each attribute it has.
std::vector<Expr> with_op(Op op) {
  switch (op) {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                           \
    return {Expr::builder(v("a"), v("b"))};
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                          \
    return {Expr::builder(v("a"))};
#include "vyre/ir/ops.def"
    case Op::kLitU32:
    case Op::kLitI32:
    case Op::kLitBool:
    case Op::kLitF32:
    case Op::kLitU64:
    case Op::kLitI64:
    case Op::kLitF64:
      return {};  // see literals()
    case Op::kVar:
      return {v("a"), v("let"), v("a b`\\\n\u00e9"), v("")};
    case Op::kBufLen:
      return {Expr::buf_len("x")};
    case Op::kBufferRef:
      return {Expr::buffer_ref("x")};
    case Op::kInvocationId:
      return {Expr::gid_x(), Expr::gid_y(), Expr::gid_z(), Expr::invocation_id(255)};
    case Op::kWorkgroupId:
      return {Expr::workgroup_x(), Expr::workgroup_id(3)};
    case Op::kLocalId:
      return {Expr::local_z(), Expr::local_id(9)};
    case Op::kSubgroupLocalId:
      return {Expr::subgroup_local_id()};
    case Op::kSubgroupSize:
      return {Expr::subgroup_size()};
    case Op::kLoad:
      return {Expr::load("x", v("a")), Expr::load("no\u202ebuffer", v("a"))};
    case Op::kBinOpaque:
      return {Expr::opaque_binary(0x80000001, v("a"), v("b"))};
    case Op::kUnOpaque:
      return {Expr::opaque_unary(7, v("a"))};
    case Op::kSelect:
      return {Expr::select(v("a"), v("b"), v("c"))};
    case Op::kFma:
      return {Expr::fma(v("a"), v("b"), v("c"))};
    case Op::kCast:
    case Op::kBitcast: {
      std::vector<Expr> casts;
      for (const DataType& type : every_type()) {
        casts.push_back(op == Op::kCast ? Expr::cast(type, v("a")) : Expr::bitcast(type, v("a")));
      }
      return casts;
    }
    case Op::kCallOp:
      return {Expr::call("lib.op", {}), Expr::call("", {v("a"), Expr::buffer_ref("x")})};
    case Op::kOpaque:
      return {Expr::opaque("kind", std::string("\x00\xFF\x0A", 3)), Expr::opaque("", "")};
    case Op::kSubgroupBallot:
      return {Expr::subgroup_ballot(v("a"))};
    case Op::kSubgroupShuffle:
      return {Expr::subgroup_shuffle(v("a"), v("b"))};
    case Op::kAtomicAdd:
    case Op::kAtomicOr:
    case Op::kAtomicAnd:
    case Op::kAtomicXor:
    case Op::kAtomicMin:
    case Op::kAtomicMax:
    case Op::kAtomicExchange:
    case Op::kAtomicCompareExchange:
    case Op::kAtomicCompareExchangeWeak:
    case Op::kAtomicNand:
    case Op::kAtomicLruUpdate:
    case Op::kAtomicOpaque: {
      const Expr expected = v("c");
      const uint32_t id = op == Op::kAtomicOpaque ? 0x80000002 : 0;
      return {
          Expr::atomic(op, "x", v("a"), nullptr, v("b"), MemoryOrdering::kRelaxed, id),
          Expr::atomic(op, "x", v("a"), &expected, v("b"), MemoryOrdering::kSeqCst, id),
          Expr::atomic(op, "x", v("a"), nullptr, v("b"), MemoryOrdering::kAcquire, id),
          Expr::atomic(op, "x", v("a"), nullptr, v("b"), MemoryOrdering::kRelease, id),
          Expr::atomic(op, "x", v("a"), nullptr, v("b"), MemoryOrdering::kAcqRel, id),
          Expr::atomic(op, "x", v("a"), nullptr, v("b"), MemoryOrdering::kGridSync, id),
      };
    }
  }
  return {};
}

}  // namespace

std::vector<DataType> every_type() {
  using Granularity = DataType::Granularity;
  std::vector<DataType> types{
#define VYRE_DATA_TYPE(name, ...) DataType(DataType::name),
#include "vyre/ir/data_types.def"
  };
  const std::vector<DataType> with_payload{
      DataType::array(16),
      DataType::handle(0x2A),
      DataType::vec(DataType::U32, 3),
      DataType::vec(DataType::vec(DataType::F16, 2), 4),
      DataType::tensor(DataType::F32, {2, 3}),
      DataType::tensor(DataType::F32, {}),
      DataType::sparse_csr(DataType::F64),
      DataType::sparse_coo(DataType::vec(DataType::U8, 4)),
      DataType::sparse_bsr(DataType::F32, 4, 8),
      DataType::device_mesh({2, 4}),
      DataType::quantized(DataType::I4, {Granularity::kNone, 0}, {Granularity::kPerTensor, 0}),
      DataType::quantized(DataType::I8, {Granularity::kPerChannel, 1},
                          {Granularity::kPerGroup, 32}),
      DataType::opaque(0x80000001)};
  types.insert(types.end(), with_payload.begin(), with_payload.end());
  return types;
}

std::vector<Expr> every_expression() {
  std::vector<Expr> all = literals();
  for (const OpInfo& info : all_ops()) {
    const std::vector<Expr> some = with_op(info.op);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Node> every_statement() {
  const Node r = Node::return_();
  std::vector<Node> all{
      Node::let_bind("a", 1u),
      Node::assign("a", 2u),
      Node::store("x", v("a"), 1.0F),
      Node::if_then(v("a"), {r}),
      Node::if_then(v("a"), {}),
      Node::if_then_else(v("a"), {r}, {Node::if_then_else(v("b"), {}, {r, r})}),
      Node::loop_for("i", 0u, v("a"), {Node::let_bind("k", v("i")), r}),
      Node::loop_for("i", 0u, 4u, {}),
      Node::forever({r}),
      r,
      Node::block({Node::block({})}),
      Node::region("gen", std::nullopt, {r}),
      Node::region("\"gen\"\n", "parent", {}),
      Node::call("lib.op", {v("a"), v("b")}),
      Node::trap(v("a"), "Fix: \"x\"\u2026\t"),
      Node::resume("tag"),
      Node::async_load_ext("x", "y", v("a"), 64u, "tag"),
      Node::async_load("tag"),
      Node::async_store("x", "y", v("a"), v("b"), "tag"),
      Node::async_wait("tag"),
      Node::indirect_dispatch("x", std::numeric_limits<uint64_t>::max()),
      Node::all_gather("x", "y", 1),
      Node::broadcast("x", 3, 4294967295),
      Node::opaque("kind", std::string("\x00\xFF", 2)),
  };
  for (const auto ordering :
       {MemoryOrdering::kRelaxed, MemoryOrdering::kAcquire, MemoryOrdering::kRelease,
        MemoryOrdering::kAcqRel, MemoryOrdering::kSeqCst, MemoryOrdering::kGridSync}) {
    all.push_back(Node::barrier_with_ordering(ordering));
  }
  for (const auto op : {CollectiveOp::kSum, CollectiveOp::kMin, CollectiveOp::kMax,
                        CollectiveOp::kBitAnd, CollectiveOp::kBitOr, CollectiveOp::kBitXor}) {
    all.push_back(Node::all_reduce("x", op, 2));
    all.push_back(Node::reduce_scatter("x", "y", op, 0));
  }
  return all;
}

std::vector<BufferDecl> every_declaration() {
  using Access = BufferAccess;
  using P = ShapePredicate;
  const auto storage = [](uint32_t binding) {
    return BufferDecl::storage(fmt::format("b{}", binding), binding, Access::kReadWrite,
                               DataType::F32);
  };
  std::vector<BufferDecl> all{
      BufferDecl::read("x", 0, DataType::F32).with_count(0),
      BufferDecl::uniform("y", 4294967295, DataType::U8),
      BufferDecl::output("out", 2, DataType::F64).with_count(4294967295),
      BufferDecl::workgroup("scratch", 8, DataType::F32),
      BufferDecl::local("row", 8, DataType::F32),
      BufferDecl::transient("tmp", 8, DataType::F32),
      BufferDecl::storage("write", 3, Access::kWriteOnly, DataType::BF16),
      storage(4).with_output(true),
      storage(5).with_pipeline_live_out(true),
      storage(6).with_output_byte_range({0, std::numeric_limits<uint64_t>::max()}),
      storage(7).with_hints({std::nullopt, 0, CacheLocality::kStreaming}),
      storage(8).with_hints({uint8_t{0}, 16, CacheLocality::kTemporal}),
      storage(9).with_hints({uint8_t{255}, 4294967295, CacheLocality::kRandom}),
      storage(10).with_bytes_extraction(true),
      storage(11).with_linear_type(LinearType::kLinear),
      storage(12).with_linear_type(LinearType::kAffine),
      storage(13).with_linear_type(LinearType::kRelevant),
      storage(14).with_shape_predicate(
          P::negated(P::both(P::either(P::at_least(8), P::at_most(2)), P::exactly(4)))),
      storage(15).with_shape_predicate(P::both(P::multiple_of(4), P::mod_equals(8, 0))),
      storage(16).with_shape_predicate(P::affine_range(std::numeric_limits<int64_t>::min(), -1, 0,
                                                       std::numeric_limits<int64_t>::max())),
  };
  for (const auto kind :
       {MemoryKind::kGlobal, MemoryKind::kShared, MemoryKind::kUniform, MemoryKind::kLocal,
        MemoryKind::kReadonly, MemoryKind::kPush, MemoryKind::kPersistent}) {
    all.push_back(storage(20 + static_cast<uint32_t>(kind)).with_kind(kind));
  }
  uint32_t binding = 40;
  for (const DataType& type : every_type()) {
    all.push_back(BufferDecl::read(fmt::format("t{}", binding), binding, type));
    ++binding;
  }
  return all;
}

Program every_construct() {
  std::vector<Node> entry = every_statement();
  for (const Expr& expr : every_expression()) entry.push_back(Node::let_bind("e", expr));
  return Program::from_raw_parts(every_declaration(), {64, 2, 4294967295}, std::move(entry))
      .with_extent({0, 1, 4294967295})
      .with_entry_op_id("lib::\u00e9")
      .with_non_composable_with_self(true);
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Everything a program can hold, run or carried, is the same after text.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/text/round_trip.h"
#include "vyre/ir/build_operation.h"

namespace vyre {
namespace {

using test::check_round_trip;

Expr v(std::string_view name) { return Expr::var(name); }

Program with_entry(std::vector<Node> nodes) {
  return Program::from_raw_parts({}, {1, 1, 1}, std::move(nodes));
}
Program program_of(Expr expr) { return with_entry({Node::let_bind("e", std::move(expr))}); }
Program program_of(BufferDecl buffer) {
  return Program::from_raw_parts({std::move(buffer)}, {1, 1, 1}, {Node::return_()});
}

std::vector<std::string> odd_names() {
  std::vector<std::string> names{"",       "a b",    "a\nb",   "`",          "\"",
                                 "\\",     "\\n",    "a.1",    "a.b",        "1a",
                                 "a..b",   ";",      "\t",     "\r",         std::string(1, '\0'),
                                 "\u00E9", "\u200B", "\u202E", "\U0001F600", "count",
                                 "x",      "min.1",  "_",      "-1",         "__forever__",
                                 "vyre",   "entry",  "a.",     "a.1.2",      "0x1",
                                 "\uFEFF", "\u00AD", "{",      "}",          "\x7F"};
  for (const OpInfo& info : all_ops()) names.emplace_back(info.mnemonic);
  for (const NodeInfo& info : all_nodes()) names.emplace_back(info.keyword);
  for (const char* word :
       {"true", "false", "inf", "nan", "inf_f64", "nan_f64", "else", "in", "forever", "program",
        "buffer", "output", "workgroup", "local", "transient", "from", "at", "group", "root"}) {
    names.emplace_back(word);
  }
  return names;
}

// One of each way to write an operation, over the given operands.
std::vector<Expr> each_operation(const Expr& a, const Expr& b, const Expr& c) {
  std::vector<Expr> all;
  for (const OpInfo& info : all_ops()) {
    if (const std::optional<size_t> count = internal::plain_operand_count(info.op)) {
      std::vector<Expr> operands{a, b, c};
      operands.resize(*count, a);
      all.push_back(internal::build_operation(info.op, std::move(operands), Place()));
    }
    if (!is_atomic(info.op)) continue;
    for (int ordering = 0; ordering <= 5; ++ordering) {
      const auto which = static_cast<MemoryOrdering>(ordering);
      all.push_back(Expr::atomic(info.op, "x", a, nullptr, b, which, 0x80000001));
      all.push_back(Expr::atomic(info.op, "x", a, &b, c, which, 7));
    }
  }
  all.push_back(Expr::load("x", a));
  all.push_back(Expr::cast(DataType::F16, a));
  all.push_back(Expr::cast(DataType::sparse_csr(DataType::vec(DataType::F32, 3)), a));
  all.push_back(Expr::bitcast(DataType::U32, a));
  all.push_back(Expr::opaque_binary(0x80000001, a, b));
  all.push_back(Expr::opaque_unary(0, a));
  all.push_back(Expr::call("an.op", {}));
  all.push_back(Expr::call("", {a, b, c, Expr::buffer_ref("let")}));
  return all;
}

std::vector<Expr> leaves() {
  std::vector<Expr> all{v("a"),
                        v("min"),
                        Expr::u32(0),
                        Expr::u32(0xFFFFFFFF),
                        Expr::i32(INT32_MIN),
                        Expr::i32(INT32_MAX),
                        Expr::u64(UINT64_MAX),
                        Expr::i64(INT64_MIN),
                        Expr::i64(-1),
                        Expr::bool_(true),
                        Expr::bool_(false),
                        Expr::f32(-0.0F),
                        Expr::f64(-1e300),
                        Expr::literal(DataType::F32, 0xFF800000),
                        Expr::literal(DataType::F32, 0x7FC00000),
                        Expr::literal(DataType::F32, 0xFFC00001),
                        Expr::literal(DataType::F64, 0x7FF0000000000001),
                        Expr::literal(DataType::F64, 0xFFF0000000000000),
                        Expr::buf_len("x"),
                        Expr::buffer_ref("x"),
                        Expr::subgroup_size(),
                        Expr::subgroup_local_id(),
                        Expr::opaque("kind", ""),
                        Expr::opaque("", std::string("\x00\xFF\"", 3))};
  for (const int axis : {0, 1, 2, 3, 255}) {
    all.push_back(Expr::invocation_id(static_cast<uint8_t>(axis)));
    all.push_back(Expr::workgroup_id(static_cast<uint8_t>(axis)));
    all.push_back(Expr::local_id(static_cast<uint8_t>(axis)));
  }
  return all;
}

TEST_CASE("every operation is the same after text, over every operation as each operand") {
  std::vector<Expr> inner = each_operation(v("a"), v("b"), v("c"));
  for (Expr& leaf : leaves()) inner.push_back(std::move(leaf));
  for (const Expr& a : inner) {
    std::vector<Node> nodes;
    for (const Expr& e : each_operation(a, v("b"), v("c"))) nodes.push_back(Node::let_bind("e", e));
    for (const Expr& e : each_operation(v("a"), a, v("c"))) nodes.push_back(Node::let_bind("e", e));
    for (const Expr& e : each_operation(v("a"), v("b"), a)) nodes.push_back(Node::let_bind("e", e));
    for (const Expr& e : each_operation(a, a, a)) nodes.push_back(Node::let_bind("e", e));
    nodes.push_back(Node::let_bind("e", a));
    check_round_trip(with_entry(std::move(nodes)));
  }
}

TEST_CASE("odd names are the same after text wherever a name or a string stands") {
  for (const std::string& name : odd_names()) {
    INFO(name);
    const Expr e = v(name);
    const std::vector<Node> inner{Node::assign(name, e)};
    check_round_trip(
        Program::from_raw_parts(
            {BufferDecl::output(name, 0, DataType::F32), BufferDecl::local(name, 1, DataType::F32)},
            {2, 3, 4},
            {Node::let_bind(name, Expr::load(name, e + Expr::buf_len(name))),
             Node::store(name, e, Expr::call(name, {Expr::buffer_ref(name)})),
             Node::loop_for(name, e, e, inner), Node::region(name, name, inner),
             Node::trap(e, name), Node::resume(name), Node::async_load_ext(name, name, e, e, name),
             Node::async_store(name, name, e, e, name), Node::async_wait(name),
             Node::indirect_dispatch(name, UINT64_MAX), Node::opaque(name, name),
             Node::all_reduce(name, CollectiveOp::kSum, 1), Node::all_gather(name, name, 0),
             Node::let_bind("a", Expr::opaque(name, name)),
             Node::let_bind("a", Expr::atomic_add(name, e, e))})
            .with_entry_op_id(name)
            .with_extent({1, 2, UINT32_MAX})
            .with_non_composable_with_self(true));
  }
}

TEST_CASE("every statement is the same after text") {
  const Expr e = v("a");
  const Node r = Node::return_();
  const Node i = Node::if_then(e, {});
  std::vector<Node> all{r,
                        Node::block({}),
                        Node::block({r, r}),
                        Node::forever({}),
                        i,
                        Node::forever({r}),
                        Node::loop_for(kForeverVariable, 0u, 5u, {r}),
                        Node::if_then_else(e, {}, {r}),
                        Node::if_then_else(e, {r}, {i}),
                        Node::if_then_else(e, {r}, {i, r}),
                        Node::if_then_else(e, {r}, {r, i}),
                        Node::if_then_else(e, {i}, {Node::if_then_else(e, {}, {i})}),
                        Node::if_then_else(e, {}, {Node::block({i})}),
                        Node::region("", std::nullopt, {}),
                        Node::region("", "", {i}),
                        Node::async_load("t"),
                        Node::call("id", {e, e})};
  for (int ordering = 0; ordering <= 5; ++ordering) {
    all.push_back(Node::barrier_with_ordering(static_cast<MemoryOrdering>(ordering)));
  }
  for (int op = 1; op <= 6; ++op) {
    const auto combine = static_cast<CollectiveOp>(op);
    all.push_back(Node::all_reduce("q", combine, UINT32_MAX));
    all.push_back(Node::reduce_scatter("a", "b", combine, 2));
  }
  all.push_back(Node::broadcast("q", 3, 4));
  // What stands in the brackets of a copy, whose `;` starts no comment.
  for (const Expr& operand : each_operation(e, e, e)) {
    all.push_back(Node::async_load_ext("s", "d", operand, operand, "t"));
    all.push_back(Node::async_store("s", "d", operand, operand, "t"));
    all.push_back(Node::if_then(operand, {Node::loop_for("i", operand, operand, {r})}));
  }
  check_round_trip(with_entry(all));
  for (const Node& node : all) check_round_trip(with_entry({node}));
  check_round_trip(with_entry({}));
  check_round_trip(Program::empty());
}

std::vector<DataType> every_type() {
  std::vector<DataType> types;
#define VYRE_DATA_TYPE(name, ...) types.emplace_back(DataType::name);
#include "vyre/ir/data_types.def"
  using G = DataType::Granularity;
  const std::vector<DataType> plain = types;
  for (const DataType& type : plain) {
    types.push_back(DataType::vec(type, 0));
    types.push_back(DataType::vec(type, 255));
    types.push_back(DataType::tensor(type, {}));
    types.push_back(DataType::tensor(type, {0, 3, UINT32_MAX}));
    types.push_back(DataType::sparse_csr(type));
    types.push_back(DataType::sparse_coo(DataType::sparse_csr(type)));
    types.push_back(DataType::sparse_bsr(type, 4, 0));
    for (const G scale : {G::kNone, G::kPerTensor, G::kPerChannel, G::kPerGroup}) {
      types.push_back(DataType::quantized(type, {scale, 1}, {G::kPerGroup, 32}));
      types.push_back(DataType::quantized(type, {G::kPerChannel, 0}, {scale, UINT32_MAX}));
    }
  }
  types.push_back(DataType::array(0));
  types.push_back(DataType::array(UINT32_MAX));
  types.push_back(DataType::handle(0x2A));
  types.push_back(DataType::opaque(0x80000001));
  types.push_back(DataType::device_mesh({}));
  types.push_back(DataType::device_mesh({2}));
  types.push_back(DataType::device_mesh({0, 4, 1}));
  return types;
}

TEST_CASE("every type is the same after text, in declarations and casts") {
  for (const DataType& type : every_type()) {
    INFO(type.spelling());
    check_round_trip(program_of(BufferDecl::read("x", 0, type)));
    check_round_trip(program_of(Expr::bitcast(type, Expr::cast(type, v("a"))) + v("b")));
  }
}

TEST_CASE("every declaration is the same after text") {
  for (uint8_t access = 0; access <= 4; ++access) {
    for (uint8_t kind = 0; kind <= 6; ++kind) {
      for (int flags = 0; flags < 32; ++flags) {
        BufferDecl decl = BufferDecl::read("x", flags & 1, DataType::U32)
                              .with_access(static_cast<BufferAccess>(access))
                              .with_kind(static_cast<MemoryKind>(kind))
                              .with_output((flags & 2) != 0)
                              .with_pipeline_live_out((flags & 4) != 0);
        if ((flags & 8) != 0) decl = decl.with_count(0);
        if ((flags & 16) != 0) decl = decl.with_bytes_extraction(true);
        check_round_trip(program_of(decl));
      }
    }
  }
}

TEST_CASE("attributes that are carried are the same after text") {
  const BufferDecl x =
      BufferDecl::read_write("x", UINT32_MAX, DataType::F32).with_count(UINT32_MAX);
  check_round_trip(program_of(x));
  check_round_trip(program_of(x.with_output_byte_range({0, 0})));
  check_round_trip(program_of(x.with_output_byte_range({UINT64_MAX, 1})));
  for (const auto axis : {std::optional<uint8_t>(), std::optional<uint8_t>(255)}) {
    for (const uint32_t align : {0U, UINT32_MAX}) {
      for (const auto locality :
           {CacheLocality::kStreaming, CacheLocality::kTemporal, CacheLocality::kRandom}) {
        check_round_trip(program_of(x.with_hints({axis, align, locality})));
      }
    }
  }
  for (uint8_t type = 0; type <= 3; ++type) {
    check_round_trip(program_of(x.with_linear_type(static_cast<LinearType>(type))));
  }
  using P = ShapePredicate;
  const P a = P::at_least(8);
  const P b = P::affine_range(INT64_MIN, INT64_MAX, -1, INT64_MIN);
  const std::vector<P> leaves{a,
                              b,
                              P::at_most(0),
                              P::exactly(UINT32_MAX),
                              P::multiple_of(0),
                              P::mod_equals(4, 3),
                              P::mod_equals(4, 0)};
  std::vector<P> all = leaves;
  for (const P& leaf : leaves) {
    all.push_back(P::negated(leaf));
    all.push_back(P::both(leaf, P::both(a, b)));
    all.push_back(P::both(P::both(a, leaf), b));
    all.push_back(P::both(P::either(a, leaf), b));
    all.push_back(P::either(P::both(a, leaf), b));
    all.push_back(P::either(a, P::either(leaf, b)));
    all.push_back(P::negated(P::both(P::negated(leaf), P::negated(P::negated(b)))));
  }
  for (const P& predicate : all) {
    INFO(predicate.to_string());
    check_round_trip(program_of(x.with_shape_predicate(predicate)));
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/kernel.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace vyre {
namespace {

using namespace literals;

// The statements of a kernel that records well.
std::vector<Node> body_of(const StatusOr<Program>& program) {
  INFO(message_of(program.status()));
  REQUIRE(program.ok());
  REQUIRE(program->entry().size() == 1);
  REQUIRE(program->entry()[0].kind() == NodeKind::kRegion);
  const auto body = program->entry()[0].body();
  return {body.begin(), body.end()};
}

StatusOr<Program> saxpy(uint32_t n, float a) {
  Kernel k("saxpy", {256, 1, 1});
  auto x = k.read<f32>("x", n);
  auto y = k.read_write<f32>("y", n);
  auto i = k.let("i", k.invocation_id());
  k.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  return k.finish({n});
}

TEST_CASE("a recorded saxpy equals the one written by hand") {
  const Expr i = Expr::var("i");
  const Program by_hand =
      Program::wrapped(
          {BufferDecl::read("x", 0, DataType::F32).with_count(1000),
           BufferDecl::read_write("y", 1, DataType::F32).with_count(1000)},
          {256, 1, 1},
          {Node::region(
              "saxpy", std::nullopt,
              {Node::let_bind("i", Expr::invocation_id(0)),
               Node::if_then(Expr::lt(i, 1000u), {Node::store("y", i,
                                                              Expr::f32(2.0f) * Expr::load("x", i) +
                                                                  Expr::load("y", i))})})})
          .with_extent(Dim3{1000, 1, 1});
  const StatusOr<Program> recorded = saxpy(1000, 2);
  REQUIRE(recorded.ok());
  CHECK(*recorded == by_hand);
  CHECK(recorded->hash() == by_hand.hash());
}

StatusOr<Program> row_softmax(uint32_t rows, uint32_t columns) {
  Kernel k("row_softmax", {64, 1, 1});
  auto x = k.read<f32>("x", rows * columns);
  auto y = k.output<f32>("y", rows * columns);
  auto row = k.let("row", k.invocation_id());
  k.if_(row < rows, [&] {
    auto base = k.let("base", row * columns);
    auto top = k.var("top", -std::numeric_limits<float>::infinity());
    k.for_("c", 0, columns, [&](auto c) { top = max(top, x[base + c]); });
    auto sum = k.var("sum", 0.0f);
    k.for_("c", 0, columns, [&](auto c) { sum += exp(x[base + c] - top); });
    k.for_("c", 0, columns, [&](auto c) { y[base + c] = exp(x[base + c] - top) / sum; });
  });
  return k.finish({rows});
}

TEST_CASE("a recorded row softmax equals the one written by hand") {
  const Expr row = Expr::var("row");
  const Expr at = Expr::var("base") + Expr::var("c");
  const Expr x = Expr::load("x", at);
  const Expr top = Expr::var("top");
  const auto loop = [](Node node) { return Node::loop_for("c", 0u, 4u, {std::move(node)}); };
  const Program by_hand =
      Program::wrapped(
          {BufferDecl::read("x", 0, DataType::F32).with_count(12),
           BufferDecl::output("y", 1, DataType::F32).with_count(12)},
          {64, 1, 1},
          {Node::region(
              "row_softmax", std::nullopt,
              {Node::let_bind("row", Expr::invocation_id(0)),
               Node::if_then(
                   Expr::lt(row, 3u),
                   {Node::let_bind("base", row * 4u),
                    Node::let_bind("top", -std::numeric_limits<float>::infinity()),
                    loop(Node::assign("top", Expr::max(top, x))), Node::let_bind("sum", 0.0f),
                    loop(Node::assign("sum", Expr::var("sum") + Expr::exp(x - top))),
                    loop(Node::store("y", at, Expr::exp(x - top) / Expr::var("sum")))})})})
          .with_extent(Dim3{3, 1, 1});
  const StatusOr<Program> recorded = row_softmax(3, 4);
  REQUIRE(recorded.ok());
  CHECK(*recorded == by_hand);
}

StatusOr<Program> tiled_reverse(uint32_t n) {
  Kernel k("tiled_reverse", {32, 1, 1});
  auto in = k.read<u32>("in", n);
  auto out = k.output<u32>("out", n);
  auto tile = k.workgroup<u32>("tile", 32);
  auto lane = k.let("lane", k.local_id());
  auto base = k.let("base", k.workgroup_id() * 32);
  tile[lane] = in[base + lane];
  k.barrier();
  out[base + lane] = tile[31 - lane];
  return k.finish({n});
}

TEST_CASE("a recorded kernel with a tile and a barrier equals the one written by hand") {
  const Expr lane = Expr::var("lane");
  const Expr at = Expr::var("base") + lane;
  const Program by_hand =
      Program::wrapped(
          {BufferDecl::read("in", 0, DataType::U32).with_count(96),
           BufferDecl::output("out", 1, DataType::U32).with_count(96),
           BufferDecl::workgroup("tile", 32, DataType::U32)},
          {32, 1, 1},
          {Node::region("tiled_reverse", std::nullopt,
                        {Node::let_bind("lane", Expr::local_id(0)),
                         Node::let_bind("base", Expr::workgroup_id(0) * 32u),
                         Node::store("tile", lane, Expr::load("in", at)), Node::barrier(),
                         Node::store("out", at, Expr::load("tile", 31_u - lane))})})
          .with_extent(Dim3{96, 1, 1});
  const StatusOr<Program> recorded = tiled_reverse(96);
  REQUIRE(recorded.ok());
  CHECK(*recorded == by_hand);
}

TEST_CASE("every statement of the recorder is the node of the same name") {
  Kernel k("all", {1, 1, 1});
  auto y = k.output<u32>("y", 8);
  auto v = k.var<u32>("v", 1);
  v = 2;
  v += 3;
  auto w = k.var("w", v);
  v = w;  // of one type: an assignment all the same
  y[0] = v;
  y[1] ^= 5;
  k.if_(v == 2, [&] { k.return_(); }).else_([&] { k.trap("bad", v); });
  k.for_("j", 1, v, [&](Val<u32> j) { y[j] = j; });
  k.forever([&] { k.return_(); });
  k.block([&] { k.barrier(MemoryOrdering::kAcqRel); });
  k.region("part", [&] { y[2] = y.size(); });
  k.trap("end");

  const Expr var = Expr::var("v");
  const Body expected{
      Node::let_bind("v", 1u),
      Node::assign("v", 2u),
      Node::assign("v", var + 3u),
      Node::let_bind("w", var),
      Node::assign("v", Expr::var("w")),
      Node::store("y", 0u, var),
      Node::store("y", 1u, Expr::load("y", 1u) ^ 5u),
      Node::if_then_else(Expr::eq(var, 2u), {Node::return_()}, {Node::trap(var, "bad")}),
      Node::loop_for("j", 1u, var, {Node::store("y", Expr::var("j"), Expr::var("j"))}),
      Node::forever({Node::return_()}),
      Node::block({Node::barrier_with_ordering(MemoryOrdering::kAcqRel)}),
      Node::region("part", std::nullopt, {Node::store("y", 2u, Expr::buf_len("y"))}),
      Node::trap(0u, "end")};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("every buffer of the recorder is the declaration of the same name") {
  Kernel k("buffers", {1, 1, 1});
  k.read<f16>("a", 4);
  k.read_write<bf16>("b");
  k.output<f8e4m3>("c", 4);
  k.write<u8>("d", 4);
  k.workgroup<i64>("e", 4);
  k.uniform<bool>("f", 1);
  k.local<f64>("g", 4);
  k.transient<i16>("h", 4);
  k.buffer<u32>(BufferDecl::read("i", 9, DataType::U32));
  k.read<u16>("j", std::vector<int>(3).size());
  const StatusOr<Program> program = k.finish();
  REQUIRE(program.ok());
  const std::vector<BufferDecl> expected{
      BufferDecl::read("a", 0, DataType::F16).with_count(4),
      BufferDecl::read_write("b", 1, DataType::BF16),
      BufferDecl::output("c", 2, DataType::F8E4M3).with_count(4),
      BufferDecl::storage("d", 3, BufferAccess::kWriteOnly, DataType::U8).with_count(4),
      BufferDecl::workgroup("e", 4, DataType::I64),
      BufferDecl::uniform("f", 4, DataType::Bool).with_count(1),
      BufferDecl::local("g", 4, DataType::F64),
      BufferDecl::transient("h", 4, DataType::I16),
      BufferDecl::read("i", 9, DataType::U32),
      BufferDecl::read("j", 10, DataType::U16).with_count(3)};
  CHECK(program->buffers() == expected);
  CHECK_FALSE(program->extent().has_value());
}

template <typename... Tags>
bool names_every_type(const std::vector<DataType::Kind>& kinds) {
  std::vector<DataType::Kind> named{kind_of<Tags>...};
  return std::ranges::is_permutation(named, kinds) &&
         ((value_type_of(kind_of<Tags>) == kind_of<value_of<Tags>>)&&...);
}

TEST_CASE("there is a C++ type for each value and memory type, with the same value type") {
  std::vector<DataType::Kind> kinds;
#define VYRE_DATA_TYPE(name, tag, spelling, size, stride, bits, role) \
  if (DataType::Role::role != DataType::Role::kCarried) kinds.push_back(DataType::name);
#include "vyre/ir/data_types.def"
  CHECK(names_every_type<f32, f64, u32, i32, u64, i64, bool, f16, bf16, f8e4m3, f8e5m2, u8, u16, i8,
                         i16>(kinds));
}

TEST_CASE("a number takes the type of the value next to it") {
  Kernel k("numbers", {1, 1, 1});
  auto f = k.let("f", 1.0f);
  auto d = k.let<f64>("d", 1);
  auto u = k.let("u", 1u);
  auto i = k.let<i32>("i", -1);
  auto l = k.let<i64>("l", 1);
  const Expr fe = Expr::var("f");
  CHECK((f + 2).expr() == fe + 2.0f);
  CHECK((2u * f).expr() == Expr::f32(2) * fe);
  CHECK((f + 0.1).expr() == fe + 0.1f);
  CHECK((f + std::nan("")).expr() == Expr::add(fe, Expr::literal(DataType::F32, 0x7FC00000)));
  CHECK((f + -0.0).expr() == fe + -0.0f);
  CHECK((f * 1e300 * std::numeric_limits<double>::infinity()).expr().op() == Op::kMul);
  CHECK((d + 0.1).expr() == Expr::add(Expr::var("d"), Expr::f64(0.1)));
  CHECK((d + 0.1f).expr() == Expr::add(Expr::var("d"), Expr::f64(0.1f)));
  CHECK((u + 2).expr() == Expr::var("u") + 2u);
  CHECK((u << 3).expr() == (Expr::var("u") << 3u));
  CHECK((i - 2).expr() == Expr::sub(Expr::var("i"), Expr::i32(2)));
  CHECK((l + (int64_t{1} << 40)).expr() == Expr::add(Expr::var("l"), Expr::i64(int64_t{1} << 40)));
  CHECK_FALSE(k.ok());  // 1e300
}

TEST_CASE("functions are the rows of ops.def") {
  Kernel k("functions", {1, 1, 1});
  auto x = k.let("x", 1.0f);
  auto n = k.let("n", 1u);
  auto i = k.let<i32>("i", 1);
  const Expr xe = Expr::var("x");
  const Expr ne = Expr::var("n");
  CHECK(min(x, 0).expr() == Expr::min(xe, 0.0f));
  CHECK(fma(x, 2, x).expr() == Expr::fma(xe, 2.0f, xe));
  CHECK(inverse_sqrt(x).expr() == Expr::inverse_sqrt(xe));
  CHECK(is_nan(x).expr() == Expr::is_nan(xe));
  CHECK(rotate_left(n, 3).expr() == Expr::rotate_left(ne, 3u));
  CHECK((!(n == 1)).expr() == Expr::not_(Expr::eq(ne, 1u)));
  CHECK(and_(n<1, n> 2).expr() == Expr::and_(Expr::lt(ne, 1u), Expr::gt(ne, 2u)));
  CHECK(select(n < 1, x, 0).expr() == Expr::select(Expr::lt(ne, 1u), xe, 0.0f));
  CHECK(select(n < 1, 1.0f, 0.0f).expr() == Expr::select(Expr::lt(ne, 1u), 1.0f, 0.0f));
  CHECK(select<f32>(n < 1, 1, x).expr() == Expr::select(Expr::lt(ne, 1u), 1.0f, xe));
  CHECK(cast<f16>(n).expr() == Expr::cast(DataType::F16, ne));
  CHECK(bitcast<u32>(x).expr() == Expr::bitcast(DataType::U32, xe));
  CHECK((-x).expr() == -xe);
  CHECK((~n).expr() == ~ne);
  static_assert(std::same_as<decltype(cast<f16>(n)), Val<f32>>);
  static_assert(std::same_as<decltype(abs_diff(i, i)), Val<u32>>);
  static_assert(std::same_as<decltype(is_finite(x)), Val<bool>>);
  static_assert(std::same_as<decltype(unpack4_low(i)), Val<u32>>);
}

TEST_CASE("loads of narrow elements give their value type") {
  Kernel k("narrow", {1, 1, 1});
  auto h = k.read_write<f16>("h", 4);
  auto b = k.read_write<i8>("b", 4);
  h[0] = h[1] * 2 + cast<f32>(b[2]);
  b[h.size()] = 3;
  const Expr sum = Expr::load("h", 1u) * 2.0f + Expr::cast(DataType::F32, Expr::load("b", 2u));
  const Body expected{Node::store("h", 0u, sum), Node::store("b", Expr::buf_len("h"), 3_i)};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("an index may have 64 bits") {
  Kernel k("wide", {1, 1, 1});
  auto x = k.read_write<f32>("x");
  auto at = k.let("at", cast<u64>(k.invocation_id()) * 3'000'000'000);
  x[at] = 1;
  CHECK(body_of(k.finish())[1] == Node::store("x", Expr::var("at"), 1.0f));
}

TEST_CASE("names that are live are made unique, names of ended scopes are free again") {
  Kernel k("names", {1, 1, 1});
  auto y = k.output<u32>("y", 8);
  auto i = k.let("i", 0u);
  for (int round = 0; round < 2; ++round) {
    k.block([&] {
      auto inner = k.let("i", 1u);
      k.for_("i", 0, 4, [&](auto j) { y[j] = i + inner; });
    });
  }
  k.block([&] { k.let("t", 1u); });
  k.block([&] { k.let("t", 2u); });
  auto last = k.var("i", 3u);
  CHECK(last.name() == "i.1");

  const Node inner = Node::block(
      {Node::let_bind("i.1", 1u),
       Node::loop_for("i.2", 0u, 4u,
                      {Node::store("y", Expr::var("i.2"), Expr::var("i") + Expr::var("i.1"))})});
  const Body expected{Node::let_bind("i", 0u),
                      inner,
                      inner,
                      Node::block({Node::let_bind("t", 1u)}),
                      Node::block({Node::let_bind("t", 2u)}),
                      Node::let_bind("i.1", 3u)};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("many equal names in one scope take no quadratic time") {
  Kernel k("names", {1, 1, 1});
  for (uint32_t i = 0; i < 100'000; ++i) k.let("t", i);
  CHECK(body_of(k.finish()).back() == Node::let_bind("t.99999", 99'999u));
}

TEST_CASE("atomics are in the program once, used or not") {
  Kernel k("atomics", {1, 1, 1});
  auto c = k.read_write<u32>("c", 4);
  auto y = k.read_write<u32>("y", 4);
  c.atomic_add(0, 1);
  auto ticket = k.let("ticket", c.atomic_add(0, 2));
  auto old = c.atomic_compare_exchange(1, 0, ticket, MemoryOrdering::kAcqRel);
  y[2] = old + old;
  auto& kept = old;
  auto copy = k.let("copy", kept);  // not given away, so its name stays
  y[3] = copy;
  const Expr ticket_name = Expr::var("ticket");
  const Body expected{
      Node::let_bind("old", Expr::atomic_add("c", 0u, 1u)),
      Node::let_bind("ticket", Expr::atomic_add("c", 0u, 2u)),
      Node::let_bind("old.1", Expr::atomic_compare_exchange_ordered("c", 1u, 0u, ticket_name,
                                                                    MemoryOrdering::kAcqRel)),
      Node::store("y", 2u, Expr::var("old.1") + Expr::var("old.1")),
      Node::let_bind("copy", Expr::var("old.1")),
      Node::store("y", 3u, Expr::var("copy"))};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("subgroup operations are bound where they are written") {
  Kernel k("subgroups", {32, 1, 1});
  auto y = k.output<f32>("y", 8);
  auto lane = k.let("lane", k.subgroup_local_id());
  auto total = subgroup_add(cast<f32>(lane));
  auto best = k.let("best", subgroup_max(total));
  auto mask = subgroup_ballot(lane < 3);
  auto next = k.let("next", subgroup_shuffle(best, lane + 1));
  k.if_(mask != 0, [&] { y[0] = total + next; });
  const Expr lane_name = Expr::var("lane");
  const Body expected{
      Node::let_bind("lane", Expr::subgroup_local_id()),
      Node::let_bind("subgroup_add", Expr::subgroup_add(Expr::cast(DataType::F32, lane_name))),
      Node::let_bind("best", Expr::subgroup_max(Expr::var("subgroup_add"))),
      Node::let_bind("subgroup_ballot", Expr::subgroup_ballot(Expr::lt(lane_name, 3u))),
      Node::let_bind("next", Expr::subgroup_shuffle(Expr::var("best"), lane_name + 1u)),
      Node::if_then(Expr::ne(Expr::var("subgroup_ballot"), 0u),
                    {Node::store("y", 0u, Expr::var("subgroup_add") + Expr::var("next"))})};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("statements and expressions made by hand can be taken in") {
  Kernel k("mixed", {1, 1, 1});
  auto y = k.output<u32>("y", 4);
  auto v = k.var("v", 1u);
  k.emit({Node::let_bind("t", Expr::var(v.name()) + 1u), Node::assign(v.name(), 5u)});
  auto t = k.value<u32>(Expr::var("t"));
  auto t2 = k.let("t", t);
  y[0] = t2 + v;
  const Expr t_name = Expr::var("t");
  const Body expected{Node::let_bind("v", 1u), Node::let_bind("t", Expr::var("v") + 1u),
                      Node::assign("v", 5u), Node::let_bind("t.1", t_name),
                      Node::store("y", 0u, Expr::var("t.1") + Expr::var("v"))};
  CHECK(body_of(k.finish()) == expected.nodes());
}

TEST_CASE("variables can be kept in a container, as a tile of accumulators") {
  Kernel k("tile", {1, 1, 1});
  auto y = k.output<f32>("y", 3);
  std::vector<Var<f32>> sums;
  for (int i = 0; i < 3; ++i) sums.push_back(k.var("sum", 0.0f));
  for (size_t i = 0; i < 3; ++i) sums[i] += static_cast<float>(i);
  for (size_t i = 0; i < 3; ++i) y[i] = sums[i];
  CHECK(body_of(k.finish()).back() == Node::store("y", 2u, Expr::var("sum.2")));
}

TEST_CASE("every recorder call notes the line it is written on") {
  Kernel k("places", {1, 1, 1});
  const auto line = static_cast<int>(__LINE__);
  auto x = k.read_write<f32>("x", 4);  // 1
  auto v = k.var("v", 1.0f);           // 2
  v = x[0];                            // 3
  v += 2;                              // 4
  x[1] = v * 3;                        // 5
  k.if_(v < 1,                         // 6
        [&] {
          k.return_();  // 8
        })
      .else_([&] {                     // 10
        k.barrier();                   // 11
      });                              // 12
  k.for_("k", 0, 4, [&](auto at) {     // 13
    x[at] /= 2;                        // 14
  });                                  // 15
  k.trap("t");                         // 16
  k.region("r", [] {});                // 17
  auto c = k.read_write<u32>("c", 1);  // 18
  c.atomic_add(0, 1);                  // 19
  const StatusOr<Program> program = k.finish();
  const std::vector<Node> body = body_of(program);
  const auto at = [&](const Place& place) {
    CHECK(place.file() == "tests/ir/kernel_test.cc");
    return static_cast<int>(place.line()) - line;
  };
  CHECK(at(program->buffers()[0].place()) == 1);
  CHECK(at(program->entry()[0].place()) == -1);
  CHECK(at(body[0].place()) == 2);
  CHECK(at(body[1].place()) == 3);
  CHECK(at(body[1].operand(0).place()) == 3);
  CHECK(at(body[1].operand(0).operand(0).place()) == 3);
  CHECK(at(body[2].place()) == 4);
  CHECK(at(body[2].operand(0).place()) == 4);
  CHECK(at(body[2].operand(0).operand(0).place()) == 4);
  CHECK(at(body[3].place()) == 5);
  CHECK(at(body[3].operand(1).operand(1).place()) == 5);
  CHECK(at(body[4].place()) == 6);
  CHECK(at(body[4].operand(0).place()) == 6);
  CHECK(at(body[4].body(0)[0].place()) == 8);
  CHECK(at(body[4].body(1)[0].place()) == 11);
  CHECK(at(body[5].place()) == 13);
  CHECK(at(body[5].body(0)[0].place()) == 14);
  CHECK(at(body[6].place()) == 16);
  CHECK(at(body[7].place()) == 17);
  CHECK(at(body[8].place()) == 19);
}

TEST_CASE("deep expressions are recorded, checked and freed without recursion") {
  Kernel k("deep", {1, 1, 1});
  auto y = k.output<f32>("y", 1);
  auto v = k.var("v", 1.0f);
  const auto chain = [&](auto self, Val<f32> value, int n) -> Val<f32> {
    return n == 0 ? value : self(self, value + v, n - 1);
  };
  std::vector<Val<f32>> steps{Val<f32>(v)};
  for (int i = 0; i < 200'000; ++i) {
    Val<f32> next = steps.back() + v;
    steps.pop_back();
    steps.push_back(next);
  }
  y[0] = chain(chain, steps.back(), 3);
  CHECK(body_of(k.finish())[1].operand(1).depth() == 200'004);
}

// What C++ refuses. As templates, so that a refusal is an answer and not an error.
template <typename L, typename R>
concept CanAdd = requires(const L& l, const R& r) {
  l + r;
};
template <typename L, typename R>
concept CanCompare = requires(const L& l, const R& r) {
  l < r;
  l == r;
};
template <typename L, typename R>
concept CanAnd = requires(const L& l, const R& r) {
  l&& r;
}
|| requires(const L& l, const R& r) { l || r; };
template <typename L>
concept CanRem = requires(const L& l) {
  l % l;
};
template <typename L>
concept CanExp = requires(const L& l) {
  exp(l);
};
template <typename L>
concept CanNegate = requires(const L& l) {
  -l;
};
template <typename To, typename X>
concept CanBitcast = requires(const X& x) {
  bitcast<To>(x);
};
template <typename C, typename A, typename B>
concept CanSelect = requires(const C& c, const A& a, const B& b) {
  select(c, a, b);
};
template <typename X>
concept CanLet = requires(Kernel& k, X x) {
  k.let("x", x);
};
template <typename T, typename X>
concept CanLetAs = requires(Kernel& k, X x) {
  k.template let<T>("x", x);
};
template <typename X>
concept CanBranch = requires(Kernel& k, X x) {
  k.if_(x, [] {});
};
template <typename B, typename I>
concept CanIndex = requires(const B& b, I i) {
  b[i];
};
template <typename B, typename V>
concept CanStore = requires(const B& b, V v) {
  b[0u] = v;
};
template <typename B>
concept CanCount = requires(const B& b) {
  b.atomic_add(0u, 1u);
};

static_assert(CanAdd<Val<f32>, Val<f32>> && CanAdd<Val<f32>, Var<f32>> &&
              CanAdd<Var<f32>, Element<f32>> && CanAdd<Element<f16>, Element<bf16>>);
static_assert(!CanAdd<Val<f32>, Val<u32>> && !CanAdd<Var<f32>, Element<u32>> &&
              !CanAdd<Val<u32>, Val<u64>> && !CanAdd<Val<u32>, Val<i32>>);
static_assert(CanAdd<Val<f32>, int> && CanAdd<int, Val<f32>> && CanAdd<Val<f32>, double> &&
              CanAdd<Val<f64>, float> && CanAdd<Val<u32>, int> && CanAdd<size_t, Val<u64>>);
static_assert(!CanAdd<Val<u32>, double> && !CanAdd<float, Val<i32>> && !CanAdd<Val<u32>, bool> &&
              !CanAdd<Val<u32>, char> && !CanAdd<Val<bool>, Val<bool>> && !CanAdd<Val<f32>, Expr>);
static_assert(CanCompare<Val<i64>, int> && !CanCompare<Val<f32>, Val<f64>> &&
              !CanCompare<Val<i32>, double> && !CanCompare<Val<bool>, Val<bool>>);
static_assert(!CanAnd<Val<bool>, Val<bool>> && !CanAnd<Val<bool>, Val<u32>> &&
              !CanAnd<Val<bool>, bool> && !CanAnd<Var<bool>, Val<bool>>);
static_assert(CanRem<Val<u32>> && !CanRem<Val<f32>> && CanExp<Val<f64>> && !CanExp<Val<u32>> &&
              CanNegate<Var<i32>> && !CanNegate<Val<bool>>);
static_assert(CanBitcast<u32, Val<f32>> && CanBitcast<f64, Element<i64>> &&
              !CanBitcast<u64, Val<f32>> && !CanBitcast<bool, Val<u32>>);
static_assert(CanSelect<Val<bool>, Val<f32>, int> && CanSelect<Val<bool>, float, float> &&
              !CanSelect<Val<bool>, Val<f32>, Val<u32>> && !CanSelect<Val<bool>, int, int> &&
              !CanSelect<Val<u32>, Val<f32>, Val<f32>>);
static_assert(CanLet<float> && CanLet<uint32_t> && CanLet<Val<i64>> && CanLet<Element<f16>> &&
              !CanLet<int> && !CanLet<double> && !CanLet<bool>);
static_assert(CanLetAs<i32, int> && CanLetAs<f32, double> && CanLetAs<bool, bool> &&
              CanLetAs<f32, Val<f32>> && !CanLetAs<i32, double> && !CanLetAs<f32, Val<u32>> &&
              !CanLetAs<bool, int>);
static_assert(CanBranch<Val<bool>> && CanBranch<bool> && !CanBranch<Val<u32>> && !CanBranch<int>);
static_assert(CanIndex<Buf<f32>, Val<u32>> && CanIndex<Buf<f32>, Val<u64>> &&
              CanIndex<Buf<f32>, Element<u8>> && CanIndex<Buf<f32>, int> &&
              !CanIndex<Buf<f32>, Val<i32>> && !CanIndex<Buf<f32>, float>);
static_assert(CanStore<Buf<f16>, Val<f32>> && CanStore<Buf<f32>, int> &&
              CanStore<Buf<u8>, Val<u32>> && !CanStore<Buf<f32>, Val<f64>> &&
              !CanStore<Buf<i8>, Val<u32>>);
static_assert(CanCount<Buf<u32>> && !CanCount<Buf<i32>> && !CanCount<Buf<f32>>);
// A Val is not assigned, a Var not copied, and neither is a C++ condition.
static_assert(!std::is_copy_assignable_v<Val<f32>> && !std::is_assignable_v<Val<f32>&, float> &&
              std::is_copy_constructible_v<Val<f32>>);
static_assert(std::is_assignable_v<Var<f32>&, const Var<f32>&> &&
              std::is_assignable_v<Var<f32>&, Val<f32>> &&
              !std::is_assignable_v<Var<f32>&, Val<u32>> &&
              !std::is_copy_constructible_v<Var<f32>> && std::is_move_constructible_v<Var<f32>>);
static_assert(!std::is_constructible_v<bool, Val<bool>> && !std::is_convertible_v<Val<bool>, bool>);
static_assert(!std::is_copy_constructible_v<Kernel>);

}  // namespace
}  // namespace vyre

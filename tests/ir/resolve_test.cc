// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/resolve.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace vyre {
namespace {

using namespace literals;

Program with_body(Body body, std::vector<BufferDecl> more = {}) {
  more.push_back(BufferDecl::output("y", 7, DataType::U32).with_count(4));
  more.push_back(BufferDecl::read("x", 8, DataType::F32).with_count(4));
  return Program::wrapped(std::move(more), {4, 1, 1}, std::move(body));
}

// The codes of all diagnostics, joined by spaces.
std::string codes(const Program& program) {
  std::string text;
  for (const Diagnostic& diagnostic : resolve(program).diagnostics) {
    text += (text.empty() ? "" : " ") + diagnostic.code;
  }
  return text;
}
std::string codes(Body body, std::vector<BufferDecl> more = {}) {
  return codes(with_body(std::move(body), std::move(more)));
}
std::string value_codes(Expr value) { return codes({Node::let_bind("v", std::move(value))}); }

TEST_CASE("names are bound by scope: each refusal beside a near miss") {
  const Node a = Node::let_bind("a", 1_u);
  CHECK(codes({a, Node::let_bind("a", 2_u)}) == "V032");
  CHECK(codes({a, Node::block({Node::let_bind("a", 2_u)})}) == "V008");
  CHECK(codes({Node::block({a}), Node::let_bind("a", 2_u)}) == "");
  CHECK(codes({a, Node::loop_for("a", 0u, 1u, {})}) == "V008");
  CHECK(codes({Node::loop_for("a", 0u, 1u, {}), a}) == "");
  CHECK(codes({Node::if_then_else(Expr::bool_(true), {a}, {a})}) == "");
  CHECK(value_codes(Expr::var("a")) == "V066");
  CHECK(codes({Node::block({a}), Node::let_bind("b", Expr::var("a"))}) == "V066");
  CHECK(codes({Node::assign("a", 1_u)}) == "V120");
  CHECK(codes({Node::assign("x", 1_u)}) == "V119");
  CHECK(codes({Node::loop_for("k", 0u, 1u, {Node::assign("k", 0_u)})}) == "V011");
  CHECK(codes({a, Node::assign("a", 1.0f)}) == "V045");
  CHECK(codes({a, Node::assign("a", 2_u)}) == "");
  // Buffers and variables are two name spaces.
  CHECK(codes({Node::let_bind("x", 1_u), Node::store("y", Expr::var("x"), 1u)}) == "");
}

const Node kGridSync = Node::barrier_with_ordering(MemoryOrdering::kGridSync);

TEST_CASE(
    "asynchronous copies name buffers, a writable destination, and integers of 32 or 64 bits") {
  const std::vector<BufferDecl> more{
      BufferDecl::workgroup("w", 4, DataType::U32), BufferDecl::local("l", 4, DataType::U32),
      BufferDecl::transient("t", 4, DataType::U32), BufferDecl::uniform("u", 1, DataType::U32)};
  const auto load = [&](std::string_view source, std::string_view destination) {
    return codes({Node::async_load_ext(source, destination, 0u, Expr::u64(4), "tag")}, more);
  };
  for (const std::string_view destination : {"w", "l", "t", "y"}) {
    CHECK(load("x", destination) == "");
    CHECK(load(destination, destination) == "");
  }
  CHECK(load("w", "x") == "V063");
  CHECK(load("w", "u") == "V063");
  CHECK(load("nowhere", "w") == "V065");
  CHECK(load("x", "nowhere") == "V065");
  CHECK(codes({Node::async_store("x", "u", 0u, 4u, "tag")}, more) == "V063");
  CHECK(codes({Node::async_store("x", "w", 1.0f, 4u, "tag")}, more) == "V133");
  CHECK(codes({Node::async_store("x", "w", 1u, -4_i, "tag")}, more) == "V133");
  // The short form copies between placeholders that a program would have to declare.
  CHECK(codes({Node::async_load("tag")}) == "V065 V065");
}

TEST_CASE("E20: a grid barrier ends the names before it, which may be bound again") {
  const Node a = Node::let_bind("a", 1_u);
  const Node use = Node::store("y", Expr::var("a"), 1u);
  CHECK(codes({a, kGridSync, use}) == "V066");
  CHECK(codes({a, kGridSync, Node::assign("a", 2_u)}) == "V120");
  CHECK(codes({a, kGridSync, a, use}) == "");
  CHECK(codes({kGridSync, a, use, Node::assign("a", 2_u)}) == "");
  // Blocks and regions around it are flattened: the names outside end too, and those bound after
  // it live to the end of their block.
  CHECK(codes({a, Node::block({kGridSync}), use}) == "V066");
  CHECK(codes({a, Node::block({kGridSync, a, use}), use}) == "V066");
  CHECK(codes({a, Node::block({kGridSync, a, use}), a, use}) == "");
  CHECK(codes({Node::block({a, Node::block({a})})}) == "V008");
  CHECK(codes({Node::block({a, Node::region("r", {}, {kGridSync, a}), a, use})}) == "");
  CHECK(codes({Node::block({Node::block({kGridSync, a}), use})}) == "V066");
  CHECK(codes({a, Node::block({Node::block({kGridSync}), a}), use}) == "V066");
  CHECK(codes({a, Node::barrier(), use}) == "");
  // An expression object that is used on both sides means two variables.
  const Expr twice = Expr::var("a") + Expr::var("a");
  const Resolved r = resolve(with_body({a, Node::store("y", 0u, twice), kGridSync,
                                        Node::let_bind("a", -1_i), Node::store("y", 1u, twice)}));
  REQUIRE(r.ok());
  CHECK(r.operands(r.statements[2])[1] != r.operands(r.statements[5])[1]);
}

TEST_CASE("E20: the diagnostic of a name that a grid barrier ended says so") {
  const Resolved r = resolve(with_body(
      {Node::let_bind("a", 1_u), Node::block({kGridSync}), Node::store("y", Expr::var("a"), 1u)}));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK_THAT(r.diagnostics[0].cause, Catch::Contains("`a`") &&
                                         Catch::Contains("the grid barrier at "
                                                         "entry[0].body[1].body[0]") &&
                                         Catch::Contains("resolve_test.cc:"));
  CHECK_THAT(r.diagnostics[0].fix, Catch::Contains("Bind it again") && Catch::Contains("buffer"));
}

TEST_CASE("E20: a grid barrier stands in blocks and regions, not in an if or a loop") {
  CHECK(codes({Node::block({Node::region("r", {}, {kGridSync})})}) == "");
  CHECK(codes({Node::if_then(Expr::bool_(true), {kGridSync})}) == "V010");
  CHECK(codes({Node::if_then_else(Expr::bool_(true), {}, {Node::block({kGridSync})})}) == "V010");
  CHECK(codes({Node::loop_for("k", 0u, 1u, {kGridSync})}) == "V010");
  CHECK(codes({Node::block({Node::forever({Node::block({kGridSync})})})}) == "V010");
  CHECK(codes({Node::if_then(Expr::bool_(true), {Node::barrier()})}) == "");
  // It ends no names there.
  CHECK(codes({Node::let_bind("a", 1_u), Node::loop_for("k", 0u, 1u, {kGridSync}),
               Node::store("y", Expr::var("a"), 1u)}) == "V010");
}

TEST_CASE("buffers are known, writable and of the right type") {
  CHECK(codes({Node::store("z", 0u, 1u)}) == "V064");
  CHECK(codes({Node::store("x", 0u, 1.0f)}) == "V063");
  CHECK(codes({Node::store("y", 0u, 1.0f)}) == "V121");
  CHECK(codes({Node::store("y", 0u, -1_i)}) == "");
  CHECK(codes({Node::store("y", 0u, Expr::bool_(true))}) == "");
  CHECK(codes({Node::store("y", 0.0f, 1u)}) == "V122");
  CHECK(value_codes(Expr::load("z", 0u)) == "V065");
  CHECK(value_codes(Expr::buf_len("z")) == "V067");
  CHECK(value_codes(Expr::buf_len("x")) == "");
  CHECK(value_codes(Expr::buffer_ref("x")) == "V051");
  CHECK(value_codes(Expr::buffer_ref("x") + 1u) == "V051");
}

TEST_CASE("atomics name a read_write u32 buffer in global memory") {
  const std::vector<BufferDecl> more{
      BufferDecl::read_write("i", 0, DataType::I32).with_count(1),
      BufferDecl::workgroup("w", 1, DataType::U32), BufferDecl::transient("t", 1, DataType::U32),
      BufferDecl::storage("o", 1, BufferAccess::kWriteOnly, DataType::U32).with_count(1)};
  const auto atomic_codes = [&](Expr e) { return codes({Node::let_bind("v", e)}, more); };
  CHECK(atomic_codes(Expr::atomic_add("t", 0u, 1u)) == "");
  CHECK(atomic_codes(Expr::atomic_add("y", 0u, 1u)) == "");
  CHECK(atomic_codes(Expr::atomic_add("z", 0u, 1u)) == "V061");
  CHECK(atomic_codes(Expr::atomic_add("x", 0u, 1u)) == "V009");
  CHECK(atomic_codes(Expr::atomic_add("o", 0u, 1u)) == "V009");
  CHECK(atomic_codes(Expr::atomic_add("i", 0u, 1u)) == "V014");
  CHECK(atomic_codes(Expr::atomic_add("w", 0u, 1u)) == "V025");
  CHECK(atomic_codes(Expr::atomic_add("t", 0u, 1.0f)) == "V057");
  CHECK(atomic_codes(Expr::atomic_add("t", 0.0f, 1u)) == "V027");
  CHECK(atomic_codes(Expr::atomic_compare_exchange("t", 0u, 1.0f, 1u)) == "V058");
  CHECK(atomic_codes(Expr::atomic_add_ordered("t", 0u, 1u, MemoryOrdering::kGridSync)) == "V042");
  const Expr one = 1_u;
  CHECK(atomic_codes(Expr::atomic(Op::kAtomicCompareExchange, "t", one, nullptr, one,
                                  MemoryOrdering::kSeqCst)) == "V059");
  CHECK(atomic_codes(Expr::atomic(Op::kAtomicAdd, "t", one, &one, one, MemoryOrdering::kSeqCst)) ==
        "V060");
  // The weak form is carried. It counts as one without an expected value, as in the original.
  CHECK(atomic_codes(Expr::atomic(Op::kAtomicCompareExchangeWeak, "t", one, &one, one,
                                  MemoryOrdering::kSeqCst)) == "V060");
}

TEST_CASE("declarations have sizes, and names and bindings of their own") {
  CHECK(codes(Program::wrapped({}, {1, 0, 1}, {})) == "V106");
  const BufferDecl a = BufferDecl::read("a", 0, DataType::F32);
  CHECK(codes(Program::wrapped({a, a}, {1, 1, 1}, {})) == "V107 V108");
  CHECK(codes(Program::wrapped({a, BufferDecl::read("b", 0, DataType::F32)}, {1, 1, 1}, {})) ==
        "V108");
  CHECK(codes(Program::wrapped({a, BufferDecl::workgroup("w", 0, DataType::F32)}, {1, 1, 1}, {})) ==
        "");
  CHECK(
      codes(Program::wrapped({BufferDecl::storage("w", 0, BufferAccess::kWorkgroup, DataType::F32)},
                             {1, 1, 1}, {})) == "V109");
  CHECK(codes(Program::wrapped({BufferDecl::read("\xFF", 0, DataType::F32)}, {1, 1, 1}, {})) ==
        "V137");
  CHECK(codes({Node::barrier_with_ordering(MemoryOrdering::kRelaxed)}) == "V043");
  CHECK(value_codes(Expr::invocation_id(3)) == "V068");
}

TEST_CASE("a diagnostic names the path, the line, the cause and the fix") {
  const Program p =
      with_body({Node::let_bind("row", 1_u),
                 Node::if_then(Expr::bool_(true),
                               {Node::let_bind("v", Expr::min(1u, Expr::var("rwo") + 1u))})});
  const uint32_t line = __LINE__ - 1;
  const Resolved r = resolve(p);
  REQUIRE(r.diagnostics.size() == 1);
  const Diagnostic& d = r.diagnostics[0];
  CHECK(d.path == "entry[0].body[1].then[0].value.right.left");
  CHECK(d.place.line() == line);
  CHECK_THAT(d.cause, Catch::Contains("`rwo`"));
  CHECK_THAT(d.to_string(), Catch::Contains("error[V066] tests/ir/resolve_test.cc:"));
}

TEST_CASE("an error is reported once, not again by what contains it") {
  CHECK(value_codes(Expr::exp(Expr::var("a") + 1u) * 2.0f) == "V066");
  CHECK(value_codes((1_u + 1.0_f) * 2_u) == "V088");
}

TEST_CASE("a shared expression has one number for each meaning of its names") {
  const Expr i_plus = Expr::var("i") + Expr::var("i");
  const Program p =
      with_body({Node::loop_for("i", 0u, 2u, {Node::store("y", i_plus, i_plus)}),
                 Node::block({Node::let_bind("i", 1.5_f), Node::let_bind("twice", i_plus)})});
  const Resolved r = resolve(p);
  REQUIRE(r.ok());
  std::vector<DataType::Kind> types;
  for (const ResolvedExpr& e : r.expressions) {
    if (e.expr->op() == Op::kAdd) types.push_back(*e.type);
  }
  CHECK(types == std::vector<DataType::Kind>{DataType::U32, DataType::F32});
}

TEST_CASE("statements are numbered in pre-order and name their ranges") {
  const Program p = with_body(
      {Node::if_then_else(Expr::bool_(true), {Node::return_()}, {Node::return_(), Node::return_()}),
       Node::return_()});
  const Resolved r = resolve(p);
  REQUIRE(r.statements.size() == 6);
  CHECK(r.statements[0].end == 6);         // the region
  CHECK(r.statements[1].else_begin == 3);  // the if
  CHECK(r.statements[1].end == 5);
  CHECK(r.path(4) == "entry[0].body[0].otherwise[1]");
  CHECK(r.path(5) == "entry[0].body[1]");
}

TEST_CASE("dead variables' slots are used again") {
  std::vector<Node> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(Node::block({Node::let_bind("a", 1_u), Node::let_bind("b", 2_u)}));
  }
  CHECK(resolve(with_body(blocks)).slot_count == 2);
}

TEST_CASE("deep programs and shared graphs resolve in time that follows their size") {
  Expr chain = Expr::gid_x();
  for (uint32_t i = 0; i < 200'000; ++i) chain = Expr::select(Expr::bool_(true), chain, 1_u);
  Expr doubled = Expr::gid_x();
  for (int i = 0; i < 60; ++i) doubled = doubled + doubled;
  Node nested = Node::return_();
  for (int i = 0; i < 10'000; ++i) nested = Node::block({nested});
  const Resolved r =
      resolve(with_body({Node::let_bind("a", chain), Node::let_bind("b", doubled), nested}));
  CHECK(r.ok());
  CHECK(r.expressions.size() < 1'000'000);
  CHECK(r.path(static_cast<StmtId>(r.statements.size() - 1)).size() < 2000);
}

TEST_CASE("many errors deep inside a program take no quadratic time") {
  std::vector<Node> body;
  for (int i = 0; i < 20'000; ++i) {
    Node loop = Node::loop_for("i", 0u, 1u, body);
    body = {std::move(loop)};
  }
  const Resolved r = resolve(with_body(body));
  CHECK(r.diagnostics.size() == 1000);
  CHECK(r.diagnostics.back().path.size() < 2000);
}

TEST_CASE("a program that is too large as a tree is refused with a diagnostic") {
  Node doubled = Node::return_();
  for (int i = 0; i < 40; ++i) doubled = Node::block({doubled, doubled});
  ResolveLimits limits;
  limits.max_statements = 10'000;
  const Resolved r = resolve(with_body({doubled}), limits);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].code == "V019");
  limits.max_expressions = 10;
  Expr sum = Expr::gid_x();
  for (uint32_t i = 0; i < 20; ++i) sum = sum + i;
  const Resolved s = resolve(with_body({Node::let_bind("a", sum)}), limits);
  REQUIRE(s.diagnostics.size() == 1);
  CHECK_THAT(s.diagnostics[0].fix, Catch::Contains("bind_shared"));
}

TEST_CASE("what is carried is listed apart from errors") {
  const Resolved r = resolve(with_body({Node::let_bind("v", Expr::call("op", {1_u})),
                                        Node::opaque("kind", "bytes"), Node::resume("tag")},
                                       {BufferDecl::read("b", 0, DataType::Tensor)}));
  CHECK(r.ok());
  std::string listed;
  for (const Diagnostic& d : r.carried) listed += d.code + " ";
  CHECK(listed == "V135 V016 V031 V046 ");
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/walk.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace vyre {
namespace {

using namespace literals;

constexpr uint32_t kDeep = 200'000;

Expr shared_chain(uint32_t length) {
  Expr e = Expr::var("x");
  for (uint32_t i = 0; i < length; ++i) e = e + e;
  return e;
}

Node nested_blocks(uint32_t depth, Node innermost) {
  Node node = std::move(innermost);
  for (uint32_t i = 0; i < depth; ++i) node = Node::block({node});
  return node;
}

Node doubled_blocks(uint32_t depth) {
  Node node = Node::assign("x", 1u);
  for (uint32_t i = 0; i < depth; ++i) node = Node::block({node, node});
  return node;
}

TEST_CASE("every distinct expression is visited once, operands first, in order of evaluation") {
  const Expr x = Expr::var("x");
  const Expr sum = x + Expr::var("y");
  const Expr root = Expr::select(Expr::lt(x, sum), sum, Expr::load("q", x));
  std::vector<std::string> names;
  std::set<const void*> seen;
  for_each_expr(root, [&](const Expr& e) {
    for (const Expr& operand : e.operands()) CHECK(seen.contains(operand.identity()));
    CHECK(seen.insert(e.identity()).second);
    names.push_back(std::string(e.info().name) + std::string(e.name()));
  });
  CHECK(names == std::vector<std::string>{"varx", "vary", "add", "lt", "loadq", "select"});
}

TEST_CASE("expressions of statements share one set of visited objects") {
  const Expr x = Expr::var("x");
  const std::vector<Node> body{Node::let_bind("a", x + 1u), Node::block({Node::assign("a", x)})};
  size_t variables = 0;
  for_each_expr(std::span<const Node>(body),
                [&](const Expr& e) { variables += e.op() == Op::kVar; });
  CHECK(variables == 1);
}

TEST_CASE("every occurrence of a statement is visited, before the statements in it") {
  const Node leaf = Node::assign("x", 1u);
  const std::vector<Node> entry{Node::if_then_else(Expr::var("c"), {leaf}, {Node::return_(), leaf}),
                                Node::barrier()};
  std::vector<std::string> names;
  for_each_node(entry, [&](const Node& node) { names.emplace_back(node.info().name); });
  CHECK(names == std::vector<std::string>{"If", "Assign", "Return", "Assign", "Barrier"});
}

TEST_CASE("every distinct statement comes once, bodies first, in post-order") {
  const Node root = doubled_blocks(60);
  CHECK(root.node_count() == (uint64_t{1} << 61) - 1);
  const std::vector<const Node*> order = post_order(std::span(&root, 1));
  REQUIRE(order.size() == 61);
  CHECK(order.front()->kind() == NodeKind::kAssign);
  CHECK(order.back()->same_object(root));
}

TEST_CASE("walks take deep and shared graphs") {
  Expr chain = Expr::var("x");
  for (uint32_t i = 0; i < kDeep; ++i) chain = Expr::negate(chain);
  CHECK(post_order(chain).size() == kDeep + 1);
  CHECK(post_order(shared_chain(1000)).size() == 1001);
  const Node nest = nested_blocks(kDeep, Node::return_());
  size_t count = 0;
  for_each_node(std::span(&nest, 1), [&](const Node&) { ++count; });
  CHECK(count == kDeep + 1);
}

const Rewriter kRenameX{
    .expr = [](const Expr& e) { return e == Expr::var("x") ? Expr::var("z") : e; }, .node = {}};

TEST_CASE("a rewrite without changes keeps identities") {
  const Rewriter nothing{.expr = [](const Expr& e) { return e; },
                         .node = [](const Node& node) { return node; }};
  const Program p = Program::wrapped(
      {}, {}, {Node::if_then(Expr::lt(Expr::var("x"), 8u), {Node::assign("x", Expr::var("y"))})});
  CHECK(rewrite(p, nothing).entry()[0].same_object(p.entry()[0]));
  CHECK(rewrite(p, Rewriter{}).entry()[0].same_object(p.entry()[0]));
  const Expr e = Expr::var("y") + 1u;
  CHECK(rewrite_expr(e, kRenameX).same_object(e));
}

TEST_CASE("a rewrite keeps the identity of what it does not touch") {
  const Node untouched = Node::block({Node::assign("y", 1u)});
  const std::vector<Node> entry{untouched, Node::assign("y", Expr::var("x") + Expr::var("y"))};
  const std::vector<Node> result = rewrite(entry, kRenameX);
  REQUIRE(result.size() == 2);
  CHECK(result[0].same_object(untouched));
  CHECK(result[1] == Node::assign("y", Expr::var("z") + Expr::var("y")));
  CHECK(result[1].operand(0).operand(1).same_object(entry[1].operand(0).operand(1)));
}

TEST_CASE("expressions are rewritten from the bottom up") {
  const Rewriter fold{.expr =
                          [](const Expr& e) {
                            const bool zero = e.op() == Op::kAdd && e.operand(1) == Expr::u32(0);
                            return zero ? e.operand(0) : e;
                          },
                      .node = {}};
  const Expr x = Expr::var("x");
  const Expr result = rewrite_expr(((x + 0u) + (Expr::u32(0) + 0u)), fold);
  CHECK(result.same_object(x));
}

TEST_CASE("an expression callback runs once for each object, and sharing is kept") {
  size_t calls = 0;
  const Rewriter counting{.expr =
                              [&](const Expr& e) {
                                ++calls;
                                return e == Expr::var("x") ? Expr::var("z") : e;
                              },
                          .node = {}};
  const Expr e = shared_chain(100);
  const Expr result = rewrite_expr(e, counting);
  CHECK(calls == 101);
  CHECK(result.operand(0).same_object(result.operand(1)));
  CHECK(post_order(result).size() == 101);
}

TEST_CASE("a statement is replaced by none, one or several") {
  const Rewriter edit{.expr = {}, .node = [](const Node& node) -> Body {
                        if (node.kind() == NodeKind::kReturn) return {};
                        if (node.kind() == NodeKind::kBarrier) return {node, Node::return_()};
                        if (node.kind() == NodeKind::kBlock) {
                          return std::vector<Node>(node.body().begin(), node.body().end());
                        }
                        return node;
                      }};
  const std::vector<Node> entry{
      Node::block({Node::return_(), Node::barrier(), Node::block({Node::assign("x", 1u)})}),
      Node::if_then_else(Expr::var("c"), {Node::return_()}, {Node::barrier()})};
  const std::vector<Node> expected{
      Node::barrier(), Node::return_(), Node::assign("x", 1u),
      Node::if_then_else(Expr::var("c"), {}, {Node::barrier(), Node::return_()})};
  CHECK(equal_bodies(rewrite(entry, edit), expected));
}

TEST_CASE("statement callbacks run per object, or per occurrence when asked") {
  const Node root = doubled_blocks(4);
  size_t calls = 0;
  Rewriter counting{.expr = {}, .node = [&](const Node& node) {
                      ++calls;
                      if (node.kind() != NodeKind::kAssign) return node;
                      return Node::assign("x", Expr::u32(static_cast<uint32_t>(calls)));
                    }};
  const std::vector<Node> shared = rewrite(std::span(&root, 1), counting);
  CHECK(calls == 5);
  CHECK(shared[0].body()[0].same_object(shared[0].body()[1]));

  calls = 0;
  counting.every_occurrence = true;
  const std::vector<Node> copies = rewrite(std::span(&root, 1), counting);
  CHECK(calls == 31);
  CHECK_FALSE(copies[0].body()[0] == copies[0].body()[1]);
}

TEST_CASE("what is new gets the place of what it replaces, all the way down") {
  const Place here = Place::here();
  const std::vector<Node> entry{Node::assign("x", Expr::var("x"), Place::here("user.cc", 7))};
  const Rewriter guard{.expr = {}, .node = [](const Node& node) -> Node {
                         return Node::if_then(Expr::lt(Expr::var("i"), 8u), {node});
                       }};
  const std::vector<Node> result = rewrite(entry, guard);
  CHECK(result[0].place().to_string() == "user.cc:7");
  CHECK(result[0].operand(0).place().to_string() == "user.cc:7");
  CHECK(result[0].operand(0).operand(1).place().to_string() == "user.cc:7");
  CHECK(result[0].body()[0].same_object(entry[0]));

  const Expr named = Expr::add(Expr::var("x", Place::here("user.cc", 1)), Expr::u32(2, here),
                               Place::here("user.cc", 2));
  const Expr renamed = rewrite_expr(named, kRenameX);
  CHECK(renamed.place().to_string() == "user.cc:2");
  CHECK(renamed.operand(0).place().to_string() == "user.cc:1");
  CHECK(renamed.operand(1).same_object(named.operand(1)));
}

TEST_CASE("a place that a pass has marked as copied is kept") {
  const std::vector<Node> entry{Node::return_(Place::here("user.cc", 7))};
  const Rewriter copy{.expr = {}, .node = [](const Node& node) -> Body {
                        return {Node::barrier(Place::here("user.cc", 3).copied_by("unroll")), node};
                      }};
  const std::vector<Node> result = rewrite(entry, copy);
  CHECK(result[0].place().to_string() == "user.cc:3 (copied by unroll)");
  CHECK(result[1].same_object(entry[0]));
}

TEST_CASE("parts of the program that a callback reuses keep their identity") {
  const Expr inner = Expr::var("x") * 2u;
  const std::vector<Node> entry{Node::assign("y", Expr::abs(inner))};
  const Rewriter unwrap{.expr = {}, .node = [](const Node& node) -> Node {
                          return Node::assign("y", node.operand(0).operand(0));
                        }};
  CHECK(rewrite(entry, unwrap)[0].operand(0).same_object(inner));
}

TEST_CASE("a graph that is inserted at many places is placed once") {
  const Expr big = shared_chain(1000);
  std::vector<Node> entry;
  for (int i = 0; i < 1000; ++i) entry.push_back(Node::assign("y", Expr::var("hole")));
  const Rewriter fill{.expr = [&](const Expr& e) { return e == Expr::var("hole") ? big : e; },
                      .node = {}};
  const std::vector<Node> result = rewrite(entry, fill);
  CHECK(result.front().operand(0) == big);
  CHECK(result.front().operand(0).same_object(result.back().operand(0)));
}

TEST_CASE("rewrites take deep and shared graphs") {
  Expr chain = Expr::var("x");
  for (uint32_t i = 0; i < kDeep; ++i) chain = Expr::select(Expr::var("c"), chain, Expr::u32(i));
  CHECK(rewrite_expr(chain, kRenameX).depth() == chain.depth());

  const Node nest = nested_blocks(kDeep, Node::assign("x", Expr::var("x")));
  const Rewriter both{.expr = kRenameX.expr, .node = [](const Node& node) { return node; }};
  CHECK(rewrite(std::span(&nest, 1), both)[0].depth() == kDeep + 1);

  const Node shared = doubled_blocks(60);
  CHECK(rewrite(std::span(&shared, 1), both)[0].same_object(shared));
}

TEST_CASE("a program keeps all but its entry") {
  const Program p = Program::wrapped({BufferDecl::read("q", 0, DataType::F32)}, {64},
                                     {Node::assign("x", Expr::var("x"))})
                        .with_extent(Dim3{8});
  const Program q = rewrite(p, kRenameX);
  CHECK(q.buffers() == p.buffers());
  CHECK(q.extent() == p.extent());
  CHECK(q.entry()[0].body()[0] == Node::assign("x", Expr::var("z")));
}

}  // namespace
}  // namespace vyre

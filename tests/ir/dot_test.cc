// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/dot.h"

#include <catch2/catch.hpp>
#include <string>

namespace vyre {
namespace {

Expr v(const char* name) { return Expr::var(name); }

std::string dot_of(Body entry, const DotOptions& options = {}) {
  const Program p = Program::from_raw_parts(
      {BufferDecl::read("q", 0, DataType::F32).with_count(8),
       BufferDecl::workgroup("s", 4, DataType::F32), BufferDecl::output("y", 1, DataType::F32)},
      {64}, std::move(entry));
  return region_graph_dot(p, options);
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
size_t rows(const std::string& dot) {
  size_t count = 0;
  for (size_t at = dot.find("port=\""); at != std::string::npos; at = dot.find("port=\"", at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("the picture of a small program") {
  const Program p =
      Program::wrapped(
          {BufferDecl::read("q", 0, DataType::F32).with_count(8),
           BufferDecl::output("y", 1, DataType::F32)},
          {64},
          {Node::region("lib::copy", std::nullopt,
                        {Node::loop_for("i", 0u, v("n"),
                                        {Node::store("y", v("i"), Expr::load("q", v("i")))})})})
          .with_extent(Dim3{8});
  CHECK(region_graph_dot(p) == R"(digraph program {
  rankdir=LR; nodesep=0.2; ranksep=0.8; bgcolor=white;
  node [fontname="Helvetica", fontsize=11, shape=plain];
  edge [arrowsize=0.6, penwidth=1.1];
  program [label=<<table border="1" color="#888888" cellborder="0" cellspacing="0" cellpadding="4">
    <tr><td align="left" port="p0" bgcolor="#eeeeee"><b>program</b> workgroup(64, 1, 1) extent(8, 1, 1)</td></tr>
    <tr><td align="left" port="p1">&#160;&#160;&#160;&#160;<b>region</b> copy</td></tr>
    <tr><td align="left" port="p2">&#160;&#160;&#160;&#160;&#160;&#160;&#160;&#160;<b>for</b> i <b>in</b> 0u..n</td></tr>
  </table>>];
  b0 [label=<<table border="1" color="#888888" cellborder="0" cellspacing="0" cellpadding="4" bgcolor="#dcebfa"><tr><td><b>q</b><br/>read f32[8]</td></tr></table>>];
  b1 [label=<<table border="1" color="#888888" cellborder="0" cellspacing="0" cellpadding="4" bgcolor="#fde7d3"><tr><td><b>y</b><br/>output f32[]</td></tr></table>>];
  b0 -> program:p2:w [color="#2b6cb0"];
  program:p2:e -> b1 [color="#c05621"];
}
)");
}

TEST_CASE("a line ends at the innermost part; blocks are not parts") {
  const std::string dot =
      dot_of({Node::let_bind("a", Expr::load("q", 0u)),
              Node::if_then(v("c"), {Node::block({Node::store("s", 0u, 1u)})})});
  CHECK(contains(dot, "b0 -> program:p0:w"));
  CHECK(contains(dot, "program:p1:e -> b1 [color=\"#c05621\"]"));
  CHECK(rows(dot) == 2);
}

TEST_CASE("an else has a row of its own, unless it is empty") {
  const Node store = Node::store("y", 0u, 1u);
  const std::string both = dot_of({Node::if_then_else(v("c"), {}, {store, store}), store});
  CHECK(contains(both, "port=\"p2\">&#160;&#160;&#160;&#160;<b>else</b>"));
  CHECK(contains(both, "program:p2:e -> b2"));
  CHECK(contains(both, "program:p0:e -> b2"));
  CHECK_FALSE(contains(both, "program:p1:e -> b2"));
  CHECK(rows(both) == 3);
  CHECK(rows(dot_of({Node::if_then(v("c"), {store})})) == 2);
}

TEST_CASE("what a part reads and writes is one line, and so are atomics and calls") {
  CHECK(contains(dot_of({Node::store("s", 0u, Expr::load("s", 1u))}),
                 "program:p0:e -> b1 [dir=both, color=\"#6b46c1\"]"));
  CHECK(contains(dot_of({Node::let_bind("x", Expr::atomic_add("s", 0u, 1u))}), "b1 [dir=both"));
  CHECK(contains(dot_of({Node::let_bind("x", Expr::call("op", {Expr::buffer_ref("s")}))}),
                 "b1 [dir=both"));
  const std::string scratch =
      dot_of({Node::store("s", 0u, 1u), Node::forever({Node::let_bind("x", Expr::load("s", 1u))})});
  CHECK(contains(scratch, "program:p1:e -> b1 [dir=back, color=\"#2b6cb0\"]"));
  const std::string copy = dot_of({Node::async_load_ext("q", "s", 0u, 4u, "t")});
  CHECK(contains(copy, "b0 -> program:p0:w"));
  CHECK(contains(copy, "program:p0:e -> b1 [color=\"#c05621\"]"));
}

TEST_CASE("buffers that are not declared, and lengths, give no line") {
  const std::string dot = dot_of({Node::let_bind("x", Expr::load("nowhere", Expr::buf_len("q")))});
  CHECK_FALSE(contains(dot, "->"));
}

TEST_CASE("labels are escaped and cut") {
  const std::string dot = dot_of({Node::region("a<b>&\"\n", std::nullopt, {}),
                                  Node::region(std::string(43, 'x') + "ßß", std::nullopt, {}),
                                  Node::region("\xFF", std::nullopt, {})});
  CHECK(contains(dot, "<b>region</b> a&lt;b&gt;&amp;&quot; <"));
  CHECK(contains(dot, std::string(43, 'x') + "…<"));
  CHECK(contains(dot, "(not UTF-8)"));
}

TEST_CASE("large programs end with a note") {
  std::vector<Node> many(1000, Node::forever({}));
  const std::string dot = dot_of(many);
  CHECK(rows(dot) == 401);
  CHECK(contains(dot, "the rest is not shown"));
  CHECK_FALSE(contains(dot_of({many.front()}), "the rest is not shown"));

  Node shared = Node::block({});
  for (int i = 0; i < 60; ++i) shared = Node::block({shared, shared});
  CHECK(contains(dot_of({shared}, {.max_statements = 1000}), "the rest is not shown"));

  Node nest = Node::return_();
  for (int i = 0; i < 200'000; ++i) nest = Node::if_then_else(v("c"), {}, {nest});
  CHECK(contains(dot_of({nest}), "the rest is not shown"));
  Expr deep = Expr::load("q", 0u);
  for (uint32_t i = 0; i < 200'000; ++i) deep = Expr::negate(deep);
  CHECK(contains(dot_of({Node::let_bind("x", deep)}), "b0 -> program:p0:w"));
}

}  // namespace
}  // namespace vyre

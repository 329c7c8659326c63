// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/every_construct.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/walk.h"
#include "vyre/tools/diff/program_diff.h"

namespace vyre::tools {
namespace {

Expr v(const char* name) { return Expr::var(name); }

Program with_entry(Body entry) { return Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)); }

std::string first(const Program& left, const Program& right) {
  const std::optional<Change> change = first_statement_change(left, right);
  return change ? change->to_string() : "none";
}

std::string first(Body left, Body right) {
  return first(with_entry(std::move(left)), with_entry(std::move(right)));
}

std::vector<std::string> declarations(const Program& left, const Program& right) {
  std::vector<std::string> texts;
  for (const Change& change : declaration_changes(left, right)) texts.push_back(change.to_string());
  return texts;
}

std::string unified(const Program& left, const Program& right, uint32_t context = 3) {
  return unified_diff(left, right, {.context = context}).value();
}

TEST_CASE("the first difference is as small as possible") {
  CHECK(first({Node::let_bind("x", v("a") + 8u)}, {Node::let_bind("x", v("a") + 16u)}) ==
        "entry[0].value.right: 8u -> 16u");
  CHECK(first({Node::let_bind("x", v("a") + 8u)}, {Node::let_bind("x", v("a") - 8u)}) ==
        "entry[0].value: a + 8u -> a - 8u");
  CHECK(first({Node::let_bind("x", 1u)}, {Node::let_bind("y", 1u)}) ==
        "entry[0]: let x = 1u -> let y = 1u");
  CHECK(first({Node::store("x", v("i"), 1u)}, {Node::store("x", v("i"), 2u)}) ==
        "entry[0].value: 1u -> 2u");
  CHECK(first({Node::let_bind("x", Expr::f32(0.0F))}, {Node::let_bind("x", Expr::f32(-0.0F))}) ==
        "entry[0].value: 0.0 -> -0.0");
  CHECK(first({Node::let_bind("x", Expr::call("f", {v("a")}))},
              {Node::let_bind("x", Expr::call("f", {v("a"), v("b")}))}) ==
        "entry[0].value: call \"f\"(a) -> call \"f\"(a, b)");
  CHECK(first({Node::return_()}, {Node::return_()}) == "none");
}

TEST_CASE("the first difference is found in bodies, and before them") {
  const Node r = Node::return_();
  CHECK(first({r, Node::if_then_else(v("c"), {r}, {r, Node::let_bind("x", 1u)})},
              {r, Node::if_then_else(v("c"), {r}, {r, Node::let_bind("x", 2u)})}) ==
        "entry[1].otherwise[1].value: 1u -> 2u");
  CHECK(first({Node::if_then_else(v("c"), {r}, {})}, {Node::if_then_else(v("c"), {}, {r})}) ==
        "entry[0].then[0]: return -> nothing");
  CHECK(first({Node::loop_for("i", 0u, 4u, {r})}, {Node::loop_for("i", 0u, 8u, {})}) ==
        "entry[0].to: 4u -> 8u");
  CHECK(first({Node::region("a", "p", {r})}, {Node::region("a", std::nullopt, {})}) ==
        "entry[0]: region \"a\" from \"p\" -> region \"a\"");
  CHECK(first({r}, {r, Node::block({r})}) == "entry[1]: nothing -> block");
}

TEST_CASE("values that are long are cut, between characters") {
  Expr sum = Expr::load("\u00e9t\u00e9", v("i"));
  for (int i = 0; i < 200; ++i) sum = sum + Expr::load("\u00e9t\u00e9", v("i"));
  const std::string text = first({Node::let_bind("x", sum)}, {Node::let_bind("x", 1u)});
  CHECK(text.size() < 250);
  CHECK(text.ends_with("… -> 1u"));
  for (int i = 0; i < 100; ++i) sum = sum + sum;
  CHECK(first({Node::let_bind("x", sum)}, {Node::let_bind("x", 1u)}) == "entry[0].value: … -> 1u");
}

TEST_CASE("each thing that a declaration says is named") {
  const BufferDecl b = BufferDecl::read_write("b", 1, DataType::F32).with_count(8);
  const auto of_buffer = [&b](const BufferDecl& other) {
    return declarations(Program::wrapped({b}, {1, 1, 1}, {}),
                        Program::wrapped({other}, {1, 1, 1}, {}));
  };
  using Texts = std::vector<std::string>;
  CHECK(of_buffer(b).empty());
  CHECK(of_buffer(b.with_count(9)) == Texts{"buffer b: count: 8 -> 9"});
  CHECK(of_buffer(BufferDecl::read_write("b", 1, DataType::F32)) ==
        Texts{"buffer b: count: 8 -> as bound"});
  CHECK(of_buffer(BufferDecl::read_write("b", 2, DataType::F64).with_count(8)) ==
        Texts{"buffer b: element: f32 -> f64", "buffer b: binding: 1 -> 2"});
  CHECK(of_buffer(b.with_access(BufferAccess::kReadOnly)) ==
        Texts{"buffer b: access: read_write -> read"});
  CHECK(of_buffer(b.with_kind(MemoryKind::kPush)) == Texts{"buffer b: kind: global -> push"});
  CHECK(of_buffer(b.with_output(true)) == Texts{"buffer b: output: false -> true"});
  CHECK(of_buffer(b.with_pipeline_live_out(true)) == Texts{"buffer b: live out: false -> true"});
  CHECK(of_buffer(b.with_output_byte_range({4, 8})) ==
        Texts{"buffer b: returned bytes: all -> 4..8"});
  CHECK(of_buffer(b.with_hints({uint8_t{1}, 16, CacheLocality::kRandom})) ==
        Texts{"buffer b: hints: axis=none, align=0, temporal -> axis=1, align=16, random"});
  CHECK(of_buffer(b.with_bytes_extraction(true)) == Texts{"buffer b: extraction: false -> true"});
  CHECK(of_buffer(b.with_linear_type(LinearType::kAffine)) ==
        Texts{"buffer b: linear type: unrestricted -> affine"});
  CHECK(of_buffer(b.with_shape_predicate(ShapePredicate::multiple_of(4))) ==
        Texts{"buffer b: shape: nothing -> count % 4 == 0"});
}

TEST_CASE("buffers are matched by name, and their order counts") {
  const BufferDecl a = BufferDecl::read("a", 0, DataType::F32);
  const BufferDecl b = BufferDecl::read("b", 1, DataType::F32);
  const BufferDecl evil = BufferDecl::read("\x1B[2J", 2, DataType::F32);
  const auto of = [](std::vector<BufferDecl> left, std::vector<BufferDecl> right) {
    return declarations(Program::wrapped(std::move(left), {1, 1, 1}, {}),
                        Program::wrapped(std::move(right), {1, 1, 1}, {}));
  };
  using Texts = std::vector<std::string>;
  CHECK(of({a, b}, {b, a}) == Texts{"order of buffers: a, b -> b, a"});
  CHECK(of({a}, {a, b}) == Texts{"buffer b: nothing -> buffer b: f32[] read binding(1)"});
  CHECK(of({a, b}, {b}) == Texts{"buffer a: buffer a: f32[] read binding(0) -> nothing"});
  CHECK(of({a}, {a, a}) == Texts{"buffer a: nothing -> buffer a: f32[] read binding(0)"});
  CHECK(of({}, {evil}) == Texts{"buffer `\\u{1b}[2J`: nothing -> buffer `\\u{1b}[2J`: f32[] read "
                                "binding(2)"});
}

TEST_CASE("what the program line says is named") {
  const Program p = with_entry({});
  using Texts = std::vector<std::string>;
  CHECK(declarations(p, p).empty());
  CHECK(declarations(p, p.with_workgroup_size({2, 1, 1})) ==
        Texts{"workgroup: (1, 1, 1) -> (2, 1, 1)"});
  CHECK(declarations(p, p.with_extent({8, 1, 1})) == Texts{"extent: nothing -> (8, 1, 1)"});
  CHECK(declarations(p, p.with_entry_op_id("x y")) == Texts{"entry: nothing -> `x y`"});
  CHECK(declarations(p, p.with_non_composable_with_self(true)) ==
        Texts{"self_exclusive: false -> true"});
}

TEST_CASE("lines are shown with context, paths, and the operand that differs") {
  const auto program = [](uint32_t bound, bool extra) {
    std::vector<Node> body{Node::let_bind("a", 1u), Node::let_bind("b", 2u)};
    if (extra) body.push_back(Node::let_bind("c", 3u));
    body.push_back(Node::loop_for("k", 0u, bound, {Node::let_bind("d", 4u)}));
    return Program::wrapped({BufferDecl::read("x", 0, DataType::F32)}, {1, 1, 1}, body);
  };
  CHECK(unified(program(4, false), program(8, true), 1) ==
        "--- a\n"
        "+++ b\n"
        "@@ -7,3 +7,4 @@ entry[0].body[2]\n"
        "     let b = 2u\n"
        "-    for k in 0u..4u {\n"
        "+    let c = 3u\n"
        "+    for k in 0u..8u {\n"
        "       let d = 4u\n");
  CHECK(unified(program(4, false), program(8, false), 0) ==
        "--- a\n"
        "+++ b\n"
        "@@ -8,1 +8,1 @@ entry[0].body[2]\n"
        "-    for k in 0u..4u {\n"
        "+    for k in 0u..8u {  ; .to: 4u -> 8u\n");
  CHECK(unified(program(4, false), program(4, true), 0) ==
        "--- a\n"
        "+++ b\n"
        "@@ -7,0 +8,1 @@ entry[0].body[2]\n"
        "+    let c = 3u\n");
}

TEST_CASE("a comment stands only where one statement takes the place of one other") {
  const Node one = Node::let_bind("a", 1u);
  const Node two = Node::let_bind("a", 2u);
  const Node last = Node::let_bind("z", 9u);
  CHECK(unified(with_entry({one, last}), with_entry({two, last}), 0)
            .ends_with("-  let a = 1u\n+  let a = 2u  ; .value: 1u -> 2u\n"));
  CHECK(unified(with_entry({one, last}), with_entry({two, two, last}), 0)
            .ends_with("-  let a = 1u\n+  let a = 2u\n+  let a = 2u\n"));
  CHECK(unified(with_entry({one, last}), with_entry({Node::return_(), last}), 0)
            .ends_with("-  let a = 1u\n+  return\n"));
}

TEST_CASE("line numbers are those of the text") {
  const Program left = catalog::build("flash_attention_2", {}).value();
  const Program right = left.with_entry({Node::return_()});
  const std::string text = print(left).value();
  const std::string diff = unified(left, right);
  const auto lines = std::ranges::count(text, '\n');
  // The first line with a difference is behind the declarations; the last one shown is the last.
  CHECK(diff.find(fmt::format("@@ -8,{} +8,5 @@ entry[0]\n", lines - 7)) != std::string::npos);
}

TEST_CASE("what is put into another body counts as the same") {
  const Node a = Node::let_bind("a", 1u);
  const Node b = Node::let_bind("b", 2u);
  CHECK(unified(with_entry({a, b}), with_entry({Node::block({a, b})}), 1) ==
        "--- a\n"
        "+++ b\n"
        "@@ -2,4 +2,6 @@ entry[0]\n"
        " program workgroup(1, 1, 1) {\n"
        "+  block {\n"
        "     let a = 1u\n"
        "     let b = 2u\n"
        "+  }\n"
        " }\n");
}

TEST_CASE("equal programs have no difference, whatever they hold and wherever they were written") {
  const Program all = test::every_construct();
  CHECK(declaration_changes(all, test::every_construct()).empty());
  CHECK_FALSE(first_statement_change(all, test::every_construct()));
  CHECK(unified(all, test::every_construct()).empty());
  CHECK(unified(with_entry({}), with_entry({})).empty());
}

TEST_CASE("programs that differ have a difference, and the diff turns one into the other") {
  const int count = test::sized_for_build("pairs of programs", 200);
  for (int i = 1; i <= count; ++i) {
    const auto seed = static_cast<uint64_t>(i);
    const Program left = test::random_program(seed);
    // Every fifth statement is gone, some literals are others.
    int n = 0;
    const Rewriter changer{
        .expr = [&](const Expr& e) { return e.op() == Op::kLitU32 && ++n % 7 == 0 ? e + 1u : e; },
        .node = [&](const Node& node) { return ++n % 5 == 0 ? Body() : Body(node); }};
    const Program right = rewrite(left, changer);
    const std::string diff = unified(left, right, 1'000'000);
    if (left == right) continue;
    INFO("seed " << seed);
    CHECK(first_statement_change(left, right));
    std::string from;
    std::string to;
    const auto without_indentation = [](std::string_view line) {
      const size_t start = line.find_first_not_of(' ');
      return start == std::string_view::npos ? std::string() : std::string(line.substr(start));
    };
    // Behind the three lines of the head.
    size_t at = 0;
    for (int k = 0; k < 3; ++k) at = diff.find('\n', at) + 1;
    while (at < diff.size()) {
      const size_t end = diff.find('\n', at);
      const std::string line =
          without_indentation(std::string_view(diff).substr(at + 1, end - at - 1));
      if (diff[at] != '+') from += line + '\n';
      if (diff[at] != '-') to += line.substr(0, line.find("  ; ")) + '\n';
      at = end + 1;
    }
    const auto flat = [&](const Program& program) {
      std::string text;
      const std::string printed = print(program).value();
      for (size_t start = 0; start < printed.size();) {
        const size_t end = printed.find('\n', start);
        text += without_indentation(std::string_view(printed).substr(start, end - start)) + '\n';
        start = end + 1;
      }
      return text;
    };
    if (flat(left).find("{} else") == std::string::npos &&
        flat(right).find("{} else") == std::string::npos) {
      CHECK(from == flat(left));
      CHECK(to == flat(right));
    }
  }
}

TEST_CASE("deep programs are compared, shared ones too") {
  const auto deep = [](uint32_t leaf) {
    Expr expr = Expr::u32(leaf);
    for (int i = 0; i < 100'000; ++i) expr = Expr::select(v("c"), expr, v("a"));
    Node nest = Node::let_bind("y", expr);
    for (int i = 0; i < 100'000; ++i) nest = Node::block({nest});
    return with_entry({nest});
  };
  const std::string change = first(deep(1), deep(2));
  CHECK(change.starts_with("entry[0].body[0].body[0]"));
  CHECK(change.find("....body[0]") != std::string::npos);
  CHECK(change.ends_with(".if_true.if_true: 1u -> 2u"));
  Expr doubled = v("x");
  for (int i = 0; i < 1000; ++i) doubled = doubled + doubled;
  const Program left = with_entry({Node::let_bind("y", doubled)});
  const Program right = with_entry({Node::let_bind("y", doubled - 1u)});
  CHECK(first(left, right) == "entry[0].value: … -> …");
  CHECK(absl::IsResourceExhausted(unified_diff(left, right).status()));
}

}  // namespace
}  // namespace vyre::tools

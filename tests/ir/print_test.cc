// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/print.h"

#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <string>

#include "vyre/ir/format.h"

namespace vyre {
namespace {

std::string text(const absl::StatusOr<std::string>& printed) {
  return printed.ok() ? *printed : printed.status().ToString();
}
std::string text(const Node& node) { return text(print_node(node)); }
std::string text(const BufferDecl& buffer) { return text(print_buffer(buffer)); }
std::string text(const Program& program) { return text(print(program)); }
Expr v(const char* name) { return Expr::var(name); }

TEST_CASE("simple statements") {
  CHECK(text(Node::let_bind("row", Expr::gid_x())) == "let row = invocation_id.x");
  CHECK(text(Node::let_bind("let", 1u)) == "let `let` = 1u");
  CHECK(text(Node::assign("x", v("y"))) == "x = y");
  CHECK(text(Node::assign("a\nb", v(""))) == "`a\\nb` = ``");
  CHECK(text(Node::store("q", v("i") + 1u, 2.0f)) == "q[i + 1u] = 2.0");
  CHECK(text(Node::return_()) == "return");
  CHECK(text(Node::barrier()) == "barrier seq_cst");
  CHECK(text(Node::barrier_with_ordering(MemoryOrdering::kGridSync)) == "barrier grid_sync");
  CHECK(text(Node::trap(0u, "Fix: \"x\"…")) == "trap \"Fix: \\\"x\\\"…\" at 0u");
  CHECK(text(Node::resume("t`")) == "resume \"t`\"");
}

TEST_CASE("copies name the destination first") {
  CHECK(text(Node::async_load_ext("src", "dst", v("off"), 64u, "t")) ==
        "async_load \"t\" dst <- src[off; 64u]");
  CHECK(text(Node::async_load("t")) == "async_load \"t\" __legacy_dst__ <- __legacy_src__[0u; 0u]");
  CHECK(text(Node::async_store("src", "dst", v("off"), 64u, "t")) ==
        "async_store \"t\" dst[off] <- src[64u]");
  CHECK(text(Node::async_wait("")) == "async_wait \"\"");
}

TEST_CASE("carried statements") {
  CHECK(text(Node::indirect_dispatch("q", 16)) == "indirect_dispatch q[16]");
  CHECK(text(Node::all_reduce("q", CollectiveOp::kSum, 0)) == "all_reduce sum q group 0");
  CHECK(text(Node::all_gather("a", "b", 1)) == "all_gather a -> b group 1");
  CHECK(text(Node::reduce_scatter("a", "b", CollectiveOp::kMax, 2)) ==
        fmt::format("reduce_scatter {} a -> b group 2", spelling(CollectiveOp::kMax)));
  CHECK(text(Node::broadcast("q", 3, 0)) == "broadcast q root 3 group 0");
  CHECK(text(Node::opaque("kind", std::string("\x00\xFF", 2))) == "opaque \"kind\" x\"00ff\"");
}

TEST_CASE("bodies stand in braces, empty ones on one line") {
  CHECK(text(Node::block({})) == "block {}");
  CHECK(text(Node::block({Node::return_()})) == "block {\n  return\n}");
  CHECK(text(Node::region("gen", std::nullopt, {})) == "region \"gen\" {}");
  CHECK(text(Node::region("", "", {})) == "region \"\" from \"\" {}");
  CHECK(text(Node::region("gen", "parent", {Node::block({Node::return_()})})) ==
        "region \"gen\" from \"parent\" {\n  block {\n    return\n  }\n}");
}

TEST_CASE("loops, forever is the loop that Node::forever makes and no other") {
  CHECK(text(Node::loop_for("i", 0u, v("n"), {})) == "for i in 0u..n {}");
  CHECK(text(Node::loop_for("in", v("a") + 1u, 16u, {Node::return_()})) ==
        "for `in` in a + 1u..16u {\n  return\n}");
  CHECK(text(Node::forever({Node::return_()})) == "forever {\n  return\n}");
  CHECK(text(Node::forever({})) == "forever {}");
  CHECK(text(Node::loop_for("__forever__", 0u, 5u, {})) == "for __forever__ in 0u..5u {}");
  CHECK(text(Node::loop_for("__forever__", 1u, 4294967295u, {})) ==
        "for __forever__ in 1u..4294967295u {}");
  CHECK(text(Node::loop_for("i", 0u, 4294967295u, {})) == "for i in 0u..4294967295u {}");
}

TEST_CASE("conditions, an otherwise of one If is an else if") {
  const Node r = Node::return_();
  const Node b = Node::barrier();
  CHECK(text(Node::if_then(v("c"), {r})) == "if c {\n  return\n}");
  CHECK(text(Node::if_then(v("c"), {})) == "if c {}");
  CHECK(text(Node::if_then_else(v("c"), {r}, {b})) ==
        "if c {\n  return\n} else {\n  barrier seq_cst\n}");
  CHECK(text(Node::if_then_else(v("c"), {}, {b})) == "if c {} else {\n  barrier seq_cst\n}");
  CHECK(text(Node::if_then_else(v("c"), {r}, {Node::if_then(v("d"), {r})})) ==
        "if c {\n  return\n} else if d {\n  return\n}");
  CHECK(text(Node::if_then_else(v("c"), {}, {Node::if_then_else(v("d"), {}, {b})})) ==
        "if c {} else if d {} else {\n  barrier seq_cst\n}");
  CHECK(text(Node::if_then_else(v("c"), {r}, {Node::if_then(v("d"), {}), b})) ==
        "if c {\n  return\n} else {\n  if d {}\n  barrier seq_cst\n}");
  CHECK(text(Node::if_then_else(v("c"), {}, {Node::block({Node::if_then(v("d"), {})})})) ==
        "if c {} else {\n  block {\n    if d {}\n  }\n}");
}

TEST_CASE("declarations start with the word of their constructor") {
  const DataType f = DataType::F32;
  CHECK(text(BufferDecl::read("q", 0, f).with_count(128)) == "buffer q: f32[128] read binding(0)");
  CHECK(text(BufferDecl::read_write("q", 1, f)) == "buffer q: f32[] read_write binding(1)");
  CHECK(text(BufferDecl::uniform("local", 2, f).with_count(0)) ==
        "buffer `local`: f32[0] uniform binding(2)");
  CHECK(text(BufferDecl::storage("q", 3, BufferAccess::kWriteOnly, f)) ==
        "buffer q: f32[] write binding(3)");
  CHECK(text(BufferDecl::output("out", 3, f).with_count(128)) == "output out: f32[128] binding(3)");
  CHECK(text(BufferDecl::workgroup("w", 1024, f)) == "workgroup w: f32[1024]");
  CHECK(text(BufferDecl::local("x", 64, f)) == "local x: f32[64]");
  CHECK(text(BufferDecl::transient("t", 4096, f)) == "transient t: f32[4096]");
  CHECK(text(BufferDecl::read("m", 0, DataType::tensor(DataType::F16, {2, 3}))) ==
        "buffer m: tensor<f16;2x3>[] read binding(0)");
}

TEST_CASE("declarations print what differs from their constructor's default") {
  const BufferDecl read = BufferDecl::read("q", 0, DataType::U32);
  const BufferDecl out = BufferDecl::output("o", 1, DataType::U32);
  const std::string q = "buffer q: u32[] read binding(0)";
  CHECK(text(read.with_kind(MemoryKind::kPush)) == q + " kind(push)");
  CHECK(text(read.with_kind(MemoryKind::kLocal)) == q + " kind(local)");
  CHECK(text(read.with_pipeline_live_out(true)) == q + " live_out(true)");
  CHECK(text(read.with_output_byte_range({0, 64})) == q + " bytes(0..64)");
  CHECK(text(read.with_hints({0, 16, CacheLocality::kStreaming})) ==
        q + " hints(axis=0, align=16, streaming)");
  CHECK(text(read.with_hints({{}, 0, CacheLocality::kRandom})) == q + " hints(random)");
  CHECK(text(read.with_hints({{}, 8, CacheLocality::kTemporal})) == q + " hints(align=8)");
  CHECK(text(read.with_bytes_extraction(true)) == q + " extraction");
  CHECK(text(read.with_linear_type(LinearType::kAffine)) == q + " linear(affine)");
  CHECK(text(read.with_shape_predicate(ShapePredicate::multiple_of(4))) ==
        q + " where(count % 4 == 0)");
  CHECK(text(out.with_pipeline_live_out(false)) == "output o: u32[] binding(1) live_out(false)");
  CHECK(text(out.with_access(BufferAccess::kWriteOnly)) == "output o: u32[] write binding(1)");
  CHECK(text(out.with_kind(MemoryKind::kPersistent)) ==
        "output o: u32[] binding(1) kind(persistent)");
  const BufferDecl scratch = BufferDecl::workgroup("w", 4, DataType::U32);
  CHECK(text(scratch.with_kind(MemoryKind::kGlobal)) == "workgroup w: u32[4] kind(global)");
  CHECK(text(scratch.with_output(true)) == "output w: u32[4] workgroup binding(0) live_out(false)");
  CHECK(text(read.with_access(BufferAccess::kWorkgroup)) == "workgroup q: u32[] kind(readonly)");
}

TEST_CASE("different declarations have different texts") {
  std::set<std::string> texts;
  size_t count = 0;
  for (uint8_t access = 0; access <= 4; ++access) {
    for (uint8_t kind = 0; kind <= 6; ++kind) {
      for (int flags = 0; flags < 16; ++flags) {
        BufferDecl decl = BufferDecl::read("x", flags & 1, DataType::U32)
                              .with_access(static_cast<BufferAccess>(access))
                              .with_kind(static_cast<MemoryKind>(kind))
                              .with_output((flags & 2) != 0)
                              .with_pipeline_live_out((flags & 4) != 0);
        if ((flags & 8) != 0) decl = decl.with_count(0);
        texts.insert(text(decl));
        ++count;
      }
    }
  }
  CHECK(texts.size() == count);
}

TEST_CASE("shape predicates group as logic does") {
  using P = ShapePredicate;
  const P a = P::at_least(8);
  const P b = P::multiple_of(4);
  CHECK(P::at_most(9).to_string() == "count <= 9");
  CHECK(P::exactly(9).to_string() == "count == 9");
  CHECK(P::mod_equals(4, 3).to_string() == "count % 4 == 3");
  CHECK(P::mod_equals(4, 0).to_string() == "count % 4 == mod(0)");
  CHECK(P::affine_range(-2, 3, -1, 5).to_string() == "-1 <= -2 * count + 3 <= 5");
  CHECK(P::both(a, b).to_string() == "count >= 8 and count % 4 == 0");
  CHECK(P::either(P::both(a, b), a).to_string() == "count >= 8 and count % 4 == 0 or count >= 8");
  CHECK(P::both(P::either(a, b), a).to_string() == "(count >= 8 or count % 4 == 0) and count >= 8");
  CHECK(P::both(a, P::both(b, a)).to_string() == "count >= 8 and (count % 4 == 0 and count >= 8)");
  CHECK(P::either(a, P::either(b, a)).to_string() ==
        "count >= 8 or (count % 4 == 0 or count >= 8)");
  CHECK(P::negated(P::negated(a)).to_string() == "not not (count >= 8)");
  CHECK(P::both(P::negated(a), P::negated(P::both(a, b))).to_string() ==
        "not (count >= 8) and not (count >= 8 and count % 4 == 0)");
  P deep = a;
  for (int i = 0; i < 200'000; ++i) deep = P::negated(std::move(deep));
  CHECK(deep.to_string().size() == 4 * 200'000 + 12);
  CHECK(deep.holds(8));
}

TEST_CASE("a program: header, declarations, an empty line, statements") {
  const Program p =
      Program::wrapped(
          {BufferDecl::read("q", 0, DataType::F32).with_count(128),
           BufferDecl::output("out", 3, DataType::F32).with_count(128),
           BufferDecl::workgroup("q_scratch", 1024, DataType::F32)},
          {64},
          {Node::region(
              "vyre-libs::nn::flash_attention_2", std::nullopt,
              {Node::let_bind("row", Expr::gid_x()),
               Node::if_then(Expr::lt(v("row"), 8u),
                             {Node::store("out", v("local") * 16u, Expr::load("q", v("row")))})})})
          .with_extent(Dim3{8});
  CHECK(text(p) == R"(vyre 1
program workgroup(64, 1, 1) extent(8, 1, 1) {
  buffer q: f32[128] read binding(0)
  output out: f32[128] binding(3)
  workgroup q_scratch: f32[1024]

  region "vyre-libs::nn::flash_attention_2" {
    let row = invocation_id.x
    if row < 8u {
      out[`local` * 16u] = q[row]
    }
  }
}
)");
  CHECK(fmt::format("{}", p) == text(p));
}

TEST_CASE("programs without buffers or statements") {
  CHECK(text(Program::from_raw_parts({}, {}, {})) == "vyre 1\nprogram workgroup(1, 1, 1) {}\n");
  CHECK(text(Program::empty()) ==
        "vyre 1\nprogram workgroup(1, 1, 1) {\n  region \"vyre.program.root\" {}\n}\n");
  CHECK(text(Program::from_raw_parts({BufferDecl::read("q", 0, DataType::U32)}, {}, {})) ==
        "vyre 1\nprogram workgroup(1, 1, 1) {\n  buffer q: u32[] read binding(0)\n}\n");
}

TEST_CASE("what stands on the program line") {
  const Program p = Program::from_raw_parts({}, {2, 3, 4}, {})
                        .with_entry_op_id("op \"1\"")
                        .with_non_composable_with_self(true)
                        .with_extent(Dim3{0, 5, 6});
  CHECK(text(p) ==
        "vyre 1\nprogram entry \"op \\\"1\\\"\" self_exclusive workgroup(2, 3, 4) extent(0, 5, 6) "
        "{}\n");
}

TEST_CASE("deep nesting prints, with an indentation that stops growing") {
  Node nest = Node::return_();
  for (int i = 0; i < 10'000; ++i) nest = Node::block({nest});
  const std::string printed = text(nest);
  CHECK(printed.size() < 10'000 * 220);
  CHECK(printed.find("\n" + std::string(100, ' ') + "return") != std::string::npos);

  Node chain = Node::return_();
  for (int i = 0; i < 200'000; ++i) chain = Node::if_then_else(v("c"), {}, {chain});
  CHECK(text(chain).starts_with("if c {} else if c {} else if c {}"));
  Node full = Node::return_();
  for (int i = 0; i < 200'000; ++i) full = Node::if_then_else(v("c"), {Node::return_()}, {full});
  CHECK(text(full).starts_with("if c {\n  return\n} else if c {\n  return\n}"));
}

TEST_CASE("a program whose statements are too many when written out is refused") {
  Node node = Node::return_();
  for (int i = 0; i < 60; ++i) node = Node::block({node, node});
  const absl::StatusOr<std::string> printed = print(Program::wrapped({}, {}, {node}));
  REQUIRE_FALSE(printed.ok());
  CHECK(printed.status().code() == absl::StatusCode::kResourceExhausted);
}

TEST_CASE("strings that are not UTF-8 are refused") {
  CHECK_FALSE(print_node(Node::trap(0u, "\xFF")).ok());
  CHECK_FALSE(print_node(Node::block({Node::let_bind("\xC3", 0u)})).ok());
  CHECK_FALSE(print_buffer(BufferDecl::read("\x80", 0, DataType::U32)).ok());
  CHECK(print_node(Node::opaque("kind", "\xFF")).ok());
}

TEST_CASE("a text that is too long says what makes it so: indentation, or what is repeated") {
  Node deep = Node::return_();
  for (int i = 0; i < 200; ++i) deep = Node::block({deep});
  const auto message = [](const Node& node, uint64_t max_bytes) {
    const auto text = print(Program::wrapped({}, {1, 1, 1}, {node}), {.max_bytes = max_bytes});
    return std::string(message_of(text.status()));
  };
  CHECK(message(deep, 5000) ==
        "the text has more than 5000 bytes, most of them indentation. Fix: nest statements less "
        "deep, or raise PrintOptions::max_bytes.");
  Expr wide = Expr::var("x");
  for (int i = 0; i < 12; ++i) wide = wide + wide;
  CHECK(message(Node::let_bind("y", wide), 5000).find(" bytes. Fix: bind shared") !=
        std::string::npos);
}

}  // namespace
}  // namespace vyre

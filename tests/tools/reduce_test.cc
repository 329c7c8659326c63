// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/support/every_construct.h"
#include "tests/support/random_program.h"
#include "vyre/builders/catalog.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/ir/format.h"
#include "vyre/ir/print.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/walk.h"
#include "vyre/tools/reduce/reducer.h"

namespace vyre::tools {
namespace {

Expr v(const char* name) { return Expr::var(name); }

Program with_entry(Body entry) { return Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)); }

Expr true_() { return Expr::bool_(true); }

bool holds_expr(const Program& program, const std::function<bool(const Expr&)>& wanted) {
  bool found = false;
  for_each_expr(program.entry(), [&](const Expr& expr) { found = found || wanted(expr); });
  return found;
}

bool has_op(const Program& program, Op op) {
  return holds_expr(program, [op](const Expr& expr) { return expr.op() == op; });
}

bool stores(const Program& program, const std::function<bool(const Node&)>& wanted) {
  bool found = false;
  for (const Node* node : post_order(program.entry())) {
    found = found || (node->kind() == NodeKind::kStore && wanted(*node));
  }
  return found;
}

// With a binding of its own, in a list of that many.
BufferDecl rebound(const BufferDecl& buffer, size_t position) {
  if (!buffer.is_bound()) return buffer;
  const BufferDecl result = BufferDecl::storage(buffer.name(), static_cast<uint32_t>(position),
                                                buffer.access(), buffer.element())
                                .with_kind(buffer.kind())
                                .with_output(buffer.is_output())
                                .with_pipeline_live_out(buffer.pipeline_live_out());
  return buffer.count() ? result.with_count(*buffer.count()) : result;
}

// Adds those that are not there; false if one is there with another meaning.
bool add_buffers(std::vector<BufferDecl>& buffers, const std::vector<BufferDecl>& more) {
  std::vector<BufferDecl> all = buffers;
  for (const BufferDecl& buffer : more) {
    const auto same = std::ranges::find(all, buffer.name(), &BufferDecl::name);
    if (same == all.end()) {
      all.push_back(rebound(buffer, all.size()));
    } else if (!(same->element() == buffer.element()) || same->access() != buffer.access()) {
      return false;
    }
  }
  buffers = std::move(all);
  return true;
}

// A program that resolves, of at least so many statements of random ones, with `planted` in the
// middle of them, in a loop over `step`.
Program large_program(uint64_t seed, uint64_t statements, const Node& planted) {
  std::vector<BufferDecl> buffers{BufferDecl::read("x", 0, DataType::F32).with_count(64),
                                  BufferDecl::output("y", 1, DataType::F32).with_count(64)};
  std::vector<Node> regions;
  uint64_t count = 0;
  for (uint64_t i = 0; count < statements; ++i) {
    const Program part = test::random_program(seed * 1'000'000 + i);
    if (!add_buffers(buffers, part.buffers())) continue;
    for (const Node& node : part.entry()) {
      regions.push_back(Node::region("part", "whole", {node}));
      count += node.node_count();
    }
  }
  const Node checked = Node::if_then(Expr::lt(v("step"), 5u), {planted});
  regions.insert(
      regions.begin() + std::ssize(regions) / 2,
      Node::region("planted", std::nullopt, {Node::loop_for("step", 0u, 9u, {checked})}));
  return Program::wrapped(buffers, {64, 1, 1}, regions).with_extent({64, 1, 1});
}

TEST_CASE("a store of a square is found in five hundred statements") {
  uint64_t most_tests = 0;
  uint64_t most_nodes = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Expr loaded = Expr::load("x", v("step") * 4u + 1u);
    const Program program = large_program(
        seed, 500, Node::store("y", v("step") + 2u, (loaded + 1.0F) * (loaded + 1.0F)));
    const auto wanted = [](const Program& p) {
      return stores(p, [](const Node& node) {
        const Expr& value = node.operand(1);
        return node.buffer() == "y" && value.op() == Op::kMul &&
               value.operand(0) == value.operand(1) &&
               has_effect(value.effects(), ExprEffects::kLoads);
      });
    };
    INFO(to_string(resolve(program).diagnostics));
    REQUIRE(resolve(program).ok());
    const ReduceResult result = reduce(program, wanted).value();
    INFO(fmt::format("seed {}: {} tests\n{}", seed, result.tests, result.program));
    CHECK(result.before.statements >= 500);
    CHECK(result.finished);
    CHECK(wanted(result.program));
    CHECK(result.after.statements + result.after.expressions < 12);
    most_tests = std::max(most_tests, result.tests);
    most_nodes = std::max(most_nodes, result.after.nodes());
  }
  CHECK(most_tests < 200);
  CHECK(most_nodes < 14);
}

using Bytes = std::vector<std::byte>;

// What a run gives back; none if it ends with an error or a trap.
std::optional<std::vector<Bytes>> outputs_of(const Program& program, std::vector<Bytes> memory) {
  RunOptions options;
  options.max_steps = 100'000;
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  const StatusOr<RunReport> report = interpreter::run_program(resolve(program), bound, options);
  if (!report.ok() || report->trap) return std::nullopt;
  std::vector<Bytes> outputs;
  for (size_t i = 0; i < memory.size(); ++i) {
    if (program.buffers()[i].is_returned()) outputs.push_back(memory[i]);
  }
  return outputs;
}

TEST_CASE("what two evaluators disagree about is found in random programs") {
  // The faulty one takes every max for a min.
  const Rewriter fault{.expr =
                           [](const Expr& e) {
                             return e.op() == Op::kMax ? Expr::min(e.operand(0), e.operand(1)) : e;
                           },
                       .node = {}};
  int reduced = 0;
  uint64_t most_tests = 0;
  uint64_t most_nodes = 0;
  for (uint64_t seed = 1; reduced < 8; ++seed) {
    REQUIRE(seed < 1000);
    const auto disagree = [&](const Program& program) {
      const std::vector<Bytes> inputs = test::random_inputs(program, seed);
      const auto right = outputs_of(program, inputs);
      return right && right != outputs_of(rewrite(program, fault), inputs);
    };
    const Program program = test::random_program(seed);
    if (!disagree(program)) continue;
    ++reduced;
    const ReduceResult result = reduce(program, disagree).value();
    INFO(fmt::format("seed {}: {} tests\n{}", seed, result.tests, result.program));
    CHECK(result.finished);
    CHECK(disagree(result.program));
    CHECK(has_op(result.program, Op::kMax));
    CHECK(result.after.statements + result.after.expressions < 12);
    most_tests = std::max(most_tests, result.tests);
    most_nodes = std::max(most_nodes, result.after.nodes());
  }
  CHECK(most_tests < 400);
  CHECK(most_nodes < 14);
}

// The statements that are left of these, as text without braces and indentation around them.
std::string left_of(Body body, const Predicate& holds) {
  const StatusOr<ReduceResult> result =
      reduce(Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                              std::move(body)),
             holds);
  REQUIRE(result.ok());
  REQUIRE(result->program.entry().size() == 1);
  std::string text;
  for (const Node& node : result->program.entry()[0].body()) text += fmt::format("{}\n", node);
  return text;
}

Predicate has(Op op) {
  return [op](const Program& program) { return has_op(program, op); };
}

TEST_CASE("statements make place for what is in them") {
  const Node stored = Node::store("y", 0u, 7u);
  const auto stores_seven = [](const Program& p) {
    return stores(p, [](const Node& node) { return node.operand(1) == Expr::u32(7); });
  };
  const std::string expected = "y[0u] = 7u\n";
  CHECK(left_of({Node::block({Node::region("a", "b", {stored}), Node::return_()})}, stores_seven) ==
        expected);
  CHECK(left_of({Node::if_then_else(true_(), {stored}, {Node::return_()})}, stores_seven) ==
        expected);
  CHECK(left_of({Node::if_then_else(true_(), {Node::return_()}, {stored})}, stores_seven) ==
        expected);
  CHECK(left_of({Node::loop_for("i", 5u, 900u, {stored})}, stores_seven) == expected);
  // The variable of the loop is needed.
  const auto stores_variable = [](const Program& p) {
    return stores(p, [](const Node& node) { return node.operand(1).op() == Op::kVar; });
  };
  CHECK(left_of({Node::loop_for("long_name", 5u, 900u, {Node::store("y", 0u, v("long_name"))})},
                stores_variable) == "let a = 0u\ny[0u] = a\n");
  // The loop is needed, and what it holds.
  const auto loops = [](const Program& p) {
    for (const Node* node : post_order(p.entry())) {
      if (node->kind() == NodeKind::kLoop && !node->body().empty()) return true;
    }
    return false;
  };
  CHECK(left_of({Node::loop_for("i", 5u, 900u, {stored, Node::return_()})}, loops) ==
        "for i in 0u..0u {\n  y[0u] = 0u\n}\n");
}

TEST_CASE("variables are dropped, or written where they are used") {
  const Body body{Node::let_bind("one", 5u), Node::let_bind("two", v("one") + 3u),
                  Node::assign("two", v("two") + v("one")),
                  Node::let_bind("three", Expr::max(v("two"), 9u)),
                  Node::store("y", v("one"), v("three"))};
  CHECK(left_of(body, [](const Program& p) {
          return stores(p, [](const Node& node) { return node.operand(1).op() == Op::kMax; }) ||
                 (has_op(p, Op::kMax) &&
                  stores(p, [](const Node& node) { return node.operand(1).op() == Op::kVar; }));
        }) == "y[0u] = max(0u, 0u)\n");
}

TEST_CASE("expressions are replaced by operands of their type, 0 and 1") {
  const Expr deep = Expr::select(Expr::lt(v("i"), 3u), Expr::cast(DataType::U32, Expr::f32(2.5F)),
                                 v("i") * 5u + Expr::popcount(v("i") ^ 77u));
  const Body body{Node::loop_for("i", 0u, 9u, {Node::store("y", v("i"), deep)})};
  CHECK(left_of(body, has(Op::kPopcount)) == "y[0u] = popcount(0u)\n");
  CHECK(left_of(body, has(Op::kLt)) == "y[0u] = 0u < 0u\n");
}

TEST_CASE("equal expressions of a statement are replaced together, or else one by one") {
  const auto count = [] { return Expr::popcount(Expr::gid_x() + 3u); };
  const Body body{Node::store("y", 0u, count() * count())};
  const auto is_product = [](const Program& p, const std::function<bool(const Expr&)>& wanted) {
    return holds_expr(p, [&](const Expr& e) { return e.op() == Op::kMul && wanted(e); });
  };
  CHECK(left_of(body, [&](const Program& p) {
          return is_product(p, [](const Expr& e) { return e.operand(0).op() == Op::kPopcount; });
        }) == "y[0u] = popcount(0u) * 0u\n");
  CHECK(left_of(body, [&](const Program& p) {
          return is_product(p, [](const Expr& e) { return e.operand(0) == e.operand(1); });
        }) == "y[0u] = 0u * 0u\n");
}

TEST_CASE("declarations, sizes and names shrink") {
  const BufferDecl buffer = BufferDecl::read("input", 3, DataType::F32)
                                .with_count(1000)
                                .with_hints({uint8_t{1}, 16, CacheLocality::kRandom})
                                .with_shape_predicate(ShapePredicate::multiple_of(8));
  const Program program =
      Program::wrapped(
          {BufferDecl::workgroup("unused", 64, DataType::F32), buffer,
           BufferDecl::output("output", 4, DataType::F32).with_count(1000)},
          {64, 2, 1},
          {Node::region("builder", "parent",
                        {Node::let_bind("index", Expr::gid_x()),
                         Node::store("output", v("index"), Expr::load("input", v("index")))})})
          .with_extent({1000, 3, 1})
          .with_entry_op_id("id")
          .with_non_composable_with_self(true);
  const auto copies = [](const Program& p) {
    const auto loads = [](const Node& node) {
      return node.operand(1).op() == Op::kLoad && node.operand(0).op() == Op::kInvocationId;
    };
    // A size that is not 1, to see numbers halved.
    return stores(p, loads) && p.workgroup_size().x >= 5 && p.buffers()[0].count() >= 3u &&
           p.extent().has_value();
  };
  const auto before = [&copies](const Program& p) {
    return copies(p) || p.buffers().size() == 3 || has_op(p, Op::kVar);
  };
  CHECK(before(program));
  const Program fixed = program.with_entry(
      {Node::region("builder", "parent",
                    {Node::store("output", Expr::gid_x(), Expr::load("input", Expr::gid_x()))})});
  REQUIRE(copies(fixed));
  const ReduceResult result = reduce(fixed, copies).value();
  CHECK(print(result.program).value() ==
        "vyre 1\n"
        "program workgroup(8, 1, 1) extent(1, 1, 1) {\n"
        "  buffer a: f32[3] read binding(3)\n"
        "  output b: f32[1] binding(4)\n"
        "\n"
        "  region \"r\" {\n"
        "    b[invocation_id.x] = a[0u]\n"
        "  }\n"
        "}\n");
}

TEST_CASE("each candidate resolves, unless any program will do") {
  const Program program = test::random_program(7);
  REQUIRE(resolve(program).ok());
  bool all_resolve = true;
  const auto wanted = [&](const Program& p) {
    all_resolve = all_resolve && resolve(p).ok();
    return has_op(p, Op::kVar);
  };
  REQUIRE(reduce(program, wanted).ok());
  CHECK(all_resolve);
  REQUIRE(reduce(program, wanted, {.any_program = true}).ok());
  CHECK_FALSE(all_resolve);
}

TEST_CASE("programs that do not resolve are reduced, too") {
  const ReduceResult result = reduce(test::every_construct(), has(Op::kFma)).value();
  CHECK(result.finished);
  CHECK(result.after.statements == 1);
  CHECK(result.after.expressions == 4);
  CHECK(result.after.buffers == 0);
}

TEST_CASE("a program of regions stays one") {
  const Program program = catalog::build("flash_attention_2", {}).value();
  bool regions = true;
  const auto wanted = [&](const Program& p) {
    for (const Node& node : p.entry()) regions = regions && node.kind() == NodeKind::kRegion;
    return has_op(p, Op::kExp);
  };
  const ReduceResult result = reduce(program, wanted).value();
  CHECK(regions);
  CHECK(result.after.statements == 2);
  CHECK(result.after.expressions == 2);
}

TEST_CASE("no program is asked about twice, and each one is smaller than the last that held") {
  const Program program = large_program(2, 200, Node::store("y", 0u, 1.0F));
  std::set<Digest> asked;
  uint64_t smallest = size_of(program).nodes();
  bool smaller = true;
  const auto wanted = [&](const Program& p) {
    const uint64_t nodes = size_of(p).nodes();
    smaller = smaller && nodes <= smallest;
    const bool held = has_op(p, Op::kLoad) && has_op(p, Op::kMul);
    if (held) smallest = nodes;
    CHECK(asked.insert(p.hash()).second);
    return held;
  };
  const ReduceResult result = reduce(program, wanted).value();
  CHECK(smaller);
  CHECK(result.tests == asked.size());
  CHECK(result.after.nodes() == smallest);
}

TEST_CASE("reducing twice gives the same program and the same number of tests") {
  const Program program = large_program(3, 200, Node::store("y", 0u, 1.0F));
  const auto wanted = [](const Program& p) {
    return stores(p, [](const Node& node) { return node.buffer() == "y"; });
  };
  const ReduceResult one = reduce(program, wanted).value();
  const ReduceResult two = reduce(program, wanted).value();
  CHECK(one.program == two.program);
  CHECK(one.tests == two.tests);
  // Nothing is left to do for another reduction.
  const ReduceResult again = reduce(one.program, wanted).value();
  CHECK(again.program == one.program);
}

TEST_CASE("a predicate that does not hold is said so") {
  const Status refused = reduce(Program::empty(), [](const Program&) { return false; }).status();
  CHECK(absl::IsFailedPrecondition(refused));
}

TEST_CASE("a reduction ends at its limits with what it has") {
  const Program program = large_program(1, 200, Node::store("y", 0u, 1.0F));
  uint64_t asked = 0;
  const auto wanted = [&asked](const Program& p) {
    ++asked;
    return has_op(p, Op::kLoad);
  };
  const ReduceResult few = reduce(program, wanted, {.max_tests = 10}).value();
  CHECK_FALSE(few.finished);
  CHECK(few.tests == asked);
  CHECK(asked <= 11);
  CHECK(has_op(few.program, Op::kLoad));
  CHECK(few.after.nodes() < few.before.nodes());
  std::vector<uint64_t> tests;
  const ReduceResult stopped =
      reduce(program, wanted,
             {.progress = [&](const ReduceProgress& p) { tests.push_back(p.tests); },
              .stop = [&] { return tests.size() == 5; }})
          .value();
  CHECK_FALSE(stopped.finished);
  CHECK(tests == std::vector<uint64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("deep and shared programs are reduced in bounded time") {
  Expr expr = Expr::fma(1.0F, 2.0F, 3.0F);
  for (int i = 0; i < 2000; ++i) expr = Expr::negate(expr);
  for (int i = 0; i < 200; ++i) expr = expr + expr;
  Node nest = Node::let_bind("y", expr);
  for (int i = 0; i < 2000; ++i) nest = Node::block({nest});
  const ReduceResult result = reduce(with_entry({nest}), has(Op::kFma), {.max_tests = 300}).value();
  CHECK(has_op(result.program, Op::kFma));
  CHECK(result.after.statements < result.before.statements);
}

}  // namespace
}  // namespace vyre::tools

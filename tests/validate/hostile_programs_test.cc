// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs that are large, deep or wrong everywhere are validated in time that is linear in them.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

using test::codes;
using test::with_body;

constexpr uint32_t kMany = 100'000;

Body repeated(uint32_t count, const std::function<Node(uint32_t)>& node) {
  std::vector<Node> nodes;
  nodes.reserve(count);
  for (uint32_t i = 0; i < count; ++i) nodes.push_back(node(i));
  return nodes;
}

Body nested(uint32_t levels, Body innermost, const std::function<Node(uint32_t, Body)>& around) {
  for (uint32_t i = 0; i < levels; ++i) innermost = around(i, std::move(innermost));
  return innermost;
}

ValidateOptions deep() {
  ValidateOptions options;
  options.max_nesting = 1'000'000;
  return options;
}

Node leave() { return Node::if_then(Expr::local_id(0), {Node::return_()}); }

TEST_CASE("100000 statements are validated") {
  const auto statement = [](uint32_t i) {
    return Node::block({Node::let_bind("x", Expr::load("in", i % 64) * 3u + Expr::gid_x()),
                        Node::if_then(Expr::lt(Expr::var("x"), 5u),
                                      {Node::store("out", Expr::gid_x(), Expr::var("x"))})});
  };
  CHECK(codes(with_body(repeated(kMany / 4, statement))).empty());
}

TEST_CASE("deep statements are validated") {
  const auto in_block = [](uint32_t, Body body) { return Node::block(std::move(body)); };
  CHECK(codes(with_body(nested(kMany, {Node::barrier()}, in_block)), deep()).empty());
  CHECK(codes(with_body(nested(kMany, {Node::barrier()}, in_block))) == "V018");
  // Each level has a return and a barrier that it parts.
  const auto in_if = [](uint32_t, Body body) {
    return Node::if_then(Expr::workgroup_id(0), {std::move(body), leave()});
  };
  CHECK(codes(with_body({nested(kMany, {}, in_if), Node::barrier()}), deep()) == "V010");
  const auto in_loop = [](uint32_t i, Body body) {
    return Node::loop_for(fmt::format("i{}", i), 0u, 2u, {std::move(body), leave()});
  };
  CHECK(codes(with_body(nested(kMany, {Node::barrier()}, in_loop)), deep()) == "V010");
}

TEST_CASE("returns in many segments and at many depths are validated") {
  std::vector<Node> nodes;
  for (uint32_t i = 0; i < kMany / 4; ++i) {
    nodes.push_back(leave());
    nodes.push_back(Node::barrier_with_ordering(MemoryOrdering::kGridSync));
  }
  const auto in_block = [](uint32_t, Body body) { return Node::block(std::move(body)); };
  CHECK(codes(with_body(nested(kMany / 4, std::move(nodes), in_block)), deep()).empty());
}

TEST_CASE("deep expressions are validated") {
  Expr e = Expr::gid_x() / Expr::u32(0);
  for (int i = 0; i < 200'000; ++i) e = Expr::select(Expr::eq(e, 1u), 2u, e);
  CHECK(codes(with_body({Node::store("out", 0u, e)})) == "V044");
}

TEST_CASE("a long chain of variables is followed") {
  std::vector<Node> nodes{Node::let_bind("x0", Expr::local_id(0))};
  for (uint32_t i = 1; i < kMany; ++i) {
    nodes.push_back(Node::let_bind(fmt::format("x{}", i), Expr::var(fmt::format("x{}", i - 1))));
  }
  nodes.push_back(Node::if_then(Expr::var(fmt::format("x{}", kMany - 1)), {Node::barrier()}));
  CHECK(codes(with_body(std::move(nodes))) == "V010");
}

TEST_CASE("errors everywhere are counted, and few of them kept") {
  const auto all_wrong = [](uint32_t i) {
    return Node::store("ot", Expr::i32(1), Expr::var(fmt::format("x{}", i)));
  };
  const ValidationReport report = validate(with_body(repeated(kMany, all_wrong)));
  CHECK(report.diagnostics.size() == 1000);
  CHECK(report.omitted == 3 * kMany - 1000);
  // A name that is bound again and again, among many.
  std::vector<Node> nodes;
  for (uint32_t i = 0; i < kMany; ++i) {
    nodes.push_back(Node::let_bind(fmt::format("x{}", i), Expr::u32(i)));
    nodes.push_back(Node::let_bind("x0", Expr::var("y")));
  }
  CHECK(validate(with_body(std::move(nodes))).omitted == 2 * kMany - 1000);
}

TEST_CASE("uses of linear buffers are counted in large shared expressions") {
  Expr e = Expr::load("x", 0u);
  for (int i = 0; i < 64; ++i) e = e + e;
  const auto program = [&](Body body) {
    return Program::wrapped({BufferDecl::read("x", 0, DataType::U32)
                                 .with_count(4)
                                 .with_linear_type(LinearType::kLinear)},
                            {1, 1, 1}, std::move(body));
  };
  CHECK(codes(program({Node::let_bind("v", e)})) == "V070");
  // In branches that exclude each other, at many depths.
  Body chain = {Node::let_bind("v", Expr::load("x", 0u))};
  for (uint32_t i = 0; i < kMany; ++i) {
    chain = Node::if_then_else(Expr::gid_x(), {Node::let_bind("v", Expr::load("x", 1u))},
                               std::move(chain));
  }
  CHECK(codes(program(std::move(chain)), deep()).empty());
}

TEST_CASE("a shared expression after each of many barriers is validated") {
  Expr e = Expr::load("state", 0u);
  for (int i = 0; i < 20'000; ++i) e = Expr::max(e, Expr::load("state", static_cast<uint32_t>(i)));
  std::vector<Node> nodes{Node::let_bind("a", Expr::atomic_add("state", 0u, 1u))};
  for (uint32_t i = 0; i < 20'000; ++i) {
    nodes.push_back(Node::barrier());
    nodes.push_back(Node::store("out", 0u, e));
  }
  CHECK(codes(with_body(std::move(nodes))).empty());
}

TEST_CASE("a type that is nested deep is named by its start") {
  DataType type = DataType::F32;
  for (int i = 0; i < 1000; ++i) type = DataType::sparse_csr(type);
  const Program program =
      Program::wrapped({BufferDecl::read("x", 0, type).with_count(1)}, {1, 1, 1}, {});
  const ValidationReport report = validate(program);
  const auto found = std::ranges::find(report.diagnostics, "V135", &Diagnostic::code);
  REQUIRE(found != report.diagnostics.end());
  CHECK(found->cause == "buffer `x` holds " + type.spelling().substr(0, 60) +
                            "..., a type that is carried, not executed");
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Deep, long and broken texts: each gives a program or diagnostics with a place, quickly.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>

#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "tests/text/round_trip.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/diagnostic_codes.h"

namespace vyre {
namespace {

constexpr size_t kMany = test::kSlowBuild ? 20'000 : 100'000;

std::string repeated(std::string_view part, size_t times = kMany) {
  std::string text;
  text.reserve(part.size() * times);
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string program_text(std::string_view body) {
  return fmt::format("vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\n}}\n", body);
}

// A program that prints to a fixed point, or diagnostics that say where and what to do.
void check_total(std::string_view text, const ParseOptions& options = {}) {
  const ParseResult result = parse(text, options);
  REQUIRE(result.ok() == result.diagnostics.empty());
  if (result.ok()) return test::check_round_trip(*result.program);
  const auto lines = static_cast<uint64_t>(std::ranges::count(text, '\n')) + 1;
  uint64_t last = 0;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    INFO(diagnostic.to_string());
    const bool placed = diagnostic.place.known() && diagnostic.place.line() > last &&
                        diagnostic.place.line() <= lines && diagnostic.place.column() >= 1;
    CHECK(placed);
    CHECK(find_diagnostic(diagnostic.code) != nullptr);
    CHECK(diagnostic.fix.ends_with("."));
    last = diagnostic.place.line();
  }
  const std::string shown = render(result.diagnostics, text);
  CHECK(shown.size() <= 2048 * result.diagnostics.size());
  CHECK(std::ranges::count(shown, '^') >= static_cast<std::ptrdiff_t>(result.diagnostics.size()));
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_CASE("U43: expressions of any depth parse") {
  constexpr size_t kDeep = 200'000;
  Expr select = Expr::var("x");
  Expr left = Expr::var("x");
  Expr right = Expr::var("x");
  Expr negated = Expr::var("x");
  Expr index = Expr::var("x");
  for (size_t i = 0; i < kDeep; ++i) {
    select = Expr::select(Expr::var("c"), select, 1.0F);
    left = left + 1u;
    right = Expr::u32(1) - right;
    negated = Expr::not_(negated);
    index = Expr::load("q", index);
  }
  for (const Expr& expr : {select, left, right, negated, index}) {
    const std::string text = *print_expr(expr);
    const StatusOr<Expr> parsed = parse_expr(text);
    REQUIRE(parsed.ok());
    CHECK(parsed->depth() == kDeep + 1);
    CHECK(*parsed == expr);
  }
}

TEST_CASE("U43: statements of any depth parse") {
  Node chain = Node::return_();
  Node nested = Node::return_();
  Node loops = Node::return_();
  for (size_t i = 0; i < kMany; ++i) {
    chain = Node::if_then_else(Expr::var("c"), {Node::return_()}, {chain});
    nested = Node::if_then(Expr::var("c"), {nested});
    loops = i % 2 == 0 ? Node::block({loops}) : Node::forever({loops});
  }
  for (const Node& node : {chain, nested, loops}) {
    test::check_round_trip(Program::from_raw_parts({}, {1, 1, 1}, {node}));
  }
}

TEST_CASE("long runs of any part give a program or a diagnostic, in linear time") {
  const double seconds = seconds_of([] {
    for (const std::string_view part : {"(",
                                        ")",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "\"",
                                        "`",
                                        "-",
                                        "~",
                                        "& ",
                                        "&",
                                        "not ",
                                        "min(",
                                        "q[",
                                        "1u + ",
                                        "1u & 2u + ",
                                        "a < ",
                                        "0",
                                        "9",
                                        "1.",
                                        "0x",
                                        "a",
                                        "a.1",
                                        "\\",
                                        "x\"",
                                        "x\"0",
                                        ";",
                                        "; \n",
                                        "if c {",
                                        "if c {} else ",
                                        "else ",
                                        "for i in ",
                                        "forever {",
                                        "block {\n",
                                        "region \"g\" {",
                                        "return ",
                                        "return\n",
                                        "let ",
                                        "let a = ",
                                        "let a = 1\n",
                                        "let a = 1u\n",
                                        "\n",
                                        "\r",
                                        "\r\n",
                                        "\t",
                                        "\xC3",
                                        "\u00E9",
                                        "\u200B",
                                        "..",
                                        ".",
                                        ",",
                                        "a, ",
                                        "cast<",
                                        "cast<vec<",
                                        "vec<",
                                        "atomic_add<",
                                        "atomic_add<seq_cst>(x[",
                                        "call \"a\"(",
                                        "opaque ",
                                        "f32(",
                                        "f32(0x",
                                        "async_load \"t\" a <- b[",
                                        "buffer x: vec<",
                                        "buffer x: f32[] read where(",
                                        "buffer x: f32[] read where(not ",
                                        "local x: f32[]\n",
                                        "vyre 1\n",
                                        "program ",
                                        "&&",
                                        "+=",
                                        "binop<0x1>(",
                                        "1u, ",
                                        "invocation_id.",
                                        "\"\\u{41}",
                                        "\"a\" "}) {
      INFO(part);
      const std::string run = repeated(part);
      check_total(run);
      check_total("vyre 1\n" + run);
      check_total("vyre 1\nprogram " + run);
      check_total(program_text(run));
      check_total(program_text("let a = " + run));
      check_total(program_text("let a = " + run + "1u"));
      check_total(program_text("let a = \"" + run));
      check_total(program_text("buffer x: " + run));
      check_total(program_text("buffer x: f32[] read binding(0) where(" + run));
      check_total(program_text("if c {\n" + run));
    }
  });
  // Quadratic time would take hours.
  CHECK(seconds < 300);
}

TEST_CASE("limits are kept and named") {
  const std::string text = program_text(repeated("return\n", 1000));
  CHECK(parse(text).ok());
  CHECK(parse(text, {.max_nodes = 1000}).ok());
  const ParseResult nodes = parse(text, {.max_nodes = 999});
  REQUIRE(nodes.diagnostics.size() == 1);
  CHECK(nodes.diagnostics[0].code == "P004");
  CHECK(nodes.diagnostics[0].place.line() == 1002);
  CHECK(parse(text, {.max_bytes = text.size()}).ok());
  CHECK(parse(text, {.max_bytes = text.size() - 1}).diagnostics.at(0).code == "P004");
  for (const char* part : {"not ", "(", "q[", "min(1u, "}) {
    check_total(program_text("let a = " + repeated(part)), {.max_nodes = 100});
  }
  const std::string broken = program_text(repeated("let a = 1\n", 1000));
  CHECK(parse(broken).diagnostics.size() == 100);
  CHECK(parse(broken, {.max_diagnostics = 7}).diagnostics.size() == 7);
}

TEST_CASE("texts with random edits give a program or diagnostics") {
  std::vector<std::string> texts;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    texts.push_back(*print(test::random_program(seed, {.grid_sync = true, .async = true})));
  }
  texts.push_back(*print(*catalog::build("flash_attention_2", {})));
  const std::vector<std::string> tokens{"(",
                                        ")",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "<",
                                        ">",
                                        ",",
                                        ";",
                                        ":",
                                        "=",
                                        "..",
                                        ".",
                                        "-",
                                        "not ",
                                        "&",
                                        "+",
                                        "\"",
                                        "`",
                                        "x\"",
                                        "\\",
                                        "\n",
                                        " ",
                                        "let ",
                                        "if ",
                                        "else ",
                                        "1",
                                        "u",
                                        "0x",
                                        "e",
                                        "vyre",
                                        "program",
                                        "buffer ",
                                        "workgroup",
                                        "where(",
                                        "vec<",
                                        "cast<",
                                        "min",
                                        "\xFF",
                                        "\xE2\x80\x8B",
                                        "\xC3\xA9",
                                        std::string(1, '\0'),
                                        "\r",
                                        "inf",
                                        "f32(",
                                        "for i in ",
                                        "region ",
                                        "<-",
                                        "->"};
  const int count = test::sized_for_build("edited texts", 10'000);
  size_t programs = 0;
  for (int i = 0; i < count; ++i) {
    test::Random random(static_cast<uint64_t>(i));
    std::string text = texts[random.below(static_cast<uint32_t>(texts.size()))];
    const uint32_t edits = 1 + random.below(4);
    for (uint32_t k = 0; k < edits && !text.empty(); ++k) {
      const size_t at = random.below(static_cast<uint32_t>(text.size()));
      const size_t length = std::min<size_t>(1 + random.below(12), text.size() - at);
      const uint32_t kind = random.below(5);
      if (kind == 0) text.erase(at, length);
      if (kind == 1) text.insert(at, std::string(text, at, length));
      if (kind == 2) text.insert(at, random.pick(tokens));
      if (kind == 3) text.replace(at, length, random.pick(tokens));
      if (kind == 4) text[at] = static_cast<char>(random.below(256));
    }
    INFO("edit seed " << i);
    check_total(text);
    programs += parse(text).ok() ? 1 : 0;
  }
  // Some edits must leave a program, or this tests one side only.
  CHECK(programs > static_cast<size_t>(count) / 100);
}

TEST_CASE("texts cut at every byte give diagnostics, or a program at the very end") {
  const std::string text = *print(test::random_program(3, {.grid_sync = true, .async = true}));
  const size_t step = test::kSlowBuild ? 7 : 1;
  for (size_t size = 0; size < text.size(); size += step) {
    INFO("cut at " << size);
    const std::string_view cut = std::string_view(text).substr(0, size);
    check_total(cut);
    CHECK(parse(cut).ok() == (size == text.size() - 1));
  }
}

}  // namespace
}  // namespace vyre

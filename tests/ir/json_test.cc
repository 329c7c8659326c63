// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/json.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/every_construct.h"
#include "tests/support/json_program.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

using nlohmann::json;

Expr v(const char* name) { return Expr::var(name); }

Program with_entry(Body entry) { return Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)); }

json parsed(const Program& program, const JsonOptions& options = {}) {
  return json::parse(to_json(program, options).value());
}

TEST_CASE("a program can be rebuilt from its JSON, whatever it holds") {
  for (const Program& program : {test::every_construct(), Program::empty(), with_entry({}),
                                 catalog::build("flash_attention_2", {}).value(),
                                 catalog::build("flash_attention_2_reference", {}).value()}) {
    const std::string text = to_json(program).value();
    CHECK(test::program_from_json(text) == program);
    CHECK(to_json(test::program_from_json(text)).value() == text);
    const JsonOptions all{.types = true, .places = true};
    CHECK(test::program_from_json(to_json(program, all).value()) == program);
  }
}

TEST_CASE("each part of a program can be rebuilt from its JSON") {
  // One at a time, so that no other part makes up for what is missing of it.
  for (const Expr& expr : test::every_expression()) {
    const Program program = with_entry(Node::let_bind("e", expr));
    CHECK(test::program_from_json(to_json(program).value()) == program);
  }
  for (const Node& node : test::every_statement()) {
    const Program program = with_entry(node);
    CHECK(test::program_from_json(to_json(program).value()) == program);
  }
  for (const BufferDecl& buffer : test::every_declaration()) {
    const Program program = Program::wrapped({buffer}, {1, 1, 1}, {});
    CHECK(test::program_from_json(to_json(program).value()) == program);
  }
}

TEST_CASE("random programs can be rebuilt from their JSON") {
  const int count = test::sized_for_build("random programs", 300);
  for (int seed = 1; seed <= count; ++seed) {
    const Program program =
        test::random_program(static_cast<uint64_t>(seed), {.grid_sync = true, .async = true});
    if (!(test::program_from_json(to_json(program).value()) == program)) FAIL("seed " << seed);
  }
}

TEST_CASE("equal programs have the same JSON, however their parts are shared") {
  const Expr shared = v("a") + v("b");
  const Program one = with_entry({Node::let_bind("x", shared * shared)});
  const Program other = with_entry({Node::let_bind("x", (v("a") + v("b")) * (v("a") + v("b")))});
  CHECK(to_json(one).value() == to_json(other).value());
  CHECK(parsed(other)["expressions"].size() == 4);
  const Program different =
      with_entry({Node::let_bind("x", (v("a") + v("b")) * (v("b") + v("b")))});
  CHECK(to_json(one).value() != to_json(different).value());
}

TEST_CASE("what is shared is written once") {
  Expr doubled = v("x");
  for (int i = 0; i < 1000; ++i) doubled = doubled + doubled;
  Node nested = Node::let_bind("y", doubled);
  for (int i = 0; i < 1000; ++i) nested = Node::block({nested, nested});
  const json j = parsed(with_entry({nested}));
  CHECK(j["expressions"].size() == 1001);
  CHECK(j["statements"].size() == 1001);
  CHECK(j["expressions"][1000]["operands"] == json::array({999, 999}));
  CHECK(j["entry"] == json::array({1000}));
}

TEST_CASE("depth costs no stack") {
  Expr deep = v("x");
  for (uint32_t i = 0; i < 100'000; ++i) deep = Expr::select(v("c"), deep, Expr::u32(i));
  Node nest = Node::let_bind("y", deep);
  for (int i = 0; i < 100'000; ++i) nest = Node::if_then_else(v("c"), {}, {nest});
  const Program program = with_entry({nest});
  const std::string text = to_json(program, {.types = true}).value();
  CHECK(json::accept(text));
  CHECK(test::program_from_json(text) == program);
}

TEST_CASE("floats are given by bits, which JSON's numbers cannot do") {
  const json j =
      parsed(with_entry({Node::let_bind("a", Expr::literal(DataType::F32, 0x7F812345)),
                         Node::let_bind("b", -0.0F), Node::let_bind("c", Expr::f64(0.1))}));
  CHECK(j["expressions"][0] ==
        json({{"op", "f32"}, {"bits", "0x7f812345"}, {"text", "f32(0x7f812345)"}}));
  CHECK(j["expressions"][1] == json({{"op", "f32"}, {"bits", "0x80000000"}, {"text", "-0.0"}}));
  CHECK(j["expressions"][2] ==
        json({{"op", "f64"}, {"bits", "0x3fb999999999999a"}, {"text", "0.1f64"}}));
}

TEST_CASE("strings are escaped, and no byte is outside of ASCII without being UTF-8") {
  const std::string name("\"\\/\x00\x1F\x7F\n\u00e9\u2028\U0001F600", 16);
  const std::string text = to_json(with_entry({Node::let_bind(name, 1u)})).value();
  CHECK(json::parse(text)["statements"][0]["name"].get<std::string>() == name);
  CHECK(text.find("\"\\\"\\\\/\\u0000\\u001f\\u007f\\u000a") != std::string::npos);
}

TEST_CASE("what is not UTF-8 is refused") {
  for (const char* bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "a\xE2\x82"}) {
    CHECK(absl::IsInvalidArgument(to_json(with_entry({Node::let_bind(bad, 1u)})).status()));
    CHECK(absl::IsInvalidArgument(to_json(with_entry({Node::trap(1u, bad)})).status()));
    CHECK(absl::IsInvalidArgument(to_json(Program::empty().with_entry_op_id(bad)).status()));
  }
  CHECK(to_json(with_entry({Node::opaque("kind", "\xFF")})).ok());
}

TEST_CASE("JSON above the limit is refused") {
  const Program program = catalog::build("flash_attention_2", {}).value();
  const uint64_t size = to_json(program)->size();
  CHECK(to_json(program, {.max_bytes = size}).ok());
  const Status refused = to_json(program, {.max_bytes = size - 1}).status();
  CHECK(absl::IsResourceExhausted(refused));
  CHECK(message_of(refused).ends_with("Fix: raise JsonOptions::max_bytes."));
  CHECK(absl::IsResourceExhausted(to_json(program, {.max_bytes = 0}).status()));
}

TEST_CASE("types are given where a part has one") {
  const Program program =
      with_entry({Node::let_bind("a", 1.5F), Node::let_bind("b", v("a") + 1.0F),
                  Node::let_bind("c", Expr::lt(v("missing"), 1u)),
                  Node::block({Node::let_bind("i", 1u), Node::let_bind("j", v("i") + v("i"))}),
                  Node::block({Node::let_bind("i", 1.0F), Node::let_bind("k", v("i") + v("i"))})});
  CHECK_FALSE(parsed(program)["expressions"][0].contains("value_type"));
  std::map<std::string, json> types;
  const json j = parsed(program, {.types = true});
  for (const json& statement : j["statements"]) {
    if (statement["kind"] != "Let") continue;
    const size_t value = statement["operands"][0];
    types[statement["name"]] = j["expressions"][value]["value_type"];
  }
  CHECK(types["a"] == "f32");
  CHECK(types["b"] == "f32");
  CHECK(types["c"] == "bool");
  // `i + i` is one expression with two meanings.
  CHECK(types["j"] == nullptr);
  CHECK(types["k"] == nullptr);
}

TEST_CASE("places are given on request, and keep apart what they tell apart") {
  const auto file = std::make_shared<const std::string>("a.vyre");
  const Node one = Node::return_(Place::in_text(file, 1, 2));
  const Node two = Node::return_(Place::in_text(file, 3, 4).copied_by("unroll"));
  const Program program = with_entry({one, two, one, Node::return_(Place())});
  CHECK(parsed(program)["statements"].size() == 1);
  const json j = parsed(program, {.places = true});
  CHECK(j["statements"].size() == 3);
  CHECK(j["entry"] == json::array({0, 1, 0, 2}));
  CHECK(j["statements"][0]["place"] == "a.vyre:1:2");
  CHECK(j["statements"][1]["place"] == "a.vyre:3:4 (copied by unroll)");
  CHECK(j["statements"][2]["place"] == nullptr);
}

TEST_CASE("docs/json.md shows what is written") {
  const std::string path = VYRE_SOURCE_DIR "/docs/json.md";
  std::ifstream file(path, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Program program =
      Program::wrapped({BufferDecl::output("y", 0, DataType::F32).with_count(8)}, {64, 1, 1},
                       {Node::let_bind("i", Expr::gid_x()),
                        Node::if_then(Expr::lt(v("i"), 8u), {Node::store("y", v("i"), 0.5F)})})
          .with_extent({8, 1, 1});
  const std::string begin = "```json\n";
  const size_t at = page.find(begin);
  REQUIRE(at != std::string::npos);
  const size_t start = at + begin.size();
  const std::string shown = page.substr(start, page.find("```", start) - start);
  const std::string written = to_json(program, {.types = true}).value();
  if (std::getenv("VYRE_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary)
        << page.substr(0, start) << written << page.substr(start + shown.size());
    return;
  }
  INFO("set VYRE_BLESS=1 to write the page");
  CHECK(shown == written);
  // The page has a row for every key.
  const json all = parsed(test::every_construct(), {.types = true, .places = true});
  std::set<std::string> keys;
  for (const auto& [key, value] : all.items()) keys.insert(key);
  for (const char* part : {"buffers", "expressions", "statements"}) {
    for (const json& object : all.at(part)) {
      for (const auto& [key, value] : object.items()) keys.insert(key);
    }
  }
  CHECK(keys.size() > 40);
  for (const std::string& key : keys) {
    INFO(key);
    CHECK(page.find("`" + key + "`") != std::string::npos);
  }
}

}  // namespace
}  // namespace vyre

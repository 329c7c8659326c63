// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/listing.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/every_construct.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

using Kind = ListingLine::Kind;

Expr v(const char* name) { return Expr::var(name); }

Program with_entry(Body entry) { return Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)); }

// The statements as print() writes them, between the braces of the program.
std::string joined(const Listing& listing) {
  std::string text;
  for (const ListingLine& line : listing.lines) {
    if (line.continues) {
      text.pop_back();
    } else {
      text.append(2 * std::min<size_t>(line.level + 1, 50), ' ');
    }
    text += line.text + '\n';
  }
  return text;
}

std::string printed(const Program& program) {
  // Without declarations, so that only statements stand between the braces.
  const std::string text = print(program.with_buffers({})).value();
  const size_t begin = text.find("{\n") + 2;
  return text.substr(begin, text.size() - begin - 2);
}

std::vector<Program> programs() {
  std::vector<Program> all{test::every_construct(),
                           catalog::build("flash_attention_2", {}).value()};
  const int count = test::sized_for_build("random programs", 100);
  for (int seed = 1; seed <= count; ++seed) {
    all.push_back(test::random_program(static_cast<uint64_t>(seed)));
  }
  return all;
}

TEST_CASE("the lines are those of the text") {
  for (const Program& program : programs()) {
    CHECK(joined(list_statements(program).value()) == printed(program));
  }
}

TEST_CASE("each statement has one line, in order, with the path that resolve gives it") {
  for (const Program& program : programs()) {
    const Listing listing = list_statements(program).value();
    const Resolved resolved = resolve(program);
    StmtId next = 0;
    for (uint32_t i = 0; i < listing.lines.size(); ++i) {
      const ListingLine& line = listing.lines[i];
      if (line.node == nullptr) continue;
      REQUIRE(next < resolved.statements.size());
      REQUIRE(line.node->same_object(*resolved.statements[next].node));
      if (listing.path(i) != resolved.path(next)) FAIL(listing.path(i) << resolved.path(next));
      ++next;
    }
    CHECK(next == resolved.statements.size());
  }
}

TEST_CASE("an else after an empty body has a line of its own") {
  const Node r = Node::return_();
  const Program program =
      with_entry({Node::if_then_else(v("a"), {}, {Node::if_then_else(v("b"), {}, {r, r})})});
  const Listing listing = list_statements(program).value();
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < listing.lines.size(); ++i) {
    lines.push_back(listing.path(i) + ' ' + listing.lines[i].text);
  }
  CHECK(lines == std::vector<std::string>{
                     "entry[0] if a {", "entry[0].otherwise[0] } else if b {",
                     "entry[0].otherwise[0] } else {", "entry[0].otherwise[0].otherwise[0] return",
                     "entry[0].otherwise[0].otherwise[1] return", "entry[0].otherwise[0] }"});
  CHECK(listing.lines[1].continues);
  CHECK(listing.lines[2].continues);
  CHECK(joined(listing) == printed(program));
}

TEST_CASE("depth costs no stack, and limits are those of print") {
  Node nest = Node::return_();
  for (int i = 0; i < 200'000; ++i) nest = Node::if_then_else(v("c"), {}, {nest});
  CHECK(list_statements(with_entry({nest})).value().lines.size() == 200'003);
  Expr doubled = v("x");
  for (int i = 0; i < 100; ++i) doubled = doubled + doubled;
  const Program large = with_entry({Node::let_bind("y", doubled)});
  CHECK(absl::IsResourceExhausted(list_statements(large).status()));
  const Program bad = with_entry({Node::region("\xFF", std::nullopt, {Node::return_()})});
  CHECK(absl::IsInvalidArgument(list_statements(bad).status()));
  const Program bad_else =
      with_entry({Node::if_then_else(v("a"), {}, {Node::if_then(v("\xFF"), {Node::return_()})})});
  CHECK(absl::IsInvalidArgument(list_statements(bad_else).status()));
  const Program small = with_entry({Node::return_(), Node::return_()});
  CHECK(list_statements(small, {.max_bytes = 13, .max_nodes = 2}).ok());
  CHECK(absl::IsResourceExhausted(list_statements(small, {.max_bytes = 12}).status()));
  CHECK(absl::IsResourceExhausted(list_statements(small, {.max_nodes = 1}).status()));
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/region.h"

#include <catch2/catch.hpp>

namespace vyre {
namespace {

const Node kLeaf = Node::store("y", 0U, 1U);

TEST_CASE("wrapping makes a region with a generator and at most a parent") {
  CHECK(wrap_anonymous("g", {kLeaf}) == Node::region("g", std::nullopt, {kLeaf}));
  CHECK(wrap("g", {kLeaf}, std::nullopt) == wrap_anonymous("g", {kLeaf}));
  CHECK(wrap("g", {kLeaf}, "p") == Node::region("g", "p", {kLeaf}));
  CHECK(wrap_child("g", "p", {kLeaf}) == wrap("g", {kLeaf}, "p"));
  CHECK(wrap_anonymous("g", {}).body().empty());
}

TEST_CASE("a region notes where it was wrapped") {
  const Node region = wrap_anonymous("g", {kLeaf});
  CHECK(region.place().line() == __LINE__ - 1);
  CHECK(region.place().file() == "tests/ir/region_test.cc");
}

TEST_CASE("reparenting names the parent, and inlines roots and bare statements") {
  const Program program = Program::from_raw_parts(
      {}, {},
      {Node::region(kRootRegion, std::nullopt, {kLeaf}), Node::region("g", "old", {kLeaf}), kLeaf});
  const std::vector<Node> children = reparent_program_children(program, "p");
  REQUIRE(children.size() == 3);
  CHECK(children[0] == Node::region("inline::p", "p", {kLeaf}));
  CHECK(children[1] == Node::region("g", "p", {kLeaf}));
  CHECK(children[2] == Node::region("inline::p", "p", {kLeaf}));
  CHECK(reparent_program_children(Program::from_raw_parts({}, {}, {}), "p").empty());
}

TEST_CASE("tagging puts the whole entry into one region") {
  const Program program = Program::wrapped({}, {4, 1, 1}, {kLeaf}).with_extent(Dim3{8, 1, 1});
  const Program tagged = tag_program("p", program);
  REQUIRE(tagged.entry().size() == 1);
  CHECK(tagged.entry()[0] ==
        wrap_anonymous("p", {Node::region(kRootRegion, std::nullopt, {kLeaf})}));
  CHECK(tagged.workgroup_size() == program.workgroup_size());
  CHECK(tagged.extent() == program.extent());
  CHECK(tag_program("p", Program::from_raw_parts({}, {}, {})).entry()[0].body().empty());
}

TEST_CASE("a program that cannot be composed with itself is tagged as self-exclusive") {
  const Program program = Program::wrapped({}, {}, {kLeaf}).with_non_composable_with_self(true);
  const Program tagged = tag_program("p", program);
  const std::string_view generator = tagged.entry()[0].generator();
  CHECK(generator == "p#self-exclusive");
  CHECK(is_self_exclusive_region(generator));
  CHECK(mark_self_exclusive_region(generator) == generator);
  CHECK_FALSE(is_self_exclusive_region("p"));
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/segments.h"

#include <catch2/catch.hpp>

namespace vyre {
namespace {

using interpreter::Segment;
using interpreter::split_segments;

Node grid_sync() { return Node::barrier_with_ordering(MemoryOrdering::kGridSync); }
Node note(std::string_view name) { return Node::let_bind(name, 1u); }

// The names that the statements of each segment bind; other statements by keyword.
std::vector<std::vector<std::string>> split(Body entry) {
  const Resolved resolved = resolve(Program::wrapped({}, {1, 1, 1}, std::move(entry)));
  std::vector<std::vector<std::string>> segments;
  for (const Segment& segment : split_segments(resolved)) {
    std::vector<std::string>& names = segments.emplace_back();
    for (const StmtId stmt : segment.statements) {
      const Node& node = *resolved.statements[stmt].node;
      names.emplace_back(node.kind() == NodeKind::kLet ? std::string(node.name())
                                                       : std::string(node.info().keyword));
    }
  }
  return segments;
}

using Split = std::vector<std::vector<std::string>>;

TEST_CASE("E20: a program without grid barriers is one segment of its top-level statements") {
  CHECK(split({note("a"), note("b"), Node::barrier()}) == Split{{"region"}});
  CHECK(split({}) == Split{{"region"}});
}

TEST_CASE("E20: a grid barrier splits, and the regions and blocks around it are flattened") {
  CHECK(split({note("a"), grid_sync(), note("b"), note("c")}) == Split{{"a"}, {"b", "c"}});
  CHECK(split({note("a"),
               Node::block({note("b"), Node::block({note("c"), grid_sync(), note("d")}),
                            Node::block({note("e")})}),
               note("f")}) == Split{{"a", "b", "c"}, {"d", "block", "f"}});
}

TEST_CASE("E20: grid barriers with nothing between them make empty segments") {
  CHECK(split({grid_sync(), grid_sync(), note("a"), grid_sync()}) == Split{{}, {}, {"a"}, {}});
}

TEST_CASE("E20: deep blocks around a grid barrier cost no stack") {
  Body body = {note("a"), grid_sync(), note("b")};
  for (int i = 0; i < 100'000; ++i) body = Node::block(std::move(body));
  CHECK(split(std::move(body)) == Split{{"a"}, {"b"}});
}

}  // namespace
}  // namespace vyre

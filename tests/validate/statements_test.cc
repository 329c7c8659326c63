// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"
#include "vyre/ir/region.h"

namespace vyre {
namespace {

using test::body_codes;
using test::codes;

TEST_CASE("V105: the statements at the top are regions, and there is one") {
  const auto raw = [](Body entry) {
    return codes(Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)));
  };
  CHECK(raw({}) == "V105");
  CHECK(raw({Node::let_bind("x", 1u)}) == "V105");
  CHECK(raw({wrap_anonymous("r", {}), Node::let_bind("x", 1u), Node::let_bind("y", 1u)}) == "V105");
  CHECK(raw({wrap_anonymous("r", {}), wrap_anonymous("r", {})}).empty());
}

TEST_CASE("V112: nothing follows a return in its body") {
  CHECK(body_codes({Node::return_(), Node::trap(0u, "t")}) == "V112");
  CHECK(body_codes({Node::block({Node::return_()}), Node::trap(0u, "t")}).empty());
  CHECK(body_codes({Node::if_then_else(Expr::workgroup_id(0), {Node::return_()},
                                       {Node::let_bind("x", 1u)})})
            .empty());
  CHECK(body_codes({Node::return_()}).empty());
  CHECK(body_codes({Node::return_(), Node::barrier_with_ordering(MemoryOrdering::kGridSync)})
            .empty());
}

TEST_CASE("V115: a self-exclusive region stands in a program once") {
  const std::string once = mark_self_exclusive_region("op");
  CHECK(body_codes({wrap_anonymous(once, {}), wrap_anonymous(once, {})}) == "V115");
  CHECK(body_codes({wrap_anonymous(once, {}), wrap_anonymous("op", {})}).empty());
  CHECK(body_codes({wrap_anonymous("op", {}), wrap_anonymous("op", {})}).empty());
  CHECK(body_codes(
            {wrap_anonymous(once, {}), wrap_anonymous(mark_self_exclusive_region("other"), {})})
            .empty());
}

TEST_CASE("V126, V127: an indirect dispatch names a word of a buffer") {
  const auto dispatch = [](std::string_view buffer, uint64_t offset) {
    return codes(test::with_body({Node::indirect_dispatch(buffer, offset)}),
                 ValidateOptions::structure_only());
  };
  CHECK(dispatch("in", 8).empty());
  CHECK(dispatch("in", 6) == "V126");
  CHECK(dispatch("nothing", 8) == "V127");
  CHECK(body_codes({Node::indirect_dispatch("in", 8)}) == "V046");
}

TEST_CASE("V018: statements are nested as deep as the limit says") {
  const auto nested = [](uint32_t limit) {
    ValidateOptions options;
    options.max_nesting = limit;
    return codes(test::with_body({Node::block({Node::block({Node::let_bind("x", 1u)})})}), options);
  };
  CHECK(nested(3).empty());
  CHECK(nested(2) == "V018");
}

TEST_CASE("V019: a program has as many statements as the limit says") {
  const auto counted = [](uint32_t limit) {
    ValidateOptions options;
    options.max_statements = limit;
    const Node twice = Node::block({Node::let_bind("x", 1u)});
    return codes(test::with_body({twice, twice}), options);
  };
  CHECK(counted(5).empty());
  CHECK(counted(4) == "V019");
}

}  // namespace
}  // namespace vyre

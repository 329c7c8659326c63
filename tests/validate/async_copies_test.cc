// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

using test::body_codes;

Node start(std::string_view tag = "t") {
  return Node::async_load_ext("in", "shared", 0u, 16u, tag);
}
Node wait(std::string_view tag = "t") { return Node::async_wait(tag); }
Node maybe(Body body) { return Node::if_then(Expr::workgroup_id(0), std::move(body)); }
Node grid_sync() { return Node::barrier_with_ordering(MemoryOrdering::kGridSync); }

TEST_CASE("V117, V128: a tag is not empty") {
  CHECK(body_codes({start(""), wait("")}) == "V117 V128");
  CHECK(body_codes({start(" "), wait(" ")}).empty());
  CHECK(body_codes({Node::async_store("shared", "state", 0u, 4u, ""), wait("")}) == "V117 V128");
}

TEST_CASE("V138: a copy is not started while another with its tag is pending") {
  CHECK(body_codes({start(), start(), wait()}) == "V138");
  CHECK(body_codes({start(), wait(), start(), wait()}).empty());
  CHECK(body_codes({start("a"), start("b"), wait("b"), wait("a")}).empty());
  CHECK(body_codes({start(), Node::block({start()}), wait()}) == "V138");
}

TEST_CASE("V139: what is waited for was started") {
  CHECK(body_codes({wait()}) == "V139");
  CHECK(body_codes({start(), wait(), wait()}) == "V139");
  CHECK(body_codes({start("a"), wait("b"), wait("a")}) == "V139");
}

TEST_CASE("V140: what is started is waited for") {
  CHECK(body_codes({start()}) == "V140");
  CHECK(body_codes({start(), Node::return_()}) == "V140");
  CHECK(body_codes({start(), Node::trap(0u, "stop")}).empty());
  const ValidationReport report = validate(test::with_body({Node::block({start()})}));
  REQUIRE(test::codes(report) == "V140");
  CHECK(report.diagnostics[0].path == "entry[0].body[0].body[0]");
}

TEST_CASE("V138 to V140: what ifs and loops decide is left to the run") {
  CHECK(body_codes({maybe({start()}), maybe({wait()})}).empty());
  CHECK(body_codes({start(), maybe({wait()})}).empty());
  CHECK(body_codes({Node::loop_for("i", 0u, 4u, {start(), wait()})}).empty());
  CHECK(body_codes({maybe({start()}), wait(), start(), wait(), wait()}) == "V139");
}

TEST_CASE("V138 to V140: E20: copies do not outlive a segment") {
  CHECK(body_codes({start(), grid_sync(), wait()}) == "V140 V139");
  CHECK(body_codes({start(), wait(), grid_sync(), start(), wait()}).empty());
  CHECK(body_codes({maybe({start()}), grid_sync(), wait()}) == "V139");
  CHECK(body_codes({Node::return_(), grid_sync(), wait()}) == "V139");
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

using test::body_codes;
using test::codes;
using test::with_body;

TEST_CASE("V044: an integer is not divided by the literal 0") {
  const auto divided = [](Expr value) {
    return body_codes({Node::let_bind("x", std::move(value))});
  };
  const Expr i = Expr::gid_x();
  CHECK(divided(i / Expr::u32(0)) == "V044");
  CHECK(divided(i % Expr::u32(0)) == "V044");
  CHECK(divided(Expr::cast(DataType::I64, i) / Expr::i64(0)) == "V044");
  CHECK(divided(i / Expr::u32(1)).empty());
  CHECK(divided(Expr::u32(0) / (i + 1u)).empty());
  CHECK(divided(Expr::f32(1) / Expr::f32(0)).empty());
  // Once for one expression, wherever it is used.
  const Expr shared = i / Expr::u32(0);
  CHECK(divided(shared + shared * shared) == "V044");
}

TEST_CASE("D19: a divisor that a pass made 0 is no error between passes") {
  const Program program = with_body({Node::let_bind("x", Expr::gid_x() / Expr::u32(0))});
  CHECK(codes(program) == "V044");
  CHECK(codes(program, ValidateOptions::structure_only()).empty());
}

TEST_CASE("V035: a cast that drops bits of an integer is warned of") {
  const auto cast = [](DataType::Kind to, Expr value) {
    return body_codes({Node::let_bind("x", Expr::cast(to, std::move(value)))});
  };
  CHECK(cast(DataType::U8, Expr::gid_x()) == "V035");
  CHECK(cast(DataType::I16, Expr::gid_x()) == "V035");
  CHECK(cast(DataType::I32, Expr::u64(5)) == "V035");
  CHECK(cast(DataType::I32, Expr::gid_x()).empty());
  CHECK(cast(DataType::U64, Expr::gid_x()).empty());
  CHECK(cast(DataType::Bool, Expr::gid_x()).empty());
  CHECK(cast(DataType::F16, Expr::f32(1)).empty());
  const ValidationReport report =
      validate(with_body({Node::let_bind("x", Expr::cast(DataType::U8, Expr::gid_x()))}));
  CHECK(report.ok());
  CHECK(report.diagnostics.at(0).severity == Severity::kWarning);
}

TEST_CASE("V036: a store at a literal index is below the declared count") {
  const auto store = [](Expr index) {
    return body_codes({Node::store("out", std::move(index), 1u)});
  };
  CHECK(store(Expr::u32(63)).empty());
  CHECK(store(Expr::u32(64)) == "V036");
  CHECK(store(Expr::u64(uint64_t{1} << 40)) == "V036");
  CHECK(store(Expr::u32(63) + 1u).empty());
  CHECK(codes(Program::wrapped({BufferDecl::read_write("x", 0, DataType::U32)}, {1, 1, 1},
                               {Node::store("x", 99u, 1u)}))
            .empty());
}

TEST_CASE("V033: expressions are as deep as the limit says") {
  Expr e = Expr::u32(1);
  for (int i = 0; i < 10; ++i) e = e + 1u;
  const auto limited = [&](uint32_t limit) {
    ValidateOptions options;
    options.max_expression_depth = limit;
    return codes(with_body({Node::let_bind("x", e)}), options);
  };
  CHECK(limited(10).empty());
  CHECK(limited(9) == "V033");
}

TEST_CASE("V041: an engine without subgroups refuses what looks at them") {
  ValidateOptions options;
  options.subgroups = false;
  const Program program = with_body({Node::let_bind("a", Expr::subgroup_size()),
                                     Node::let_bind("b", Expr::subgroup_add(Expr::gid_x()))});
  CHECK(codes(program, options) == "V041 V041");
  CHECK(codes(program).empty());
}

TEST_CASE("a path leads to the first place where an expression stands") {
  const Expr bad = Expr::gid_x() / Expr::u32(0);
  const ValidationReport report = validate(
      with_body({Node::let_bind("x", 1u), Node::store("out", 0u, Expr::max(1u, bad) + bad)}));
  REQUIRE(codes(report) == "V044");
  CHECK(report.diagnostics[0].path == "entry[0].body[1].value.left.right");
}

}  // namespace
}  // namespace vyre

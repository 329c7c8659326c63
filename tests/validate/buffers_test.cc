// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/validate/verdict.h"

namespace vyre {
namespace {

std::string decl_codes(BufferDecl decl, const ValidateOptions& options = {}) {
  return test::codes(Program::wrapped({std::move(decl)}, {1, 1, 1}, {}), options);
}
BufferDecl sized(uint32_t count) {
  return BufferDecl::read("x", 0, DataType::F32).with_count(count);
}
BufferDecl output() { return BufferDecl::output("y", 0, DataType::F32); }

TEST_CASE("V083: the condition on a count holds") {
  const ShapePredicate fours = ShapePredicate::multiple_of(4);
  CHECK(decl_codes(sized(8).with_shape_predicate(fours)).empty());
  CHECK(decl_codes(sized(7).with_shape_predicate(fours)) == "V083");
  const ValidationReport report =
      validate(Program::wrapped({sized(7).with_shape_predicate(fours)}, {1, 1, 1}, {}));
  CHECK(report.diagnostics.at(0).path == "buffers[0]");
  CHECK_THAT(report.diagnostics.at(0).cause, Catch::Contains("count % 4 == 0"));
}

TEST_CASE("V141: the condition on a count that is not declared cannot be kept by a run") {
  const BufferDecl decl =
      BufferDecl::read("x", 0, DataType::F32).with_shape_predicate(ShapePredicate::at_least(4));
  CHECK(decl_codes(decl) == "V141");
  CHECK(decl_codes(decl, ValidateOptions::structure_only()).empty());
  CHECK(validate(Program::wrapped({decl}, {1, 1, 1}, {})).status().code() ==
        absl::StatusCode::kUnimplemented);
}

TEST_CASE("V136: the bytes that are returned lie in the output") {
  CHECK(decl_codes(output().with_count(4).with_output_byte_range({4, 16})).empty());
  CHECK(decl_codes(output().with_count(4).with_output_byte_range({4, 17})) == "V136");
  CHECK(decl_codes(output().with_count(4).with_output_byte_range({8, 4})) == "V136");
  CHECK(decl_codes(output().with_output_byte_range({8, 4})) == "V136");
  CHECK(decl_codes(output().with_count(4).with_output_byte_range({16, 16})).empty());
}

TEST_CASE("V130: something says how large an output is") {
  CHECK(decl_codes(output()) == "V130");
  CHECK(decl_codes(output(), {.source = false}).empty());
  CHECK(decl_codes(output().with_count(0)).empty());
  CHECK(decl_codes(output().with_output_byte_range({0, 8})).empty());
  CHECK(decl_codes(BufferDecl::read_write("x", 0, DataType::F32)).empty());
}

TEST_CASE("V110: an output is made of scalars") {
  const DataType array = DataType::array(16);
  CHECK(decl_codes(BufferDecl::output("y", 0, array).with_count(2)) == "V110 V135");
  CHECK(decl_codes(BufferDecl::read("y", 0, array).with_count(2)) == "V135");
}

TEST_CASE("V142: workgroup memory has a budget, if one is given") {
  const auto total = [](std::optional<uint64_t> budget) {
    ValidateOptions options;
    options.max_workgroup_bytes = budget;
    return test::codes(Program::wrapped({BufferDecl::workgroup("a", 8, DataType::F32),
                                         BufferDecl::workgroup("b", 8, DataType::F64),
                                         BufferDecl::local("c", 1000, DataType::F64)},
                                        {1, 1, 1}, {}),
                       options);
  };
  CHECK(total(std::nullopt).empty());
  CHECK(total(96).empty());
  CHECK(total(95) == "V142");
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/evaluate.h"

#include "tests/interpreter/run.h"

namespace vyre {
namespace {

using test::error_of;

// y[i] = a * x[i] + y[i], both sized by what is bound.
Program saxpy(uint32_t n) {
  const Expr i = Expr::gid_x();
  return Program::wrapped(
             {BufferDecl::read("x", 0, DataType::F32).with_count(n),
              BufferDecl::read_write("y", 1, DataType::F32).with_count(n)},
             {64, 1, 1},
             {Node::if_then(Expr::lt(i, n),
                            {Node::store("y", i, 2.0f * Expr::load("x", i) + Expr::load("y", i))})})
      .with_extent(Dim3{n, 1, 1});
}

const std::vector<float> kX{1, 2, 3};
const std::vector<float> kY{10, 20, 30};

TEST_CASE("a program is evaluated with inputs and outputs by name") {
  const Outputs out = evaluate(saxpy(3), {{"x", kX}, {"y", kY}}).value();
  CHECK(out.get<float>("y").value() == std::vector<float>{12, 24, 36});
  CHECK(out.report().dispatch == Dispatch::of_workgroups({1, 1, 1}));
  CHECK(out.report().dispatch_source == DispatchSource::kExtent);
}

TEST_CASE("inputs that are missing, unknown, twice, short or of another type are named") {
  CHECK_THAT(error_of(saxpy(3), {{"x", kX}}), Catch::Contains("input `y` is missing"));
  CHECK_THAT(error_of(saxpy(3), {{"x", kX}, {"y", kY}, {"xx", kX}}),
             Catch::Contains("no input `xx`") && Catch::Contains("its inputs are x, y"));
  CHECK_THAT(error_of(saxpy(3), {{"x", kX}, {"x", kX}, {"y", kY}}),
             Catch::Contains("`x` is given twice"));
  CHECK_THAT(error_of(saxpy(4), {{"x", kX}, {"y", kY}}),
             Catch::Contains("has 12 bytes but requires at least 16 bytes"));
  CHECK_THAT(error_of(saxpy(3), {{"x", std::vector<uint32_t>{1, 2, 3}}, {"y", kY}}),
             Catch::Contains("elements of f32"));
  const Program out = test::u32_program(1, 1, {});
  CHECK_THAT(error_of(out, {{"y", std::vector<uint32_t>{0}}}), Catch::Contains("is an output"));
}

TEST_CASE("an output is asked for by its name and element type") {
  const Outputs out = evaluate(saxpy(3), {{"x", kX}, {"y", kY}}).value();
  CHECK_THAT(std::string(message_of(out.get<float>("z").status())),
             Catch::Contains("no output `z`") && Catch::Contains("`y`"));
  CHECK_THAT(std::string(message_of(out.get<uint32_t>("y").status())), Catch::Contains("f32"));
  CHECK(out.bytes("y")->size() == 12);
}

TEST_CASE("reference_eval takes values in declaration order, with or without the outputs") {
  const Program p = Program::wrapped(
      {BufferDecl::read("x", 5, DataType::U32).with_count(2),
       BufferDecl::output("y", 0, DataType::U32).with_count(2)},
      {2, 1, 1}, {Node::store("y", Expr::gid_x(), Expr::load("x", Expr::gid_x()) + 1u)});
  const Value x = Value::from(std::vector<uint32_t>{4, 5});
  const std::vector<uint32_t> expected{5, 6};
  CHECK(decode_u32(reference_eval(p, std::vector{x}).value()[0].to_bytes()) == expected);
  // The contents of a value that stands for an output are ignored.
  CHECK(decode_u32(reference_eval(p, std::vector{x, x}).value()[0].to_bytes()) == expected);
  CHECK_FALSE(reference_eval(p, std::vector{x, Value::zeros(4)}).ok());
  CHECK_FALSE(reference_eval(p, std::vector<Value>{}).ok());
  CHECK_FALSE(reference_eval(p, std::vector{x, x, x}).ok());
}

TEST_CASE("an output's byte range is what is returned") {
  const auto with_range = [](ByteRange range) {
    return Program::wrapped(
        {BufferDecl::output("y", 0, DataType::U32).with_count(4).with_output_byte_range(range)},
        {4, 1, 1}, {Node::store("y", Expr::gid_x(), Expr::gid_x())});
  };
  CHECK(test::run<uint32_t>(with_range({4, 12})) == std::vector<uint32_t>{1, 2});
  CHECK(test::run<uint32_t>(with_range({4, 99})).size() == 4);
}

TEST_CASE("an output without a size is refused") {
  const Program p = Program::wrapped({BufferDecl::output("y", 0, DataType::U32)}, {1, 1, 1}, {});
  CHECK_THAT(error_of(p), Catch::Contains("has no count"));
}

TEST_CASE("a program with errors is refused with every diagnostic") {
  const Program p =
      test::u32_program(1, 1, {Node::store("z", 0u, 1u), Node::store("y", 0u, Expr::var("nope"))});
  CHECK_THAT(error_of(p), Catch::Contains("V064") && Catch::Contains("V066"));
}

// Buffer y of one element, and a trap under the given statements.
Program trapping(Body before = {}, Expr address = Expr::u32(7)) {
  return Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                          {Node::block({std::move(before), Node::trap(std::move(address), "why")})})
      .with_extent(Dim3{1, 1, 1});
}

TEST_CASE("the trap of a program that starts with it comes before errors of its inputs") {
  const std::vector<Value> four(4, Value::zeros(16));
  const Status positional = reference_eval(trapping(), four).status();
  CHECK(positional.code() == absl::StatusCode::kAborted);
  CHECK_THAT(std::string(message_of(positional)), Catch::StartsWith("trap `why` at address 7"));
  CHECK_THAT(error_of(trapping(), {{"q", kX}}), Catch::StartsWith("trap `why` at address 7"));
}

TEST_CASE("inputs that do not fit are refused where something may come before the trap") {
  const std::vector<Value> four(4, Value::zeros(16));
  const auto code = [&](const Program& program, const RunOptions& options = {}) {
    return reference_eval(program, four, options).status().code();
  };
  CHECK(code(trapping({Node::store("y", 0U, 1U)})) == absl::StatusCode::kInvalidArgument);
  CHECK(code(trapping({}, Expr::load("y", 0U))) == absl::StatusCode::kInvalidArgument);
  CHECK(code(Program::empty()) == absl::StatusCode::kInvalidArgument);
  RunOptions none;
  none.dispatch = Dispatch::of_workgroups({0, 1, 1});
  CHECK(code(trapping(), none) == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace vyre

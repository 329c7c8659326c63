// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded tables of the f32 functions, a table a launch, on every engine.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/conformance_dir.h"
#include "tests/support/engine_run.h"
#include "tests/support/recorded_ops.h"

namespace vyre {
namespace {

// out[i] = op(a[i])
Program map_program(Op op, uint32_t count) {
  const Expr i = Expr::gid_x();
  const Expr value = test::operation(op, {Expr::load("a", i)});
  return Program::wrapped({BufferDecl::read("a", 0, DataType::F32).with_count(count),
                           BufferDecl::output("out", 1, DataType::F32).with_count(count)},
                          {64, 1, 1}, {Node::store("out", i, value)})
      .with_extent(Dim3{count, 1, 1});
}

std::vector<uint32_t> map(Engine& engine, Op op, const std::vector<uint32_t>& inputs) {
  const Program program = map_program(op, static_cast<uint32_t>(inputs.size()));
  const std::vector<Value> values{Value::from(inputs)};
  const test::EngineRun run = test::run_on(engine, program, values);
  INFO(message_of(run.status));
  REQUIRE(run.ok());
  return decode_u32(run.outputs.at(0).to_bytes());
}

std::vector<uint32_t> flushed(std::vector<uint32_t> values) {
  for (uint32_t& value : values) value = static_cast<uint32_t>(test::flushed(value));
  return values;
}

// Whether our value agrees with a recorded one, or else differs because subnormals are kept.
struct Comparison {
  int equal = 0;
  int near = 0;            // within 2 ulp, of a function that the original rounds so
  int from_subnormal = 0;  // D1
};

Comparison compare(Engine& engine, const test::FunctionTable& table,
                   const std::vector<uint32_t>& inputs) {
  const std::vector<uint32_t> ours = map(engine, table.op, inputs);
  const std::vector<uint32_t> with_flush = flushed(map(engine, table.op, flushed(inputs)));
  const int64_t tolerance = test::is_transcendental(table.op) ? 2 : 0;
  Comparison result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t recorded = table.outputs[i];
    INFO("input " << inputs[i] << ", ours " << ours[i] << ", recorded " << recorded);
    if (ours[i] == recorded) {
      ++result.equal;
    } else if (test::ulp_distance(ours[i], recorded) <= tolerance) {
      ++result.near;
    } else {
      REQUIRE((test::is_subnormal_f32(inputs[i]) || test::is_subnormal_f32(ours[i])));
      REQUIRE(test::ulp_distance(with_flush[i], recorded) <= tolerance);
      ++result.from_subnormal;
    }
  }
  return result;
}

TEST_CASE("recorded function tables agree on every engine: by bits, or within 2 ulp") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const auto [inputs, tables] = test::read_function_tables(*dir);
  REQUIRE(tables.size() == 23);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    Comparison exact;
    Comparison rounded;
    for (const test::FunctionTable& table : tables) {
      INFO(engine->name() << " " << table.name);
      const Comparison one = compare(*engine, table, inputs);
      Comparison& sum = test::is_transcendental(table.op) ? rounded : exact;
      sum.equal += one.equal;
      sum.near += one.near;
      sum.from_subnormal += one.from_subnormal;
    }
    CHECK(exact.equal + exact.from_subnormal == 9 * 4096);
    CHECK(exact.near == 0);
    CHECK(rounded.equal + rounded.near + rounded.from_subnormal == 14 * 4096);
    CHECK(exact.from_subnormal == 46);
    CHECK(rounded.from_subnormal == 71);
    CHECK(rounded.near == 3382);
  }
}

TEST_CASE("the recorded range of exp agrees on every engine within 2 ulp") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const auto [inputs, outputs] = test::read_exp_range(*dir);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    const std::vector<uint32_t> ours = map(*engine, Op::kExp, inputs);
    int64_t worst = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
      worst = std::max(worst, test::ulp_distance(ours[i], outputs[i]));
    }
    CHECK(worst <= 2);
  }
}

}  // namespace
}  // namespace vyre

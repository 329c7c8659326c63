// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded rows of the original against the kernels and meanings. Where a decision of the
// design makes a result differ, a predicate says so, the value is computed independently, and the
// number of rows that each decision claims is fixed: none is excused by accident.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/conformance_dir.h"
#include "tests/support/recorded_ops.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/type_rules.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;

using test::flushed;
using test::is_subnormal_bf16;
using test::is_subnormal_f32;
using test::is_transcendental;
using test::RecordedRow;
using test::Tally;
using test::ulp_distance;

// What a row's operation gives here: operand bits to the bits in the output buffer.
struct Answer {
  std::optional<uint64_t> bits;  // none: refused
  scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
};

uint64_t stored(Kind type, uint64_t value) {
  std::byte memory[8] = {};
  scalar::store_element(type, memory, value);
  return *DataType(type).size_bytes() == 8   ? scalar::load_element(DataType::U64, memory)
         : *DataType(type).size_bytes() == 2 ? scalar::load_element(DataType::U16, memory)
                                             : scalar::load_element(DataType::U32, memory);
}
uint64_t loaded(Kind type, uint64_t bits) {
  std::byte memory[8] = {};
  scalar::store_element(DataType::U64, memory, bits);
  return scalar::load_element(type, memory);
}

Answer evaluate_row(Op op, Kind type, Kind target, const std::vector<uint64_t>& inputs) {
  Answer answer;
  answer.bits = evaluate_op(op, type, target, inputs, answer.trap);
  if (!answer.bits) return answer;
  const TypeRule rule = op_info(op).rule;
  const bool is_float_result = rule == TypeRule::kArithmetic || rule == TypeRule::kFloatUnary ||
                               rule == TypeRule::kNegate || rule == TypeRule::kFma;
  const Kind result = op == Op::kCast   ? *value_type_of(target)
                      : is_float_result ? type
                                        : DataType::U64;
  answer.bits = scalar::canonical_nan(result, *answer.bits);
  return answer;
}

// The code that the type rules give for the operation on those types.
std::string refusal(Op op, const std::vector<Kind>& types) {
  std::vector<std::optional<Kind>> operand_types(types.begin(), types.end());
  const Expr expr = test::operation(op, {Expr::var("a"), Expr::var("b"), Expr::var("c")});
  const TypeResult result = check_types(expr, operand_types);
  return result.errors.empty() ? "" : result.errors[0].code;
}

void judge_operation(const RecordedRow& row, Op op, Tally& tally) {
  const std::vector<Kind> types = test::operand_types(row);
  const std::string code = refusal(op, types);
  const std::string recorded = test::recorded_code(row);
  if (!code.empty()) {
    // E15 refuses nothing that the original computed.
    CHECK_FALSE(row.output.has_value());
    if (recorded.empty()) return tally.add("refused where the original failed at run time");
    CHECK(code == recorded);
    return tally.add("refused with the original's code");
  }
  const Answer answer = evaluate_row(op, types[0], types[0], row.inputs);
  REQUIRE(answer.bits.has_value());
  if (!row.error.empty()) {
    if (answer.trap != scalar::ArithmeticTrap::kNone) return tally.add("D6: traps");
    return tally.add("E15: allowed where the original refused");
  }
  CHECK(answer.trap == scalar::ArithmeticTrap::kNone);
  if (*answer.bits == *row.output) return tally.add("equal");
  if (types[0] == DataType::U64 && row.out_type == "u32") {
    CHECK((*answer.bits & 0xFFFFFFFF) == *row.output);
    return tally.add("D4: low word of a u64");
  }
  REQUIRE(types[0] == DataType::F32);
  const std::vector<uint64_t> flushed_inputs = flushed(row.inputs);
  const bool subnormal =
      flushed_inputs != row.inputs || (row.out_type == "f32" && is_subnormal_f32(*answer.bits));
  if (subnormal) {
    // The original's answer is ours with flushed operands and result.
    const Answer with_flush = evaluate_row(op, types[0], types[0], flushed_inputs);
    const uint64_t expected = row.out_type == "f32" ? flushed(*with_flush.bits) : *with_flush.bits;
    CHECK(ulp_distance(expected, *row.output) <= (is_transcendental(op) ? 2 : 0));
    return tally.add("D1: subnormals kept");
  }
  CHECK(is_transcendental(op));
  CHECK(ulp_distance(*answer.bits, *row.output) <= 2);
  tally.add("D2: correctly rounded");
}

void judge_cast(const RecordedRow& row, Tally& tally) {
  const std::optional<Kind> target = test::cast_target(row);
  if (!target || *target == DataType::Bytes) {
    CHECK((row.op == "to_vec2u32" || row.op == "to_vec4u32" || row.op == "to_bytes"));
    return tally.add("D4: casts to carried types refused");
  }
  const Kind type = *data_type_from_spelling(row.type);
  CHECK(is_legal_cast(type, *target));
  const Answer answer = evaluate_row(Op::kCast, type, *target, row.inputs);
  REQUIRE(answer.bits.has_value());
  if (!row.error.empty()) return tally.add("E13: cast where the original refused");
  if (*answer.bits == *row.output) return tally.add("equal");
  CHECK(is_float(type));
  const Answer with_flush = evaluate_row(Op::kCast, type, *target, {flushed(row.inputs[0])});
  const uint64_t expected = row.out_type == "f32" ? flushed(*with_flush.bits) : *with_flush.bits;
  CHECK(expected == *row.output);
  tally.add("D1: subnormals kept");
}

void judge_memory(const RecordedRow& row, Tally& tally) {
  uint64_t found = row.inputs[0];
  if (row.op == "Load.f16_cast_f32") found = stored(DataType::F32, loaded(DataType::F16, found));
  if (row.op == "Load.bf16_cast_f32") found = stored(DataType::F32, loaded(DataType::BF16, found));
  if (row.op == "Store.f32_to_f16") found = stored(DataType::F16, found);
  if (row.op == "Store.f32_to_bf16") found = stored(DataType::BF16, found);
  if (row.op == "Load.store_f32" || row.op == "LitF32.store_f32")
    found = stored(DataType::F32, found);
  if (found == *row.output) return tally.add("equal");
  const bool to_bf16 = row.op == "Store.f32_to_bf16";
  CHECK((is_subnormal_f32(found) || is_subnormal_f32(row.inputs[0]) ||
         (to_bf16 && is_subnormal_bf16(found))));
  CHECK(*row.output == (to_bf16 ? found & 0x8000 : flushed(found)));
  tally.add("D1: subnormals kept");
}

TEST_CASE("recorded operations agree but for the documented decisions") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::vector<RecordedRow> rows = test::read_rows(*dir);
  Tally tally;
  for (const RecordedRow& row : rows) {
    INFO(row.line);
    if (row.is_cast) {
      judge_cast(row, tally);
    } else if (const std::optional<Op> op = test::op_named(row.op)) {
      judge_operation(row, *op, tally);
    } else {
      judge_memory(row, tally);
    }
  }
  if (rows.size() != test::kCountedRows) return;
  CHECK(tally.to_string() ==
        "D1: subnormals kept: 226\n"
        "D2: correctly rounded: 47\n"
        "D4: casts to carried types refused: 117\n"
        "D4: low word of a u64: 140\n"
        "D6: traps: 26\n"
        "E13: cast where the original refused: 22\n"
        "E15: allowed where the original refused: 254\n"
        "equal: 18008\n"
        "refused where the original failed at run time: 34\n"
        "refused with the original's code: 254");
}

TEST_CASE("recorded function tables agree: exact ones by bits, the others within 2 ulp") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const auto [inputs, tables] = test::read_function_tables(*dir);
  CHECK(tables.size() == 23);
  for (const auto& [op, name, outputs] : tables) {
    const int64_t tolerance = is_transcendental(op) ? 2 : 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const uint64_t flushed_input = flushed(inputs[i]);
      const Answer plain = evaluate_row(op, DataType::F32, DataType::F32, {inputs[i]});
      const Answer flush = evaluate_row(op, DataType::F32, DataType::F32, {flushed_input});
      if (ulp_distance(*plain.bits, outputs[i]) <= tolerance) continue;
      const bool subnormal = is_subnormal_f32(inputs[i]) || is_subnormal_f32(*plain.bits);
      CAPTURE(name, i, inputs[i], outputs[i], *plain.bits);
      CHECK(subnormal);
      CHECK(ulp_distance(flushed(*flush.bits), outputs[i]) <= tolerance);
    }
  }
}

TEST_CASE("the recorded range of exp agrees within 2 ulp") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const auto [inputs, outputs] = test::read_exp_range(*dir);
  int64_t worst = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Answer answer = evaluate_row(Op::kExp, DataType::F32, DataType::F32, {inputs[i]});
    worst = std::max(worst, ulp_distance(*answer.bits, outputs[i]));
  }
  CHECK(worst <= 2);
}

}  // namespace
}  // namespace vyre

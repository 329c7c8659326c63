// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded operations as programs on every engine. Where a decision of the design makes a
// result differ, a predicate says so, the value is computed another way (exact_reference.h), and
// the number of rows that each decision claims is fixed: none is excused by accident.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/support/conformance_dir.h"
#include "tests/support/engine_run.h"
#include "tests/support/exact_reference.h"
#include "tests/support/recorded_ops.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/type_rules.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;
using test::RecordedRow;
using test::Tally;

// A row's program: read-only buffers of one element, one store of the operation to the next
// binding. Bool operands are literals, bool results go through select.
struct RowProgram {
  std::vector<BufferDecl> buffers{};
  std::vector<Value> inputs{};
  std::vector<Expr> operands{};

  void add_operand(Kind type, uint64_t bits) {
    if (type == DataType::Bool) {
      operands.push_back(Expr::bool_(bits != 0));
      return;
    }
    static constexpr std::array<std::string_view, 3> kNames{"a", "b", "c"};
    const std::string_view name = kNames.at(buffers.size());
    buffers.push_back(
        BufferDecl::read(name, static_cast<uint32_t>(buffers.size()), type).with_count(1));
    std::vector<std::byte> bytes(*DataType(type).size_bytes());
    std::memcpy(bytes.data(), &bits, bytes.size());
    inputs.push_back(Value::from_bytes(std::move(bytes)));
    operands.push_back(Expr::load(name, 0U));
  }

  Program storing(const Expr& value, Kind out_type) const {
    std::vector<BufferDecl> all = buffers;
    all.push_back(
        BufferDecl::output("out", static_cast<uint32_t>(all.size()), out_type).with_count(1));
    return Program::wrapped(std::move(all), {1, 1, 1}, {Node::store("out", 0U, value)});
  }
};

// The type of "f32" and of the two vectors, as the rows spell them.
Kind type_named(const std::string& name) {
  if (name == "vec2u32") return DataType::Vec2U32;
  if (name == "vec4u32") return DataType::Vec4U32;
  return data_type_from_spelling(name).value();
}

bool gives_bool(Op op) {
  const TypeRule rule = op_info(op).rule;
  return rule == TypeRule::kEquality || rule == TypeRule::kOrdering || rule == TypeRule::kLogical ||
         rule == TypeRule::kNot || rule == TypeRule::kFloatTest;
}

Expr as_u32(const Expr& condition) { return Expr::select(condition, 1U, 0U); }

// "to_u8 (then cast u32)": the cast, then what makes its result fit the output.
Expr cast_row(const RecordedRow& row, const Expr& operand) {
  const Kind target = type_named(row.op.substr(3));
  const Expr cast = Expr::cast(target, operand);
  if (target == DataType::Bool) return as_u32(cast);
  const Kind out = type_named(row.out_type);
  return target == out ? cast : Expr::cast(out, cast);
}

Expr memory_row(const RecordedRow& row, const Expr& operand) {
  if (row.op == "LitF32.store_f32") return Expr::literal(DataType::F32, row.inputs[0]);
  const bool is_cast = row.op == "Load.f16_cast_f32" || row.op == "Load.bf16_cast_f32";
  return is_cast ? Expr::cast(DataType::F32, operand) : operand;
}

Expr row_value(const RecordedRow& row, const std::vector<Expr>& operands) {
  if (row.is_cast) return cast_row(row, operands[0]);
  const std::optional<Op> op = test::op_named(row.op);
  if (!op) return memory_row(row, operands[0]);
  const Expr value = test::operation(*op, operands);
  return gives_bool(*op) ? as_u32(value) : value;
}

// What a row gives here: the bits stored, or why there are none.
struct Answer {
  std::optional<uint64_t> bits{};
  std::string code;  // of the first diagnostic
  std::string trap_tag;
};

// Programs of rows that differ in their operands alone are compiled once.
class RowRunner {
 public:
  explicit RowRunner(Engine& engine) : engine_(engine) {}

  Answer run(const RecordedRow& row, const std::string& out_type) {
    RowProgram parts;
    const std::vector<Kind> types = test::operand_types(row);
    for (size_t i = 0; i < types.size(); ++i) parts.add_operand(types[i], row.inputs[i]);
    const Program program = parts.storing(row_value(row, parts.operands), type_named(out_type));
    const std::string key = program.hash().to_hex();
    if (!compiled_.contains(key)) compiled_.emplace(key, engine_.compile(program, {}));
    const auto& executable = compiled_.at(key);
    if (!executable.ok()) return refused(program, executable.status());
    const test::EngineRun result = test::run_on(engine_, program, **executable, parts.inputs);
    INFO(message_of(result.status));
    REQUIRE(result.status.ok());
    Answer answer;
    if (result.trap) {
      answer.trap_tag = result.trap->tag;
      CHECK(result.trap->address == 0);
      return answer;
    }
    const std::vector<std::byte>& bytes = result.outputs.at(0).to_bytes();
    uint64_t bits = 0;
    REQUIRE(bytes.size() <= sizeof bits);
    std::memcpy(&bits, bytes.data(), bytes.size());
    answer.bits = bits;
    return answer;
  }

 private:
  // An engine refuses what resolve() refuses, and what is carried only.
  static Answer refused(const Program& program, const Status& status) {
    const Resolved resolved = resolve(program);
    Answer answer;
    if (!resolved.diagnostics.empty()) {
      CHECK(status.code() == absl::StatusCode::kInvalidArgument);
      answer.code = resolved.diagnostics[0].code;
    } else {
      CHECK(status.code() == absl::StatusCode::kUnimplemented);
      REQUIRE_FALSE(resolved.carried.empty());
      answer.code = "carried";
    }
    return answer;
  }

  Engine& engine_;
  std::map<std::string, StatusOr<std::shared_ptr<const Executable>>> compiled_;
};

// The value computed another way, where there is one.
std::optional<uint64_t> exact_row(const RecordedRow& row, const std::vector<uint64_t>& inputs) {
  const std::vector<Kind> types = test::operand_types(row);
  if (row.is_cast) return test::exact_cast(types[0], *test::cast_target(row), inputs[0]);
  const std::optional<Op> op = test::op_named(row.op);
  if (op) return test::exact_value(*op, types[0], inputs);
  if (types[0] != DataType::F32) return std::nullopt;
  if (row.op == "Store.f32_to_f16" || row.op == "Store.f32_to_bf16") return std::nullopt;
  return test::exact_cast(DataType::F32, DataType::F32, inputs[0]);
}

// u64 operands give a u64, which the recorded u32 buffer does not take: with a u64 buffer, the low
// word is what the original stored, if it did.
void judge_wide(RowRunner& runner, const RecordedRow& row, Tally& tally) {
  REQUIRE(row.type == "u64");
  REQUIRE(row.out_type == "u32");
  const Answer wide = runner.run(row, "u64");
  REQUIRE(wide.bits.has_value());
  CHECK(wide.bits == exact_row(row, row.inputs));
  if (!row.output) return tally.add("E15: allowed where the original refused");
  CHECK((*wide.bits & 0xFFFFFFFF) == *row.output);
  tally.add("D4: low word of a u64");
}

void judge_refused(RowRunner& runner, const RecordedRow& row, const Answer& answer, Tally& tally) {
  if (row.is_cast) {
    const bool carried = row.op == "to_vec2u32" || row.op == "to_vec4u32" || row.op == "to_bytes";
    CHECK(carried);
    return tally.add("D4: casts to carried types refused");
  }
  const std::string recorded = test::recorded_code(row);
  if (answer.code == "V121" && recorded != "V121") return judge_wide(runner, row, tally);
  // Nothing that the original computed is refused.
  CHECK_FALSE(row.output.has_value());
  if (recorded.empty()) return tally.add("refused where the original failed at run time");
  CHECK(answer.code == recorded);
  tally.add("refused with the original's code");
}

void judge_trap(const RecordedRow& row, const Answer& answer, Tally& tally) {
  CHECK_FALSE(row.output.has_value());
  REQUIRE((row.op == "Div" || row.op == "Mod"));
  REQUIRE(row.type == "i32");
  if (row.inputs[1] == 0) {
    CHECK(answer.trap_tag == "integer division by zero");
  } else {
    CHECK(row.inputs == std::vector<uint64_t>{0x80000000, 0xFFFFFFFF});
    CHECK(answer.trap_tag == "integer division overflow");
  }
  tally.add("D6: traps");
}

// Whether those bits are a bf16 that the original flushes when it stores it.
bool stores_subnormal(const RecordedRow& row, uint64_t bits) {
  return row.op == "Store.f32_to_bf16" && test::is_subnormal_bf16(bits);
}

// How far the original's value may be from the exact one.
int64_t tolerance_of(const RecordedRow& row) {
  if (row.is_cast) return 0;
  const std::optional<Op> op = test::op_named(row.op);
  if (!op.has_value()) return 0;
  return test::is_transcendental(*op) ? 2 : 0;
}

std::string kept_subnormals(const RecordedRow& row) {
  if (row.is_cast) return "D1: subnormals kept, casts";
  if (!test::op_named(row.op)) return "D1: subnormals kept, memory";
  return row.inputs.size() == 1 ? "D1: subnormals kept, one operand"
                                : "D1: subnormals kept, two and three operands";
}

void judge_difference(const RecordedRow& row, uint64_t ours, Tally& tally) {
  const std::vector<uint64_t> flushed_inputs = test::flushed(row.inputs);
  const bool subnormal = (row.type == "f32" && flushed_inputs != row.inputs) ||
                         (row.out_type == "f32" && test::is_subnormal_f32(ours)) ||
                         stores_subnormal(row, ours);
  if (!subnormal) {
    CHECK(tolerance_of(row) == 2);
    CHECK(test::ulp_distance(ours, *row.output) <= 2);
    return tally.add("D2: correctly rounded");
  }
  tally.add(kept_subnormals(row));
  if (row.type == "bf16" || row.op == "Store.f32_to_bf16") {
    // Widening and rounding are tested apart; here the original gives a zero of that sign.
    CHECK(*row.output == (ours & (row.type == "bf16" ? 0x80000000 : 0x8000)));
    return;
  }
  // The original's answer is the exact one with flushed operands and a flushed result.
  const std::optional<uint64_t> exact = exact_row(row, flushed_inputs);
  REQUIRE(exact.has_value());
  const uint64_t expected = row.out_type == "f32" ? test::flushed(*exact) : *exact;
  CHECK(test::ulp_distance(expected, *row.output) <= tolerance_of(row));
}

void judge(RowRunner& runner, const RecordedRow& row, Tally& tally) {
  const Answer answer = runner.run(row, row.out_type);
  if (!answer.code.empty()) return judge_refused(runner, row, answer, tally);
  if (!answer.trap_tag.empty()) return judge_trap(row, answer, tally);
  const uint64_t ours = answer.bits.value();
  const std::optional<uint64_t> exact = exact_row(row, row.inputs);
  if (exact) CHECK(ours == *exact);
  if (!row.output) {
    REQUIRE(exact.has_value());
    return tally.add(row.is_cast ? "E13: cast where the original refused"
                                 : "E15: allowed where the original refused");
  }
  if (ours == *row.output) return tally.add("equal");
  judge_difference(row, ours, tally);
}

TEST_CASE("recorded operations agree on every engine but for the documented decisions") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::vector<RecordedRow> rows = test::read_rows(*dir);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    RowRunner runner(*engine);
    Tally tally;
    for (const RecordedRow& row : rows) {
      INFO(engine->name() << " " << row.line);
      judge(runner, row, tally);
    }
    if (rows.size() != test::kCountedRows) continue;
    CHECK(tally.to_string() ==
          "D1: subnormals kept, casts: 7\n"
          "D1: subnormals kept, memory: 4\n"
          "D1: subnormals kept, one operand: 36\n"
          "D1: subnormals kept, two and three operands: 179\n"
          "D2: correctly rounded: 47\n"
          "D4: casts to carried types refused: 117\n"
          "D4: low word of a u64: 313\n"
          "D6: traps: 26\n"
          "E13: cast where the original refused: 22\n"
          "E15: allowed where the original refused: 254\n"
          "equal: 17835\n"
          "refused where the original failed at run time: 34\n"
          "refused with the original's code: 254");
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The rows of the recorded operations, and the predicates that decide how results may differ.
//
//   for (const test::RecordedRow& row : test::read_rows(*dir)) ...
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/expr.h"

namespace vyre::test {

// How many rows the recording has whose decisions the tests count. Another one is judged row by
// row only.
inline constexpr size_t kCountedRows = 19128;

struct RecordedRow {
  std::string op;  // "Add", "to_f16", "Load.f16_cast_f32"
  bool is_cast = false;
  std::string type;  // "u32", "i32xf32"
  std::vector<uint64_t> inputs{};
  std::string out_type;
  std::optional<uint64_t> output{};
  std::string error;
  std::string line;  // as recorded
};

// All rows, in the file's order.
std::vector<RecordedRow> read_rows(const std::filesystem::path& dir);

// The operation of ops.def that a row names; none for casts, loads and stores.
std::optional<Op> op_named(const std::string& name);
// A binary or unary operation of ops.def, or fma.
Expr operation(Op op, const std::vector<Expr>& operands);
// One type an operand.
std::vector<DataType::Kind> operand_types(const RecordedRow& row);
// The target of a cast row, "to_f16"; none if that is no type of ours.
std::optional<DataType::Kind> cast_target(const RecordedRow& row);
// "V084", or empty where the original failed at run time or not at all.
std::string recorded_code(const RecordedRow& row);

// The functions that the original computes within 2 ulp only (D2).
bool is_transcendental(Op op);
bool is_subnormal_f32(uint64_t bits);
bool is_subnormal_bf16(uint64_t bits);
// Subnormals become zeros of their sign, as in the original (D1).
uint64_t flushed(uint64_t bits);
std::vector<uint64_t> flushed(std::vector<uint64_t> inputs);
// Between f32 of either sign; 0 between two NaNs, very large between a NaN and a number.
int64_t ulp_distance(uint64_t a, uint64_t b);

struct FunctionTable {
  Op op;
  std::string name;
  std::vector<uint32_t> outputs;
};
struct FunctionTables {
  std::vector<uint32_t> inputs;
  std::vector<FunctionTable> tables;  // as many outputs each
};
// The recorded table of each unary float function. Throws if one is missing or of another length.
FunctionTables read_function_tables(const std::filesystem::path& dir);

struct ExpRange {
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;  // as many
};
// 65,536 values of exp on [-80, 0). Throws as read_function_tables does.
ExpRange read_exp_range(const std::filesystem::path& dir);

// Counts rows by what decides them.
class Tally {
 public:
  void add(const std::string& decision) { ++counts_[decision]; }
  // "D6: traps: 3\nequal: 12"
  std::string to_string() const;

 private:
  std::map<std::string, int> counts_;
};

}  // namespace vyre::test

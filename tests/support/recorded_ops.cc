// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/recorded_ops.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/support/conformance_dir.h"
#include "vyre/ir/scalar/memory.h"

namespace vyre::test {
namespace {

uint64_t parse_hex(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

// "0x3f800000", "true", or "bytes:9a3e", little-endian.
uint64_t parse_value(const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  constexpr std::string_view kBytes = "bytes:";
  if (!text.starts_with(kBytes)) return parse_hex(std::string_view(text).substr(2));
  uint64_t value = 0;
  for (size_t i = text.size(); i > kBytes.size(); i -= 2) {
    value = value << 8 | parse_hex(std::string_view(text).substr(i - 2, 2));
  }
  return value;
}

RecordedRow parse_row(std::string line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  RecordedRow row;
  row.op = json.at("op").get<std::string>();
  row.is_cast = row.op.starts_with("Cast.");
  for (const std::string_view prefix : {"BinOp.", "UnOp.", "Cast."}) {
    if (row.op.starts_with(prefix)) row.op.erase(0, prefix.size());
  }
  row.op = row.op.substr(0, row.op.find(' '));
  row.type = json.at("type").get<std::string>();
  row.out_type = json.at("out_type").get<std::string>();
  for (const auto& input : json.at("inputs")) row.inputs.push_back(parse_value(input));
  if (json.contains("output")) row.output = parse_value(json.at("output"));
  if (json.contains("error")) row.error = json.at("error").get<std::string>();
  row.line = std::move(line);
  return row;
}

// The original's name of a row of ops.def is its enumerator without the k.
const std::map<std::string, Op>& named_ops() {
  static const std::map<std::string, Op> kOps = {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, ...) {std::string(#enumerator).substr(1), Op::enumerator},
#define VYRE_UNARY_OP(enumerator, ...) {std::string(#enumerator).substr(1), Op::enumerator},
#include "vyre/ir/ops.def"
      {"Fma", Op::kFma},
  };
  return kOps;
}

// The little-endian words of a file that must have that many.
std::vector<uint32_t> read_words(const std::filesystem::path& path, size_t count) {
  const std::string bytes = read_file(path);
  if (bytes.size() != 4 * count) throw std::runtime_error("another size: " + path.string());
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<uint32_t>(scalar::load_element(
        DataType::U32, reinterpret_cast<const std::byte*>(bytes.data()) + 4 * i));
  }
  return words;
}

}  // namespace

std::vector<RecordedRow> read_rows(const std::filesystem::path& dir) {
  std::ifstream file(dir / "vyre/ops/ops.jsonl");
  if (!file) throw std::runtime_error("cannot read ops.jsonl in " + dir.string());
  std::vector<RecordedRow> rows;
  std::string line;
  while (std::getline(file, line)) rows.push_back(parse_row(line));
  return rows;
}

std::optional<Op> op_named(const std::string& name) {
  const auto found = named_ops().find(name);
  return found == named_ops().end() ? std::nullopt : std::optional(found->second);
}

Expr operation(Op op, const std::vector<Expr>& operands) {
  switch (op) {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                           \
    return Expr::builder(operands.at(0), operands.at(1));
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                          \
    return Expr::builder(operands.at(0));
#include "vyre/ir/ops.def"
    case Op::kFma:
      return Expr::fma(operands.at(0), operands.at(1), operands.at(2));
    default:  // the rows hold no other operations
      throw std::invalid_argument("not an operation on operands alone");
  }
}

std::vector<DataType::Kind> operand_types(const RecordedRow& row) {
  const size_t cross = row.type.find('x');
  if (cross == std::string::npos) {
    return std::vector(row.inputs.size(), *data_type_from_spelling(row.type));
  }
  return {*data_type_from_spelling(row.type.substr(0, cross)),
          *data_type_from_spelling(row.type.substr(cross + 1))};
}

std::optional<DataType::Kind> cast_target(const RecordedRow& row) {
  return data_type_from_spelling(row.op.substr(3));
}

std::string recorded_code(const RecordedRow& row) {
  const size_t at = row.error.find(": V");
  return at == std::string::npos ? "" : row.error.substr(at + 2, 4);
}

bool is_transcendental(Op op) {
  switch (op) {
    case Op::kExp:
    case Op::kExp2:
    case Op::kLog:
    case Op::kLog2:
    case Op::kSin:
    case Op::kCos:
    case Op::kTan:
    case Op::kAsin:
    case Op::kAcos:
    case Op::kAtan:
    case Op::kSinh:
    case Op::kCosh:
    case Op::kTanh:
    case Op::kInverseSqrt:
      return true;
    default:  // the rest are exact or correctly rounded in the original too
      return false;
  }
}

bool is_subnormal_f32(uint64_t bits) {
  return (bits & 0x7F800000) == 0 && (bits & 0x007FFFFF) != 0;
}

bool is_subnormal_bf16(uint64_t bits) { return (bits & 0x7F80) == 0 && (bits & 0x007F) != 0; }

uint64_t flushed(uint64_t bits) { return is_subnormal_f32(bits) ? bits & 0x80000000 : bits; }

std::vector<uint64_t> flushed(std::vector<uint64_t> inputs) {
  for (uint64_t& input : inputs) input = flushed(input);
  return inputs;
}

int64_t ulp_distance(uint64_t a, uint64_t b) {
  const auto rank = [](uint64_t bits) {
    const auto magnitude = static_cast<int64_t>(bits & 0x7FFFFFFF);
    return (bits & 0x80000000) != 0 ? -magnitude : magnitude;
  };
  const auto is_nan = [](uint64_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; };
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b) ? 0 : int64_t{1} << 40;
  return std::abs(rank(a) - rank(b));
}

FunctionTables read_function_tables(const std::filesystem::path& dir) {
  FunctionTables result{read_words(dir / "vyre/ops/table_inputs.u32", 4096), {}};
  for (const auto& [name, op] : named_ops()) {
    const TypeRule rule = op_info(op).rule;
    if (rule != TypeRule::kFloatUnary && rule != TypeRule::kNegate) continue;
    result.tables.push_back(
        {op, name, read_words(dir / "vyre/ops" / ("table_" + name + ".u32"), 4096)});
  }
  return result;
}

ExpRange read_exp_range(const std::filesystem::path& dir) {
  return {read_words(dir / "vyre/ops/exp_range_inputs.f32", 65536),
          read_words(dir / "vyre/ops/exp_range_outputs.f32", 65536)};
}

std::string Tally::to_string() const {
  std::string text;
  for (const auto& [decision, count] : counts_) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", decision, count);
  }
  return text;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "vyre/ir/text_characters.h"

namespace vyre::internal {
namespace {

using Number = std::variant<Literal, SyntaxError>;

// The parts of a number as it is written.
struct Parts {
  bool hexadecimal = false;
  bool has_point = false;
  std::string_view digits;    // with the point, without 0x
  std::string_view exponent;  // with its sign, without e or p; empty where there is none
  std::string_view suffix;

  bool is_float() const { return has_point || !exponent.empty(); }
  std::string whole() const { return fmt::format("{}{}", hexadecimal ? "0x" : "", digits); }
};

// The lexer cut the number, so only digits, a point, an exponent and word characters follow.
Parts split(std::string_view text) {
  Parts parts;
  parts.hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (parts.hexadecimal) text.remove_prefix(2);
  size_t end = 0;
  const auto is_part = [&](char c) { return parts.hexadecimal ? is_hex_digit(c) : is_digit(c); };
  while (end < text.size() && (is_part(text[end]) || text[end] == '.')) {
    if (text[end] == '.') parts.has_point = true;
    ++end;
  }
  parts.digits = text.substr(0, end);
  text.remove_prefix(end);
  const std::string_view marks = parts.hexadecimal ? "pP" : "eE";
  size_t length = 1;
  if (length < text.size() && (text[length] == '+' || text[length] == '-')) ++length;
  const size_t first_digit = length;
  while (length < text.size() && is_digit(text[length])) ++length;
  if (!text.empty() && marks.find(text[0]) != std::string_view::npos && length > first_digit) {
    parts.exponent = text.substr(1, length - 1);
    text.remove_prefix(length);
  }
  parts.suffix = text;
  return parts;
}

// Of a number with an exponent that did not fit any float: whether it is large, not tiny.
bool is_large(const Parts& parts) {
  constexpr int64_t kFar = int64_t{1} << 40;
  int64_t exponent = 0;
  std::string_view text = parts.exponent;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (!text.empty()) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (result.ec != std::errc()) exponent = text.starts_with('-') ? -kFar : kFar;
    exponent = std::clamp(exponent, -kFar, kFar);
  }
  const size_t point = std::min(parts.digits.find('.'), parts.digits.size());
  const size_t first = parts.digits.find_first_not_of("0.");
  if (first == std::string_view::npos) return false;
  const int64_t places = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  return exponent + (parts.hexadecimal ? 4 * places : places) > 0;
}

// None where the number is too large. One that is too small becomes zero, which is nearest to it.
template <typename Float>
std::optional<Float> read_float(std::string_view text, const Parts& parts) {
  const auto format = parts.hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const char* first = text.data() + (parts.hexadecimal ? 2 : 0);
  const char* last = text.data() + (text.size() - parts.suffix.size());
  Float value = 0;
  const std::from_chars_result result = std::from_chars(first, last, value, format);
  const bool infinite = value == std::numeric_limits<Float>::infinity();
  if (result.ec == std::errc() && !infinite) return value;
  if (is_large(parts)) return std::nullopt;
  return Float{0};
}

template <typename Float, typename Bits>
Number float_literal(std::string_view text, const Parts& parts, bool negative,
                     DataType::Kind type) {
  const std::optional<Float> value = read_float<Float>(text, parts);
  const char* name = type == DataType::F32 ? "f32" : "f64";
  const char* infinity = type == DataType::F32 ? "inf" : "inf_f64";
  if (!value) {
    return SyntaxError{
        "P012", fmt::format("{} is larger than every number of type {}", quoted(text), name),
        fmt::format("write {}{} for infinity{}.", negative ? "-" : "", infinity,
                    type == DataType::F32 ? ", or the suffix f64 for a number of type f64" : "")};
  }
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto bits = std::bit_cast<Bits>(*value);
  return Literal{type, negative ? bits | kSign : bits};
}

struct IntegerType {
  std::string_view suffix;
  DataType::Kind type;
  uint64_t largest;
};
constexpr IntegerType kIntegerTypes[] = {
    {"u", DataType::U32, std::numeric_limits<uint32_t>::max()},
    {"i", DataType::I32, std::numeric_limits<int32_t>::max()},
    {"u64", DataType::U64, std::numeric_limits<uint64_t>::max()},
    {"i64", DataType::I64, std::numeric_limits<int64_t>::max()}};

std::optional<uint64_t> read_hexadecimal(std::string_view digits) {
  uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

Number integer_literal(std::string_view text, const Parts& parts, const IntegerType& row,
                       bool negative) {
  const bool is_signed = is_signed_integer(row.type);
  if (negative && !is_signed) {
    return SyntaxError{"P013", fmt::format("{} is unsigned and has a sign", quoted(text)),
                       fmt::format("give it the suffix {} for a signed number, or write it as the "
                                   "operand of neg for the unsigned one that wraps around.",
                                   row.type == DataType::U32 ? "i" : "i64")};
  }
  const std::optional<uint64_t> magnitude =
      parts.hexadecimal ? read_hexadecimal(parts.digits) : read_digits(parts.digits);
  if (!magnitude || *magnitude > row.largest + (negative ? 1 : 0)) {
    return SyntaxError{
        "P012", fmt::format("{}{} is no number of its type", negative ? "-" : "", quoted(text)),
        fmt::format("write a number from {} to {}, or another suffix.",
                    is_signed ? fmt::format("-{}", row.largest + 1) : "0", row.largest)};
  }
  const uint64_t value = negative ? 0 - *magnitude : *magnitude;
  const bool narrow = row.type == DataType::U32 || row.type == DataType::I32;
  return Literal{row.type, narrow ? value & 0xFFFFFFFFU : value};
}

Number bare_integer(const Parts& parts, bool negative) {
  const bool short_enough = parts.digits.size() <= 20;
  const std::string digits =
      fmt::format("{}{}", negative ? "-" : "", short_enough ? parts.whole() : "8");
  const std::string is_float = parts.hexadecimal ? "p0" : ".0";
  const std::string fix =
      negative ? fmt::format("write {0}i (i32), {0}i64 or {0}{1} (f32).", digits, is_float)
               : fmt::format("write {0}u (u32), {0}i (i32), {0}u64, {0}i64 or {0}{1} (f32).",
                             digits, is_float);
  return SyntaxError{
      "P010",
      fmt::format("{} has no suffix, so that its type would be a guess", quoted(parts.whole())),
      fix};
}

SyntaxError malformed(std::string_view text, const Parts& parts) {
  const std::string cause = fmt::format("{} is no number", quoted(text));
  if (parts.hexadecimal && parts.exponent.empty()) {
    return {"P011", cause,
            "write whole numbers with a suffix, 0xffu, and hexadecimal floats with an exponent, "
            "0x1.8p+1; the bits of a float are f32(0x3fc00000)."};
  }
  if (parts.suffix == "f" || parts.suffix == "f32") {
    return {"P011", cause,
            fmt::format("leave out the suffix: floats are f32 without one{}.",
                        parts.is_float() ? "" : ", and have a point, as in 1.0")};
  }
  return {"P011", cause,
          parts.is_float()
              ? "a float has the suffix f64 or none (f32), as in 1.5f64 and 2.5e-3."
              : "a whole number has the suffix u (u32), i (i32), u64 or i64; a float has a point "
                "or an exponent, as in 1.0f64."};
}

}  // namespace

Number read_number(std::string_view text, bool negative) {
  const Parts parts = split(text);
  if (parts.is_float()) {
    const bool known_suffix = parts.suffix.empty() || parts.suffix == "f64";
    const bool complete = !parts.digits.empty() && parts.digits.front() != '.' &&
                          (!parts.hexadecimal || !parts.exponent.empty());
    if (!known_suffix || !complete) return malformed(text, parts);
    if (parts.suffix.empty()) {
      return float_literal<float, uint32_t>(text, parts, negative, DataType::F32);
    }
    return float_literal<double, uint64_t>(text, parts, negative, DataType::F64);
  }
  if (parts.digits.empty()) return malformed(text, parts);
  if (parts.suffix.empty()) return bare_integer(parts, negative);
  for (const IntegerType& row : kIntegerTypes) {
    if (row.suffix == parts.suffix) return integer_literal(text, parts, row, negative);
  }
  return malformed(text, parts);
}

std::optional<uint64_t> read_digits(std::string_view text) {
  uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole ? std::optional<uint64_t>(value) : std::nullopt;
}

std::optional<uint64_t> read_bits(std::string_view text, size_t most_digits) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  text.remove_prefix(2);
  if (text.empty() || !std::ranges::all_of(text, is_hex_digit)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.size() > most_digits) return std::nullopt;
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace vyre::internal

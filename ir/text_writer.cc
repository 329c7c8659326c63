// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "vyre/ir/check.h"
#include "vyre/ir/names.h"
#include "vyre/ir/text_characters.h"

namespace vyre::internal {
namespace {

constexpr size_t kMaxIndent = 50;

// The shortest decimal that reads back as the same number, with a point or an exponent in it.
template <typename Float>
std::string shortest(Float value) {
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string f32_text(uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (bits == 0x7FC00000) return "nan";
  if (std::isnan(value)) return fmt::format("f32({:#010x})", bits);
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return shortest(value);
}

std::string f64_text(uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  if (bits == 0x7FF8000000000000) return "nan_f64";
  if (std::isnan(value)) return fmt::format("f64({:#018x})", bits);
  if (std::isinf(value)) return value < 0 ? "-inf_f64" : "inf_f64";
  return shortest(value) + "f64";
}

}  // namespace

std::string literal_text(DataType::Kind type, uint64_t bits) {
  if (type == DataType::Bool) return bits != 0 ? "true" : "false";
  if (type == DataType::U32) return fmt::format("{}u", bits);
  if (type == DataType::I32) return fmt::format("{}i", static_cast<int32_t>(bits));
  if (type == DataType::U64) return fmt::format("{}u64", bits);
  if (type == DataType::I64) return fmt::format("{}i64", static_cast<int64_t>(bits));
  if (type == DataType::F32) return f32_text(static_cast<uint32_t>(bits));
  if (type == DataType::F64) return f64_text(bits);
  VYRE_UNREACHABLE("only value types have literals");
}

StatusOr<std::string> TextWriter::finish() && {
  if (!status_.ok()) return std::move(status_);
  return std::move(out_);
}

TextWriter& TextWriter::text(std::string_view text) {
  if (!ok()) return *this;
  if (text.size() > options_.max_bytes - std::min<uint64_t>(out_.size(), options_.max_bytes)) {
    fail(absl::ResourceExhaustedError(fmt::format(
        "the text has more than {} bytes{}, or raise PrintOptions::max_bytes.", options_.max_bytes,
        indentation_ > out_.size() / 2
            ? ", most of them indentation. Fix: nest statements less deep"
            : ". Fix: bind shared and large subexpressions with let (the pass bind_shared does)")));
    return *this;
  }
  out_ += text;
  return *this;
}

TextWriter& TextWriter::number(uint64_t value) { return text(fmt::format_int(value).c_str()); }

TextWriter& TextWriter::name(std::string_view name) {
  if (is_identifier(name) && !is_reserved_word(name)) return text(name);
  quoted(name, '`');
  return *this;
}

TextWriter& TextWriter::string(std::string_view text) {
  quoted(text, '"');
  return *this;
}

TextWriter& TextWriter::bytes(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  text("x\"");
  for (size_t i = 0; i < bytes.size() && ok(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const char pair[] = {kDigits[byte >> 4], kDigits[byte & 15]};
    text({pair, 2});
  }
  return text("\"");
}

TextWriter& TextWriter::literal(const Expr& literal) {
  return text(literal_text(literal.type().kind(), literal.bits()));
}

TextWriter& TextWriter::indent(size_t level) {
  static constexpr std::string_view kSpaces = "                    ";
  indentation_ += 2 * std::min(level, kMaxIndent);
  for (size_t left = 2 * std::min(level, kMaxIndent); left > 0;) {
    const size_t part = std::min(left, kSpaces.size());
    text(kSpaces.substr(0, part));
    left -= part;
  }
  return *this;
}

void TextWriter::count_nodes(uint64_t nodes) {
  if (!__builtin_add_overflow(nodes_, nodes, &nodes_) && nodes_ <= options_.max_nodes) return;
  nodes_ = options_.max_nodes;
  fail(absl::ResourceExhaustedError(
      fmt::format("written out, the program has more than {} expressions and statements: text "
                  "repeats a shared subtree at each of its uses. Fix: bind shared subexpressions "
                  "with let (the pass bind_shared does), or raise PrintOptions::max_nodes.",
                  options_.max_nodes)));
}

void TextWriter::quoted(std::string_view content, char quote) {
  if (!ok()) return;
  if (!is_valid_utf8(content)) {
    fail(absl::InvalidArgumentError(
        fmt::format("{} \"{}\" is not UTF-8. Fix: use text for names and strings; an opaque "
                    "payload can hold any bytes.",
                    quote == '`' ? "the name" : "the string", visible(content.substr(0, 64)))));
    return;
  }
  const std::string_view mark(&quote, 1);
  text(mark);
  for (size_t i = 0; i < content.size() && ok();) {
    size_t length = 0;
    const uint32_t c = character_at(content, i, length);
    const std::string_view plain = content.substr(i, length);
    if (c == '\n') {
      text("\\n");
    } else if (is_invisible(c)) {
      text(fmt::format("\\u{{{:x}}}", c));
    } else {
      if (plain == mark || c == '\\') text("\\");
      text(plain);
    }
    i += length;
  }
  text(mark);
}

void TextWriter::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace vyre::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxDimensions = 32;
constexpr std::string_view kDtypes[] = {"f2", "f4", "f8", "u1", "u2", "u4",
                                        "u8", "i1", "i2", "i4", "i8", "b1"};

Status malformed(std::string_view what) {
  return absl::InvalidArgumentError(
      fmt::format("its npy header is malformed: {}. Fix: write the file with numpy.save.", what));
}

// The Python dictionary of a header: three known keys, each once, in any order.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  Status read(NpyHeader& header) {
    if (!take('{')) return malformed("no { at its start");
    while (!take('}')) {
      if (Status status = entry(header); !status.ok()) return status;
      if (take(',')) continue;
      if (!take('}')) return malformed("no , or } after a value");
      break;
    }
    skip_space();
    if (!text_.empty()) return malformed("something follows its }");
    if (!has_descr_ || !has_order_ || !has_shape_) {
      return malformed("it needs the keys descr, fortran_order and shape");
    }
    return absl::OkStatus();
  }

 private:
  void skip_space() {
    const size_t start = text_.find_first_not_of(" \n\t\r");
    text_.remove_prefix(start == std::string_view::npos ? text_.size() : start);
  }
  bool take(char c) {
    skip_space();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  // A quoted string without escapes.
  std::optional<std::string_view> quoted() {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view value = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return value;
  }

  Status entry(NpyHeader& header) {
    const std::optional<std::string_view> key = quoted();
    if (!key || !take(':')) return malformed("a key is expected");
    if (*key == "descr") return once(has_descr_, *key, descr(header));
    if (*key == "fortran_order") return once(has_order_, *key, order());
    if (*key == "shape") return once(has_shape_, *key, shape(header));
    return malformed("it has a key beyond descr, fortran_order and shape");
  }

  static Status once(bool& seen, std::string_view key, Status status) {
    if (seen) return malformed(fmt::format("the key {} stands twice", key));
    seen = true;
    return status;
  }

  Status descr(NpyHeader& header) {
    const std::optional<std::string_view> value = quoted();
    if (!value) return malformed("descr is no string");
    if (value->size() == 3 && std::ranges::find(kDtypes, value->substr(1)) != std::end(kDtypes)) {
      header.kind = (*value)[1];
      header.item_size = static_cast<uint32_t>((*value)[2] - '0');
      // The order of bytes is left open where there is but one.
      const char order = (*value)[0];
      if (order == '<' || (order == '|' && header.item_size == 1)) return absl::OkStatus();
    }
    const bool printable = std::ranges::all_of(*value, [](char c) { return c >= 32 && c < 127; });
    return absl::InvalidArgumentError(
        fmt::format("it holds elements of `{}`. Fix: save it little-endian as one of {}.",
                    printable ? value->substr(0, 40) : "?", fmt::join(kDtypes, ", ")));
  }

  Status order() {
    if (take_word("False")) return absl::OkStatus();
    if (!take_word("True")) return malformed("fortran_order is neither True nor False");
    return absl::InvalidArgumentError(
        "it is in column-major order. Fix: save numpy.ascontiguousarray(x).");
  }

  Status shape(NpyHeader& header) {
    if (!take('(')) return malformed("shape is no tuple");
    while (!take(')')) {
      skip_space();
      uint64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc{}) return malformed("shape has something other than numbers");
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      header.shape.push_back(extent);
      if (header.shape.size() > kMaxDimensions) return malformed("more than 32 dimensions");
      if (take(',')) continue;
      // One number in parentheses is no tuple.
      if (header.shape.size() == 1 || !take(')')) return malformed("shape is no tuple");
      break;
    }
    return absl::OkStatus();
  }

  std::string_view text_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

Status count_elements(NpyHeader& header) {
  header.elements = 1;
  // A zero anywhere makes the array empty, however large the rest.
  if (std::ranges::find(header.shape, 0u) != header.shape.end()) {
    header.elements = 0;
    return absl::OkStatus();
  }
  for (const uint64_t extent : header.shape) {
    if (__builtin_mul_overflow(header.elements, extent, &header.elements)) {
      return malformed("its shape has more than 2^64 elements");
    }
  }
  return absl::OkStatus();
}

Status check_size(const NpyHeader& header, uint64_t file_size) {
  const uint64_t data = file_size - header.data_offset;
  uint64_t bytes = 0;
  if (!__builtin_mul_overflow(header.elements, uint64_t{header.item_size}, &bytes) &&
      bytes == data) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "its npy header says {} elements of {}, shape {}, but {} bytes follow. Fix: the file is {}; "
      "save it again.",
      header.elements, header.dtype(), shape_text(header.shape), data,
      bytes > data || bytes == 0 ? "truncated or damaged" : "longer than it should be"));
}

uint32_t little_endian(std::span<const std::byte> bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<uint32_t>(bytes[i]);
  return value;
}

}  // namespace

std::string NpyHeader::dtype() const { return fmt::format("{}{}", kind, item_size); }

StatusOr<NpyHeader> parse_npy_header(std::span<const std::byte> first_bytes, uint64_t file_size) {
  const std::string_view text(reinterpret_cast<const char*>(first_bytes.data()),
                              first_bytes.size());
  if (!text.starts_with(kMagic)) {
    return absl::InvalidArgumentError(
        "it is no npy file. Fix: write it with numpy.save, or name raw bytes by their type, as in "
        "`q.f32`.");
  }
  if (text.size() < 12) return malformed("it is cut off");
  const int major = static_cast<unsigned char>(text[6]);
  const int minor = static_cast<unsigned char>(text[7]);
  if ((major != 1 && major != 2) || minor != 0) {
    return absl::InvalidArgumentError(
        fmt::format("it has npy version {}.{}. Fix: save it as version 1.0 or 2.0.", major, minor));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  const uint32_t length = little_endian(first_bytes.subspan(8, length_bytes));
  if (length > kMaxNpyHeader - start) return malformed("it is too long");
  if (length > text.size() - start) return malformed("it is cut off");
  NpyHeader header;
  header.data_offset = start + length;
  HeaderReader reader(text.substr(start, length));
  if (Status status = reader.read(header); !status.ok()) return status;
  if (Status status = count_elements(header); !status.ok()) return status;
  if (Status status = check_size(header, file_size); !status.ok()) return status;
  return header;
}

std::string npy_header_bytes(std::string_view descr, std::span<const uint64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr,
                                 shape_text(shape));
  // The data starts at a multiple of 64 bytes, after spaces and a line break.
  const size_t used = kMagic.size() + 4 + text.size() + 1;
  text.append((64 - used % 64) % 64, ' ');
  text += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(text.size() & 0xFF);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

std::string shape_text(std::span<const uint64_t> shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + ")";
}

}  // namespace vyre::tools

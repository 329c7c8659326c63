// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace vyre::tools {
namespace {

using Json = nlohmann::json;

constexpr size_t kLengthBytes = 8;
constexpr size_t kMaxDimensions = 32;
constexpr std::string_view kMetadata = "__metadata__";

Status malformed(std::string_view what) {
  return absl::InvalidArgumentError(
      fmt::format("its safetensors header is malformed: {}. Fix: write the file with the "
                  "safetensors library.",
                  what));
}

// Bytes of an element; none for a dtype that no buffer has.
std::optional<uint64_t> element_bytes(std::string_view dtype) {
  struct Row {
    std::string_view dtype;
    uint64_t bytes;
  };
  constexpr Row kRows[] = {{"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
                           {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
                           {"U32", 4},  {"F32", 4}, {"I64", 8}, {"U64", 8},     {"F64", 8}};
  const auto* row = std::ranges::find(kRows, dtype, &Row::dtype);
  if (row == std::end(kRows)) return std::nullopt;
  return row->bytes;
}

// Collects the entries while the JSON is parsed, so that no nesting and no unknown key is ever
// stored. The offsets are those of the header: from the first byte of the data.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  Status status() const { return error_.empty() ? absl::OkStatus() : malformed(error_); }
  std::vector<SafetensorsEntry> take_entries() { return std::move(entries_); }

  bool start_object(size_t /*size*/) override {
    ++depth_;
    if (depth_ == 1) return true;
    if (depth_ > 2) return fail("an object is nested too deep");
    part_.clear();
    if (!in_metadata_) entries_.emplace_back().name = name_;
    return true;
  }
  bool end_object() override {
    --depth_;
    if (depth_ != 1) return true;
    const bool whole = in_metadata_ || (has_dtype_ && has_shape_ && has_offsets_);
    has_dtype_ = has_shape_ = has_offsets_ = false;
    return whole || fail(fmt::format("tensor `{}` needs dtype, shape and data_offsets", name_));
  }
  bool key(string_t& text) override {
    if (depth_ == 1) {
      name_ = text;
      in_metadata_ = text == kMetadata;
      return names_.insert(text).second || fail(fmt::format("`{}` stands twice", text));
    }
    if (in_metadata_) return true;
    part_ = text;
    bool* has = part_ == "dtype"          ? &has_dtype_
                : part_ == "shape"        ? &has_shape_
                : part_ == "data_offsets" ? &has_offsets_
                                          : nullptr;
    if (has == nullptr) return fail(fmt::format("tensor `{}` has the key `{}`", name_, part_));
    if (*has) return fail(fmt::format("tensor `{}` has `{}` twice", name_, part_));
    *has = true;
    return true;
  }
  bool start_array(size_t /*size*/) override {
    const bool expected = depth_ == 2 && !in_metadata_ && !in_array_ && part_ != "dtype";
    in_array_ = true;
    offsets_ = 0;
    return expected || fail("a list stands where there is none");
  }
  bool end_array() override {
    in_array_ = false;
    return part_ != "data_offsets" || offsets_ == 2 ||
           fail(fmt::format("data_offsets of `{}` are not two numbers", name_));
  }
  bool string(string_t& text) override {
    if (in_metadata_ && depth_ == 2) return true;
    if (depth_ != 2 || in_array_ || part_ != "dtype")
      return fail("a string stands where there is none");
    entries_.back().dtype = text;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (!in_array_) return fail("a number stands where there is none");
    SafetensorsEntry& entry = entries_.back();
    if (part_ == "shape") {
      entry.shape.push_back(value);
      return entry.shape.size() <= kMaxDimensions ||
             fail(fmt::format("tensor `{}` has more than {} dimensions", name_, kMaxDimensions));
    }
    if (offsets_ == 0) entry.data_offset = value;
    if (offsets_ == 1) {
      if (value < entry.data_offset) return fail(fmt::format("`{}` ends before it begins", name_));
      entry.bytes = value - entry.data_offset;
    }
    return ++offsets_ <= 2 || fail(fmt::format("data_offsets of `{}` are not two numbers", name_));
  }

  bool null() override { return fail("there is a null"); }
  bool boolean(bool) override { return fail("there is a bool"); }
  bool number_integer(number_integer_t) override { return fail("a number is negative"); }
  bool number_float(number_float_t, const string_t&) override {
    return fail("a number is not whole");
  }
  bool binary(binary_t&) override { return fail("there are bytes"); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return fail("it is no JSON");
  }

 private:
  bool fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
    return false;
  }

  std::vector<SafetensorsEntry> entries_;
  std::set<std::string> names_;
  std::string name_;
  std::string part_;
  std::string error_;
  int depth_ = 0;
  int offsets_ = 0;
  bool in_metadata_ = false;
  bool in_array_ = false;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
};

// Sets the number of elements, and checks that the bytes are theirs. Which dtypes there are grows
// with the format, so one that is not known says nothing about the file.
Status check_size(SafetensorsEntry& entry) {
  const std::optional<uint64_t> size = element_bytes(entry.dtype);
  uint64_t bytes = size.value_or(1);
  for (const uint64_t extent : entry.shape) {
    if (extent != 0 && bytes > std::numeric_limits<uint64_t>::max() / extent) {
      return malformed(fmt::format("the size of `{}` is beyond 64 bits", entry.name));
    }
    bytes *= extent;
  }
  entry.elements = bytes / size.value_or(1);
  if (!size || bytes == entry.bytes) return absl::OkStatus();
  return malformed(
      fmt::format("`{}` has {} bytes, and its shape needs {}", entry.name, entry.bytes, bytes));
}

// The tensors lie one after the other and fill the data.
Status check_layout(std::vector<SafetensorsEntry>& entries, uint64_t data_bytes) {
  std::ranges::stable_sort(entries, [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
    return std::pair(a.data_offset, a.bytes) < std::pair(b.data_offset, b.bytes);
  });
  uint64_t end = 0;
  for (SafetensorsEntry& entry : entries) {
    if (Status status = check_size(entry); !status.ok()) return status;
    if (entry.data_offset != end) {
      return malformed(
          fmt::format("the data of `{}` do not start where those before end", entry.name));
    }
    end += entry.bytes;
    if (end > data_bytes) return malformed(fmt::format("the data of `{}` are cut off", entry.name));
  }
  if (end == data_bytes) return absl::OkStatus();
  return malformed(fmt::format("{} bytes belong to no tensor", data_bytes - end));
}

}  // namespace

StatusOr<uint64_t> safetensors_header_size(std::span<const std::byte> start, uint64_t file_size) {
  if (start.size() < kLengthBytes) return malformed("it has fewer than 8 bytes");
  uint64_t length = 0;
  for (size_t i = kLengthBytes; i-- > 0;) {
    length = length << 8 | std::to_integer<uint64_t>(start[i]);
  }
  if (length > kMaxSafetensorsHeader) {
    return malformed(
        fmt::format("it has {} bytes, and {} are the limit", length, kMaxSafetensorsHeader));
  }
  if (length > file_size - kLengthBytes) return malformed("it is cut off");
  return kLengthBytes + length;
}

StatusOr<std::vector<SafetensorsEntry>> parse_safetensors_header(
    std::span<const std::byte> first_bytes, uint64_t file_size) {
  const StatusOr<uint64_t> size = safetensors_header_size(first_bytes, file_size);
  if (!size.ok()) return size.status();
  if (first_bytes.size() < *size) return malformed("it is cut off");
  const std::string_view header(reinterpret_cast<const char*>(first_bytes.data()) + kLengthBytes,
                                static_cast<size_t>(*size) - kLengthBytes);
  if (!header.starts_with('{')) return malformed("it does not start with {");
  HeaderReader reader;
  Json::sax_parse(header, &reader);
  if (Status status = reader.status(); !status.ok()) return status;
  std::vector<SafetensorsEntry> entries = reader.take_entries();
  if (Status status = check_layout(entries, file_size - *size); !status.ok()) return status;
  for (SafetensorsEntry& entry : entries) entry.data_offset += *size;
  return entries;
}

std::string safetensors_header_bytes(std::string_view name, std::string_view dtype,
                                     std::span<const uint64_t> shape, uint64_t bytes) {
  const Json header = {{std::string(name),
                        {{"dtype", std::string(dtype)},
                         {"shape", std::vector<uint64_t>(shape.begin(), shape.end())},
                         {"data_offsets", {0, bytes}}}}};
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  // The data start at a multiple of 8.
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string out;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    out += static_cast<char>(static_cast<uint64_t>(text.size()) >> (8 * i) & 0xFF);
  }
  return out + text;
}

}  // namespace vyre::tools

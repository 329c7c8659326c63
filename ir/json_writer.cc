// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/json_writer.h"

#include <fmt/format.h>

#include "vyre/ir/names.h"

namespace vyre::internal {

StatusOr<std::string> JsonWriter::finish() && {
  append("\n");
  if (!status_.ok()) return std::move(status_);
  return std::move(out_);
}

JsonWriter& JsonWriter::key(std::string_view key) {
  separate();
  append_quoted(key);
  append(": ");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  append_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::string_or_null(const std::optional<std::string>& text) {
  return text ? string(*text) : null();
}

JsonWriter& JsonWriter::number(uint64_t number) { return value(fmt::format_int(number).c_str()); }
JsonWriter& JsonWriter::decimal(uint64_t number) { return string(fmt::format_int(number).c_str()); }
JsonWriter& JsonWriter::decimal(int64_t number) { return string(fmt::format_int(number).c_str()); }
JsonWriter& JsonWriter::boolean(bool boolean) { return value(boolean ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return value("null"); }

JsonWriter& JsonWriter::next_line() {
  starts_line_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  append({&bracket, 1});
  open_.emplace_back();
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  const bool has_lines = open_.back().has_lines;
  open_.pop_back();
  if (has_lines) start_line();
  append({&bracket, 1});
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append(text);
  return *this;
}

// What stands before a key, or before a value that has none.
void JsonWriter::separate() {
  if (after_key_ || open_.empty()) {
    after_key_ = false;
    return;
  }
  Open& open = open_.back();
  if (open.has_parts) append(starts_line_ ? "," : ", ");
  open.has_parts = true;
  if (!starts_line_) return;
  starts_line_ = false;
  open.has_lines = true;
  start_line();
}

void JsonWriter::start_line() {
  append("\n");
  for (size_t i = 0; i < open_.size(); ++i) append("  ");
}

void JsonWriter::append(std::string_view text) {
  if (!ok()) return;
  if (text.size() > max_bytes_ || out_.size() > max_bytes_ - text.size()) {
    status_ = absl::ResourceExhaustedError(fmt::format(
        "the JSON has more than {} bytes. Fix: raise JsonOptions::max_bytes.", max_bytes_));
    return;
  }
  out_ += text;
}

void JsonWriter::append_quoted(std::string_view text) {
  if (!is_valid_utf8(text)) {
    if (ok()) {
      status_ = absl::InvalidArgumentError(
          "a name or string of the program is not UTF-8. Fix: use text for names and strings; an "
          "opaque payload can hold any bytes.");
    }
    return;
  }
  append("\"");
  size_t written = 0;
  for (size_t i = 0; i < text.size() && ok(); ++i) {
    const char c = text[i];
    const bool control = static_cast<uint8_t>(c) < 0x20 || c == 0x7F;
    if (!control && c != '"' && c != '\\') continue;
    append(text.substr(written, i - written));
    append(control ? fmt::format("\\u{:04x}", static_cast<uint8_t>(c)) : std::string{'\\', c});
    written = i + 1;
  }
  append(text.substr(written));
  append("\"");
}

}  // namespace vyre::internal

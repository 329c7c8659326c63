// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <limits>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/json_writer.h"
#include "vyre/ir/names.h"

namespace vyre {
namespace {

// The length of the UTF-8 character at the start of the text, 0 if there is none.
size_t character_length(std::string_view text) {
  for (size_t length = 1; length <= 4 && length <= text.size(); ++length) {
    if (is_valid_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

// A cause quotes names, and names may hold any bytes.
std::string as_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string valid;
  while (!text.empty()) {
    const size_t length = character_length(text);
    valid += length == 0 ? "\xEF\xBF\xBD" : text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return valid;
}

void write(const Diagnostic& diagnostic, internal::JsonWriter& out) {
  const Place& place = diagnostic.place;
  std::optional<std::string> whole;
  std::optional<std::string> file;
  if (place.known()) {
    whole = as_utf8(place.to_string());
    file = as_utf8(place.file());
  }
  out.begin_object().key("code").string(diagnostic.code);
  out.key("severity").string(diagnostic.severity == Severity::kError ? "error" : "warning");
  out.key("path").string(as_utf8(diagnostic.path));
  out.key("place").string_or_null(whole).key("file").string_or_null(file);
  out.key("line").number(place.line()).key("column").number(place.column());
  out.key("cause").string(as_utf8(diagnostic.cause)).key("fix").string(as_utf8(diagnostic.fix));
  if (!diagnostic.related.empty()) {
    out.key("related").begin_array();
    for (const Place& related : diagnostic.related) out.string(as_utf8(related.to_string()));
    out.end_array();
  }
  out.end_object();
}

}  // namespace

std::string to_json(std::span<const Diagnostic> diagnostics) {
  internal::JsonWriter out(std::numeric_limits<uint64_t>::max());
  out.begin_array();
  for (const Diagnostic& diagnostic : diagnostics) {
    out.next_line();
    write(diagnostic, out);
  }
  out.end_array();
  std::string text = std::move(out).finish().value();
  text.pop_back();  // the newline
  return text;
}

}  // namespace vyre

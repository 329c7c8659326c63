// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string json_escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", c) : std::string(1, c);
  }
}

std::string json_object(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  const bool known = place.known();
  return fmt::format(
      R"({{"code": {}, "severity": "{}", "path": {}, "place": {}, "file": {}, "line": {}, )"
      R"("column": {}, "cause": {}, "fix": {}}})",
      json_quoted(diagnostic.code), diagnostic.severity == Severity::kError ? "error" : "warning",
      json_quoted(diagnostic.path), known ? json_quoted(place.to_string()) : "null",
      known ? json_quoted(place.file()) : "null", place.line(), place.column(),
      json_quoted(diagnostic.cause), json_quoted(diagnostic.fix));
}

}  // namespace

std::string Diagnostic::to_string() const {
  std::string text = severity == Severity::kError ? "error" : "warning";
  text += fmt::format("[{}] ", code);
  if (place.known()) text += place.to_string() + ": ";
  text += cause;
  if (!path.empty()) text += "\n  at " + path;
  if (!fix.empty()) text += "\n  Fix: " + fix;
  return text;
}

std::string to_string(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += diagnostic.to_string() + "\n";
  return text;
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = character_length(text);
    if (length == 0) quoted += "\\ufffd";
    if (length == 1) quoted += json_escaped(text.front());
    if (length > 1) quoted += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return quoted + "\"";
}

std::string to_json(std::span<const Diagnostic> diagnostics) {
  std::string text = "[";
  for (const Diagnostic& diagnostic : diagnostics) {
    text += text.size() == 1 ? "\n" : ",\n";
    text += json_object(diagnostic);
  }
  return text + (diagnostics.empty() ? "]" : "\n]");
}

}  // namespace vyre

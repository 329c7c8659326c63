// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/html/escape.h"

#include <cstdint>

#include "vyre/ir/names.h"

namespace vyre::internal {

std::string html_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\uFFFD";
  const bool valid = is_valid_utf8(text);
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else if ((byte < 0x20 && c != '\n') || byte == 0x7F || (byte >= 0x80 && !valid)) {
      html += kReplacement;
    } else {
      html += c;
    }
  }
  return html;
}

}  // namespace vyre::internal

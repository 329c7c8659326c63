// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/text_characters.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/names.h"

namespace vyre::internal {

bool is_invisible(uint32_t c) {
  struct Range {
    uint32_t first;
    uint32_t last;
  };
  constexpr Range kRanges[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},
                               {0x61C, 0x61C},   {0x200B, 0x200F}, {0x2028, 0x202E},
                               {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}};
  return std::ranges::any_of(kRanges, [c](Range r) { return c >= r.first && c <= r.last; });
}

std::string visible(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    size_t length = 1;
    if (valid_utf8_prefix(text.substr(0, 4)) == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<uint8_t>(text[0]));
    } else if (const uint32_t c = character_at(text, 0, length); !is_invisible(c)) {
      shown += text.substr(0, length);
    } else if (kept.find(text[0]) != std::string_view::npos) {
      shown += text[0];
    } else {
      shown += c == '\n' ? "\\n" : fmt::format("\\u{{{:x}}}", c);
    }
    text.remove_prefix(length);
  }
  return shown;
}

uint32_t character_at(std::string_view text, size_t i, size_t& length) {
  const auto first = static_cast<uint8_t>(text[i]);
  length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 1) return first;
  uint32_t c = first & (0xFFU >> (length + 1));
  for (size_t k = 1; k < length; ++k) c = c << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3FU);
  return c;
}

size_t count_characters(std::string_view text) {
  const auto starts = [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::ranges::count_if(text, starts));
}

void append_utf8(std::string& text, uint32_t c) {
  const auto tail = [&](uint32_t shift) {
    text += static_cast<char>(0x80 | ((c >> shift) & 0x3F));
  };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace vyre::internal

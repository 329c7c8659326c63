// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/html/highlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "vyre/ir/html/escape.h"
#include "vyre/ir/names.h"

namespace vyre::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Highlighter {
 public:
  Highlighter(std::string_view text, const NameHints& hints) : text_(text), hints_(hints) {}

  std::string highlight() && {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        element("s", take(quoted_length()));
      } else if (c == '`') {
        name(take(quoted_length()));
      } else if (is_digit(c)) {
        element("n", take(number_length()));
      } else if (is_letter(c)) {
        word(take(word_length()));
      } else {
        html_ += html_text(take(1 + continuation_bytes()));
      }
    }
    return std::move(html_);
  }

 private:
  char peek(size_t offset = 0) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  std::string_view take(size_t length) {
    const std::string_view token = text_.substr(at_, length);
    at_ += length;
    return token;
  }

  // Characters of more bytes than one occur in strings and quoted names only, and stay whole there.
  size_t continuation_bytes() const {
    size_t count = 0;
    while ((static_cast<uint8_t>(peek(1 + count)) & 0xC0U) == 0x80) ++count;
    return count;
  }

  // With both quotes; a backslash takes what follows with it.
  size_t quoted_length() const {
    const char quote = peek();
    size_t length = 1;
    while (at_ + length < text_.size() && peek(length) != quote) {
      length += peek(length) == '\\' ? 2 : 1;
    }
    return std::min(length + 1, text_.size() - at_);
  }

  // 8u, 1.5e+20, 0x1f: digits and letters, a point before a digit, a sign after an exponent's e.
  size_t number_length() const {
    size_t length = 1;
    while (true) {
      const char c = peek(length);
      const bool point = c == '.' && is_digit(peek(length + 1));
      const bool sign = (c == '+' || c == '-') && peek(length - 1) == 'e' &&
                        is_digit(peek(length + 1)) && peek(1) != 'x';
      if (!is_digit(c) && !is_letter(c) && !point && !sign) return length;
      ++length;
    }
  }

  // row, dot_val.1
  size_t word_length() const {
    size_t length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length)) ||
           (peek(length) == '.' && is_digit(peek(length + 1)))) {
      ++length;
    }
    return length;
  }

  void word(std::string_view word) {
    if (!is_reserved_word(word)) return name(word);
    const bool is_literal =
        word == "true" || word == "false" || word.starts_with("inf") || word.starts_with("nan");
    // min(, cast<, invocation_id.x
    const bool is_operation = peek() == '(' || peek() == '<' || peek() == '.';
    element(is_literal ? "n" : is_operation ? "f" : "k", word);
  }

  void name(std::string_view token) {
    // Variables and buffers are two name spaces; what stands around tells which one is meant.
    const bool looks_like_buffer =
        peek() == '[' || html_.ends_with("&amp;") || html_.ends_with(">len</i>(");
    auto found = hints_.find({std::string(token), looks_like_buffer});
    if (found == hints_.end()) found = hints_.find({std::string(token), !looks_like_buffer});
    if (found == hints_.end()) {
      html_ += html_text(token);
      return;
    }
    const NameHint& hint = found->second;
    html_ += fmt::format("<i class=\"{}\" title=\"{}\"", found->first.second ? 'b' : 'v',
                         html_text(hint.title));
    if (!hint.type.empty() && type_shown_.insert(&hint).second) {
      html_ += fmt::format(" data-t=\"{}\"", html_text(hint.type));
    }
    html_ += fmt::format(">{}</i>", html_text(token));
  }

  void element(std::string_view which, std::string_view token) {
    html_ += fmt::format("<i class=\"{}\">{}</i>", which, html_text(token));
  }

  std::string_view text_;
  const NameHints& hints_;
  std::set<const NameHint*> type_shown_;
  size_t at_ = 0;
  std::string html_;
};

}  // namespace

std::string highlighted(std::string_view text, const NameHints& hints) {
  return Highlighter(text, hints).highlight();
}

}  // namespace vyre::internal

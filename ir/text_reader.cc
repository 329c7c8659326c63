// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/text_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/foreign_words.h"
#include "vyre/ir/names.h"
#include "vyre/ir/nearest_name.h"
#include "vyre/ir/number_text.h"

namespace vyre::internal {
std::string describe(const Token& token) {
  return token.kind == TokenKind::kEnd ? "the end of the text" : quoted(token.text);
}

std::string write_nearest(std::string_view word, std::span<const std::string_view> known,
                          std::string otherwise) {
  const std::vector<std::string> names(known.begin(), known.end());
  const std::optional<std::string> nearest = nearest_name(word, names);
  return nearest ? fmt::format("write `{}`.", *nearest) : std::move(otherwise);
}

std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += fmt::format("`{}`", words[i]);
  }
  return text;
}

bool TextReader::at_name() const {
  if (token().kind == TokenKind::kQuoted) return true;
  return token().kind == TokenKind::kWord && !is_reserved_word(token().text);
}

void TextReader::advance() {
  last_ = token();
  lexer_.advance();
}

bool TextReader::accept(std::string_view spelling) {
  if (!at(spelling)) return false;
  advance();
  return true;
}

bool TextReader::expect(std::string_view spelling, std::string_view where) {
  if (accept(spelling)) return true;
  unexpected(fmt::format("`{}`", spelling), fmt::format("write `{}` {}.", spelling, where));
  return false;
}

bool TextReader::expect_arrow(std::string_view spelling) {
  const Token first = token();
  if (accept(spelling.substr(0, 1))) {
    if (first.touches(token()) && accept(spelling.substr(1))) return true;
  }
  unexpected(fmt::format("`{}`", spelling),
             fmt::format("write `{}` between the two buffers.", spelling));
  return false;
}

std::optional<std::string> TextReader::name(std::string_view what) {
  if (!at_name()) {
    const bool reserved = token().kind == TokenKind::kWord && !token().starts_line;
    if (reserved) {
      reserved_word();
    } else {
      unexpected(what, fmt::format("write the name of {}.", what));
    }
    return std::nullopt;
  }
  std::string value =
      token().kind == TokenKind::kWord ? std::string(token().text) : std::move(lexer_.value());
  advance();
  return value;
}

std::optional<std::string> TextReader::string(std::string_view what) {
  if (token().kind != TokenKind::kString) {
    unexpected(what, fmt::format("write {} in double quotes.", what));
    return std::nullopt;
  }
  std::string value = std::move(lexer_.value());
  advance();
  return value;
}

std::optional<std::string> TextReader::bytes() {
  if (token().kind != TokenKind::kBytes) {
    unexpected("bytes", "write two hexadecimal digits for each byte, as in x\"0a1b\".");
    return std::nullopt;
  }
  std::string value = std::move(lexer_.value());
  advance();
  return value;
}

std::optional<uint64_t> TextReader::u64(std::string_view what, uint64_t largest) {
  const bool digits =
      token().kind == TokenKind::kNumber &&
      std::ranges::all_of(token().text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) {
    unexpected(what, fmt::format("write {} in digits alone, without a suffix.", what));
    return std::nullopt;
  }
  const std::optional<uint64_t> value = read_digits(token().text);
  if (!value || *value > largest) {
    fail({"P012", fmt::format("{} is too large for {}", quoted(token().text), what),
          fmt::format("write a number up to {}.", largest)});
    return std::nullopt;
  }
  advance();
  return value;
}

std::optional<uint32_t> TextReader::u32(std::string_view what) {
  const std::optional<uint64_t> value = u64(what, std::numeric_limits<uint32_t>::max());
  return value ? std::optional(static_cast<uint32_t>(*value)) : std::nullopt;
}

std::optional<uint32_t> TextReader::id(std::string_view what) {
  const bool hexadecimal = token().kind == TokenKind::kNumber &&
                           (token().text.starts_with("0x") || token().text.starts_with("0X"));
  if (!hexadecimal) {
    unexpected(what, fmt::format("write {} in hexadecimal, as in 0x80000001.", what));
    return std::nullopt;
  }
  const std::optional<uint64_t> value = read_bits(token().text, 8);
  if (!value) {
    fail({"P012", fmt::format("{} is not {} of 32 bits", quoted(token().text), what),
          "write 0x and one to eight hexadecimal digits."});
    return std::nullopt;
  }
  advance();
  return static_cast<uint32_t>(*value);
}

std::optional<size_t> TextReader::one_of(std::string_view what,
                                         std::span<const std::string_view> words, std::string fix) {
  const auto found = std::ranges::find(words, token().text);
  const bool is_word = token().kind == TokenKind::kWord;
  if (!is_word || found == words.end()) {
    if (fix.empty()) fix = fmt::format("write {}.", alternatives(words));
    if (!is_word || token().starts_line) {
      unexpected(what, std::move(fix));
    } else {
      fail({"P026", fmt::format("{} is not {}", quoted(token().text), what),
            write_nearest(token().text, words, std::move(fix))});
    }
    return std::nullopt;
  }
  advance();
  return static_cast<size_t>(found - words.begin());
}

bool TextReader::report_foreign_mark() {
  const char* foreign =
      token().kind == TokenKind::kMark ? foreign_fix(ForeignUse::kMark, token().text) : nullptr;
  if (foreign == nullptr) return false;
  fail({"P030", fmt::format("{} is an operator of other languages", describe(token())), foreign});
  return true;
}

void TextReader::unexpected(std::string_view what, std::string fix) {
  const bool missing = token().starts_line && !last_.text.empty();
  // What is missing at the end of a line that has an error is most often a part of that error.
  if (missing && errors_.has(last_.position.line)) return;
  if (!missing) return unexpected_start(what, std::move(fix));
  if (report_foreign_mark()) return;
  fail(last_.position,
       {"P014", fmt::format("{} belongs behind {}", what, describe(last_)), std::move(fix)});
}

void TextReader::unexpected_start(std::string_view what, std::string fix) {
  if (report_foreign_mark()) return;
  fail({"P014", fmt::format("{} belongs here, not {}", what, describe(token())), std::move(fix)});
}

void TextReader::reserved_word() {
  fail({"P027", fmt::format("{} is a reserved word", quoted(token().text)),
        fmt::format("write it in backquotes, `{}`, where it is a name, or choose another one.",
                    token().text)});
}

void TextReader::unclosed(std::string_view bracket, Position position) {
  const std::string_view closing = bracket == "(" ? ")" : bracket == "[" ? "]" : "}";
  fail(position, {"P017", fmt::format("this `{}` is not closed", bracket),
                  fmt::format("write `{}` where it ends.", closing)});
}

bool TextReader::count_node() {
  if (nodes_ < max_nodes_) {
    ++nodes_;
    return true;
  }
  if (nodes_ == max_nodes_) {
    ++nodes_;
    fail({"P004", fmt::format("the text has more than {} expressions and statements", max_nodes_),
          "split the program; in C++, ParseOptions::max_nodes raises the limit."});
  }
  return false;
}

}  // namespace vyre::internal

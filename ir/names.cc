// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/text_characters.h"
#include "vyre/ir/walk.h"

namespace vyre {
namespace {

using internal::is_digit;
using internal::is_word_char;
using internal::is_word_start;

// The name without the dots and digits at its end.
std::string_view without_numbers(std::string_view name) {
  while (true) {
    size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1])) --end;
    if (end == name.size() || end < 2 || name[end - 1] != '.') return name;
    name = name.substr(0, end - 1);
  }
}

bool is_word(std::string_view text) {
  return !text.empty() && is_word_start(text.front()) && std::ranges::all_of(text, is_word_char);
}

std::set<std::string_view> reserved_words() {
  std::set<std::string_view> words{"true",    "false",  "inf",   "nan",       "inf_f64",
                                   "nan_f64", "else",   "in",    "forever",   "program",
                                   "buffer",  "output", "local", "transient", "workgroup"};
  for (const OpInfo& op : all_ops()) {
    // Variables and loads have no word of their own in text.
    const bool spelled = op.format != OpFormat::kVariable && op.format != OpFormat::kLoad;
    if (spelled && is_word(op.mnemonic)) words.insert(op.mnemonic);
  }
  for (const NodeInfo& node : all_nodes()) {
    if (is_word(node.keyword)) words.insert(node.keyword);
  }
  return words;
}

// The number of continuation bytes after a first byte, or -1; `low` and `high` bound the first of
// them, which is what excludes overlong forms, surrogates and numbers that are too large.
int continuation_bytes(uint8_t first, uint8_t& low, uint8_t& high) {
  low = 0x80;
  high = 0xBF;
  if (first < 0x80) return 0;
  if (first < 0xC2 || first > 0xF4) return -1;
  if (first < 0xE0) return 1;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  return first < 0xF0 ? 2 : 3;
}

}  // namespace

bool is_identifier(std::string_view name) { return is_word(without_numbers(name)); }

bool is_reserved_word(std::string_view word) {
  static const std::set<std::string_view> kWords = reserved_words();
  return kWords.contains(word);
}

size_t valid_utf8_prefix(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    const size_t start = i;
    uint8_t low = 0;
    uint8_t high = 0;
    int rest = continuation_bytes(static_cast<uint8_t>(bytes[i++]), low, high);
    if (rest < 0) return start;
    for (; rest > 0; --rest, ++i) {
      if (i == bytes.size()) return start;
      const auto byte = static_cast<uint8_t>(bytes[i]);
      if (byte < low || byte > high) return start;
      low = 0x80;
      high = 0xBF;
    }
  }
  return bytes.size();
}

bool is_valid_utf8(std::string_view bytes) { return valid_utf8_prefix(bytes) == bytes.size(); }

FreshNames::FreshNames(const Program& program) {
  for (const BufferDecl& buffer : program.buffers()) reserve(buffer.name());
  for (const Node* node : post_order(program.entry())) {
    reserve(node->name());
    reserve(node->second_name());
  }
  for_each_expr(program.entry(), [this](const Expr& expr) { reserve(expr.name()); });
}

bool FreshNames::reserve(std::string_view name) {
  if (taken_.contains(name)) return false;
  taken_.emplace(name);
  return true;
}

std::string FreshNames::fresh(std::string_view base) {
  base = without_numbers(base);
  uint64_t& last = last_.try_emplace(std::string(base), 0).first->second;
  while (true) {
    std::string name = fmt::format("{}.{}", base, ++last);
    if (reserve(name)) return name;
  }
}

}  // namespace vyre

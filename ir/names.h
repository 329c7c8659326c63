// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Names of variables and buffers: what text writes without quotes, and names that are new to a
// program.
//
//   FreshNames names(program);
//   names.fresh("dot_val");   // "dot_val.1"
//   names.fresh("dot_val");   // "dot_val.2"
//   names.fresh("dot_val.2"); // "dot_val.3": a number at the end is not a part of the base
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"

namespace vyre {

// A letter or underscore, then letters, digits and underscores, then any number of a dot and
// digits: row, _x2, dot_val.1. ASCII only. Reserved words are identifiers too.
bool is_identifier(std::string_view name);

// A word that text reads as something else than a name: keywords of statements and declarations,
// operations, literals. As a name it stands in backquotes.
bool is_reserved_word(std::string_view word);

// Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_valid_utf8(std::string_view bytes);
// How many bytes at the start are UTF-8; the size where all are.
size_t valid_utf8_prefix(std::string_view bytes);

// Makes names that occur nowhere in a program, as a variable, buffer or anything else, nor were
// made before. What it gives depends on the program and on the earlier calls only.
class FreshNames {
 public:
  explicit FreshNames(const Program& program);

  std::string fresh(std::string_view base);
  // Marks a name as taken; says whether it was free.
  bool reserve(std::string_view name);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, uint64_t, std::less<>> last_;  // by base
};

}  // namespace vyre

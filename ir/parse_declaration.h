// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Declarations of buffers in the text form. For the parser only.
//
//   Bindings bindings;
//   while (is_declaration_word(reader.token().text)) {
//     if (auto decl = read_declaration(reader, bindings)) buffers.push_back(*std::move(decl));
//   }
//   bindings.report_missing(reader);
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/text_reader.h"

namespace vyre::internal {

// buffer, output, workgroup, local, transient: the words that start a declaration.
std::span<const std::string_view> declaration_words();
bool is_declaration_word(std::string_view word);

// The bindings of a program's declarations, and the declarations that lack one. Which number is
// free is known when all have been read.
class Bindings {
 public:
  void add(uint32_t binding) { taken_.insert(binding); }
  void add_missing(const Token& declaration) { missing_.push_back(declaration); }
  // Suggests a number of its own, which no other declaration has, for each that lacks one.
  void report_missing(TextReader& reader) const;

 private:
  std::unordered_set<uint32_t> taken_;  // looked up only
  std::vector<Token> missing_;
};

// From the declaration's word to its last attribute, all on one line. Errors are reported, but for
// a missing binding, which is noted.
std::optional<BufferDecl> read_declaration(TextReader& reader, Bindings& bindings);

// What stands in the parentheses of `where`, up to the closing one (parse_predicate.cc).
std::optional<ShapePredicate> read_predicate(TextReader& reader);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Declarations of buffers in the text form. For the parser only.
//
//   while (is_declaration_word(reader.token().text)) {
//     if (auto decl = read_declaration(reader)) buffers.push_back(*std::move(decl));
//   }
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/text_reader.h"

namespace vyre::internal {

// buffer, output, workgroup, local, transient: the words that start a declaration.
std::span<const std::string_view> declaration_words();
bool is_declaration_word(std::string_view word);

// From the declaration's word to its last attribute, all on one line. Errors are reported.
std::optional<BufferDecl> read_declaration(TextReader& reader);

// What stands in the parentheses of `where`, up to the closing one (parse_predicate.cc).
std::optional<ShapePredicate> read_predicate(TextReader& reader);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Code that a `;` hides: `let a = 1u; x[0u] = a`, as other languages end statements, is a statement
// and a comment. For the parser only.
//
//   warn_of_hidden_code(reader.comments(), errors);   // P032, once the text is read
#pragma once

#include <span>

#include "vyre/ir/lexer.h"

namespace vyre::internal {

// A comment that reads as one or more statements or a declaration, or closes a brace. What prose
// could be as well (`return`, `a = b`) only where the `;` touches the code before it.
void warn_of_hidden_code(std::span<const Comment> comments, SyntaxErrors& errors);

}  // namespace vyre::internal

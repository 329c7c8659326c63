// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What other languages write, and what to write instead. For the parser only.
//
//   if (const char* fix = foreign_fix(ForeignUse::kStatement, "while")) ...   // null: not known
#pragma once

#include <cstdint>
#include <string_view>

namespace vyre::internal {

// Where the word or mark stands.
enum class ForeignUse : uint8_t {
  kMark,       // anywhere
  kStatement,  // where a statement starts
  kBehind,     // behind an expression or a statement, on its line
  kCall,       // before a parenthesis
  kAxis,       // before `.`
};

const char* foreign_fix(ForeignUse use, std::string_view spelling);

// The type of the text form for the name of a type elsewhere; empty where none is known.
std::string_view foreign_type(std::string_view name);

}  // namespace vyre::internal

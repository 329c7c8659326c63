// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The lines of a program's text, each with the statement that it belongs to: for what shows
// programs line by line.
//
//   StatusOr<Listing> listing = list_statements(program);
//   for (size_t i = 0; i < listing->lines.size(); ++i) {
//     listing->lines[i].text;   // "if row < 8u {", without indentation
//     listing->path(i);         // "entry[0].body[1]"
//   }
//
// The lines are those of print(), with one exception: an else after an empty body starts a line of
// its own here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vyre/ir/node.h"
#include "vyre/ir/print.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

inline constexpr uint32_t kNoLine = 0xFFFFFFFF;

struct ListingLine {
  enum class Kind : uint8_t {
    kStatement,  // all of a statement, or what stands before its body
    kElse,       // "} else {"
    kElseIf,     // "} else if c {": an If that is all there is in an otherwise
    kClose,      // "}"
  };
  Kind kind;
  // Whether lines of a body follow, up to a line that starts with a brace.
  bool opens = false;
  // Whether print() writes it behind the line before it.
  bool continues = false;
  uint8_t body = 0;           // statements: which of the parent's bodies
  uint32_t level = 0;         // bodies that are open around the line
  uint32_t index = 0;         // statements: position in that body, or in the entry
  uint32_t parent = kNoLine;  // the line of the statement around it; of kElse and kClose: its own
  // The statement; null for kElse and kClose. Lives as long as the program.
  const Node* node = nullptr;
  std::string text;
};

struct Listing {
  Program program;
  std::vector<ListingLine> lines;

  // The path of a line's statement; that of kElse and kClose is that of the If, loop, ….
  std::string path(uint32_t line) const;
};

// Errors and limits are those of print().
StatusOr<Listing> list_statements(const Program& program, const PrintOptions& options = {});

}  // namespace vyre

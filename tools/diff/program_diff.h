// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How two programs differ, for people. Places are no part of a program's value, and make no
// difference.
//
//   for (const Change& change : declaration_changes(a, b)) fmt::print("{}\n", change.to_string());
//   if (const auto change = first_statement_change(a, b)) ...
//   StatusOr<std::string> text = unified_diff(a, b, {.context = 3});
//
// Two programs are equal exactly if neither of the first two functions finds anything. Nothing here
// recurses or takes more than linear time, apart from aligning lines, which has a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/print.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

struct Change {
  std::string where;  // "extent", "buffer q: count", "entry[0].body[1].value.left"
  std::string left;   // "8u"; "nothing" for what only the right program has
  std::string right;

  // "entry[0].body[1].value.left: 8u -> 16u"
  std::string to_string() const;
};

// What differs on the program line, then in the declarations, buffers matched by name.
std::vector<Change> declaration_changes(const Program& left, const Program& right);

// The first place, in the order of the text, at which the statements differ: an operand as small as
// possible, or a statement.
std::optional<Change> first_statement_change(const Program& left, const Program& right);
// The same for two statements without their bodies; the path starts at the statement: ".value".
// None if only bodies differ.
std::optional<Change> head_change(const Node& left, const Node& right);

struct UnifiedDiffOptions {
  uint32_t context = 3;  // equal lines around what differs
  std::string left_name = "a";
  std::string right_name = "b";
  PrintOptions print{};
};

// The lines of both texts as `diff -u` shows them, empty for equal programs. Indentation makes no
// difference, so that what is only put into another body counts as the same; equal lines are
// indented as on the right. The head of a group of lines ends with the path of the first statement
// that differs; where a statement takes the place of one of its kind, a comment names the operand
// that differs. Errors are those of print().
StatusOr<std::string> unified_diff(const Program& left, const Program& right,
                                   const UnifiedDiffOptions& options = {});

}  // namespace vyre::tools

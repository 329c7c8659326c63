// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A line of a program's text as HTML, with classes for what its words are.
//
//   const NameHints hints{{{"row", false}, {"row: u32", ": u32"}}};
//   highlighted("let row = 1u", hints);
//   // <i class="k">let</i> <i class="v" title="row: u32" data-t=": u32">row</i> = <i
//   class="n">1u</i>
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace vyre::internal {

// What is known of a name that may occur in the line.
struct NameHint {
  std::string title;  // shown when one points at it
  std::string type;   // shown behind its first occurrence, if not empty
};
// By how text writes the name, and whether it is a buffer's.
using NameHints = std::map<std::pair<std::string, bool>, NameHint>;

std::string highlighted(std::string_view text, const NameHints& hints);

}  // namespace vyre::internal

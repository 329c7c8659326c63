// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program as one page that a browser shows: its text with bodies that fold, the type of what one
// points at, its buffers, counts, and what is wrong with it, where it is wrong.
//
//   StatusOr<std::string> page =
//       to_html(program, {.title = "saxpy", .diagnostics = resolve(program).diagnostics});
//
// The page is one file that loads nothing. The line numbers are those of print().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/print.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

struct HtmlOptions {
  std::string title = "program";
  // From anywhere. One whose path is none of this program's stands at the top of the page only.
  std::vector<Diagnostic> diagnostics{};
  // Limits of the program's text.
  PrintOptions print{};
  uint64_t max_bytes = uint64_t{1} << 30;
  // Bodies nested deeper than this do not fold: browsers do not survive thousands of levels.
  uint32_t max_folds = 64;
};

// Errors are those of print(); resource exhausted for a page above the limit.
StatusOr<std::string> to_html(const Program& program, const HtmlOptions& options = {});

}  // namespace vyre

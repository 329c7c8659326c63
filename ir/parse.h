// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The parser of the text form. docs/text.md is its grammar; ir/print.h writes it.
//
//   const ParseResult result = parse(text, {.file = "saxpy.vyre"});
//   if (!result.ok()) std::cerr << render(result.diagnostics, text);
//
//   error[P010] saxpy.vyre:4:13: `8` has no suffix, so that its type would be a guess
//      |
//    4 |     let n = 8
//      |             ^
//     Fix: write 8u (u32), 8i (i32), 8u64, 8i64 or 8.0 (f32).
//
// parse(print(p)) is p, bit for bit. Statements, expressions and buffers note their line and
// column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

struct ParseOptions {
  std::string file = "<text>";  // what diagnostics and places call the text
  size_t max_bytes = size_t{256} << 20;
  // Expressions, brackets and statements. Each takes up to about 300 bytes of memory.
  size_t max_nodes = 50'000'000;
  // Reading ends at this many errors; of warnings no more are kept.
  size_t max_diagnostics = 100;
};

// A program, perhaps with warnings, or errors, with the warnings among them: diagnostics in the
// order of their places, at most one a line.
struct ParseResult {
  std::optional<Program> program;
  std::vector<Diagnostic> diagnostics;

  bool ok() const { return program.has_value(); }
};

// Reads all statements, also after an error. Takes time and memory linear in the text, and no stack
// that depends on it.
ParseResult parse(std::string_view text, const ParseOptions& options = {});

// The program, or all diagnostics as one message (invalid argument).
StatusOr<Program> parse_program(std::string_view text, std::string_view file = "<text>");

// One expression and nothing else, as parse_program.
StatusOr<Expr> parse_expr(std::string_view text, std::string_view file = "<text>");

// The diagnostic with the line of `source` that it is about, and a mark under the column. Without
// them where its place is no line and column of `source`. Long lines are cut around the mark.
std::string render(const Diagnostic& diagnostic, std::string_view source);
// One after the other, each ending in a newline.
std::string render(std::span<const Diagnostic> diagnostics, std::string_view source);

}  // namespace vyre

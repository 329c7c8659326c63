// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The text form of programs. docs/text.md is its grammar.
//
//   StatusOr<std::string> text = print(program);
//   StatusOr<std::string> sum = print_expr(Expr::var("x") * 2u + 1u);   // "x * 2u + 1u"
//
// With vyre/ir/format.h, fmt::format("{}", expr) does the same. The same program gives the same
// text, and different programs give different texts, bit for bit. Places are not printed.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

// Text writes a shared subtree out at each of its uses, so a small graph can have a text that fits
// nowhere. Above either limit printing is refused (resource exhausted).
struct PrintOptions {
  uint64_t max_bytes = uint64_t{256} << 20;
  // Expressions and statements, counted at each occurrence.
  uint64_t max_nodes = 50'000'000;
};

// All of these refuse what is above a limit, and names and strings that are not UTF-8 (invalid
// argument). Statements nested deeper than 50 are indented like the 50th.

// With a newline at the end.
StatusOr<std::string> print(const Program& program, const PrintOptions& options = {});
// Without one. Lines after the first are indented relative to it.
StatusOr<std::string> print_node(const Node& node, const PrintOptions& options = {});
StatusOr<std::string> print_expr(const Expr& expr, const PrintOptions& options = {});
// The line that declares a buffer, without indentation and newline.
StatusOr<std::string> print_buffer(const BufferDecl& buffer, const PrintOptions& options = {});

}  // namespace vyre

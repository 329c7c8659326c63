// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs in files: text or VIR0, told apart by content.
//
//   StatusOr<ProgramFile> file = read_program_file("kernel.vyre");   // "-": standard input
//   if (!file.ok()) return fail(kTool, file.status());               // prints the diagnostics
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

struct ProgramFile {
  Program program;
  std::string text;  // what was read, for carets below diagnostics; empty for VIR0
  std::vector<Diagnostic> warnings = {};  // of reading it
};

// InvalidArgument if the file cannot be read or is too large; malformed_program() if it holds no
// program. A pipe is read to its end.
StatusOr<ProgramFile> read_program_file(const std::string& path);
// The same of bytes that were read already; `name` stands in the places of diagnostics.
StatusOr<ProgramFile> program_of_bytes(const std::string& name, std::string bytes);

// The status of bytes that are no program. Its message is the diagnostics as people read them, on
// several lines, so fail() prints it as it is.
Status malformed_program(const std::string& text, std::span<const Diagnostic> diagnostics);
bool is_malformed_program(const Status& status);
// The diagnostics of such a status as ValidationReport::to_json() has them.
std::string malformed_program_json(const Status& status);

}  // namespace vyre::tools

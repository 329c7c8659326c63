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
// Gives the file to diagnostics that have no place: those of VIR0, and of a program as a whole.
void place_in_file(const std::string& name, std::vector<Diagnostic>& diagnostics);

// The status of bytes that are no program. Its message is the diagnostics as people read them, on
// several lines, so fail() prints it as it is.
Status malformed_program(const std::string& text, std::span<const Diagnostic> diagnostics);
bool is_malformed_program(const Status& status);
// The diagnostics of such a status as ValidationReport::to_json() has them.
std::string malformed_program_json(const Status& status);

// The status of a program that breaks rules; its message as that of malformed_program().
Status invalid_program(const std::string& text);
bool is_invalid_program(const Status& status);
// The same status, with a text before its message.
Status with_prefix(std::string_view prefix, const Status& status);

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the tools that print programs do alike: say what is wrong with one, and deliver a text.
//
//   ExitCode written = write_text(kTool, path, text);
//   return graver(written, report_problems(kTool, loaded));
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vyre/ir/validate/validate.h"
#include "vyre/tools/support/program_argument.h"
#include "vyre/tools/support/report.h"

namespace vyre::tools {

// What is wrong with the program, and the trap of one that only traps, on stderr; then the answer
// is no. Warnings and what is carried are left out.
ExitCode report_problems(std::string_view tool, const LoadedProgram& loaded);

// The second half of that.
ExitCode report_trap(std::string_view tool, const LoadedProgram& loaded);

// What tools that run or rewrite a program ask first: OK, or invalid_program() with all errors.
Status check_program(const LoadedProgram& loaded, const ValidateOptions& options = {});

// The warnings of reading the program and those of validate(), with the file in the place of what
// has none.
ValidationReport check_rules(const LoadedProgram& loaded, const ValidateOptions& options = {});

// The warnings of reading the program, on stderr.
void report_warnings(const LoadedProgram& loaded);

// The diagnostics as people read them: with the lines they are about, if there is a text.
std::string report_text(const ValidationReport& report, const LoadedProgram& loaded);

// The same on stderr, and how many there are beyond them.
void report_diagnostics(const std::vector<Diagnostic>& diagnostics, uint64_t omitted,
                        const LoadedProgram& loaded);

// To a file, whole or not at all; to stdout if there is no path, or if it is "-".
ExitCode write_text(std::string_view tool, const std::optional<std::string>& path,
                    std::string_view text);

// The error on stderr, in one line unless it is the diagnostics of a program; and its exit code.
ExitCode fail(std::string_view tool, const Status& status);

}  // namespace vyre::tools

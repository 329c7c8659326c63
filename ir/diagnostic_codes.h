// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The table of diagnostic codes, from diagnostics.def.
//
//   for (const DiagnosticInfo& info : all_diagnostics()) fmt::print("{} {}\n", info.code,
//   info.rule); find_diagnostic("V066")->rule;   // "A variable that is read is bound there."
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vyre/ir/diagnostic.h"

namespace vyre {

// When a rule is checked.
enum class DiagnosticClass : uint8_t {
  kSyntax,     // while text is read
  kWire,       // while the binary form is read or written
  kStructure,  // holds for every program, after every pass too
  kSource,     // about what a person wrote: checked on entry to tools and builders
  kCarried,    // a program that is well-formed but that no engine runs
  kRun,        // while a program runs that is checked (RunOptions::checks)
};
const char* spelling(DiagnosticClass which);

struct DiagnosticInfo {
  std::string_view code;
  DiagnosticClass which;
  Severity severity;
  std::string_view rule;
};

// In the order of the codes.
std::span<const DiagnosticInfo> all_diagnostics();
// Null for a code that does not exist.
const DiagnosticInfo* find_diagnostic(std::string_view code);

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Diagnostic: what is wrong with a program, where, and how to mend it.
//
//   error[V066] examples/a.cc:12: variable `row` is not declared
//     at entry[0].body[1].value.left
//     Fix: bind it with let before this statement.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/place.h"

namespace vyre {

enum class Severity : uint8_t { kError, kWarning };

struct Diagnostic {
  std::string code;  // "V066"; stable, the original's number where the rule is the same
  Severity severity = Severity::kError;
  std::string path;  // "entry[0].body[1].value.left"; empty for the program as a whole
  Place place;
  std::string cause;             // one sentence without a full stop
  std::string fix;               // one sentence with a full stop
  std::vector<Place> related{};  // other places that the cause speaks of

  // Names in it may hold anything: control characters and what is not UTF-8 are spelled out.
  std::string to_string() const;
};

// One diagnostic after the other, each ending in a newline.
std::string to_string(std::span<const Diagnostic> diagnostics);

// A JSON array, one object a line, with the members code, severity ("error", "warning"), path,
// place (as to_string() has it), file, line, column, cause and fix, in this order, and behind them
// related, a list of places, where there are such. Where the place
// is not known, place and file are null and the numbers 0; column is 0 where only the line is
// known, and both are where only the file is.
std::string to_json(std::span<const Diagnostic> diagnostics);

}  // namespace vyre

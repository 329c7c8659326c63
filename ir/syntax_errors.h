// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// SyntaxErrors: collects the diagnostics of a text that is read. For the parser only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vyre/ir/diagnostic.h"

namespace vyre::internal {

// What is wrong with a part of a text; the caller knows where it stands.
struct SyntaxError {
  const char* code;
  std::string cause;
  std::string fix;
};

// Where a token stands; counted from 1, columns in characters.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

class SyntaxErrors {
 public:
  SyntaxErrors(Place text, size_t most) : text_(std::move(text)), most_(most) {}

  // Only the first of a line is kept: the others most often follow from it.
  void add(Position position, SyntaxError error);

  // The same for what does not keep a text from being read; up to as many as errors.
  void warn(Position position, SyntaxError warning);

  // Whether one was reported on that line.
  bool has(uint32_t line) const { return lines_.contains(line); }
  // No errors.
  bool none() const { return errors_ == 0; }
  // Whether no more errors are taken, so that reading on is of no use.
  bool full() const { return errors_ >= most_; }
  bool has_all_warnings() const { return diagnostics_.size() - errors_ >= most_; }
  Place place(Position position) const { return text_.at(position.line, position.column); }
  // In the order of their places.
  std::vector<Diagnostic> take() &&;

 private:
  bool report(Severity severity, Position position, SyntaxError error);

  Place text_;
  size_t most_;
  std::vector<Diagnostic> diagnostics_;
  size_t errors_ = 0;  // of them
  std::unordered_set<uint32_t> lines_;
};

// A part of a text for a message: in backquotes, cut where it is long.
std::string quoted(std::string_view text);

}  // namespace vyre::internal

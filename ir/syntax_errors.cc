// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/syntax_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "vyre/ir/text_characters.h"

namespace vyre::internal {

void SyntaxErrors::add(Position position, SyntaxError error) {
  if (!full() && report(Severity::kError, position, std::move(error))) ++errors_;
}

void SyntaxErrors::warn(Position position, SyntaxError warning) {
  if (!has_all_warnings()) report(Severity::kWarning, position, std::move(warning));
}

bool SyntaxErrors::report(Severity severity, Position position, SyntaxError error) {
  if (!lines_.insert(position.line).second) return false;
  diagnostics_.push_back(
      {error.code, severity, "", place(position), std::move(error.cause), std::move(error.fix)});
  return true;
}

std::vector<Diagnostic> SyntaxErrors::take() && {
  std::ranges::stable_sort(diagnostics_, {}, [](const Diagnostic& diagnostic) {
    return std::make_tuple(diagnostic.place.line(), diagnostic.place.column());
  });
  return std::move(diagnostics_);
}

std::string quoted(std::string_view text) {
  constexpr size_t kMostCharacters = 40;
  std::string shown;
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++characters) {
    if (characters == kMostCharacters) return fmt::format("`{}...`", shown);
    size_t length = 0;
    const uint32_t c = character_at(text, i, length);
    if (is_invisible(c)) {
      shown += fmt::format("\\u{{{:x}}}", c);
    } else {
      shown += text.substr(i, length);
    }
    i += length;
  }
  return fmt::format("`{}`", shown);
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/diagnostic.h"

#include <fmt/format.h>

#include "vyre/ir/text_characters.h"

namespace vyre {

using internal::visible;

std::string Diagnostic::to_string() const {
  std::string text = severity == Severity::kError ? "error" : "warning";
  text += fmt::format("[{}] ", code);
  if (place.known()) text += visible(place.to_string()) + ": ";
  text += visible(cause);
  if (!path.empty()) text += "\n  at " + visible(path);
  if (!fix.empty()) text += "\n  Fix: " + visible(fix);
  return text;
}

std::string to_string(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += diagnostic.to_string() + "\n";
  return text;
}

}  // namespace vyre

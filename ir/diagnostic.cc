// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/diagnostic.h"

#include <fmt/format.h>

namespace vyre {
std::string Diagnostic::to_string() const {
  std::string text = severity == Severity::kError ? "error" : "warning";
  text += fmt::format("[{}] ", code);
  if (place.known()) text += place.to_string() + ": ";
  text += cause;
  if (!path.empty()) text += "\n  at " + path;
  if (!fix.empty()) text += "\n  Fix: " + fix;
  return text;
}

std::string to_string(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += diagnostic.to_string() + "\n";
  return text;
}

}  // namespace vyre

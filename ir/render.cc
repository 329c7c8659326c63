// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Diagnostics with the line of the text that they are about.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "vyre/ir/names.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/text_characters.h"

namespace vyre {
namespace {

using internal::visible;

constexpr size_t kMostShown = 100;   // characters of a line
constexpr size_t kShownBefore = 60;  // of them before the mark, where the line is cut

// Where the lines of a text start.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
      starts_.push_back(i + 1);
    }
  }

  // Without its end; counted from 1. None where the text has no such line.
  std::optional<std::string_view> line(size_t number) const {
    if (number == 0 || number > starts_.size()) return std::nullopt;
    const size_t start = starts_[number - 1];
    std::string_view line = text_.substr(start, text_.find('\n', start) - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view text_;
  std::vector<size_t> starts_{0};
};

struct Shown {
  std::string line;
  std::string before_mark;  // as wide as what stands before the column
};

// The characters of the line around a column, which counts from 1. What cannot be seen, and bytes
// that are not UTF-8, are shown as dots.
Shown show(std::string_view line, size_t column) {
  line = line.substr(0, std::max(line.size(), size_t{0}));
  std::vector<std::string> characters;
  const size_t first = column > kMostShown - 20 ? column - 1 - kShownBefore : 0;
  size_t number = 0;
  size_t i = 0;
  for (; i < line.size() && characters.size() < kMostShown; ++number) {
    size_t length = 1;
    std::string shown = ".";
    const size_t step = std::min<size_t>(line.size() - i, 4);
    const std::string_view next = line.substr(i, step);
    const size_t valid = valid_utf8_prefix(next);
    if (valid > 0) {
      const uint32_t c = internal::character_at(next, 0, length);
      if (c == '\t' || !internal::is_invisible(c)) shown = next.substr(0, length);
    }
    if (number >= first) characters.push_back(std::move(shown));
    i += length;
  }
  Shown result;
  if (first > 0) result.line = "...";
  result.before_mark.assign(result.line.size(), ' ');
  for (size_t k = 0; k < characters.size(); ++k) {
    result.line += characters[k];
    // A tab is as wide above as below.
    if (first + k + 1 < column) result.before_mark += characters[k] == "\t" ? "\t" : " ";
  }
  if (i < line.size()) result.line += "...";
  return result;
}

std::string render_at(const Diagnostic& diagnostic, const Lines& lines) {
  const Place& place = diagnostic.place;
  std::optional<std::string_view> line;
  if (place.known() && place.column() != 0) line = lines.line(place.line());
  if (!line) return diagnostic.to_string();
  const Shown shown = show(*line, place.column());
  const std::string number = fmt::format("{:4}", place.line());
  std::string text = diagnostic.severity == Severity::kError ? "error" : "warning";
  text += fmt::format("[{}] {}: {}\n", diagnostic.code, visible(place.to_string()),
                      visible(diagnostic.cause));
  text += fmt::format("{:{}} |\n{} | {}\n{:{}} | {}^", "", number.size(), number, shown.line, "",
                      number.size(), shown.before_mark);
  if (!diagnostic.path.empty()) text += "\n  at " + visible(diagnostic.path);
  if (!diagnostic.fix.empty()) text += "\n  Fix: " + visible(diagnostic.fix);
  return text;
}

}  // namespace

std::string render(const Diagnostic& diagnostic, std::string_view source) {
  return render_at(diagnostic, Lines(source));
}

std::string render(std::span<const Diagnostic> diagnostics, std::string_view source) {
  const Lines lines(source);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render_at(diagnostic, lines) + "\n";
  return text;
}

}  // namespace vyre

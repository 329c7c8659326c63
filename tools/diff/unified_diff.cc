// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>

#include "vyre/ir/listing.h"
#include "vyre/tools/diff/alignment.h"
#include "vyre/tools/diff/program_diff.h"

namespace vyre::tools {
namespace {

struct Line {
  std::string_view text;  // without indentation
  uint32_t level = 0;
  uint32_t listed = kNoLine;  // in the listing
};

// The text of a program, line by line.
class Text {
 public:
  // Errors of print().
  static StatusOr<Text> of(const Program& program, const PrintOptions& options) {
    // The lines before and after the statements, with a statement for all of them.
    const bool has_statements = !program.entry().empty();
    StatusOr<std::string> frame =
        print(has_statements ? program.with_entry({Node::return_()}) : program, options);
    if (!frame.ok()) return frame.status();
    StatusOr<Listing> listing = list_statements(program, options);
    if (!listing.ok()) return listing.status();
    return Text(*std::move(frame), *std::move(listing));
  }
  Text(Text&&) = default;

  const std::vector<Line>& lines() const { return lines_; }
  const Node* node(const Line& line) const {
    return line.listed == kNoLine ? nullptr : listing_.lines[line.listed].node;
  }
  // Empty where the line belongs to no statement.
  std::string path(const Line& line) const {
    return line.listed == kNoLine ? "" : listing_.path(line.listed);
  }

 private:
  // The frame is kept behind a pointer: lines refer to it, and a short string moves its bytes.
  Text(std::string frame, Listing listing)
      : frame_(std::make_unique<const std::string>(std::move(frame))),
        listing_(std::move(listing)) {
    std::string_view rest = *frame_;
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      const size_t indentation = line.find_first_not_of(' ');
      const size_t skipped = indentation == std::string_view::npos ? 0 : indentation;
      lines_.push_back({line.substr(skipped), static_cast<uint32_t>(skipped / 2), kNoLine});
      rest.remove_prefix(end + 1);
    }
    if (listing_.lines.empty()) return;
    lines_.resize(lines_.size() - 2);
    for (uint32_t i = 0; i < listing_.lines.size(); ++i) {
      lines_.push_back({listing_.lines[i].text, listing_.lines[i].level + 1, i});
    }
    lines_.push_back({"}", 0, kNoLine});
  }

  std::unique_ptr<const std::string> frame_;
  Listing listing_;
  std::vector<Line> lines_;
};

// Numbers for texts: equal ones for equal texts.
class TextNumbers {
 public:
  std::vector<uint32_t> of(const std::vector<Line>& lines) {
    std::vector<uint32_t> numbers;
    numbers.reserve(lines.size());
    for (const Line& line : lines) {
      const auto next = static_cast<uint32_t>(by_text_.size());
      numbers.push_back(by_text_.try_emplace(line.text, next).first->second);
    }
    return numbers;
  }

 private:
  absl::flat_hash_map<std::string_view, uint32_t> by_text_;
};

// Lines that take the place of each other; one side may be empty.
struct Edit {
  size_t left_begin;
  size_t left_end;
  size_t right_begin;
  size_t right_end;
};

std::vector<Edit> edits_between(const std::vector<EqualRun>& runs, size_t left, size_t right) {
  std::vector<Edit> edits;
  size_t left_at = 0;
  size_t right_at = 0;
  const auto until = [&](size_t left_end, size_t right_end) {
    if (left_at < left_end || right_at < right_end) {
      edits.push_back({left_at, left_end, right_at, right_end});
    }
  };
  for (const EqualRun& run : runs) {
    until(run.left, run.right);
    left_at = run.left + run.length;
    right_at = run.right + run.length;
  }
  until(left, right);
  return edits;
}

class Writer {
 public:
  Writer(const Text& left, const Text& right, const UnifiedDiffOptions& options)
      : left_(left), right_(right), options_(options) {}

  std::string write(const std::vector<Edit>& edits) && {
    if (edits.empty()) return {};
    out_ = fmt::format("--- {}\n+++ {}\n", options_.left_name, options_.right_name);
    for (size_t first = 0; first < edits.size();) {
      size_t last = first + 1;
      while (last < edits.size() &&
             edits[last].left_begin - edits[last - 1].left_end <= 2 * size_t{options_.context}) {
        ++last;
      }
      write_group(std::span(edits).subspan(first, last - first));
      first = last;
    }
    return std::move(out_);
  }

 private:
  // Edits with so few equal lines between them that they are shown together.
  void write_group(std::span<const Edit> edits) {
    const Edit& first = edits.front();
    const Edit& last = edits.back();
    const size_t before = std::min<size_t>({options_.context, first.left_begin, first.right_begin});
    const size_t after = std::min<size_t>({options_.context, left_.lines().size() - last.left_end,
                                           right_.lines().size() - last.right_end});
    const size_t left_count = last.left_end - first.left_begin + before + after;
    const size_t right_count = last.right_end - first.right_begin + before + after;
    out_ += fmt::format("@@ -{} +{} @@", range_text(first.left_begin - before, left_count),
                        range_text(first.right_begin - before, right_count));
    const std::string path = path_of(edits);
    out_ += path.empty() ? "\n" : " " + path + "\n";
    size_t equal = first.right_begin - before;
    for (const Edit& edit : edits) {
      for (; equal < edit.right_begin; ++equal) write_line(' ', right_.lines()[equal]);
      write_edit(edit);
      equal = edit.right_end;
    }
    for (size_t i = 0; i < after; ++i) write_line(' ', right_.lines()[equal + i]);
  }

  // Lines count from 1; an empty range stands after the line it names.
  static std::string range_text(size_t begin, size_t count) {
    return fmt::format("{},{}", count == 0 ? begin : begin + 1, count);
  }

  std::string path_of(std::span<const Edit> edits) const {
    for (const Edit& edit : edits) {
      for (size_t i = edit.left_begin; i < edit.left_end; ++i) {
        if (left_.node(left_.lines()[i]) != nullptr) return left_.path(left_.lines()[i]);
      }
      for (size_t i = edit.right_begin; i < edit.right_end; ++i) {
        if (right_.node(right_.lines()[i]) != nullptr) return right_.path(right_.lines()[i]);
      }
    }
    return {};
  }

  void write_edit(const Edit& edit) {
    for (size_t i = edit.left_begin; i < edit.left_end; ++i) write_line('-', left_.lines()[i]);
    const bool paired = edit.left_end - edit.left_begin == edit.right_end - edit.right_begin;
    for (size_t i = edit.right_begin; i < edit.right_end; ++i) {
      const Line& line = right_.lines()[i];
      const Line* other =
          paired ? &left_.lines()[edit.left_begin + (i - edit.right_begin)] : nullptr;
      write_line('+', line, other == nullptr ? "" : comment(*other, line));
    }
  }

  // What differs between two statements, where it is one operand.
  std::string comment(const Line& left, const Line& right) const {
    const Node* a = left_.node(left);
    const Node* b = right_.node(right);
    if (a == nullptr || b == nullptr) return "";
    const std::optional<Change> change = head_change(*a, *b);
    return change && !change->where.empty() ? "  ; " + change->to_string() : "";
  }

  void write_line(char mark, const Line& line, std::string_view end = "") {
    constexpr uint32_t kMaxIndent = 50;
    out_ += mark;
    out_.append(2 * size_t{std::min(line.level, kMaxIndent)}, ' ');
    out_ += line.text;
    out_ += end;
    out_ += '\n';
  }

  const Text& left_;
  const Text& right_;
  const UnifiedDiffOptions& options_;
  std::string out_;
};

}  // namespace

StatusOr<std::string> unified_diff(const Program& left, const Program& right,
                                   const UnifiedDiffOptions& options) {
  const StatusOr<Text> left_text = Text::of(left, options.print);
  if (!left_text.ok()) return left_text.status();
  const StatusOr<Text> right_text = Text::of(right, options.print);
  if (!right_text.ok()) return right_text.status();
  TextNumbers numbers;
  const std::vector<uint32_t> left_numbers = numbers.of(left_text->lines());
  const std::vector<uint32_t> right_numbers = numbers.of(right_text->lines());
  const std::vector<EqualRun> runs = align(left_numbers, right_numbers);
  return Writer(*left_text, *right_text, options)
      .write(edits_between(runs, left_numbers.size(), right_numbers.size()));
}

}  // namespace vyre::tools

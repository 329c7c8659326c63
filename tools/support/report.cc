// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "vyre/ir/text_characters.h"

namespace vyre::tools {
namespace {

int gravity(ExitCode code) {
  switch (code) {
    case kGood:
      return 0;
    case kNo:
      return 1;
    case kStopped:
      return 2;
    case kUsage:
      return 3;
    case kBug:
      return 4;
  }
  return 4;
}

void write_to(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace

ExitCode exit_code_of(const Status& status) {
  if (status.ok()) return kGood;
  if (absl::IsAborted(status) || absl::IsResourceExhausted(status) ||
      absl::IsDeadlineExceeded(status) || absl::IsCancelled(status) ||
      absl::IsFailedPrecondition(status)) {
    return kStopped;
  }
  return absl::IsInternal(status) ? kBug : kUsage;
}

ExitCode graver(ExitCode a, ExitCode b) { return gravity(a) >= gravity(b) ? a : b; }

std::string one_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::string line;
  for (const char c : internal::visible(text, "\n")) {
    if (c == '\n') {
      line += "; ";
    } else {
      line += c;
    }
  }
  return line;
}

void print_error(std::string_view tool, std::string_view message) {
  std::fflush(stdout);
  write_to(stderr, fmt::format("{}: {}\n", tool, one_line(message)));
}

bool print_result(std::string_view tool, std::string_view text) {
  write_to(stdout, text);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  print_error(tool, "cannot write to standard output. Fix: send it where there is room.");
  return false;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_ >= 0) write_to(stderr, "\r\x1b[K");
}

std::function<void(double)> ProgressLine::callback() {
  if (!terminal_) return {};
  return [this](double fraction) {
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    if (percent == shown_) return;
    shown_ = percent;
    write_to(stderr, fmt::format("\r{:3} %", percent));
  };
}

int guarded_main(std::string_view tool, int argc, char** argv, int (*body)(int, char**)) {
  try {
    return body(argc, argv);
  } catch (const std::bad_alloc&) {
    print_error(tool, "out of memory. Fix: use smaller dimensions.");
    return kStopped;
  } catch (const std::exception& error) {
    print_error(tool, fmt::format("a bug in vyre: {}", error.what()));
    return kBug;
  }
}

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/tools/golden_program.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tests/tools/tool_process.h"

namespace vyre::test {
namespace {

constexpr std::string_view kRun = "; run: ";

bool is_result(std::string_view line) {
  return line.starts_with("; expect:") || line.starts_with("; error:") ||
         line.starts_with("; exit:");
}

// Each line of the text behind a directive.
std::string directives(const std::string& directive, const std::string& text) {
  std::string lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines += fmt::format("{}{}{}\n", directive, line.empty() ? "" : " ", line);
  }
  return lines;
}

std::string results_of(const std::string& command, const std::filesystem::path& path) {
  std::string line = command;
  const std::string name = fmt::format("'{}'", path.filename().string());
  for (size_t at = 0; (at = line.find("%s", at)) != std::string::npos; at += name.size()) {
    line.replace(at, 2, name);
  }
  const ToolResult result = run_tool_in(line, path.parent_path());
  std::string text;
  if (result.exit_code != 0) text += fmt::format("; exit: {}\n", result.exit_code);
  return text + directives("; expect:", result.out) + directives("; error:", result.err);
}

}  // namespace

std::string run_golden_program(const std::filesystem::path& path, const std::string& text) {
  std::string written;
  bool below_command = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (is_result(line)) {
      if (!below_command) throw std::runtime_error("no command stands above: " + line);
      continue;
    }
    written += line + '\n';
    below_command = line.starts_with(kRun);
    if (below_command) written += results_of(line.substr(kRun.size()), path);
  }
  return written;
}

}  // namespace vyre::test

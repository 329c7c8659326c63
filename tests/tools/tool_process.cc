// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/tools/tool_process.h"

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace vyre::test {
namespace fs = std::filesystem;

ScratchDir::ScratchDir() {
  std::string name = (fs::temp_directory_path() / "vyre-tools-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchDir::listing() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

namespace {

ToolResult run_shell(const std::string& command, const fs::path& folder,
                     const std::string& redirection) {
  // Outside the folder, so that a test sees only what the tool leaves there.
  const ScratchDir captured;
  const std::string line = "cd '" + folder.string() + "' && PATH='" VYRE_TOOLS_DIR "':$PATH && { " +
                           command + "\n} >'" + captured.file("out") + "' " +
                           (redirection.empty() ? "2>'" + captured.file("err") + "'" : redirection);
  const int status = std::system(line.c_str());
  ToolResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_text(captured.file("out"));
  if (redirection.empty()) result.err = read_text(captured.file("err"));
  return result;
}

}  // namespace

ToolResult run_tool(const std::string& command, const ScratchDir& dir) {
  return run_shell(command, dir.path(), "");
}

ToolResult run_tool_in(const std::string& command, const fs::path& folder) {
  return run_shell(command, folder, "");
}

ToolResult run_tool_mixed(const std::string& command, const ScratchDir& dir) {
  return run_shell(command, dir.path(), "2>&1");
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

namespace {

// The length of a time such as "1.25 ms" with the blanks after it at the start of `text`, or 0.
size_t time_length(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789.e+-"), text.size());
  if (digits == 0) return 0;
  for (const std::string_view unit : {" us", " ms", " s"}) {
    if (!text.substr(digits).starts_with(unit)) continue;
    const size_t end = digits + unit.size();
    if (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) continue;
    return std::min(text.find_first_not_of(' ', end), text.size());
  }
  return 0;
}

// The length of a column's heading "time" with its blanks at the start of `text`, or 0.
size_t heading_length(std::string_view text) {
  if (!text.starts_with("time   ")) return 0;
  return std::min(text.find_first_not_of(' ', 4), text.size());
}

}  // namespace

std::string without_times(const std::string& text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    if (const size_t time = time_length(rest); time != 0) {
      result += "TIME  ";
      rest.remove_prefix(time);
    } else if (const size_t heading = heading_length(rest); heading != 0) {
      result += "time  ";
      rest.remove_prefix(heading);
    } else {
      result += rest.front();
      rest.remove_prefix(1);
    }
  }
  return result;
}

void check_golden(const std::string& name, const std::string& text) {
  const fs::path path = source_dir() / "tests/tools" / name;
  if (std::getenv("VYRE_BLESS") != nullptr) {
    write_text(path, text);
    return;
  }
  INFO("golden file " << path << "; set VYRE_BLESS=1 to write it");
  CHECK(text == read_text(path));
}

fs::path source_dir() { return VYRE_SOURCE_DIR; }

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/tools/tool_process.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
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

ToolResult run_shell(const std::string& command, const ScratchDir& dir,
                     const std::string& redirection) {
  // Outside the folder, so that a test sees only what the tool leaves there.
  const ScratchDir captured;
  const std::string line = "cd '" + dir.path().string() +
                           "' && PATH='" VYRE_TOOLS_DIR "':$PATH && { " + command + "\n} >'" +
                           captured.file("out") + "' " +
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
  return run_shell(command, dir, "");
}

ToolResult run_tool_mixed(const std::string& command, const ScratchDir& dir) {
  return run_shell(command, dir, "2>&1");
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

std::string without_times(const std::string& text) {
  static const std::regex kTime(R"([0-9.e+-]+ (us|ms|s)\b *)");
  static const std::regex kHeading("time  +");
  return std::regex_replace(std::regex_replace(text, kTime, "TIME  "), kHeading, "time  ");
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

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Running the tools as a user does, in a folder of the test's own.
//
//   test::ScratchDir dir;
//   const test::ToolResult r = test::run_tool("vyre-dump --format=hash flash_attention_2", dir);
//   CHECK(r.exit_code == 0);
#pragma once

#include <filesystem>
#include <string>

namespace vyre::test {

// An empty folder that goes away with the object.
class ScratchDir {
 public:
  ScratchDir();
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Names of what is in it, sorted, one a line.
  std::string listing() const;

 private:
  std::filesystem::path path_;
};

struct ToolResult {
  int exit_code = -1;  // 128 + n after signal n
  std::string out;
  std::string err;
};

// A shell command line in that folder, with the tools on PATH.
ToolResult run_tool(const std::string& command, const ScratchDir& dir);
// The same in any folder.
ToolResult run_tool_in(const std::string& command, const std::filesystem::path& folder);
// The same with stderr and stdout in one text, in the order in which they were written.
ToolResult run_tool_mixed(const std::string& command, const ScratchDir& dir);

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

// The text with each time in it ("1.25 ms") replaced by "TIME", padding included.
std::string without_times(const std::string& text);

// Compares with a file below tests/tools, or writes it if VYRE_BLESS is set.
void check_golden(const std::string& name, const std::string& text);

std::filesystem::path source_dir();

}  // namespace vyre::test

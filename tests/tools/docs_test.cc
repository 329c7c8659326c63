// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// docs/tools.md shows what the tools print. With VYRE_BLESS set, the page is written anew.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tools/tool_process.h"

namespace vyre {
namespace {

// One ```console block: `$ command` lines, each followed by its output.
std::string run_block(const std::vector<std::string>& lines, const test::ScratchDir& dir) {
  std::string text;
  for (const std::string& line : lines) {
    if (!line.starts_with("$ ")) continue;
    const test::ToolResult result = test::run_tool_mixed(line.substr(2), dir);
    text += line + '\n' + result.out;
  }
  return text;
}

// Checks, or with VYRE_BLESS writes, the blocks of one page; returns how many it has.
size_t check_page(const std::string& name) {
  const test::ScratchDir dir;
  std::filesystem::create_symlink(test::source_dir() / "examples", dir.path() / "examples");
  const std::filesystem::path path = test::source_dir() / name;
  std::istringstream page(test::read_text(path));
  std::string written;
  size_t blocks = 0;
  for (std::string line; std::getline(page, line);) {
    written += line + '\n';
    if (line != "```console") continue;
    ++blocks;
    std::vector<std::string> block;
    std::string shown;
    while (std::getline(page, line) && line != "```") {
      block.push_back(line);
      shown += line + '\n';
    }
    const std::string actual = run_block(block, dir);
    written += actual + "```\n";
    if (std::getenv("VYRE_BLESS") != nullptr) continue;
    INFO("a block of " << name << "; set VYRE_BLESS=1 to write the page");
    CHECK(test::without_times(shown) == test::without_times(actual));
  }
  if (std::getenv("VYRE_BLESS") != nullptr) test::write_text(path, written);
  return blocks;
}

TEST_CASE("the commands in the documentation print what the pages say") {
  CHECK(check_page("docs/tools.md") >= 5);
  CHECK(check_page("docs/checking.md") >= 1);
  CHECK(check_page("README.md") >= 1);
}

// Every word of the text that ends like the file of a test.
std::vector<std::string> named_tests(const std::string& text) {
  constexpr std::string_view kEnd = "_test.cc";
  std::vector<std::string> names;
  for (size_t at = 0; (at = text.find(kEnd, at)) != std::string::npos; at += kEnd.size()) {
    const size_t before = text.find_last_of(" (`,", at) + 1;
    names.push_back(text.substr(before, at + kEnd.size() - before));
  }
  return names;
}

TEST_CASE("the tests that the rules name exist") {
  std::string files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::source_dir() / "tests")) {
    files += '/' + entry.path().lexically_relative(test::source_dir()).string() + '\n';
  }
  const std::vector<std::string> names =
      named_tests(test::read_text(test::source_dir() / "docs/semantics.md"));
  CHECK(names.size() > 40);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(files.find('/' + name + '\n') != std::string::npos);
  }
}

TEST_CASE("the README's first program is the example, and prints what the README says") {
  const std::string readme = test::read_text(test::source_dir() / "README.md");
  const std::string source = test::read_text(test::source_dir() / "examples/saxpy.cc");
  CHECK(readme.find("```cpp\n" + source + "```\n") != std::string::npos);
#ifdef VYRE_EXAMPLE_SAXPY
  const test::ScratchDir dir;
  const test::ToolResult result = test::run_tool_mixed(VYRE_EXAMPLE_SAXPY, dir);
  CHECK(result.exit_code == 0);
  CHECK(readme.find("```\n" + result.out + "```\n") != std::string::npos);
#endif
}

}  // namespace
}  // namespace vyre

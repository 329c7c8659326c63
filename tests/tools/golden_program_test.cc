// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The programs of tests/golden and what the tools make of them. With VYRE_BLESS set, the files are
// written anew.
#include "tests/tools/golden_program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "tests/tools/tool_process.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

TEST_CASE("each golden program makes the tools print what its comments say") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(test::source_dir() / "tests/golden")) {
    if (entry.path().extension() == ".vyre") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  CHECK(files.size() >= 8);
  for (const fs::path& path : files) {
    INFO(path << "; set VYRE_BLESS=1 to write it");
    const std::string text = test::read_text(path);
    const std::string actual = test::run_golden_program(path, text);
    CHECK(text.find("; run: ") != std::string::npos);
    if (std::getenv("VYRE_BLESS") != nullptr) {
      test::write_text(path, actual);
    } else {
      CHECK(actual == text);
    }
  }
}

TEST_CASE("a golden program's comments are compared with all that its command does") {
  const test::ScratchDir dir;
  const fs::path path = dir.path() / "a b.vyre";
  const std::string good =
      "; run: printf 'one\\n\\n two\\n' && echo bad >&2 && cat %s >/dev/null && exit 3\n"
      "; exit: 3\n; expect: one\n; expect:\n; expect:  two\n; error: bad\n; plain\nvyre 1\n";
  test::write_text(path, good);
  CHECK(test::run_golden_program(path, good) == good);
  for (const char* line : {"; exit: 3\n", "; expect:\n", "; error: bad\n"}) {
    std::string changed = good;
    changed.erase(changed.find(line), std::string(line).size());
    CHECK(test::run_golden_program(path, changed) == good);
    CHECK(changed != good);
  }
  CHECK_THROWS_AS(test::run_golden_program(path, "; expect: one\n"), std::runtime_error);
}

}  // namespace
}  // namespace vyre

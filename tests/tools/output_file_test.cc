// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"

namespace vyre::tools {
namespace {

using test::read_text;
using test::ScratchDir;
using test::write_text;

TEST_CASE("staged files appear together, at commit") {
  const ScratchDir dir;
  write_text(dir.path() / "old", "before");
  OutputFiles files;
  REQUIRE(files.stage(dir.file("old"), "after").ok());
  REQUIRE(files.stage(dir.file("new"), "new").ok());
  CHECK(read_text(dir.path() / "old") == "before");
  CHECK_FALSE(std::filesystem::exists(dir.path() / "new"));
  REQUIRE(files.commit().ok());
  CHECK(read_text(dir.path() / "old") == "after");
  CHECK(read_text(dir.path() / "new") == "new");
  CHECK(dir.listing() == "new\nold\n");
}

TEST_CASE("what is not committed leaves nothing behind") {
  const ScratchDir dir;
  write_text(dir.path() / "old", "before");
  {
    OutputFiles files;
    REQUIRE(files.stage(dir.file("old"), "after").ok());
    CHECK_FALSE(files.stage(dir.file("none/new"), "new").ok());
  }
  CHECK(read_text(dir.path() / "old") == "before");
  CHECK(dir.listing() == "old\n");
}

TEST_CASE("links are written through and permissions kept") {
  const ScratchDir dir;
  write_text(dir.path() / "target", "before");
  REQUIRE(::chmod(dir.file("target").c_str(), 0640) == 0);
  std::filesystem::create_symlink("target", dir.path() / "link");
  OutputFiles files;
  REQUIRE(files.stage(dir.file("link"), "after").ok());
  REQUIRE(files.commit().ok());
  CHECK(std::filesystem::is_symlink(dir.path() / "link"));
  CHECK(read_text(dir.path() / "target") == "after");
  struct stat info {};
  REQUIRE(::stat(dir.file("target").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
}

TEST_CASE("a link to nothing makes the file that it leads to") {
  namespace fs = std::filesystem;
  const ScratchDir dir;
  fs::create_directory(dir.path() / "folder");
  fs::create_symlink("folder/next", dir.path() / "link");
  fs::create_symlink("../file", dir.path() / "folder/next");
  {
    OutputFiles files;
    REQUIRE(files.stage(dir.file("link"), "text").ok());
    REQUIRE(files.commit().ok());
  }
  CHECK(fs::is_symlink(dir.path() / "link"));
  CHECK(fs::is_symlink(dir.path() / "folder/next"));
  CHECK(read_text(dir.path() / "file") == "text");
  fs::create_symlink("none/file", dir.path() / "astray");
  fs::create_symlink("circle", dir.path() / "circle");
  OutputFiles files;
  CHECK(message_of(files.stage(dir.file("astray"), "text")).find("No such file") !=
        std::string::npos);
  CHECK(message_of(files.stage(dir.file("circle"), "text")).find("Too many levels") !=
        std::string::npos);
  CHECK(dir.listing() == "astray\ncircle\nfile\nfolder\nlink\n");
}

TEST_CASE("a folder cannot be written, and a device is written directly") {
  const ScratchDir dir;
  OutputFiles files;
  const Status status = files.stage(dir.path().string(), "x");
  CHECK(message_of(status).find("Is a directory") != std::string::npos);
  REQUIRE(files.stage("/dev/null", "x").ok());
  CHECK(files.commit().ok());
  CHECK(std::filesystem::is_character_file("/dev/null"));
  OutputFiles full;
  REQUIRE(full.stage("/dev/full", "x").ok());
  CHECK_FALSE(full.commit().ok());
}

TEST_CASE("a file that may not be written stays") {
  if (::geteuid() == 0) {
    std::printf("SKIPPED: the superuser may write every file\n");
    return;
  }
  const ScratchDir dir;
  write_text(dir.path() / "old", "before");
  REQUIRE(::chmod(dir.file("old").c_str(), 0400) == 0);
  OutputFiles files;
  CHECK_FALSE(files.stage(dir.file("old"), "after").ok());
  CHECK(read_text(dir.path() / "old") == "before");
}

}  // namespace
}  // namespace vyre::tools

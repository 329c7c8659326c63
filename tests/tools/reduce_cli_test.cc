// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/print.h"
#include "vyre/tools/reduce/command.h"

namespace vyre {
namespace {

using test::run_tool;
using test::ScratchDir;
using test::ToolResult;

// With the temporary folder inside of `dir`, so that a test sees what is left in it.
ToolResult reduce_in(const ScratchDir& dir, const std::string& arguments) {
  return run_tool("mkdir -p tmp && TMPDIR=$PWD/tmp vyre-reduce " + arguments, dir);
}

std::string left_in_tmp(const ScratchDir& dir) { return run_tool("ls tmp", dir).out; }

TEST_CASE("vyre-reduce prints the smallest program for which the command ends with 0") {
  const ScratchDir dir;
  const ToolResult result = reduce_in(dir, "flash_attention_2 --if \"grep -q 'exp(' {}\"");
  CHECK(result.exit_code == 0);
  CHECK(result.out ==
        "vyre 1\n"
        "program workgroup(1, 1, 1) {\n"
        "  region \"r\" {\n"
        "    let a = exp(0.0)\n"
        "  }\n"
        "}\n");
  CHECK(result.err.starts_with("vyre-reduce: note: "));
  CHECK(result.err.find(" became 4 nodes (2 statements, 2 expressions, 0 buffers) in ") !=
        std::string::npos);
  CHECK(std::ranges::count(result.err, '\n') == 1);
  CHECK(left_in_tmp(dir).empty());
}

TEST_CASE("vyre-reduce gives the file at the end where the command has no place for it") {
  const ScratchDir dir;
  const ToolResult result = reduce_in(dir, "flash_attention_2 --if 'grep -q sqrt' -o small.vyre");
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("it ends with exit code 1") != std::string::npos);
  const ToolResult found = reduce_in(dir, "flash_attention_2 --if 'grep -q score' -o small.vyre");
  CHECK(found.exit_code == 0);
  CHECK(found.out.empty());
  CHECK(test::read_text(dir.file("small.vyre")).find("score") != std::string::npos);
}

TEST_CASE("vyre-reduce says so when the command destroys the folder of its file") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& command, const std::string& part) {
    const ToolResult result = reduce_in(dir, "flash_attention_2 --if '" + command + "'");
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(part) != std::string::npos);
    CHECK(result.err.find("TMPDIR") == std::string::npos);
    CHECK(left_in_tmp(dir).empty());
  };
  fails("rm -r $(dirname {})", "the command removed `");
  fails("rm {}; mkdir {}", "the command put a folder in the place of `");
}

TEST_CASE("vyre-reduce ends with 1 where the command never ended with 0") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& arguments, const std::string& part) {
    const ToolResult result = reduce_in(dir, "flash_attention_2 " + arguments);
    INFO(result.err);
    CHECK(result.exit_code == 1);
    CHECK(result.out.empty());
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(part) != std::string::npos);
    CHECK(left_in_tmp(dir).empty());
  };
  fails("--if 'exit 3;'", "it ends with exit code 3");
  fails("--if no-such-command", "it ends with exit code 127");
  fails("--if 'kill -9 $$;'", "signal 9 ends it");
  fails("--if 'sleep 60;' --timeout=0.1", "it runs longer than 0.1 s");
}

TEST_CASE("vyre-reduce kills a command that takes too long, and all it started") {
  const ScratchDir dir;
  const ToolResult result =
      reduce_in(dir, "flash_attention_2 --if '(sleep 0.7; touch late)& sleep 60;' --timeout=0.2");
  CHECK(result.exit_code == 1);
  run_tool("sleep 1", dir);
  CHECK(dir.listing() == "tmp\n");
}

TEST_CASE("vyre-reduce asks no more often than it may") {
  const ScratchDir dir;
  const ToolResult result =
      reduce_in(dir, "flash_attention_2 --if 'echo >> count; grep -q exp' --max-tests=5");
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("tests, no more allowed") != std::string::npos);
  CHECK(std::ranges::count(test::read_text(dir.file("count")), '\n') <= 6);
}

TEST_CASE("an interrupted vyre-reduce writes what it has, and leaves no files behind") {
  const ScratchDir dir;
  for (const char* signal : {"INT", "TERM"}) {
    const ToolResult result = run_tool(
        fmt::format("mkdir -p tmp; export TMPDIR=$PWD/tmp\n"
                    "timeout --preserve-status --foreground -s {} 1 vyre-reduce flash_attention_2 "
                    "--if 'sleep 0.05; grep -q exp' -o out.vyre",
                    signal),
        dir);
    INFO(signal << result.err);
    CHECK(result.exit_code == 3);
    CHECK(result.err.find("tests, interrupted") != std::string::npos);
    CHECK(left_in_tmp(dir).empty());
    CHECK(test::read_text(dir.file("out.vyre")).find("exp") != std::string::npos);
  }
}

TEST_CASE("vyre-reduce says what is wrong with its arguments, in one line, and ends with 2") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& arguments, const std::string& part) {
    const ToolResult result = reduce_in(dir, arguments);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("vyre-reduce: "));
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(part) != std::string::npos);
  };
  fails("flash_attention_2", "there is no command");
  fails("--if true", "no PROGRAM is given");
  fails("flash_attention_2 --if true --max-tests=x", "--max-tests is `x`");
  fails("flash_attention_2 --if true --timeout=-1", "--timeout is `-1`");
  fails("flash_attention_2 --iff true", "did you mean `--if`?");
  fails("flash_attention_2 --if true -o none/x", "cannot write `none/x`");
}

TEST_CASE("a command may name the file several times, in a folder with any name") {
  const ScratchDir dir;
  const ToolResult result = run_tool(
      "mkdir -p \"it's here\" && TMPDIR=\"$PWD/it's here\" vyre-reduce flash_attention_2 "
      "--if 'grep -q exp {} && grep -q region {}'",
      dir);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("exp(0.0)") != std::string::npos);
}

TEST_CASE("vyre-reduce's help") {
  const ScratchDir dir;
  const ToolResult help = run_tool("vyre-reduce --help", dir);
  CHECK(help.exit_code == 0);
  test::check_golden("golden/vyre-reduce.help.txt", help.out);
}

}  // namespace
}  // namespace vyre

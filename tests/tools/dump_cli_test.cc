// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/builders/catalog.h"
#include "vyre/builders/planner.h"
#include "vyre/ir/dot.h"
#include "vyre/ir/print.h"
#include "vyre/ir/stats.h"

namespace vyre {
namespace {

using test::run_tool;
using test::ScratchDir;
using test::ToolResult;

// One line that starts with the tool's name and holds `part`.
void check_error(const ToolResult& result, int exit_code, const std::string& part) {
  INFO(result.err);
  CHECK(result.exit_code == exit_code);
  CHECK(result.err.starts_with("vyre-dump: "));
  CHECK(std::ranges::count(result.err, '\n') == 1);
  CHECK(result.err.find(part) != std::string::npos);
}

TEST_CASE("vyre-dump prints each format of a program") {
  const ScratchDir dir;
  const Program program = catalog::build("flash_attention_2", {}).value();
  const auto dump = [&dir](const std::string& options) {
    const ToolResult result = run_tool("vyre-dump flash_attention_2" + options, dir);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    return result.out;
  };
  CHECK(dump("") == print(program).value());
  CHECK(dump(" --format=text") == print(program).value());
  CHECK(dump(" --format dot") == region_graph_dot(program));
  CHECK(dump(" --format=stats") == stats_text(program_stats(program)));
  CHECK(dump(" --format=hash") == program.hash().to_hex() + "\n");
  CHECK(dump(" --format=plan") == plan_flash_attention_tiled(8, 16, 4)->to_string());
  CHECK(run_tool("vyre-dump flash_attention_2_reference --format=plan", dir).out ==
        plan_flash_attention_scalar(8, 16)->to_string());
  CHECK(dir.listing().empty());
}

TEST_CASE("vyre-dump takes the catalog's dimensions in both spellings") {
  const ScratchDir dir;
  const std::string expected =
      catalog::build("flash_attention_2", {{"seq_len", 130}, {"tile_size", 2}})->hash().to_hex() +
      "\n";
  for (const char* options : {"--seq_len=130 --tile_size=2", "--seq-len 130 --tile-size 2",
                              "--tile-size=2 --seq_len 130"}) {
    CHECK(run_tool(std::string("vyre-dump flash_attention_2 --format=hash ") + options, dir).out ==
          expected);
    CHECK(run_tool(std::string("vyre-dump ") + options + " --format=hash flash_attention_2", dir)
              .out == expected);
  }
}

TEST_CASE("vyre-dump --list names every program and dimension") {
  const ScratchDir dir;
  const ToolResult result = run_tool("vyre-dump --list", dir);
  CHECK(result.exit_code == 0);
  for (const catalog::Entry& entry : catalog::entries()) {
    CHECK(result.out.find(std::string(entry.name) + "\n") != std::string::npos);
    for (const catalog::Parameter& parameter : entry.parameters) {
      CHECK(result.out.find("--" + std::string(parameter.name) + "=") != std::string::npos);
    }
  }
  check_error(run_tool("vyre-dump --list flash_attention_2", dir), 2, "--list takes no PROGRAM");
}

TEST_CASE("vyre-dump says what is wrong with its arguments, in one line, and ends with 2") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& arguments, const std::string& part) {
    const ToolResult result = run_tool("vyre-dump " + arguments, dir);
    check_error(result, 2, part);
    CHECK(result.out.empty());
  };
  fails("", "no PROGRAM is given");
  fails("flash_atention_2", "did you mean `flash_attention_2`?");
  fails("colour", "use one of: flash_attention_2");
  fails("kernel.vyre", "cannot read `kernel.vyre`: No such file or directory. Fix: ");
  fails("./kernel", "cannot read `./kernel`");
  fails(".", "cannot read `.`: Is a directory");
  fails("kernel.vyre --seq_len=8", "`seq_len` is a dimension of programs of the catalog");
  fails("flash_attention_2 more", "`more` is one argument too many");
  fails("flash_attention_2 --formt=text", "no option `--formt`. Fix: did you mean `--format`?");
  fails("flash_attention_2 --seqlen=8", "did you mean `--seq_len`?");
  fails("flash_attention_2 --colour", "there is no option `--colour`. Fix: --help lists");
  fails("flash_attention_2 -x", "there is no option `-x`");
  fails("flash_attention_2 --format=txt", "did you mean `text`?");
  fails("flash_attention_2 --format=colour", "use text, json, html, vir0, dot, stats");
  fails("flash_attention_2 --format", "--format has no value");
  fails("flash_attention_2 --format=dot --format=text", "--format is given more than once");
  fails("flash_attention_2 --seq_len=eight", "--seq_len is `eight`");
  fails("flash_attention_2 --seq_len=4294967296", "from 0 to 4294967295");
  fails("flash_attention_2 --seq_len=-1", "--seq_len is `-1`");
  fails("flash_attention_2_reference --tile_size=4", "has no parameter `tile_size`");
  fails("\"$(printf 'flash\\nattention')\"", "`flash; attention`");
}

TEST_CASE("impossible dimensions give a trap program, dumped, with a note and exit code 1") {
  const ScratchDir dir;
  for (const char* dimensions : {"--seq_len=0", "--head_dim=0", "--tile_size=0",
                                 "--seq_len=4294967295 --head_dim=4294967295"}) {
    INFO(dimensions);
    const ToolResult result =
        run_tool(std::string("vyre-dump flash_attention_2 ") + dimensions, dir);
    check_error(result, 1, "the program only traps: ");
    CHECK(result.out.find("trap \"") != std::string::npos);
    check_error(
        run_tool(std::string("vyre-dump --format=plan flash_attention_2 ") + dimensions, dir), 1,
        "the program only traps: ");
  }
}

TEST_CASE("vyre-dump -o writes the whole file or leaves what was there") {
  const ScratchDir dir;
  const std::string text = print(catalog::build("flash_attention_2", {}).value()).value();
  const ToolResult written = run_tool("vyre-dump flash_attention_2 -o p.vyre", dir);
  CHECK(written.exit_code == 0);
  CHECK(written.out.empty());
  CHECK(test::read_text(dir.path() / "p.vyre") == text);
  CHECK(run_tool("vyre-dump flash_attention_2 -o -", dir).out == text);
  check_error(run_tool("vyre-dump flash_attention_2 -o none/p.vyre", dir), 2,
              "cannot write `none/p.vyre`: No such file or directory");
  check_error(run_tool("vyre-dump flash_attention_2 --format=txt -o p.vyre", dir), 2, "no format");
  check_error(run_tool("vyre-dump flash_attention_2 -o .", dir), 2, "Is a directory");
  // The size limit stops the write in the middle: the old file stays, and nothing else.
  const ToolResult cut =
      run_tool("trap '' XFSZ; ulimit -f 1; vyre-dump flash_attention_2 --seq_len=9 -o p.vyre", dir);
  check_error(cut, 2, "cannot write `p.vyre`: File too large");
  CHECK(test::read_text(dir.path() / "p.vyre") == text);
  CHECK(dir.listing() == "p.vyre\n");
}

TEST_CASE("vyre-dump says so when standard output cannot be written") {
  const ScratchDir dir;
  check_error(run_tool("vyre-dump flash_attention_2 >/dev/full", dir), 2, "standard output");
}

TEST_CASE("vyre-dump's help and version") {
  const ScratchDir dir;
  const ToolResult help = run_tool("vyre-dump --help", dir);
  CHECK(help.exit_code == 0);
  test::check_golden("golden/vyre-dump.help.txt", help.out);
  CHECK(run_tool("vyre-dump -h", dir).out == help.out);
  const ToolResult version = run_tool("vyre-dump --version", dir);
  CHECK(version.exit_code == 0);
  CHECK(version.out.starts_with("vyre-dump "));
}

TEST_CASE("vyre-dump reads text and VIR0 from files, pipes and standard input, by content") {
  const ScratchDir dir;
  const std::string text = run_tool("vyre-dump flash_attention_2", dir).out;
  test::write_text(dir.path() / "a.vyre", text);
  CHECK(run_tool("vyre-dump a.vyre", dir).out == text);
  CHECK(run_tool("vyre-dump - <a.vyre", dir).out == text);
  CHECK(run_tool("cat a.vyre | vyre-dump -", dir).out == text);
  CHECK(run_tool("mkfifo p.vyre && (cat a.vyre >p.vyre &) && vyre-dump p.vyre", dir).out == text);
  // The name says nothing.
  const ToolResult wire = run_tool("vyre-dump a.vyre --format=vir0 -o b.vyre", dir);
  CHECK(wire.exit_code == 0);
  CHECK(wire.err == "vyre-dump: note: VIR0 does not carry the extent (8, 1, 1)\n");
  const ToolResult back = run_tool("vyre-dump b.vyre | diff a.vyre -", dir);
  CHECK(back.out.find("extent(8, 1, 1)") != std::string::npos);
  CHECK(std::ranges::count(back.out, '\n') == 4);
  CHECK(run_tool("vyre-dump a.vyre --format=vir0 --strict -o c.vir0", dir).exit_code == 1);
  CHECK(dir.listing().find("c.vir0") == std::string::npos);
}

TEST_CASE("a file without a program in it ends vyre-dump with 2, and with 1 where that was asked") {
  const ScratchDir dir;
  const std::string vir0 = run_tool("vyre-dump flash_attention_2 --format=vir0", dir).out;
  test::write_text(dir.path() / "cut.vir0", vir0.substr(0, 100));
  test::write_text(dir.path() / "empty.vyre", "");
  test::write_text(dir.path() / "text.vyre", "vyre 1\nprogram workgroup(1, 1, 1) {\n  x\n}\n");
  const std::pair<const char*, const char*> files[] = {{"cut.vir0", "error[W004] "},
                                                       {"empty.vyre", "error[P001] "},
                                                       {"text.vyre", "text.vyre:3:3: "}};
  for (const auto& [name, part] : files) {
    INFO(name);
    const ToolResult dump = run_tool(std::string("vyre-dump ") + name, dir);
    CHECK(dump.exit_code == 2);
    CHECK(dump.out.empty());
    CHECK(dump.err.find(part) != std::string::npos);
    CHECK(dump.err.find(name) != std::string::npos);
    const ToolResult check = run_tool(std::string("vyre-dump --check ") + name, dir);
    CHECK(check.exit_code == 1);
    CHECK(check.err == dump.err);
  }
}

TEST_CASE("vyre-dump --check lists what is wrong with a program, for people and as JSON") {
  const ScratchDir dir;
  const ToolResult good = run_tool("vyre-dump flash_attention_2 --check", dir);
  CHECK(good.exit_code == 0);
  CHECK((good.out + good.err).empty());
  test::write_text(
      dir.path() / "a.vyre",
      "vyre 1\nprogram workgroup(1, 1, 1) {\n  region \"r\" {\n    let x = y\n  }\n}\n");
  const ToolResult bad = run_tool("vyre-dump --check a.vyre", dir);
  CHECK(bad.exit_code == 1);
  CHECK(bad.out.empty());
  CHECK(bad.err.find("error[V066] a.vyre:4:13: ") != std::string::npos);
  const ToolResult json = run_tool("vyre-dump --check --format=json a.vyre", dir);
  CHECK(json.exit_code == 1);
  CHECK(json.err.empty());
  CHECK(json.out.find("\"code\": \"V066\"") != std::string::npos);
  check_error(run_tool("vyre-dump --check --format=dot a.vyre", dir), 2, "--check prints no dot");
  // To a file in both forms, and an empty one where all is well.
  const ToolResult filed = run_tool("vyre-dump --check a.vyre -o list.txt", dir);
  CHECK(filed.exit_code == 1);
  CHECK((filed.out + filed.err).empty());
  CHECK(test::read_text(dir.path() / "list.txt") == bad.err);
  CHECK(run_tool("vyre-dump --check a.vyre -o -", dir).out == bad.err);
  CHECK(run_tool("vyre-dump --check --format=json a.vyre -o list.txt", dir).out.empty());
  CHECK(test::read_text(dir.path() / "list.txt") == json.out);
  CHECK(run_tool("vyre-dump --check flash_attention_2 -o list.txt", dir).exit_code == 0);
  CHECK(test::read_text(dir.path() / "list.txt").empty());
  test::write_text(dir.path() / "syntax.vyre", "vyre 2\n");
  const ToolResult syntax = run_tool("vyre-dump --check syntax.vyre -o list.txt", dir);
  CHECK(syntax.exit_code == 1);
  CHECK(syntax.err.empty());
  CHECK(test::read_text(dir.path() / "list.txt") ==
        run_tool("vyre-dump --check syntax.vyre", dir).err);
  check_error(run_tool("vyre-dump --check a.vyre -o none/list.txt", dir), 2, "cannot write");
  // A warning of reading it is no mistake.
  test::write_text(
      dir.path() / "b.vyre",
      "vyre 1\nprogram workgroup(1, 1, 1) {\n  region \"r\" {\n    let x = 1u; x = 2u\n  }\n}\n");
  const ToolResult warned = run_tool("vyre-dump --check b.vyre", dir);
  CHECK(warned.exit_code == 0);
  CHECK(warned.err.starts_with("warning[P032] b.vyre:4:15: "));
  // A broken program is printed all the same.
  const ToolResult dumped = run_tool("vyre-dump a.vyre", dir);
  CHECK(dumped.exit_code == 1);
  CHECK(dumped.out.find("let x = y") != std::string::npos);
  CHECK(dumped.err == bad.err);
}

TEST_CASE("what has no line names its file: damaged binaries, and programs as a whole") {
  const ScratchDir dir;
  const std::string vir0 = run_tool("vyre-dump flash_attention_2 --format=vir0", dir).out;
  test::write_text(dir.path() / "cut.vir0", vir0.substr(0, 100));
  test::write_text(dir.path() / "empty.vyre", "vyre 1\nprogram workgroup(1, 1, 1) {}\n");
  run_tool("vyre-dump empty.vyre --format=vir0 -o empty.vir0", dir);
  const std::pair<const char*, const char*> files[] = {
      {"cut.vir0", "W004"}, {"empty.vyre", "V105"}, {"empty.vir0", "V105"}};
  for (const auto& [name, code] : files) {
    const std::string file = name;
    INFO(file);
    const ToolResult text = run_tool("vyre-dump --check " + file, dir);
    CHECK(text.err.starts_with("error[" + std::string(code) + "] " + file + ": "));
    const ToolResult json = run_tool("vyre-dump --check --format=json " + file, dir);
    CHECK(json.out.find("\"place\": \"" + file + "\", \"file\": \"" + file +
                        "\", \"line\": 0, \"column\": 0, ") != std::string::npos);
  }
}

TEST_CASE("every tool takes -- as the end of its options") {
  const ScratchDir dir;
  const std::string text = run_tool("vyre-dump flash_attention_2 --head_dim=1", dir).out;
  test::write_text(dir.path() / "-a.vyre", text);
  test::write_text(dir.path() / "--help.vyre", text);
  CHECK(run_tool("vyre-dump -- -a.vyre", dir).out == text);
  CHECK(run_tool("vyre-dump --format=text -- --help.vyre", dir).out == text);
  CHECK(run_tool("vyre-dump ./-a.vyre --", dir).out == text);
  CHECK(run_tool("vyre-opt --passes=dce -- -a.vyre", dir).exit_code == 0);
  CHECK(run_tool("vyre-eval -- -a.vyre", dir).exit_code == 0);
  CHECK(run_tool("vyre-diff -- -a.vyre --help.vyre", dir).exit_code == 0);
  CHECK(run_tool("vyre-diff ./-a.vyre -- --help.vyre", dir).exit_code == 0);
  CHECK(run_tool("vyre-reduce --if true -- -a.vyre", dir).exit_code == 0);
  check_error(run_tool("vyre-dump -- -a.vyre --format=hash", dir), 2,
              "`--format=hash` is one argument too many");
  check_error(run_tool("vyre-dump -- --", dir), 2, "no program named `--`");
  check_error(run_tool("vyre-dump --formt=x -- -a.vyre", dir), 2, "no option `--formt`");
}

}  // namespace
}  // namespace vyre

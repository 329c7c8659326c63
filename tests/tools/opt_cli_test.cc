// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/print.h"
#include "vyre/passes/pipeline.h"

namespace vyre {
namespace {

using test::run_tool;
using test::ScratchDir;
using test::ToolResult;

TEST_CASE("vyre-opt prints what the passes make of a program") {
  const ScratchDir dir;
  const Program program = catalog::build("flash_attention_2", {}).value();
  for (const char* passes : {"exact", "dce", "const_fold,simplify"}) {
    const ToolResult result =
        run_tool(std::string("vyre-opt flash_attention_2 --verify-each --passes=") + passes, dir);
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    const Program rewritten = run_pipeline(program, parse_pipeline(passes).value())->program;
    CHECK(result.out == print(rewritten).value());
  }
}

TEST_CASE("vyre-opt --print-after-all shows each pass on stderr") {
  const ScratchDir dir;
  const ToolResult plain = run_tool("vyre-opt flash_attention_2 --passes=const_fold,dce", dir);
  const ToolResult result =
      run_tool("vyre-opt flash_attention_2 --passes=const_fold,dce --print-after-all", dir);
  CHECK(result.exit_code == 0);
  CHECK(result.out == plain.out);
  CHECK(result.err.find("; after const_fold, ") != std::string::npos);
  CHECK(result.err.find("; after dce, ") != std::string::npos);
  CHECK(result.err.find("\nvyre 1\n") != std::string::npos);
}

TEST_CASE("vyre-opt --list names every pass and pipeline") {
  const ScratchDir dir;
  const ToolResult result = run_tool("vyre-opt --list", dir);
  CHECK(result.exit_code == 0);
  for (const Pass& pass : all_passes()) {
    CHECK(result.out.find("\n  " + std::string(pass.name) + " ") != std::string::npos);
  }
  for (const NamedPipeline& pipeline : named_pipelines()) {
    CHECK(result.out.find("\n  " + std::string(pipeline.name) + " ") != std::string::npos);
  }
}

TEST_CASE("vyre-opt says what is wrong with its arguments, in one line, and ends with 2") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& arguments, const std::string& part) {
    const ToolResult result = run_tool("vyre-opt " + arguments, dir);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("vyre-opt: "));
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(part) != std::string::npos);
  };
  fails("flash_attention_2", "no passes are given");
  fails("--passes=exact", "no PROGRAM is given");
  fails("flash_attention_2 --passes=exct", "exact");
  fails("flash_attention_2 --passes=", "--passes has no value");
  fails("flash_attention_2 --passes=dce,,dce", "empty");
  fails("flash_attention_2 --pases=dce", "did you mean `--passes`?");
  fails("flash_attention_2 --passes=dce -o none/x", "cannot write `none/x`");
  fails("--list flash_attention_2", "--list takes no PROGRAM");
}

TEST_CASE("vyre-opt keeps a trap program and ends with 1") {
  const ScratchDir dir;
  const ToolResult result = run_tool("vyre-opt flash_attention_2 --seq_len=0 --passes=exact", dir);
  CHECK(result.exit_code == 1);
  CHECK(result.out.find("trap \"") != std::string::npos);
  CHECK(result.err.find("the program only traps: ") != std::string::npos);
}

TEST_CASE("vyre-opt's help") {
  const ScratchDir dir;
  const ToolResult help = run_tool("vyre-opt --help", dir);
  CHECK(help.exit_code == 0);
  test::check_golden("golden/vyre-opt.help.txt", help.out);
}

}  // namespace
}  // namespace vyre

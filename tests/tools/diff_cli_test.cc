// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/builders/catalog.h"
#include "vyre/tools/diff/program_diff.h"

namespace vyre {
namespace {

using test::run_tool;
using test::ScratchDir;
using test::ToolResult;

TEST_CASE("vyre-diff ends with 0 for equal programs and 1 for others") {
  const ScratchDir dir;
  const ToolResult same = run_tool("vyre-diff flash_attention_2 flash_attention_2", dir);
  CHECK(same.exit_code == 0);
  CHECK(same.out.empty());
  CHECK(same.err.empty());
  const ToolResult other = run_tool("vyre-diff flash_attention_2 flash_attention_2_reference", dir);
  CHECK(other.exit_code == 1);
  CHECK(other.err.empty());
  const ToolResult quiet =
      run_tool("vyre-diff flash_attention_2 flash_attention_2_reference -q", dir);
  CHECK(quiet.exit_code == 1);
  CHECK(quiet.out.empty());
}

TEST_CASE("vyre-diff shows declarations, the first difference and the lines") {
  const ScratchDir dir;
  const Program left =
      catalog::build("flash_attention_2", {{"seq_len", 3}, {"tile_size", 2}}).value();
  const Program right = catalog::build("flash_attention_2_reference", {{"seq_len", 3}}).value();
  const std::string arguments =
      "vyre-diff flash_attention_2 flash_attention_2_reference --seq_len=3 --tile_size=2";
  const ToolResult result = run_tool(arguments, dir);
  CHECK(result.out.starts_with("workgroup: (64, 1, 1) -> (1, 1, 1)\n"));
  CHECK(result.out.find("\nfirst difference: entry[0]: region \"vyre-libs::nn::flash_attention_2\" "
                        "-> ") != std::string::npos);
  const std::string lines =
      tools::unified_diff(left, right,
                          {.left_name = "flash_attention_2 seq_len=3 head_dim=16 tile_size=2",
                           .right_name = "flash_attention_2_reference seq_len=3 head_dim=16"})
          .value();
  CHECK(result.out.ends_with(lines));
  CHECK(run_tool(arguments + " --context=0", dir).out.size() < result.out.size());
}

TEST_CASE("vyre-diff says what is wrong with its arguments, in one line, and ends with 2") {
  const ScratchDir dir;
  const auto fails = [&dir](const std::string& arguments, const std::string& part) {
    const ToolResult result = run_tool("vyre-diff " + arguments, dir);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("vyre-diff: "));
    CHECK(std::ranges::count(result.err, '\n') == 1);
    CHECK(result.err.find(part) != std::string::npos);
  };
  fails("", "two programs are needed");
  fails("flash_attention_2", "two programs are needed");
  fails("flash_attention_2 flash_atention_2", "did you mean `flash_attention_2`?");
  fails("- -", "one program only");
  fails("flash_attention_2_reference flash_attention_2_reference --tile_size=4",
        "neither program has a dimension `tile_size`");
  fails("flash_attention_2 flash_attention_2 --context=x", "--context is `x`");
  fails("flash_attention_2 flash_attention_2 --quit", "did you mean `--quiet`?");
}

TEST_CASE("vyre-diff's help") {
  const ScratchDir dir;
  const ToolResult help = run_tool("vyre-diff --help", dir);
  CHECK(help.exit_code == 0);
  test::check_golden("golden/vyre-diff.help.txt", help.out);
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The same arguments give the same bytes in every process: locale, time zone, the layout of the
// address space and the environment do not matter.
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"

namespace vyre {
namespace {

TEST_CASE("dumps and hashes are the same under another locale, time zone and address layout") {
  const test::ScratchDir dir;
  std::string environment = "env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Kolkata ABC=1 ";
  // Not everybody may turn the randomisation off; without it two runs have two layouts anyway.
  if (test::run_tool("setarch -R true", dir).exit_code == 0) environment += "setarch -R ";
  for (const char* command :
       {"vyre-dump flash_attention_2", "vyre-dump flash_attention_2 --format=dot",
        "vyre-dump flash_attention_2 --format=stats", "vyre-dump flash_attention_2 --format=plan",
        "vyre-dump flash_attention_2 --format=hash", "vyre-dump --list",
        "vyre-eval flash_attention_2 --input v=random:3"}) {
    INFO(command);
    const test::ToolResult here =
        test::run_tool(std::string("env LC_ALL=C TZ=UTC ") + command, dir);
    const test::ToolResult there = test::run_tool(environment + command, dir);
    CHECK(here.exit_code == 0);
    CHECK_FALSE(here.out.empty());
    CHECK(test::without_times(here.out) == test::without_times(there.out));
    CHECK(here.err == there.err);
  }
}

}  // namespace
}  // namespace vyre

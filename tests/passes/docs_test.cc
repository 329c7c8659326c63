// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// docs/passes.md is made from passes.def. VYRE_BLESS=1 in the environment rewrites it.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include <catch2/catch.hpp>
#include "tests/support/conformance_dir.h"

#include "vyre/passes/pipeline.h"

namespace vyre {
namespace {

std::string passes_page() {
  std::string page =
      "# Passes\n\n"
      "<!-- Made from passes/passes.def by tests/passes/docs_test.cc; VYRE_BLESS=1 rewrites it. "
      "-->\n\n"
      "A pass takes a program and gives a program. An *exact* pass keeps the output bytes and the "
      "trap "
      "(tag, address,\ninvocation) of every determinate program and input; a *numeric* pass "
      "changes results "
      "within a bound that its header\nstates. The header of each pass, `vyre/passes/<name>.h`, "
      "has an example "
      "before and after.\n\n"
      "| pass | exactness | what it does |\n|---|---|---|\n";
  for (const Pass& pass : all_passes()) {
    page += fmt::format("| `{}` | {} | {} |\n", pass.name, spelling(pass.exactness), pass.summary);
  }
  page +=
      "\nA pipeline is a list of names with commas between, for example `simplify,dce`. These "
      "lists have "
      "names of their own:\n\n"
      "| pipeline | passes | rounds at most | what it does |\n|---|---|---|---|\n";
  for (const NamedPipeline& named : named_pipelines()) {
    page += fmt::format("| `{}` | `{}` | {} | {} |\n", named.name, named.passes, named.max_rounds,
                        named.summary);
  }
  return page;
}

TEST_CASE("docs/passes.md lists the passes as passes.def has them") {
  const std::string path = VYRE_DOCS_DIR "/passes.md";
  const char* bless = std::getenv("VYRE_BLESS");
  if (bless != nullptr && std::string(bless) == "1") {
    std::ofstream(path, std::ios::binary) << passes_page();
  }
  INFO("VYRE_BLESS=1 rewrites " << path);
  CHECK(test::read_file(path) == passes_page());
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program through every form there is, and through the passes.
#include <nlohmann/json.hpp>

#include "tests/fuzz/fuzz_program.h"
#include "vyre/ir/dot.h"
#include "vyre/ir/html.h"
#include "vyre/ir/json.h"
#include "vyre/ir/print.h"
#include "vyre/ir/stats.h"
#include "vyre/passes/pipeline.h"

namespace vyre::test {
namespace {

void check_text(const Program& program) {
  const StatusOr<std::string> text = print(program);
  if (!text.ok()) return;  // a small graph with a large text
  const ParseResult parsed = parse(*text);
  fuzz_check(parsed.program && *parsed.program == program, "text changes the program");
  fuzz_check(parsed.program->hash() == program.hash(), "text changes the hash");
}

void check_wire(const Program& program) {
  const wire::Encoded encoded = wire::encode(program);
  if (!encoded.ok()) return;
  const wire::Decoded decoded = wire::decode(encoded.bytes);
  fuzz_check(decoded.program.has_value(), "what was encoded cannot be decoded");
  fuzz_check(*decoded.program == wire::vir0_view(program), "the binary form changes the program");
}

void check_exports(const Program& program) {
  const StatusOr<std::string> json = to_json(program);
  if (json.ok()) fuzz_check(nlohmann::json::accept(*json), "the JSON is none");
  (void)to_html(program);
  (void)region_graph_dot(program);
  (void)stats_text(program_stats(program));
}

void check_passes(const Program& program) {
  PipelineOptions options;
  options.verify_each = true;
  const StatusOr<PipelineResult> result =
      run_pipeline(program, parse_pipeline("exact").value(), options);
  fuzz_check(!absl::IsInternal(result.status()), "a pass fails");
  if (result.ok()) check_text(result->program);
}

}  // namespace
}  // namespace vyre::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const std::optional<Program> program = test::program_of(test::as_text(data, size));
  if (!program) return 0;
  test::check_text(*program);
  test::check_wire(*program);
  test::check_exports(*program);
  test::check_passes(*program);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Exactness: output bytes and trap are the same before and after, for random programs and for the
// catalog's. A failure prints the seed; VYRE_SEEDS=from:count runs other seeds.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include <catch2/catch.hpp>

#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/ir/print.h"
#include "vyre/ir/walk.h"
#include "vyre/passes/pipeline.h"

namespace vyre {
namespace {

using Bytes = std::vector<std::byte>;

struct Observed {
  std::string trap;  // tag, address, workgroup and invocation; empty if none
  std::vector<Bytes> outputs;
  std::string error;
  friend bool operator==(const Observed&, const Observed&) = default;
};

std::string text_of(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

// What an exact pass keeps.
Observed observe(const Program& program, std::vector<Bytes> memory) {
  std::vector<std::span<std::byte>> bound(memory.begin(), memory.end());
  const StatusOr<RunReport> report = interpreter::run_program(resolve(program), bound, {});
  Observed seen;
  if (!report.ok()) {
    seen.error = std::string(message_of(report.status()));
    return seen;
  }
  if (report->trap) {
    const Trap& trap = *report->trap;
    seen.trap = fmt::format("{} at {}, {} {}", trap.tag, trap.address, text_of(trap.workgroup),
                            text_of(trap.invocation));
    return seen;
  }
  for (size_t i = 0; i < memory.size(); ++i) {
    if (program.buffers()[i].is_returned()) seen.outputs.push_back(memory[i]);
  }
  return seen;
}

const std::vector<std::string>& pipelines() {
  static const std::vector<std::string> all = {"const_fold", "simplify", "dce", "bind_shared",
                                               "exact"};
  return all;
}

Program rewritten(const Program& program, const std::string& pipeline) {
  PipelineOptions options;
  options.verify_each = true;
  const StatusOr<PipelineResult> result =
      run_pipeline(program, parse_pipeline(pipeline).value(), options);
  INFO((result.ok() ? std::string() : std::string(message_of(result.status()))));
  REQUIRE(result.ok());
  return result->program;
}

struct Range {
  uint64_t from = 1;
  uint64_t count = 1000;
};
Range seeds() {
  Range range{1, static_cast<uint64_t>(test::sized_for_build("seeds", 1000))};
  const char* text = std::getenv("VYRE_SEEDS");
  unsigned long long from = 0;
  unsigned long long count = 0;
  if (text != nullptr && std::sscanf(text, "%llu:%llu", &from, &count) == 2) range = {from, count};
  return range;
}

// With barriers of the grid and asynchronous copies, as far as the evaluator takes them.
Program program_of(uint64_t seed) {
  const Program program = test::random_program(seed, {.grid_sync = true, .async = true});
  const Status status = interpreter::check_runnable(resolve(program));
  return absl::IsUnimplemented(status) ? test::random_program(seed) : program;
}

void count_ops(const Program& program, std::set<Op>& ops) {
  for_each_expr(program.entry(), [&](const Expr& e) { ops.insert(e.op()); });
}

std::string missing_from(const std::set<Op>& ops) {
  std::string missing;
  for (const OpInfo& info : all_ops()) {
    const bool carried = info.has(OpFlags::kOpaque) || info.rule == TypeRule::kLegacySubgroup;
    if (carried || info.rule == TypeRule::kBufferRef) continue;
    if (!ops.contains(info.op)) missing += fmt::format(" {}", info.name);
  }
  return missing;
}

TEST_CASE("passes keep output bytes and traps of random programs") {
  const Range range = seeds();
  std::set<Op> ops;
  size_t trapped = 0;
  std::vector<size_t> changed(pipelines().size());
  for (uint64_t seed = range.from; seed < range.from + range.count; ++seed) {
    const Program program = program_of(seed);
    INFO("seed " << seed);
    INFO(to_string(resolve(program).diagnostics));
    REQUIRE(resolve(program).ok());
    count_ops(program, ops);
    std::vector<Program> after;
    for (const std::string& pipeline : pipelines()) after.push_back(rewritten(program, pipeline));
    for (size_t i = 0; i < after.size(); ++i) changed[i] += after[i] != program ? 1 : 0;
    for (uint64_t input = 0; input < 2; ++input) {
      const std::vector<Bytes> memory = test::random_inputs(program, seed * 2 + input);
      const Observed before = observe(program, memory);
      INFO(before.error);
      REQUIRE(before.error.empty());
      trapped += before.trap.empty() ? 0 : 1;
      for (size_t i = 0; i < after.size(); ++i) {
        const Observed now = observe(after[i], memory);
        INFO("pipeline " << pipelines()[i] << ", input " << input);
        INFO("trap before: " << before.trap << "; after: " << now.trap << "; " << now.error);
        if (now == before) continue;
        INFO(print(program).value() << "\nbecame\n" << print(after[i]).value());
        FAIL("another result");
      }
    }
  }
  for (size_t i = 0; i < changed.size(); ++i) {
    std::printf("%s changed %zu\n", pipelines()[i].c_str(), changed[i]);
  }
  std::printf("%llu programs, %zu of %llu runs trapped; operations not generated:%s\n",
              static_cast<unsigned long long>(range.count), trapped,
              static_cast<unsigned long long>(range.count) * 2, missing_from(ops).c_str());
  if (range.count >= 500) {
    // A pass that leaves the programs alone would be exact for nothing.
    for (const size_t count : changed) CHECK(count > range.count / 2);
    CHECK(trapped > range.count / 20);
    CHECK(trapped < range.count);
    CHECK(missing_from(ops) == "");
  }
}

TEST_CASE("passes keep output bytes and traps of the catalog's programs") {
  for (const catalog::Entry& entry : catalog::entries()) {
    for (const uint32_t scale : {0u, 1u, 3u}) {
      std::vector<uint32_t> arguments;
      for (const catalog::Parameter& parameter : entry.parameters) {
        arguments.push_back(scale == 0 ? parameter.default_value : parameter.minimum + scale - 1);
      }
      const Program program = entry.build(arguments);
      INFO(entry.name << ", scale " << scale);
      for (uint64_t input = 0; input < 2; ++input) {
        const std::vector<Bytes> memory = test::random_inputs(program, input + 1);
        const Observed before = observe(program, memory);
        INFO(before.error);
        REQUIRE(before.error.empty());
        for (const std::string& pipeline : pipelines()) {
          INFO(pipeline << ", input " << input);
          CHECK(observe(rewritten(program, pipeline), memory) == before);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vyre

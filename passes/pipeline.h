// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Pipelines: passes one after the other, with checks between them.
//
//   StatusOr<Pipeline> pipeline = parse_pipeline("exact");        // or "simplify,dce"
//   PipelineOptions options;
//   options.verify_each = true;
//   StatusOr<PipelineResult> result = run_pipeline(program, *pipeline, options);
//   if (!result.ok()) ...   // "pass `dce`: ..."
//
// Nothing is printed: `after_pass` is where a tool prints what a pass made.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/passes/pass.h"

namespace vyre {

// Passes that run as a group: once, or again and again until a whole round changes nothing.
struct PipelineStage {
  std::string name;
  std::vector<Pass> passes;
  // 1: run once. More: repeat until nothing changes; still changing after that many is an error.
  uint32_t max_rounds = 1;
};
using Pipeline = std::vector<PipelineStage>;

struct NamedPipeline {
  std::string_view name;
  std::string_view passes;  // "const_fold,simplify,dce"
  uint32_t max_rounds;
  std::string_view summary;
};
// In the order of passes.def.
std::span<const NamedPipeline> named_pipelines();

// Names of passes and of named pipelines, separated by commas; spaces around a name are ignored.
// InvalidArgument for an empty list or name; NotFound, with the nearest name, for an unknown one.
StatusOr<Pipeline> parse_pipeline(std::string_view text);

// One run of one pass.
struct PassRun {
  Pass pass;
  uint32_t stage;  // index into the pipeline
  uint32_t round;  // counts from 1
  bool changed;
};

struct PipelineOptions {
  // After each pass: if the program kept the rules of the class structure before (names, types,
  // uniformity: ir/validate/validate.h), it must still do. Linear in the program's size.
  bool verify_each = false;
  // Called after each pass, with the program that it made, before that is checked.
  std::function<void(const PassRun& run, const Program& program)> after_pass;
};

struct PipelineResult {
  Program program;
  bool changed;
  std::vector<PassRun> runs;
};

// Every error names the pass. A pass that refuses the program: its own error. A pass whose
// `changed` is not what the hashes say, one that breaks the program (with verify_each; the message
// has the code, the node path and the cause), or a stage that does not settle: Internal.
StatusOr<PipelineResult> run_pipeline(const Program& program, const Pipeline& pipeline,
                                      const PipelineOptions& options = {});

}  // namespace vyre

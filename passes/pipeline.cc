// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/pipeline.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "vyre/ir/nearest_name.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> names;
  size_t begin = 0;
  while (true) {
    const size_t comma = list.find(',', begin);
    names.push_back(trimmed(list.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return names;
    begin = comma + 1;
  }
}

Status unknown_name(std::string_view name) {
  std::vector<std::string> known;
  for (const Pass& pass : all_passes()) known.emplace_back(pass.name);
  for (const NamedPipeline& pipeline : named_pipelines()) known.emplace_back(pipeline.name);
  const std::optional<std::string> nearest = nearest_name(name, known);
  return absl::NotFoundError(
      fmt::format("there is no pass or pipeline `{}`. Fix: {}", name,
                  nearest ? fmt::format("did you mean `{}`?", *nearest)
                          : fmt::format("choose among {}.", fmt::join(known, ", "))));
}

StatusOr<PipelineStage> stage_of(const NamedPipeline& named) {
  PipelineStage stage{std::string(named.name), {}, named.max_rounds};
  for (const std::string_view name : split(named.passes)) {
    const StatusOr<const Pass*> pass = find_pass(name);
    if (!pass.ok()) return pass.status();
    stage.passes.push_back(**pass);
  }
  return stage;
}

StatusOr<PipelineStage> find_stage(std::string_view name) {
  for (const NamedPipeline& named : named_pipelines()) {
    if (named.name == name) return stage_of(named);
  }
  const StatusOr<const Pass*> pass = find_pass(name);
  if (!pass.ok()) return unknown_name(name);
  return PipelineStage{std::string(name), {**pass}, 1};
}

Status with_pass_name(const Pass& pass, const Status& status) {
  return Status(status.code(), fmt::format("pass `{}`: {}", pass.name, message_of(status)));
}

Status bug_in(const Pass& pass, std::string_view what) {
  return absl::InternalError(fmt::format(
      "pass `{}`: {} Fix: leave `{}` out; this is a bug in it, please report the program.",
      pass.name, what, pass.name));
}

class PipelineRun {
 public:
  PipelineRun(const Program& program, const PipelineOptions& options)
      : result_{program, false, {}}, options_(options) {
    if (options.verify_each) valid_before_ = check(program).ok();
  }

  Status run_stage(uint32_t index, const PipelineStage& stage) {
    for (uint32_t round = 1; true; ++round) {
      const Pass* last_change = nullptr;
      for (const Pass& pass : stage.passes) {
        const StatusOr<bool> changed = run_pass(pass, index, round);
        if (!changed.ok()) return changed.status();
        if (*changed) last_change = &pass;
      }
      if (stage.max_rounds <= 1 || last_change == nullptr) return absl::OkStatus();
      if (round < stage.max_rounds) continue;
      return bug_in(*last_change,
                    fmt::format("it still changes the program in round {} of pipeline `{}`.", round,
                                stage.name));
    }
  }

  PipelineResult take() && { return std::move(result_); }

 private:
  StatusOr<bool> run_pass(const Pass& pass, uint32_t stage, uint32_t round) {
    StatusOr<PassResult> made = pass.function(result_.program);
    if (!made.ok()) return with_pass_name(pass, made.status());
    result_.runs.push_back({pass, stage, round, made->changed});
    if (options_.after_pass) options_.after_pass(result_.runs.back(), made->program);
    if (Status status = check(pass, *made); !status.ok()) return status;
    result_.program = std::move(made->program);
    result_.changed |= made->changed;
    return made->changed;
  }

  Status check(const Pass& pass, const PassResult& made) {
    const bool differs = made.program.hash() != result_.program.hash();
    if (differs != made.changed) {
      return bug_in(pass, differs ? "it changed the program and says that it did not."
                                  : "it says that it changed the program and did not.");
    }
    if (!options_.verify_each || !differs) return absl::OkStatus();
    const ValidationReport report = check(made.program);
    if (valid_before_ && !report.ok()) {
      return bug_in(
          pass, fmt::format("it broke the program:\n{}", report.diagnostics.front().to_string()));
    }
    valid_before_ = report.ok();
    return absl::OkStatus();
  }

  static ValidationReport check(const Program& program) {
    return validate(program, ValidateOptions::structure_only());
  }

  PipelineResult result_;
  const PipelineOptions& options_;
  bool valid_before_ = false;
};

}  // namespace

std::span<const NamedPipeline> named_pipelines() {
  static constexpr NamedPipeline kPipelines[] = {
#define VYRE_PIPELINE(name, passes, max_rounds, summary) {name, passes, max_rounds, summary},
#include "vyre/passes/passes.def"
  };
  return kPipelines;
}

StatusOr<Pipeline> parse_pipeline(std::string_view text) {
  Pipeline pipeline;
  for (const std::string_view name : split(text)) {
    if (name.empty()) {
      return absl::InvalidArgumentError(fmt::format(
          "the list of passes `{}` has an empty name. Fix: write names separated by commas, for "
          "example simplify,dce.",
          text));
    }
    StatusOr<PipelineStage> stage = find_stage(name);
    if (!stage.ok()) return stage.status();
    pipeline.push_back(*std::move(stage));
  }
  return pipeline;
}

StatusOr<PipelineResult> run_pipeline(const Program& program, const Pipeline& pipeline,
                                      const PipelineOptions& options) {
  PipelineRun run(program, options);
  for (uint32_t i = 0; i < pipeline.size(); ++i) {
    if (Status status = run.run_stage(i, pipeline[i]); !status.ok()) return status;
  }
  return std::move(run).take();
}

}  // namespace vyre

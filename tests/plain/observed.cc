// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/plain/observed.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/plain/plain_evaluator.h"
#include "vyre/interpreter/lane_kernels.h"

namespace vyre::test {
namespace {

using Bytes = std::vector<std::byte>;

// The plain evaluator does not say who is missing where invocations part.
std::string error_of(const Status& status) {
  const std::string text = status.ToString();
  const bool parts = text.find("-divergence: ") != std::string::npos;
  return parts ? text.substr(0, text.find("; ")) : text;
}

template <typename Run>
Observed observe(const Program& program, std::vector<Bytes> memory, Run run) {
  std::vector<std::span<std::byte>> views;
  for (Bytes& bytes : memory) views.emplace_back(bytes);
  const StatusOr<RunReport> report = run(views);
  Observed observed;
  if (!report.ok()) {
    observed.error = error_of(report.status());
    return observed;
  }
  if (report->trap) {
    observed.trap = report->trap->to_string();
    return observed;
  }
  observed.steps = report->steps;
  for (size_t i = 0; i < memory.size(); ++i) {
    if (program.buffers()[i].is_returned()) observed.outputs.push_back(std::move(memory[i]));
  }
  return observed;
}

std::string text_of(const Observed& observed) {
  return fmt::format("error `{}`, trap `{}`, {} steps", observed.error, observed.trap,
                     observed.steps);
}

}  // namespace

Observed observe_plain(const Program& program, std::vector<Bytes> memory,
                       const RunOptions& options) {
  return observe(program, std::move(memory), [&](const auto& views) {
    return interpreter::run_plain(resolve(program), views, options);
  });
}

Observed observe_lanes(const interpreter::CompiledProgram& compiled, std::vector<Bytes> memory,
                       const RunOptions& options) {
  return observe(compiled.resolved().program, std::move(memory),
                 [&](const auto& views) { return compiled.run(views, options); });
}

std::string difference(const Program& program, const Observed& plain, const Observed& lanes) {
  if (plain == lanes) return {};
  std::string text = fmt::format("plain: {}; lanes: {}", text_of(plain), text_of(lanes));
  size_t output = 0;
  for (const BufferDecl& decl : program.buffers()) {
    if (!decl.is_returned()) continue;
    if (output >= plain.outputs.size() || output >= lanes.outputs.size()) break;
    const Bytes& a = plain.outputs[output];
    const Bytes& b = lanes.outputs[output++];
    if (a == b) continue;
    const auto at = std::ranges::mismatch(a, b).in1 - a.begin();
    text += fmt::format("; `{}` differs from byte {} on", decl.name(), at);
  }
  return text;
}

std::string judge(const Program& program, const std::vector<Bytes>& memory,
                  const RunOptions& options, Observed* seen) {
  const Observed plain = observe_plain(program, memory, options);
  if (seen != nullptr) *seen = plain;
  for (const interpreter::InstructionSet set : interpreter::instruction_sets()) {
    const auto compiled = interpreter::CompiledProgram::create_for(resolve(program), set);
    Observed lanes;
    if (compiled.ok()) {
      lanes = observe_lanes(*compiled, memory, options);
    } else {
      lanes.error = compiled.status().ToString();
    }
    const std::string found = difference(program, plain, lanes);
    if (!found.empty()) return fmt::format("{}: {}", interpreter::spelling(set), found);
  }
  return {};
}

}  // namespace vyre::test

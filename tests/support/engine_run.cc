// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/engine_run.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/plain/observed.h"
#include "vyre/ir/resolve.h"

namespace vyre::test {
namespace {

EngineRun failed(Status status) { return {.status = std::move(status), .trap = std::nullopt}; }

// Declared bytes of a buffer that the caller does not supply.
size_t output_bytes(const BindingInfo& info) {
  return size_t{info.count.value_or(0)} * info.element.size_bytes().value_or(0);
}

}  // namespace

std::shared_ptr<Buffer> upload(Engine& engine, std::span<const std::byte> bytes) {
  StatusOr<std::shared_ptr<Buffer>> buffer = engine.allocate(bytes.size());
  REQUIRE(buffer.ok());
  REQUIRE((*buffer)->upload(0, bytes).ok());
  return *buffer;
}

std::vector<std::byte> download(const Buffer& buffer) {
  std::vector<std::byte> bytes(buffer.size());
  REQUIRE(buffer.download(0, bytes).ok());
  return bytes;
}

namespace {

EngineRun launch_and_wait(Engine& engine, const Executable& executable,
                          std::span<const Value> inputs, const RunOptions& options) {
  std::vector<Binding> bindings;
  size_t next = 0;
  for (const BindingInfo& info : executable.bindings()) {
    if (info.is_input) {
      REQUIRE(next < inputs.size());
      bindings.push_back({info.name, upload(engine, inputs[next++].to_bytes())});
    } else {
      const std::vector<std::byte> garbage(output_bytes(info), std::byte{0xA5});
      bindings.push_back({info.name, upload(engine, garbage)});
    }
  }
  REQUIRE(next == inputs.size());
  StatusOr<std::unique_ptr<Run>> run = executable.launch(bindings, std::nullopt, options);
  if (!run.ok()) return failed(run.status());
  StatusOr<RunReport> report = (*run)->wait();
  if (!report.ok()) return failed(report.status());
  EngineRun result{.status = absl::OkStatus(), .trap = report->trap};
  result.report = *std::move(report);
  if (result.trap) return result;
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (!executable.bindings()[i].is_returned) continue;
    result.outputs.push_back(Value::from_bytes(download(*bindings[i].buffer)));
  }
  return result;
}

// Statements times invocations that the plain evaluator is asked for: what exceeds it would take
// longer than a second.
constexpr uint64_t kMaxJudgedWork = 20'000'000;

// Says at the end of a process how many runs were judged.
struct Judged {
  uint64_t compared = 0;
  uint64_t too_long = 0;
  uint64_t timed = 0;

  Judged() = default;
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;
  ~Judged() {
    if (compared + too_long + timed == 0) return;
    std::printf(
        "%llu runs of the interpreter compared with the plain evaluator; not compared: %llu that "
        "would take too long, %llu with a time limit\n",
        static_cast<unsigned long long>(compared), static_cast<unsigned long long>(too_long),
        static_cast<unsigned long long>(timed));
  }
};

// Where an engine was not asked to bind anything, the plain evaluator is not either.
std::vector<std::vector<std::byte>> bound_memory(const Program& program,
                                                 std::span<const Value> inputs) {
  std::vector<std::vector<std::byte>> memory;
  size_t next = 0;
  for (const BufferDecl& decl : program.buffers()) {
    std::vector<std::byte>& bytes = memory.emplace_back();
    if (decl.is_input() && next < inputs.size()) {
      bytes = inputs[next++].to_bytes();
    } else if (decl.is_bound()) {
      bytes.resize(size_t{decl.count().value_or(0)} * decl.element().size_bytes().value_or(0));
    }
  }
  return memory;
}

// The interpreter must give what the plain evaluator gives: bytes, trap, error and steps.
void judge_interpreter(const Program& program, std::span<const Value> inputs,
                       const RunOptions& options, const EngineRun& run) {
  static Judged judged;
  if (options.max_seconds > 0) {
    ++judged.timed;
    return;
  }
  if (run.report.steps * program.workgroup_invocations() > kMaxJudgedWork) {
    ++judged.too_long;
    return;
  }
  ++judged.compared;
  Observed lanes;
  if (!run.status.ok()) {
    lanes.error = run.status.ToString();
  } else if (run.trap) {
    lanes.trap = run.trap->to_string();
  } else {
    lanes.steps = run.report.steps;
    for (const Value& output : run.outputs) lanes.outputs.push_back(output.to_bytes());
  }
  const Observed plain = observe_plain(program, bound_memory(program, inputs), options);
  const std::string found = difference(program, plain, lanes);
  INFO("the interpreter and the plain evaluator differ");
  CHECK(found == "");
}

}  // namespace

EngineRun run_on(Engine& engine, const Program& program, const Executable& executable,
                 std::span<const Value> inputs, const RunOptions& options) {
  EngineRun run = launch_and_wait(engine, executable, inputs, options);
  if (engine.name() == "interpreter") judge_interpreter(program, inputs, options, run);
  return run;
}

EngineRun run_on(Engine& engine, const Program& program, std::span<const Value> inputs,
                 const RunOptions& options) {
  StatusOr<std::shared_ptr<const Executable>> executable = engine.compile(program, {});
  if (executable.ok()) return run_on(engine, program, **executable, inputs, options);
  EngineRun refused = failed(executable.status());
  if (engine.name() == "interpreter") judge_interpreter(program, inputs, options, refused);
  return refused;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/engine_run.h"

#include <catch2/catch.hpp>

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

EngineRun run_on(Engine& engine, const Executable& executable, std::span<const Value> inputs,
                 const RunOptions& options) {
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

EngineRun run_on(Engine& engine, const Program& program, std::span<const Value> inputs,
                 const RunOptions& options) {
  StatusOr<std::shared_ptr<const Executable>> executable = engine.compile(program, {});
  if (!executable.ok()) return failed(executable.status());
  return run_on(engine, **executable, inputs, options);
}

}  // namespace vyre::test

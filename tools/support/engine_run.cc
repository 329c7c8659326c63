// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/engine_run.h"

#include <fmt/format.h>

#include <limits>

#include "vyre/interpreter/evaluate.h"

namespace vyre::tools {
namespace {

EngineOutcome failure(const Status& status, EngineVerdict otherwise) {
  EngineVerdict verdict = otherwise;
  if (exit_code_of(status) == kStopped) verdict = EngineVerdict::kStopped;
  if (absl::IsUnimplemented(status)) verdict = EngineVerdict::kRefused;
  if (absl::IsInternal(status)) verdict = EngineVerdict::kBug;
  return {verdict, std::string(message_of(status)), {}, {}};
}

const NamedBytes* find(const std::vector<NamedBytes>& arrays, std::string_view name) {
  for (const NamedBytes& array : arrays) {
    if (array.name == name) return &array;
  }
  return nullptr;
}

// A buffer for each bound declaration, inputs filled.
StatusOr<std::vector<Binding>> bind(Engine& engine, const Program& program,
                                    const std::vector<NamedBytes>& inputs) {
  std::vector<Binding> bindings;
  for (const BufferDecl& decl : program.buffers()) {
    if (!decl.is_bound()) continue;
    const NamedBytes* input = decl.is_input() ? find(inputs, decl.name()) : nullptr;
    const size_t bytes = input != nullptr
                             ? input->bytes.size()
                             : static_cast<size_t>(decl.static_byte_length().value_or(0));
    StatusOr<std::shared_ptr<Buffer>> buffer = engine.allocate(bytes);
    if (!buffer.ok()) return buffer.status();
    if (input != nullptr) {
      if (Status status = (*buffer)->upload(0, input->bytes); !status.ok()) return status;
    }
    bindings.push_back({decl.name(), *std::move(buffer)});
  }
  return bindings;
}

StatusOr<std::vector<NamedBytes>> outputs_of(const Program& program,
                                             const std::vector<Binding>& bindings) {
  std::vector<NamedBytes> outputs;
  for (const Binding& binding : bindings) {
    const BufferDecl& decl = program.buffers()[*program.find_buffer(binding.name)];
    if (!decl.is_returned()) continue;
    std::vector<std::byte> bytes(binding.buffer->size());
    if (Status status = binding.buffer->download(0, bytes); !status.ok()) return status;
    outputs.push_back(
        {decl.name(), decl.element().kind(), interpreter::returned_bytes(decl, std::move(bytes))});
  }
  return outputs;
}

}  // namespace

const char* spelling(EngineVerdict verdict) {
  switch (verdict) {
    case EngineVerdict::kRan:
      return "ran";
    case EngineVerdict::kTrapped:
      return "trapped";
    case EngineVerdict::kStopped:
      return "stopped";
    case EngineVerdict::kRefused:
      return "refused";
    case EngineVerdict::kInvalid:
      return "invalid";
    case EngineVerdict::kFailed:
      return "failed";
    case EngineVerdict::kBug:
      return "bug";
  }
  return "?";
}

ExitCode exit_code_of(EngineVerdict verdict) {
  switch (verdict) {
    case EngineVerdict::kRan:
      return kGood;
    case EngineVerdict::kTrapped:
    case EngineVerdict::kStopped:
      return kStopped;
    case EngineVerdict::kRefused:
    case EngineVerdict::kInvalid:
      return kNo;
    case EngineVerdict::kFailed:
      return kUsage;
    case EngineVerdict::kBug:
      return kBug;
  }
  return kBug;
}

EngineOutcome run_on_engine(Engine& engine, const Program& program,
                            const std::vector<NamedBytes>& inputs, const RunOptions& options) {
  const StatusOr<std::shared_ptr<const Executable>> executable = engine.compile(program, {});
  if (!executable.ok()) return failure(executable.status(), EngineVerdict::kInvalid);
  const StatusOr<std::vector<Binding>> bindings = bind(engine, program, inputs);
  if (!bindings.ok()) return failure(bindings.status(), EngineVerdict::kFailed);
  const StatusOr<std::unique_ptr<Run>> run =
      (*executable)->launch(*bindings, options.dispatch, options);
  if (!run.ok()) return failure(run.status(), EngineVerdict::kFailed);
  StatusOr<RunReport> report = (*run)->wait();
  if (!report.ok()) return failure(report.status(), EngineVerdict::kFailed);
  if (report->trap) {
    std::string message = report->trap->to_string();
    return {EngineVerdict::kTrapped, std::move(message), *std::move(report), {}};
  }
  StatusOr<std::vector<NamedBytes>> outputs = outputs_of(program, *bindings);
  if (!outputs.ok()) return failure(outputs.status(), EngineVerdict::kFailed);
  return {EngineVerdict::kRan, "", *std::move(report), *std::move(outputs)};
}

Digest outputs_digest(const std::vector<NamedBytes>& outputs) {
  DigestBuilder digest;
  for (const NamedBytes& output : outputs) {
    digest.add_text(output.name).add_u8(output.element);
    digest.add_text({reinterpret_cast<const char*>(output.bytes.data()), output.bytes.size()});
  }
  return digest.finish();
}

uint64_t bound_bytes(const Program& program) {
  uint64_t sum = 0;
  for (const BufferDecl& decl : program.buffers()) {
    if (!decl.is_bound()) continue;
    if (__builtin_add_overflow(sum, decl.static_byte_length().value_or(0), &sum)) {
      return std::numeric_limits<uint64_t>::max();
    }
  }
  return sum;
}

}  // namespace vyre::tools

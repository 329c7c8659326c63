// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The validator, and that what it accepts can be run, whatever the program does.
#include "tests/fuzz/fuzz_program.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/validate/validate.h"

namespace vyre::test {
namespace {

constexpr uint64_t kMaxSteps = 2000;
constexpr uint64_t kMaxBytes = 1 << 20;

ValidationReport validated(const Program& program, const ValidateOptions& options) {
  ValidationReport report = validate(program, options);
  for (const Diagnostic& diagnostic : report.diagnostics) {
    fuzz_check(find_diagnostic(diagnostic.code) != nullptr, "a code that is not in the table");
    fuzz_check(!diagnostic.cause.empty() && !diagnostic.fix.empty(), "a diagnostic without a fix");
  }
  return report;
}

// Zeros for every input, if that is little memory.
std::optional<std::vector<Value>> inputs_of(const Program& program) {
  std::vector<Value> inputs;
  uint64_t total = 0;
  for (const BufferDecl& decl : program.buffers()) {
    const std::optional<uint64_t> bytes = decl.static_byte_length();
    total += bytes.value_or(64);
    if (total > kMaxBytes) return std::nullopt;
    if (!decl.is_input()) continue;
    inputs.push_back(Value::from_bytes(std::vector<std::byte>(bytes.value_or(64))));
  }
  return inputs;
}

void run(const Program& program) {
  const std::optional<std::vector<Value>> inputs = inputs_of(program);
  if (!inputs) return;
  RunOptions options;
  options.max_steps = kMaxSteps;
  options.max_memory_bytes = 16 * kMaxBytes;
  options.threads = 1;
  options.dispatch = Dispatch::of_workgroups({2, 1, 1});
  const auto forward = reference_eval(program, *inputs, options);
  const auto again = reference_eval(program, *inputs, options);
  fuzz_check(forward.ok() == again.ok(), "a second run ends in another way");
  // A bug of ours, not of the program.
  fuzz_check(!absl::IsInternal(forward.status()), "an internal error");
}

}  // namespace
}  // namespace vyre::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const std::optional<Program> program = test::program_of(test::as_text(data, size));
  if (!program) return 0;
  const ValidationReport report = test::validated(*program, {});
  test::validated(*program, ValidateOptions::original());
  const ValidationReport structure = test::validated(*program, ValidateOptions::structure_only());
  test::fuzz_check(!report.ok() || structure.ok(), "fewer rules refuse more");
  test::fuzz_check(!structure.ok() || resolve(*program).ok(), "a valid program does not resolve");
  if (report.ok() && program->workgroup_invocations() <= 256) test::run(*program);
  return 0;
}

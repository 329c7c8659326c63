// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// One run of a program on one engine, from bytes to bytes.
//
//   EngineOutcome outcome = run_on_engine(*engine, program, inputs, options);
//   outcome.verdict == EngineVerdict::kRan   // outcome.outputs has the returned buffers
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "vyre/backends/engine.h"
#include "vyre/ir/digest.h"
#include "vyre/tools/support/report.h"

namespace vyre::tools {

// The bytes of a bound buffer.
struct NamedBytes {
  std::string name;
  DataType::Kind element = DataType::F32;
  std::vector<std::byte> bytes;
};

enum class EngineVerdict : uint8_t {
  kRan,
  kTrapped,
  kStopped,  // a limit, or a barrier that not all invocations reached
  kRefused,  // this engine cannot run this program
  kInvalid,  // nothing can
  kFailed,   // the buffers do not fit
  kBug,
};
// "ran", "trapped", ...
const char* spelling(EngineVerdict verdict);
ExitCode exit_code_of(EngineVerdict verdict);

struct EngineOutcome {
  EngineVerdict verdict = EngineVerdict::kRan;
  std::string message;  // empty for kRan
  RunReport report;
  std::vector<NamedBytes> outputs;  // in declaration order, for kRan
};

// `inputs` has one entry for each buffer that the caller supplies.
EngineOutcome run_on_engine(Engine& engine, const Program& program,
                            const std::vector<NamedBytes>& inputs, const RunOptions& options);

// Over names, types and bytes of the outputs.
Digest outputs_digest(const std::vector<NamedBytes>& outputs);

// Bytes of all buffers that are bound, of their declared counts.
uint64_t bound_bytes(const Program& program);

}  // namespace vyre::tools

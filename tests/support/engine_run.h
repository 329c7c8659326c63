// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Running a program on an engine from values to values, for tests that take any engine.
//
//   for (const std::shared_ptr<Engine>& engine : engines()) {
//     const test::EngineRun run = test::run_on(*engine, program, {q, k, v});
//     REQUIRE(run.status.ok());
//     CHECK(run.outputs[0] == expected);
//   }
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vyre/backends/engine.h"
#include "vyre/interpreter/value.h"

namespace vyre::test {

// What came of a run: an error, a trap, or the returned buffers in declaration order.
struct EngineRun {
  Status status;
  std::optional<Trap> trap;
  std::vector<Value> outputs{};
  RunReport report{};

  // Whether there are outputs to look at.
  bool ok() const { return status.ok() && !trap; }
};

// Compiles, allocates, uploads, launches, waits and downloads. `inputs` has one value for each
// buffer that the caller supplies, in declaration order. Buffers that the engine must zero are
// filled with other bytes first, so that every test sees whether it does.
//
// What the engine named `interpreter` gives is held against the plain evaluator: a difference fails
// the test. How many runs were compared is printed at the end of the process.
EngineRun run_on(Engine& engine, const Program& program, std::span<const Value> inputs,
                 const RunOptions& options = {});
// The same without compiling the program again.
EngineRun run_on(Engine& engine, const Program& program, const Executable& executable,
                 std::span<const Value> inputs, const RunOptions& options = {});

// A buffer of that content. Fails the test if the engine refuses.
std::shared_ptr<Buffer> upload(Engine& engine, std::span<const std::byte> bytes);
// All of a buffer's bytes. Fails the test if the engine refuses.
std::vector<std::byte> download(const Buffer& buffer);

}  // namespace vyre::test

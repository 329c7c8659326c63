// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Engine: something that runs programs. All engines give the same bits; tests and tools take any.
//
//   std::shared_ptr<Engine> engine = find_engine("interpreter").value();
//   auto executable = engine->compile(program, {}).value();
//   auto x = engine->allocate(4096).value();
//   x->upload(0, bytes);
//   auto run = executable->launch({{"x", x}, {"y", y}}, std::nullopt, {}).value();
//   StatusOr<RunReport> report = run->wait();
//   if (report.ok() && report->trap) ...                   // it trapped: outputs are meaningless
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/ir/program.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre {

struct CompileOptions {
  // Instruction set extensions the code may use, as LLVM spells them; empty: those of this machine.
  // No choice changes a bit of the result.
  std::string cpu_features;
};

struct Capabilities {
  bool subgroups = false;
  bool grid_sync = false;
  bool async_copies = false;
  bool device_memory = false;  // buffers do not live in the host's address space
};

// A piece of an engine's memory.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual size_t size() const = 0;
  // Errors: the range leaves the buffer (OutOfRange).
  virtual Status upload(size_t offset, std::span<const std::byte> bytes) = 0;
  virtual Status download(size_t offset, std::span<std::byte> bytes) const = 0;
  // The bytes themselves where the host can see them; empty otherwise.
  virtual std::span<std::byte> view() = 0;
};

struct Binding {
  std::string name;
  std::shared_ptr<Buffer> buffer;
};

// What an executable wants bound.
struct BindingInfo {
  std::string name;
  uint32_t binding = 0;
  DataType element;
  std::optional<uint32_t> count;
  bool is_input = false;     // its contents are read
  bool is_returned = false;  // its contents are a result
};

// A launch that may still be going on. Destroying it waits.
class Run {
 public:
  virtual ~Run() = default;
  // Blocks until the run ends. May be called again; the answer stays.
  virtual StatusOr<RunReport> wait() = 0;
  virtual bool done() const = 0;
  // Asks the run to end at its next statement; wait() then gives Cancelled, unless it was done.
  virtual void cancel() = 0;
};

// A compiled program. Immutable; several threads may launch it at once.
class Executable {
 public:
  virtual ~Executable() = default;
  virtual std::span<const BindingInfo> bindings() const = 0;
  // Every bound buffer of the program by name, outputs included: the launch zeroes those that the
  // program does not read before it starts (is_input false). Errors: a buffer missing, unknown or
  // too small (InvalidArgument); two bindings that share bytes, unless both are only read.
  virtual StatusOr<std::unique_ptr<Run>> launch(const std::vector<Binding>& bindings,
                                                std::optional<Dispatch> dispatch,
                                                RunOptions options) const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual Capabilities capabilities() const = 0;
  // Errors: an invalid program (InvalidArgument), one that this engine refuses (Unimplemented).
  virtual StatusOr<std::shared_ptr<const Executable>> compile(const Program& program,
                                                              const CompileOptions& options) = 0;
  virtual StatusOr<std::shared_ptr<Buffer>> allocate(size_t bytes) = 0;
};

// The engines that are present here, the interpreter first.
std::vector<std::shared_ptr<Engine>> engines();
// Errors: no engine of that name; the message has the known ones.
StatusOr<std::shared_ptr<Engine>> find_engine(std::string_view name);

std::shared_ptr<Engine> make_interpreter_engine();

}  // namespace vyre

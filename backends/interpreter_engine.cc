// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The interpreter behind the engine interface.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>

#include "vyre/backends/engine.h"
#include "vyre/interpreter/run_program.h"
#include "vyre/interpreter/within_memory.h"
#include "vyre/ir/nearest_name.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(size_t bytes) : bytes_(bytes) {}

  size_t size() const override { return bytes_.size(); }
  std::span<std::byte> view() override { return bytes_; }

  Status upload(size_t offset, std::span<const std::byte> bytes) override {
    if (Status status = check_range(offset, bytes.size()); !status.ok()) return status;
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return absl::OkStatus();
  }
  Status download(size_t offset, std::span<std::byte> bytes) const override {
    if (Status status = check_range(offset, bytes.size()); !status.ok()) return status;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), bytes.size(), bytes.begin());
    return absl::OkStatus();
  }

 private:
  Status check_range(size_t offset, size_t bytes) const {
    if (offset <= bytes_.size() && bytes <= bytes_.size() - offset) return absl::OkStatus();
    return absl::OutOfRangeError(
        fmt::format("{} bytes at offset {} leave a buffer of {} bytes. Fix: stay inside it.", bytes,
                    offset, bytes_.size()));
  }

  std::vector<std::byte> bytes_;
};

class InterpreterRun final : public Run {
 public:
  InterpreterRun(std::shared_ptr<const interpreter::CompiledProgram> program,
                 std::vector<std::shared_ptr<Buffer>> buffers, RunOptions options)
      : buffers_(std::move(buffers)), options_(std::move(options)) {
    // A flag of its own: cancel() ends this run and not others that share the caller's flag.
    options_.cancellation = std::make_shared<CancellationFlag>(std::move(options_.cancellation));
    thread_ = std::thread([this, program = std::move(program)] {
      std::vector<std::span<std::byte>> views;
      for (const std::shared_ptr<Buffer>& buffer : buffers_) {
        views.push_back(buffer ? buffer->view() : std::span<std::byte>());
      }
      try {
        report_ = program->run(views, options_);
      } catch (...) {
        // Only the caller's code can throw here, and on this thread nobody would catch it.
        report_ = absl::UnknownError(
            "the progress callback threw an exception. Fix: keep exceptions inside it.");
      }
      done_.store(true, std::memory_order_release);
    });
  }
  ~InterpreterRun() override { join(); }
  InterpreterRun(const InterpreterRun&) = delete;
  InterpreterRun& operator=(const InterpreterRun&) = delete;

  StatusOr<RunReport> wait() override {
    join();
    return report_;
  }
  bool done() const override { return done_.load(std::memory_order_acquire); }
  void cancel() override { options_.cancellation->cancel(); }

 private:
  void join() {
    const std::lock_guard lock(join_mutex_);
    if (thread_.joinable()) thread_.join();
  }

  std::vector<std::shared_ptr<Buffer>> buffers_;
  RunOptions options_;
  StatusOr<RunReport> report_ = absl::UnknownError("the run has not ended");
  std::atomic<bool> done_{false};
  std::mutex join_mutex_;
  std::thread thread_;
};

class InterpreterExecutable final : public Executable {
 public:
  explicit InterpreterExecutable(interpreter::CompiledProgram program)
      : program_(std::make_shared<const interpreter::CompiledProgram>(std::move(program))) {
    for (const BufferDecl& decl : declarations()) {
      if (!decl.is_bound()) continue;
      bindings_.push_back({decl.name(), decl.binding(), decl.element(), decl.count(),
                           decl.is_input(), decl.is_returned()});
    }
  }

  std::span<const BindingInfo> bindings() const override { return bindings_; }

  StatusOr<std::unique_ptr<Run>> launch(const std::vector<Binding>& bindings,
                                        std::optional<Dispatch> dispatch,
                                        RunOptions options) const override {
    StatusOr<std::vector<std::shared_ptr<Buffer>>> buffers = arrange(bindings);
    if (!buffers.ok()) return buffers.status();
    if (Status status = check_aliasing(*buffers); !status.ok()) return status;
    for (size_t i = 0; i < buffers->size(); ++i) {
      const BufferDecl& decl = declarations()[i];
      if (decl.is_bound() && !decl.is_input()) {
        std::ranges::fill((*buffers)[i]->view(), std::byte{0});
      }
    }
    if (dispatch) options.dispatch = dispatch;
    return std::make_unique<InterpreterRun>(program_, *std::move(buffers), std::move(options));
  }

 private:
  const std::vector<BufferDecl>& declarations() const {
    return program_->resolved().program.buffers();
  }

  // One buffer for each declaration, null for scratch.
  StatusOr<std::vector<std::shared_ptr<Buffer>>> arrange(
      const std::vector<Binding>& bindings) const {
    const std::vector<BufferDecl>& decls = declarations();
    std::vector<std::shared_ptr<Buffer>> buffers(decls.size());
    for (const Binding& binding : bindings) {
      const std::optional<size_t> index = program_->resolved().program.find_buffer(binding.name);
      if (!index || !decls[*index].is_bound()) return unknown(binding.name);
      if (binding.buffer == nullptr) {
        return absl::InvalidArgumentError(
            fmt::format("`{}` is bound to no buffer at all. Fix: allocate one.", binding.name));
      }
      if (binding.buffer->view().data() == nullptr) {
        if (binding.buffer->size() != 0) {
          return absl::InvalidArgumentError(
              fmt::format("`{}` is bound to a buffer that the host cannot see. Fix: allocate it "
                          "with this engine.",
                          binding.name));
        }
      }
      if (buffers[*index] != nullptr) {
        return absl::InvalidArgumentError(
            fmt::format("`{}` is bound twice. Fix: bind it once.", binding.name));
      }
      buffers[*index] = binding.buffer;
    }
    for (size_t i = 0; i < decls.size(); ++i) {
      if (!decls[i].is_bound()) continue;
      if (buffers[i] == nullptr) {
        return absl::InvalidArgumentError(
            fmt::format("`{}` is not bound. Fix: bind a buffer to it.", decls[i].name()));
      }
      const uint64_t needed = decls[i].static_byte_length().value_or(0);
      if (buffers[i]->size() < needed) {
        return absl::InvalidArgumentError(
            fmt::format("`{}` is bound to {} bytes but requires at least {}. Fix: bind a larger "
                        "buffer.",
                        decls[i].name(), buffers[i]->size(), needed));
      }
    }
    return buffers;
  }

  Status unknown(std::string_view name) const {
    std::vector<std::string> names;
    for (const BindingInfo& info : bindings_) names.push_back(info.name);
    const std::optional<std::string> nearest = nearest_name(name, names);
    return absl::InvalidArgumentError(
        fmt::format("the program binds no buffer `{}`. Fix: {}", name,
                    nearest ? fmt::format("did you mean `{}`?", *nearest)
                            : fmt::format("it binds {}.", fmt::join(names, ", "))));
  }

  // Two bindings share bytes only if both are read alone (design rule E18).
  Status check_aliasing(const std::vector<std::shared_ptr<Buffer>>& buffers) const {
    const std::vector<BufferDecl>& decls = declarations();
    for (size_t i = 0; i < decls.size(); ++i) {
      for (size_t j = i + 1; j < decls.size(); ++j) {
        if (buffers[i] == nullptr || buffers[j] == nullptr) continue;
        if (!decls[i].is_writable() && !decls[j].is_writable()) continue;
        const std::span<std::byte> a = buffers[i]->view();
        const std::span<std::byte> b = buffers[j]->view();
        if (a.empty() || b.empty()) continue;
        if (a.data() + a.size() <= b.data() || b.data() + b.size() <= a.data()) continue;
        return absl::InvalidArgumentError(
            fmt::format("`{}` and `{}` are bound to the same bytes, and one of them is written. "
                        "Fix: bind separate buffers.",
                        decls[i].name(), decls[j].name()));
      }
    }
    return absl::OkStatus();
  }

  std::shared_ptr<const interpreter::CompiledProgram> program_;
  std::vector<BindingInfo> bindings_;
};

class InterpreterEngine final : public Engine {
 public:
  std::string name() const override { return "interpreter"; }
  Capabilities capabilities() const override {
    return {.subgroups = true, .grid_sync = true, .async_copies = true};
  }

  StatusOr<std::shared_ptr<const Executable>> compile(const Program& program,
                                                      const CompileOptions&) override {
    Resolved resolved = resolve(program);
    if (Status status = validate(resolved, {.source = false}).status(); !status.ok()) return status;
    StatusOr<interpreter::CompiledProgram> compiled =
        interpreter::CompiledProgram::create(std::move(resolved));
    if (!compiled.ok()) return compiled.status();
    return std::make_shared<const InterpreterExecutable>(*std::move(compiled));
  }

  StatusOr<std::shared_ptr<Buffer>> allocate(size_t bytes) override {
    constexpr size_t kMaxBytes = size_t{1} << 40;
    if (bytes > kMaxBytes) {
      return absl::ResourceExhaustedError(
          fmt::format("{} bytes are more than a buffer may have ({}). Fix: use smaller buffers.",
                      bytes, kMaxBytes));
    }
    return interpreter::within_memory(
        [&]() -> StatusOr<std::shared_ptr<Buffer>> { return std::make_shared<HostBuffer>(bytes); });
  }
};

}  // namespace

std::shared_ptr<Engine> make_interpreter_engine() { return std::make_shared<InterpreterEngine>(); }

}  // namespace vyre

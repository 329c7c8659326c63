// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Evaluating a program on the interpreter, with inputs and outputs by name.
//
//   StatusOr<Outputs> out = evaluate(saxpy, {{"x", xs}, {"y", ys}});   // std::vector<float>
//   if (!out.ok()) return out.status();
//   std::vector<float> y = out->get<float>("y").value();
//
// Results are bit for bit those of the program, whatever the machine, the thread count or the
// caller's floating-point mode.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/interpreter/value.h"
#include "vyre/ir/program.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre {

// What is bound to one input: a list whose element type must fit the declaration, or raw bytes.
class Input {
 public:
  // NOLINTBEGIN(google-explicit-constructor): conversion is the purpose.
  template <typename T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      Input(const std::vector<T>& elements)
      : value_(Value::from(elements)),
        fits_([](DataType::Kind kind) { return holds_elements_of<T>(kind); }) {}
  Input(Value bytes) : value_(std::move(bytes)) {}
  Input(std::vector<std::byte> bytes) : value_(Value::from_bytes(std::move(bytes))) {}
  // NOLINTEND(google-explicit-constructor)

  const Value& value() const { return value_; }
  bool fits(DataType::Kind element) const { return fits_ == nullptr || fits_(element); }

 private:
  Value value_;
  bool (*fits_)(DataType::Kind) = nullptr;
};

using NamedInput = std::pair<std::string_view, Input>;

// The returned buffers of a run, in declaration order.
class Outputs {
 public:
  struct Entry {
    std::string name;
    DataType element;
    Value value;
  };

  const std::vector<Entry>& entries() const { return entries_; }
  // Errors: no such output, or T does not hold its elements.
  template <typename T>
  StatusOr<std::vector<T>> get(std::string_view name) const {
    StatusOr<const Entry*> entry = find(name, &holds_elements_of<T>);
    if (!entry.ok()) return entry.status();
    return decode<T>((*entry)->value.to_bytes());
  }
  StatusOr<Value> bytes(std::string_view name) const;
  const RunReport& report() const { return report_; }

 private:
  friend StatusOr<Outputs> evaluate(const Program&, const std::vector<NamedInput>&,
                                    const RunOptions&);
  StatusOr<const Entry*> find(std::string_view name, bool (*fits)(DataType::Kind)) const;

  std::vector<Entry> entries_;
  RunReport report_;
};

// Runs the program: one input for each buffer that the caller supplies (BufferDecl::is_input), one
// output for each that is returned. Errors: those of CompiledProgram; an input that is missing,
// unknown, of another element type, or shorter than declared (InvalidArgument); a trap (Aborted;
// trap_of gives it in parts). The trap of a program that does nothing but trap is reported whatever
// the inputs are: it has none of the buffers that the caller expected, and its message says why.
StatusOr<Outputs> evaluate(const Program& program, const std::vector<NamedInput>& inputs,
                           const RunOptions& options = {});
// A builder's result, or its error.
StatusOr<Outputs> evaluate(const StatusOr<Program>& program, const std::vector<NamedInput>& inputs,
                           const RunOptions& options = {});

// The original's call: one value for each buffer that the caller supplies, in declaration order.
// As many values as there are bound buffers are accepted too: then each output's value gives only
// its size.
StatusOr<std::vector<Value>> reference_eval(const Program& program, std::span<const Value> inputs,
                                            const RunOptions& options = {});

namespace interpreter {

// The bytes of every bound buffer before a run: the caller's inputs, and zeros for outputs.
// `inputs` follows declaration order, as in reference_eval.
StatusOr<std::vector<std::vector<std::byte>>> bind_in_order(const Program& program,
                                                            std::span<const Value> inputs,
                                                            uint64_t max_memory_bytes);
// The same by name.
StatusOr<std::vector<std::vector<std::byte>>> bind_by_name(const Program& program,
                                                           const std::vector<NamedInput>& inputs,
                                                           uint64_t max_memory_bytes);
// The bytes of a returned buffer that its declaration lets out.
std::vector<std::byte> returned_bytes(const BufferDecl& decl, std::vector<std::byte> bytes);

}  // namespace interpreter
}  // namespace vyre

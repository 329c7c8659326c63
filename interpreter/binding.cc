// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Binding inputs to a program's buffers: which are supplied, which are allocated, which sizes fit.
#include <fmt/format.h>

#include <algorithm>

#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/nearest_name.h"

namespace vyre::interpreter {
namespace {

using Bytes = std::vector<std::byte>;

// Bytes that a buffer needs at least: its declared count.
uint64_t declared_bytes(const BufferDecl& decl) { return decl.static_byte_length().value_or(0); }

std::string element_text(const BufferDecl& decl) {
  return fmt::format("{} elements of {}", decl.count().value_or(0), decl.element().spelling());
}

Status check_length(const BufferDecl& decl, uint64_t bytes) {
  const uint64_t needed = declared_bytes(decl);
  if (bytes >= needed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("buffer `{}` has {} bytes but requires at least {} bytes ({}). Fix: bind as many "
                  "elements as the program declares.",
                  decl.name(), bytes, needed, element_text(decl)));
}

// Memory of the outputs, zero at the start.
class OutputAllocator {
 public:
  explicit OutputAllocator(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  StatusOr<Bytes> allocate(const BufferDecl& decl) {
    if (!decl.count() && !decl.output_byte_range()) {
      return absl::InvalidArgumentError(
          fmt::format("output `{}` has no count, so nothing says how large it is. Fix: declare its "
                      "count.",
                      decl.name()));
    }
    const uint64_t bytes = declared_bytes(decl);
    if (__builtin_add_overflow(used_, bytes, &used_) || used_ > max_bytes_) {
      return absl::ResourceExhaustedError(
          fmt::format("output `{}` of {} bytes takes the run beyond the {} bytes that it may "
                      "allocate. Fix: declare fewer elements, or raise max_memory_bytes.",
                      decl.name(), bytes, max_bytes_));
    }
    return Bytes(bytes);
  }

 private:
  uint64_t max_bytes_;
  uint64_t used_ = 0;
};

// The size that the original asks of a value that stands for an output.
uint64_t legacy_output_bytes(const BufferDecl& decl) {
  const std::optional<ByteRange>& range = decl.output_byte_range();
  return range && range->end >= range->begin ? range->end - range->begin : declared_bytes(decl);
}

}  // namespace

StatusOr<std::vector<Bytes>> bind_in_order(const Program& program, std::span<const Value> inputs,
                                           uint64_t max_memory_bytes) {
  OutputAllocator outputs(max_memory_bytes);
  size_t supplied = 0;
  size_t all = 0;
  for (const BufferDecl& decl : program.buffers()) {
    supplied += decl.is_input() ? 1 : 0;
    all += decl.is_bound() ? 1 : 0;
  }
  if (inputs.size() != supplied && inputs.size() != all) {
    return absl::InvalidArgumentError(fmt::format(
        "{} values are given, and the program takes {} (or {}, with one for each output). Fix: "
        "pass one value for each buffer that the program reads, in declaration order.",
        inputs.size(), supplied, all));
  }
  const bool legacy = inputs.size() != supplied;
  std::vector<Bytes> bound(program.buffers().size());
  size_t next = 0;
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (!decl.is_bound()) continue;
    if (decl.is_input()) {
      const Value& value = inputs[next++];
      if (Status status = check_length(decl, value.size()); !status.ok()) return status;
      bound[i] = value.to_bytes();
      continue;
    }
    if (legacy && inputs[next++].size() < legacy_output_bytes(decl)) {
      return absl::InvalidArgumentError(
          fmt::format("the value that stands for output `{}` has {} bytes, and the output has {}. "
                      "Fix: pass a value of the output's size, or none for outputs.",
                      decl.name(), inputs[next - 1].size(), legacy_output_bytes(decl)));
    }
    StatusOr<Bytes> output = outputs.allocate(decl);
    if (!output.ok()) return output.status();
    bound[i] = *std::move(output);
  }
  return bound;
}

namespace {

std::vector<std::string> input_names(const Program& program) {
  std::vector<std::string> names;
  for (const BufferDecl& decl : program.buffers()) {
    if (decl.is_input()) names.push_back(decl.name());
  }
  return names;
}

Status unknown_input(const Program& program, std::string_view name) {
  const std::vector<std::string> names = input_names(program);
  const std::optional<std::string> nearest = nearest_name(name, names);
  const std::optional<size_t> buffer = program.find_buffer(name);
  if (buffer && program.buffers()[*buffer].is_bound()) {
    return absl::InvalidArgumentError(fmt::format(
        "`{}` is an output: the run allocates it. Fix: do not bind a value to it.", name));
  }
  return absl::InvalidArgumentError(
      fmt::format("the program has no input `{}`. Fix: {}", name,
                  nearest ? fmt::format("did you mean `{}`?", *nearest)
                          : fmt::format("its inputs are {}.", fmt::join(names, ", "))));
}

Status check_input(const BufferDecl& decl, const Input& input) {
  if (!input.fits(decl.element().kind())) {
    return absl::InvalidArgumentError(
        fmt::format("input `{}` is declared with elements of {}, and the given list holds another "
                    "type. Fix: pass the matching C++ type, or raw bytes.",
                    decl.name(), decl.element().spelling()));
  }
  return check_length(decl, input.value().size());
}

}  // namespace

StatusOr<std::vector<Bytes>> bind_by_name(const Program& program,
                                          const std::vector<NamedInput>& inputs,
                                          uint64_t max_memory_bytes) {
  OutputAllocator outputs(max_memory_bytes);
  std::vector<const Input*> given(program.buffers().size());
  for (const NamedInput& input : inputs) {
    const std::optional<size_t> buffer = program.find_buffer(input.first);
    if (!buffer || !program.buffers()[*buffer].is_input()) {
      return unknown_input(program, input.first);
    }
    if (given[*buffer] != nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("input `{}` is given twice. Fix: give it once.", input.first));
    }
    given[*buffer] = &input.second;
  }
  std::vector<Bytes> bound(program.buffers().size());
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (!decl.is_bound()) continue;
    if (!decl.is_input()) {
      StatusOr<Bytes> output = outputs.allocate(decl);
      if (!output.ok()) return output.status();
      bound[i] = *std::move(output);
      continue;
    }
    if (given[i] == nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "input `{}` is missing ({}). Fix: bind a value to it.", decl.name(), element_text(decl)));
    }
    if (Status status = check_input(decl, *given[i]); !status.ok()) return status;
    bound[i] = given[i]->value().to_bytes();
  }
  return bound;
}

Bytes returned_bytes(const BufferDecl& decl, Bytes bytes) {
  const std::optional<ByteRange>& range = decl.output_byte_range();
  if (!range || range->begin > range->end || range->end > bytes.size()) return bytes;
  return {bytes.begin() + static_cast<std::ptrdiff_t>(range->begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(range->end)};
}

}  // namespace vyre::interpreter

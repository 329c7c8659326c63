// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Rules about declarations: what their fields say of each other.
#include <fmt/format.h>

#include "vyre/ir/validate/rules.h"

namespace vyre::internal {
namespace {

void check_predicate(uint32_t index, const ValidateOptions& options, Reporter& reporter) {
  const BufferDecl& decl = reporter.resolved().program.buffers()[index];
  if (!decl.shape_predicate()) return;
  if (!decl.count()) {
    if (!options.carried) return;
    return reporter.buffer(
        index, "V141",
        fmt::format("buffer `{}` is sized by what is bound, and its condition on the count is "
                    "carried, not checked by a run",
                    decl.name()),
        "Declare its count, as in `f32[64]`, or in C++ with_count(64), or drop the condition.");
  }
  if (decl.shape_predicate()->holds(*decl.count())) return;
  reporter.buffer(index, "V083",
                  fmt::format("buffer `{}` has {} elements, and its declaration wants {}",
                              decl.name(), *decl.count(), decl.shape_predicate()->to_string()),
                  "Declare a count for which the condition holds.");
}

void check_byte_range(uint32_t index, Reporter& reporter) {
  const BufferDecl& decl = reporter.resolved().program.buffers()[index];
  if (!decl.output_byte_range()) return;
  const ByteRange range = *decl.output_byte_range();
  const std::optional<uint64_t> bytes = decl.static_byte_length();
  if (range.begin > range.end) {
    reporter.buffer(index, "V136",
                    fmt::format("the byte range {}..{} of buffer `{}` ends before it begins",
                                range.begin, range.end, decl.name()),
                    "Write the lower bound first.");
  } else if (bytes && range.end > *bytes) {
    reporter.buffer(index, "V136",
                    fmt::format("the byte range {}..{} of buffer `{}` leaves its {} bytes",
                                range.begin, range.end, decl.name(), *bytes),
                    "Return bytes inside the declared count.");
  }
}

void check_output(uint32_t index, const ValidateOptions& options, Reporter& reporter) {
  const BufferDecl& decl = reporter.resolved().program.buffers()[index];
  const DataType::Kind element = decl.element().kind();
  if (decl.is_output() && (element == DataType::Array || element == DataType::Tensor)) {
    reporter.buffer(index, "V110",
                    fmt::format("output `{}` holds {}, which has no layout in memory", decl.name(),
                                decl.element().spelling()),
                    "Give the output a scalar element type.");
  }
  if (options.source && decl.is_backend_allocated_output() && !decl.count() &&
      !decl.output_byte_range()) {
    reporter.buffer(
        index, "V130",
        fmt::format("output `{}` has no count, so nothing says how large it is", decl.name()),
        "Declare its count, as in `f32[1024]`, in C++ with_count(1024) or the second argument of "
        "Kernel::output, or declare the bytes that are returned.");
  }
}

void check_workgroup_memory(uint64_t budget, Reporter& reporter) {
  uint64_t total = 0;
  for (const BufferDecl& decl : reporter.resolved().program.buffers()) {
    const uint64_t bytes = decl.is_workgroup() ? decl.static_byte_length().value_or(0) : 0;
    total = total + bytes < total ? UINT64_MAX : total + bytes;
  }
  if (total <= budget) return;
  reporter.program("V142",
                   fmt::format("a workgroup takes {} bytes of workgroup memory, and {} are allowed",
                               total, budget),
                   "Declare smaller workgroup buffers.");
}

}  // namespace

void check_buffers(const ValidateOptions& options, Reporter& reporter) {
  const size_t count = reporter.resolved().program.buffers().size();
  for (uint32_t index = 0; index < count; ++index) {
    check_predicate(index, options, reporter);
    check_byte_range(index, reporter);
    check_output(index, options, reporter);
  }
  if (options.max_workgroup_bytes) check_workgroup_memory(*options.max_workgroup_bytes, reporter);
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace vyre::interpreter {
namespace {

// Adds a * b to the total; false if that leaves 64 bits.
bool add_product(uint64_t a, uint64_t b, uint64_t& total) {
  uint64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(total, product, &total);
}

bool is_raw(DataType::Kind element) {
  return element != DataType::Bool && DataType(element).role() == DataType::Role::kValue;
}

Status check_budgets(const Program& program, const RunOptions& options) {
  uint64_t workgroup_bytes = 0;
  uint64_t all_bytes = 0;
  bool fits = true;
  for (const BufferDecl& decl : program.buffers()) {
    if (decl.is_bound()) continue;
    const uint64_t count = decl.count().value_or(0);
    const uint64_t stride = decl.element().stride_bytes();
    const uint64_t copies = decl.is_local() ? program.workgroup_invocations() : 1;
    fits = fits && add_product(count * stride, copies, all_bytes);
    if (decl.is_workgroup()) fits = fits && add_product(count, stride, workgroup_bytes);
  }
  if (options.max_workgroup_bytes != 0 && workgroup_bytes > options.max_workgroup_bytes) {
    return absl::ResourceExhaustedError(fmt::format(
        "the program's workgroup memory takes {} bytes, and the run allows {}. Fix: use smaller "
        "tiles, or raise max_workgroup_bytes.",
        workgroup_bytes, options.max_workgroup_bytes));
  }
  if (!fits || all_bytes > options.max_memory_bytes) {
    return absl::ResourceExhaustedError(fmt::format(
        "the program's scratch memory takes {} bytes, and the run allows {}. Fix: use smaller "
        "tiles, or raise max_memory_bytes.",
        fits ? fmt::format("{}", all_bytes) : std::string("more than 2^64"),
        options.max_memory_bytes));
  }
  return absl::OkStatus();
}

}  // namespace

StatusOr<Memory> Memory::create(const Program& program, std::span<const std::span<std::byte>> bound,
                                const RunOptions& options) {
  if (Status status = check_budgets(program, options); !status.ok()) return status;
  Memory memory;
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    BufferView view;
    view.stride = decl.element().stride_bytes();
    view.load = scalar::find_loader(decl.element().kind());
    view.store = scalar::find_storer(decl.element().kind());
    view.shared = decl.is_bound() || decl.is_transient();
    view.is_f32 = decl.element().kind() == DataType::F32;
    view.raw = is_raw(decl.element().kind());
    if (view.load == nullptr || view.store == nullptr || view.stride == 0) {
      return absl::UnimplementedError(
          fmt::format("buffer `{}` holds {}, which has no loads and stores. Fix: use an element "
                      "type such as u32 or f32.",
                      decl.name(), decl.element().spelling()));
    }
    if (decl.is_bound()) {
      view.data = bound[i].data();
      view.bytes = bound[i].size();
      view.count = view.bytes / view.stride;
    } else {
      view.count = decl.count().value_or(0);
      view.bytes = view.count * view.stride;
      const uint64_t copies = decl.is_local() ? program.workgroup_invocations() : 1;
      if (decl.is_local()) view.invocation_bytes = view.bytes;
      std::vector<std::byte> bytes(view.bytes * copies);
      view.data = bytes.data();  // stays where it is when the vector is moved
      if (decl.is_transient()) {
        memory.transients_.push_back(std::make_shared<std::vector<std::byte>>(std::move(bytes)));
      } else {
        memory.scratch_.push_back(std::move(bytes));
      }
    }
    memory.views_.push_back(view);
  }
  return memory;
}

Memory Memory::fork() const {
  Memory copy(*this);
  size_t next = 0;
  for (BufferView& view : copy.views_) {
    if (!view.shared) view.data = copy.scratch_[next++].data();
  }
  return copy;
}

uint64_t Memory::allocated_bytes() const {
  uint64_t total = 0;
  for (const std::vector<std::byte>& bytes : scratch_) total += bytes.size();
  for (const auto& bytes : transients_) total += bytes->size();
  return total;
}

void Memory::start_workgroup() {
  for (std::vector<std::byte>& bytes : scratch_) std::ranges::fill(bytes, std::byte{0});
}

}  // namespace vyre::interpreter

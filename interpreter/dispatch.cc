// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace vyre::interpreter {
namespace {

uint64_t element_count(const BufferDecl& decl, uint64_t bytes) {
  const uint64_t bits = decl.element().bit_width().value_or(8);
  // bytes * 8 can leave 64 bits only for a buffer that no machine holds.
  return bits == 0 ? 0 : bytes / bits * 8 + bytes % bits * 8 / bits;
}

bool has_atomics(const Program& program) {
  return std::ranges::any_of(program.entry(),
                             [](const Node& node) { return node.has(NodeEffects::kAtomic); });
}

}  // namespace

uint32_t ceil_root(uint64_t value, int n) {
  uint64_t low = 0;
  uint64_t high = std::numeric_limits<uint32_t>::max();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    uint64_t power = 1;
    bool overflow = false;
    for (int i = 0; i < n; ++i) overflow |= __builtin_mul_overflow(power, middle, &power);
    if (overflow || power >= value) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<uint32_t>(low);
}

Dispatch infer_dispatch(const Program& program, std::span<const uint64_t> bound_bytes) {
  uint64_t elements = 1;
  uint64_t other_elements = 0;
  bool returns = false;
  bool workgroup_memory = false;
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    if (!decl.is_bound()) {
      workgroup_memory |= decl.is_workgroup();
      continue;
    }
    const uint64_t count = element_count(decl, bound_bytes[i]);
    if (decl.is_returned()) {
      returns = true;
      elements = std::max(elements, count);
    } else {
      other_elements = std::max(other_elements, count);
    }
    if (decl.binding() == 0 && decl.name() == "pg_nodes") elements = std::max(elements, count);
  }
  if (!returns || workgroup_memory || has_atomics(program)) {
    elements = std::max(elements, other_elements);
  }
  const uint64_t size = std::max<uint64_t>(program.workgroup_invocations(), 1);
  const uint64_t workgroups = std::max<uint64_t>(elements / size + (elements % size != 0), 1);
  const Dim3 shape = program.workgroup_size();
  const int active = (shape.x > 1) + (shape.y > 1) + (shape.z > 1);
  const uint32_t each = ceil_root(workgroups, std::max(active, 1));
  if (active == 0) return Dispatch{{each, 1, 1}};
  return Dispatch{{shape.x > 1 ? each : 1, shape.y > 1 ? each : 1, shape.z > 1 ? each : 1}};
}

StatusOr<ChosenDispatch> choose_dispatch(const Program& program,
                                         std::span<const uint64_t> bound_bytes,
                                         const RunOptions& options) {
  ChosenDispatch chosen;
  if (options.dispatch) {
    chosen = {*options.dispatch, DispatchSource::kCaller};
  } else if (program.extent()) {
    chosen = {Dispatch::covering(*program.extent(), program.workgroup_size()),
              DispatchSource::kExtent};
  } else {
    chosen = {infer_dispatch(program, bound_bytes), DispatchSource::kInferred};
  }
  constexpr uint64_t kIds = uint64_t{1} << 32;
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint64_t invocations =
        uint64_t{chosen.dispatch.workgroups[axis]} * program.workgroup_size()[axis];
    if (invocations > kIds) {
      return absl::InvalidArgumentError(
          fmt::format("{} workgroups of {} invocations along axis {} need ids beyond 32 bits. Fix: "
                      "dispatch fewer workgroups.",
                      chosen.dispatch.workgroups[axis], program.workgroup_size()[axis], axis));
    }
  }
  const Dim3 grid = chosen.dispatch.workgroups;
  uint64_t count = uint64_t{grid.x} * grid.y;
  if (__builtin_mul_overflow(count, grid.z, &count)) {
    return absl::InvalidArgumentError(
        fmt::format("{} x {} x {} workgroups are more than 64 bits can count. Fix: dispatch fewer "
                    "workgroups.",
                    grid.x, grid.y, grid.z));
  }
  return chosen;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <optional>
#include <span>

#include "vyre/tools/reduce/reduction.h"

namespace vyre::tools {
namespace {

bool replace_buffer(Reduction& reduction, size_t i, const BufferDecl& buffer) {
  std::vector<BufferDecl> buffers = reduction.program().buffers();
  buffers[i] = buffer;
  return reduction.attempt(reduction.program().with_buffers(std::move(buffers)));
}

// The declaration without hints, predicates and the like.
BufferDecl plain(const BufferDecl& buffer) {
  BufferDecl result = BufferDecl::storage(buffer.name(), buffer.binding(), buffer.access(),
                                          buffer.element(), buffer.place())
                          .with_kind(buffer.kind())
                          .with_output(buffer.is_output())
                          .with_pipeline_live_out(buffer.pipeline_live_out());
  return buffer.count() ? result.with_count(*buffer.count()) : result;
}

// Tries 1, then half as long as that helps. `attempt` is given a number that is smaller.
template <typename Attempt>
void shrink(uint32_t number, Attempt attempt) {
  if (number <= 1 || attempt(1U)) return;
  while (number > 1 && attempt(number / 2)) number /= 2;
}

void reduce_size(Reduction& reduction, const Dim3& size,
                 const std::function<Program(const Program&, Dim3)>& with_size) {
  if (reduction.attempt(with_size(reduction.program(), {1, 1, 1}))) return;
  Dim3 smallest = size;
  for (uint32_t Dim3::*axis : {&Dim3::x, &Dim3::y, &Dim3::z}) {
    shrink(size.*axis, [&](uint32_t number) {
      Dim3 candidate = smallest;
      candidate.*axis = number;
      if (!reduction.attempt(with_size(reduction.program(), candidate))) return false;
      smallest = candidate;
      return true;
    });
  }
}

}  // namespace

void reduce_declarations(Reduction& reduction) {
  remove_stretches(reduction.program().buffers().size(), [&reduction](size_t begin, size_t end) {
    std::vector<BufferDecl> buffers = reduction.program().buffers();
    buffers.erase(buffers.begin() + static_cast<ptrdiff_t>(begin),
                  buffers.begin() + static_cast<ptrdiff_t>(end));
    return reduction.attempt(reduction.program().with_buffers(std::move(buffers)));
  });
  for (size_t i = 0; i < reduction.program().buffers().size() && !reduction.stopped(); ++i) {
    replace_buffer(reduction, i, plain(reduction.program().buffers()[i]));
    const std::optional<uint32_t> count = reduction.program().buffers()[i].count();
    shrink(count.value_or(0), [&reduction, i](uint32_t number) {
      return replace_buffer(reduction, i, reduction.program().buffers()[i].with_count(number));
    });
  }
  reduce_size(reduction, reduction.program().workgroup_size(),
              [](const Program& program, Dim3 size) { return program.with_workgroup_size(size); });
  if (reduction.program().extent() && !reduction.attempt(reduction.program().without_extent())) {
    reduce_size(reduction, *reduction.program().extent(),
                [](const Program& program, Dim3 size) { return program.with_extent(size); });
  }
  reduction.attempt(reduction.program().with_entry_op_id(std::nullopt));
  reduction.attempt(reduction.program().with_non_composable_with_self(false));
}

}  // namespace vyre::tools

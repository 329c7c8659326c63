// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The memory of one run: a view of each buffer that a program declares.
//
// Bound buffers belong to the caller; workgroup, local and transient ones are allocated here and
// start as zero (design rule E4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vyre/ir/program.h"
#include "vyre/ir/run.h"
#include "vyre/ir/scalar/memory.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

// One buffer as the invocations of a workgroup see it.
struct BufferView {
  std::byte* data = nullptr;
  uint64_t count = 0;             // elements: floor(bytes / stride)
  uint32_t stride = 0;            // bytes between elements
  uint64_t bytes = 0;             // of all elements and a rest that is none
  uint64_t invocation_bytes = 0;  // local arrays: bytes from one invocation's array to the next
  bool raw = false;               // loads give the bytes as they are
  bool is_f32 = false;
  bool shared = false;   // by all workgroups: bound and transient buffers
  bool watched = false;  // its accesses are noted
  scalar::Loader load = nullptr;
  scalar::Storer store = nullptr;

  const std::byte* at(uint64_t index, uint64_t invocation) const {
    return data + invocation * invocation_bytes + index * stride;
  }
  std::byte* at(uint64_t index, uint64_t invocation) {
    return data + invocation * invocation_bytes + index * stride;
  }
};

class Memory {
 public:
  // `bound` has one entry a buffer of the program, in declaration order; those of scratch buffers
  // are ignored. Errors: scratch memory beyond the options' limits, an element type without loads.
  static StatusOr<Memory> create(const Program& program,
                                 std::span<const std::span<std::byte>> bound,
                                 const RunOptions& options);

  // The same shared memory with scratch of its own.
  Memory fork() const;

  std::vector<BufferView>& views() { return views_; }
  const std::vector<BufferView>& views() const { return views_; }
  // All of a buffer, or of the invocation's local array.
  std::span<std::byte> bytes(uint32_t buffer, uint64_t invocation) {
    return {views_[buffer].at(0, invocation), views_[buffer].bytes};
  }
  // What create() allocated.
  uint64_t allocated_bytes() const;
  // Workgroup and local memory become zero again.
  void start_workgroup();

 private:
  std::vector<BufferView> views_;
  std::vector<std::vector<std::byte>> scratch_;  // of workgroup and local buffers
  std::vector<std::shared_ptr<std::vector<std::byte>>> transients_;
};

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The boundary where an allocation that fails becomes a status: the library throws nothing.
#pragma once

#include <new>
#include <stdexcept>

#include "vyre/ir/status.h"

namespace vyre::interpreter {

// f's result, or ResourceExhausted if it ran out of memory.
template <typename F>
auto within_memory(F f) -> decltype(f()) {
  const auto refusal = [] {
    return absl::ResourceExhaustedError(
        "the machine has not as much memory as the run needs. Fix: use smaller buffers or "
        "workgroups.");
  };
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return refusal();
  } catch (const std::length_error&) {
    // What a container of the standard library says of more than half the address space.
    return refusal();
  }
}

}  // namespace vyre::interpreter

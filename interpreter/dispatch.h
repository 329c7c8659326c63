// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How many workgroups a run has: the caller's choice, the program's extent, or, for programs that
// have neither, the original's inference from the sizes of the bound buffers (design rule E21).
#pragma once

#include <cstdint>
#include <span>

#include "vyre/ir/program.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

struct ChosenDispatch {
  Dispatch dispatch;
  DispatchSource source = DispatchSource::kInferred;
};

// `bound_bytes` has one entry a buffer of the program; those of scratch buffers are ignored.
// Errors: an invocation id along some axis would not fit 32 bits, the number of workgroups not 64.
StatusOr<ChosenDispatch> choose_dispatch(const Program& program,
                                         std::span<const uint64_t> bound_bytes,
                                         const RunOptions& options);

// The original's inference, in integers: enough invocations for the largest returned buffer, and
// for the largest other bound one too where the program returns nothing, has workgroup memory or
// has atomics; spread evenly over the axes whose workgroup size is above 1.
Dispatch infer_dispatch(const Program& program, std::span<const uint64_t> bound_bytes);

// The least integer r with r^n >= value; n is 1, 2 or 3.
uint32_t ceil_root(uint64_t value, int n);

}  // namespace vyre::interpreter

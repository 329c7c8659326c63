// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The plain evaluator: the definition of what a program computes, statement by statement in the
// order of design rule E2. It follows the rules and nothing else, so that it can judge whatever is
// faster.
//
//   Resolved resolved = resolve(program);
//   StatusOr<RunReport> report = run_plain(resolved, bound, options);
#pragma once

#include <cstddef>
#include <span>

#include "vyre/ir/resolve.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

// Runs the program on the bound buffers, in place. `bound` has one entry a buffer of the program in
// declaration order (those of scratch buffers are ignored); outputs must be zero at the start.
//
// A trap is reported, not an error; outputs are then meaningless. Errors: an invalid program
// (InvalidArgument), one that uses what is carried, not executed (Unimplemented), divergent
// barriers or subgroup operations and misused asynchronous copies (FailedPrecondition), a limit
// (ResourceExhausted, DeadlineExceeded), cancellation (Cancelled).
StatusOr<RunReport> run_plain(const Resolved& resolved, std::span<const std::span<std::byte>> bound,
                              const RunOptions& options);

}  // namespace vyre::interpreter

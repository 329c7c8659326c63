// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs a program on bound buffers: the entry to the interpreter for those who have a resolved
// program and bytes.
//
//   Resolved resolved = resolve(program);
//   StatusOr<CompiledProgram> compiled = CompiledProgram::create(std::move(resolved));
//   StatusOr<RunReport> report = compiled->run(bound, options);
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "vyre/interpreter/dispatch.h"
#include "vyre/interpreter/lane_code.h"
#include "vyre/interpreter/parallel_plan.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/run.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

// Whether the interpreter takes the program. Errors: it is not valid (InvalidArgument), or uses
// what is carried, not executed (Unimplemented).
Status check_runnable(const Resolved& resolved);

// Immutable; several threads may run it at once.
class CompiledProgram {
 public:
  // Errors: those of check_runnable; expressions that are too large (ResourceExhausted).
  static StatusOr<CompiledProgram> create(Resolved resolved);
  // With the lane kernels of an instruction set that this machine has: the bits are the same.
  static StatusOr<CompiledProgram> create_for(Resolved resolved, InstructionSet set);

  const Resolved& resolved() const { return *resolved_; }

  // Runs on the bound buffers, in place. `bound` has one entry a buffer of the program in
  // declaration order (those of scratch buffers are ignored); outputs must be zero at the start,
  // and two entries share bytes only if both are read alone (design rule E18).
  //
  // A trap is reported, not an error; outputs are then meaningless. Errors: divergent barriers or
  // subgroup operations, asynchronous copies without a start or an end (FailedPrecondition), a
  // limit (ResourceExhausted, DeadlineExceeded), cancellation (Cancelled).
  StatusOr<RunReport> run(std::span<const std::span<std::byte>> bound,
                          const RunOptions& options) const;

 private:
  StatusOr<RunReport> run_within_memory(std::span<const std::span<std::byte>> bound,
                                        const RunOptions& options) const;
  StatusOr<RunReport> run_checked(std::span<const std::span<std::byte>> bound,
                                  const ChosenDispatch& dispatch, const RunOptions& options) const;

  std::shared_ptr<const Resolved> resolved_;
  InstructionSet set_;
  std::shared_ptr<const LaneProgram> program_;
  std::vector<SegmentPlan> plans_;
};

// create() and run() in one.
StatusOr<RunReport> run_program(Resolved resolved, std::span<const std::span<std::byte>> bound,
                                const RunOptions& options);

}  // namespace vyre::interpreter

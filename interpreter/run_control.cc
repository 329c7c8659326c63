// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/run_control.h"

#include <fmt/format.h>

#include <algorithm>

namespace vyre::interpreter {

Status RunControl::count(uint64_t steps, StmtId stmt) {
  const uint64_t total = steps_.fetch_add(steps, std::memory_order_relaxed) + steps;
  if (options_.max_steps != 0 && total > options_.max_steps) {
    return absl::ResourceExhaustedError(
        limit_message(fmt::format("the limit of {} steps", options_.max_steps), stmt));
  }
  if (stopped()) return absl::AbortedError("another thread's result stands");
  return poll(stmt);
}

uint64_t RunControl::steps_to_next_count() const {
  if (options_.max_steps == 0) return kStepsBetweenCounts;
  const uint64_t total = steps();
  const uint64_t left = total < options_.max_steps ? options_.max_steps - total : 0;
  // The step that is one too many is noticed when it is made.
  return std::min(kStepsBetweenCounts, left + 1);
}

Status RunControl::poll(StmtId stmt) const {
  if (options_.cancellation && options_.cancellation->cancelled()) {
    return absl::CancelledError("the run was cancelled. Fix: run it again without cancelling.");
  }
  if (options_.max_seconds > 0 && seconds() > options_.max_seconds) {
    return absl::DeadlineExceededError(
        limit_message(fmt::format("the limit of {} seconds", options_.max_seconds), stmt));
  }
  return absl::OkStatus();
}

std::string RunControl::limit_message(std::string limit, StmtId stmt) const {
  StmtId loop = stmt;
  while (loop != kNoId && resolved_.statements[loop].node->kind() != NodeKind::kLoop) {
    loop = resolved_.statements[loop].parent;
  }
  if (loop == kNoId) {
    return fmt::format("{} was reached at {}. Fix: raise the limit.", limit, resolved_.path(stmt));
  }
  const Node& node = *resolved_.statements[loop].node;
  return fmt::format(
      "{} was reached in the loop over `{}` at {} ({}). Fix: make the loop end, or raise the "
      "limit.",
      limit, node.name(), resolved_.path(loop), node.place().to_string());
}

}  // namespace vyre::interpreter

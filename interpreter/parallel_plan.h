// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which segments of a program may run their workgroups at the same time, as far as the program
// tells; what it does not tell, the runner finds out from the elements that are touched.
#pragma once

#include <vector>

#include "vyre/interpreter/segments.h"

namespace vyre::interpreter {

struct SegmentPlan {
  // No atomic on memory that workgroups share gives a value that is used, and those on one buffer
  // commute and have it for themselves.
  bool may_be_parallel = true;
  // By buffer, of those that workgroups share: written, but not by atomics; changed by atomics;
  // either.
  std::vector<char> watched;
  std::vector<char> atomic;
  std::vector<char> changed;
};

std::vector<SegmentPlan> plan_segments(const Resolved& resolved);

}  // namespace vyre::interpreter

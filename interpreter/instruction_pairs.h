// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Two instructions of which the second alone reads what the first one gives become one, where there
// is a kernel for both: a comparison and the choice it makes, a product and the sum it is in. The
// bits are the same; an array less is written and read.
#pragma once

#include <span>
#include <vector>

#include "vyre/interpreter/lane_kernels.h"

namespace vyre::interpreter {

// `kept` is read after the code. Registers are numbered as RegisterAssignment does, each written
// once and before it is read.
void join_pairs(std::vector<LaneInstruction>& code, std::span<const LaneValue> kept,
                uint32_t register_count, const LaneKernels& kernels);

}  // namespace vyre::interpreter

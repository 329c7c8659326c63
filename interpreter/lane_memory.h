// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Stores of many lanes, and whether a statement may do its loads before them.
#pragma once

#include <span>

#include "vyre/interpreter/lane_code.h"

namespace vyre::interpreter {

// Stores the value of each active lane, in ascending order.
void store_lanes(const LaneContext& context, uint32_t buffer, const LaneValue& index,
                 const LaneValue& value);

// Whether no active lane loads an element that another one of the strip stores to: then it does not
// matter that all of them load first.
bool reads_own_elements(const LaneContext& context, const LaneValue& stored,
                        std::span<const LaneValue> loaded);

}  // namespace vyre::interpreter

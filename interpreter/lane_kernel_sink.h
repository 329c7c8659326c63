// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where a file that is compiled for one instruction set leaves its kernels: a plain function, so
// that no code of a container is compiled for a processor that may not be there.
#pragma once

#include "vyre/interpreter/lane_kernels.h"

namespace vyre::interpreter {

struct LaneKernelSink {
  void* all;
  void (*add)(void* all, scalar::Kernel kernel, bool wide, const LaneForms& forms);
  void (*add_pair)(void* all, scalar::Kernel first, scalar::Kernel second, const LaneForms& forms);
  void (*set_strided_load)(void* all, StridedLoad load);
};

}  // namespace vyre::interpreter

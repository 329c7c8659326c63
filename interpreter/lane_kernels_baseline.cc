// SPDX-License-Identifier: Apache-2.0 OR MIT
#define VYRE_LANE_ISA baseline
#include "vyre/interpreter/lane_kernels_impl.h"

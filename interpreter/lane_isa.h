// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the parts of lane_kernels_impl.h share. The file that includes it first defines
// VYRE_LANE_ISA, the name of the instruction set that it is compiled for.
#pragma once

#include <cstddef>
#include <cstdint>

#ifndef VYRE_LANE_ISA
#define VYRE_LANE_ISA baseline
#endif

#if defined(__clang__)
#define VYRE_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#else
// Iterations are independent: a target array is an operand's or apart from it.
#define VYRE_VECTORIZE _Pragma("GCC ivdep")
#endif

#define VYRE_INLINE [[gnu::always_inline]] inline

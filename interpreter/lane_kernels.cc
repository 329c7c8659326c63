// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_kernels.h"

#include "vyre/interpreter/lane_kernel_sink.h"
#include "vyre/ir/check.h"

namespace vyre::interpreter {

namespace baseline {
void add_lane_kernels(const LaneKernelSink& sink);
}
#if defined(VYRE_X86_64_LANES)
namespace avx2 {
void add_lane_kernels(const LaneKernelSink& sink);
}
namespace avx512 {
void add_lane_kernels(const LaneKernelSink& sink);
}
#endif

namespace {

LaneKernels made_by(void (*add)(const LaneKernelSink&)) {
  LaneKernels kernels;
  LaneKernelSink sink;
  sink.all = &kernels;
  sink.add = [](void* all, scalar::Kernel kernel, bool wide, const LaneForms& forms) {
    static_cast<LaneKernels*>(all)->add(kernel, wide, forms);
  };
  sink.add_pair = [](void* all, scalar::Kernel first, scalar::Kernel second,
                     const LaneForms& forms) {
    static_cast<LaneKernels*>(all)->add_pair(first, second, forms);
  };
  sink.set_strided_load = [](void* all, StridedLoad load) {
    static_cast<LaneKernels*>(all)->set_strided_load(load);
  };
  add(sink);
  return kernels;
}

}  // namespace

const char* spelling(InstructionSet set) {
  switch (set) {
    case InstructionSet::kBaseline:
      return "baseline";
    case InstructionSet::kAvx2:
      return "avx2";
    case InstructionSet::kAvx512:
      return "avx512";
  }
  VYRE_UNREACHABLE("an instruction set without a name");
}

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets{InstructionSet::kBaseline};
#if defined(VYRE_X86_64_LANES)
  // What the levels 3 and 4 of x86-64 ask for, as far as the compiler may use it here.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    sets.push_back(InstructionSet::kAvx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      sets.push_back(InstructionSet::kAvx512);
    }
  }
#endif
  return sets;
}

InstructionSet best_instruction_set() { return instruction_sets().back(); }

const LaneKernels& lane_kernels(InstructionSet set) {
  switch (set) {
    case InstructionSet::kBaseline: {
      static const LaneKernels kernels = made_by(&baseline::add_lane_kernels);
      return kernels;
    }
#if defined(VYRE_X86_64_LANES)
    case InstructionSet::kAvx2: {
      static const LaneKernels kernels = made_by(&avx2::add_lane_kernels);
      return kernels;
    }
    case InstructionSet::kAvx512: {
      static const LaneKernels kernels = made_by(&avx512::add_lane_kernels);
      return kernels;
    }
#else
    case InstructionSet::kAvx2:
    case InstructionSet::kAvx512:
      break;
#endif
  }
  VYRE_UNREACHABLE("lane kernels of an instruction set that this build has not");
}

}  // namespace vyre::interpreter

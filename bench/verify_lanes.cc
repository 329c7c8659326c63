// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checks that the lane kernels of f32 functions give the scalar kernels' bits for all 2^32 inputs,
// on each instruction set that this machine has. The scalar kernels are checked by vyre-verify-f32.
//
//   vyre-verify-lanes            all inputs
//   vyre-verify-lanes 4099       every 4099th
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "vyre/interpreter/lane_kernels.h"
#include "vyre/ir/op.h"
#include "vyre/ir/scalar/float_environment.h"

namespace {

using namespace vyre;
using namespace vyre::interpreter;

constexpr uint32_t kLanes = kMaxStripLanes;

bool is_nan(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

// The number of inputs for which the two differ; prints the first few.
uint64_t compare(Op op, InstructionSet set, uint64_t stride) {
  const scalar::Kernel kernel = scalar::find_kernel(op, DataType::F32);
  const LaneForms* forms = lane_kernels(set).find(kernel, false);
  if (forms == nullptr) {
    std::printf("%s: no lane kernel on %s\n", op_info(op).mnemonic, spelling(set));
    return 0;
  }
  alignas(64) std::array<uint64_t, 2 * kLanes> words{};
  LaneContext context;
  for (std::byte*& bank : context.banks) bank = reinterpret_cast<std::byte*>(words.data());
  context.last = kLanes;
  LaneInstruction instruction;
  instruction.target = Slot(Bank::kTemporaries, kLanes);
  uint32_t* inputs = context.lanes<uint32_t>(Slot(Bank::kTemporaries, 0));
  const uint32_t* results = context.lanes<uint32_t>(instruction.target);
  instruction.operands[0] = Slot(Bank::kTemporaries, 0);
  uint64_t differences = 0;
  uint64_t next = 0;
  while (next <= 0xFFFFFFFF) {
    for (uint32_t lane = 0; lane < kLanes; ++lane, next += stride) {
      inputs[lane] = static_cast<uint32_t>(next);
    }
    forms->by_scalars[0](instruction, context);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t operand = inputs[lane];
      scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
      const auto expected = static_cast<uint32_t>(kernel(&operand, trap));
      if (expected == results[lane] || (is_nan(expected) && is_nan(results[lane]))) continue;
      if (++differences > 5) continue;
      std::printf("%s(%08x) is %08x on %s and %08x by the scalar kernel\n", op_info(op).mnemonic,
                  inputs[lane], results[lane], spelling(set), expected);
    }
  }
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t stride = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  if (stride == 0) {
    std::fprintf(stderr, "usage: vyre-verify-lanes [STRIDE]\n");
    return 2;
  }
  const scalar::FloatEnvironment environment;
  uint64_t differences = 0;
  for (const InstructionSet set : instruction_sets()) {
    for (const Op op : {Op::kExp, Op::kSqrt, Op::kFloor, Op::kCeil, Op::kTrunc, Op::kAbs}) {
      const auto start = std::chrono::steady_clock::now();
      const uint64_t found = compare(op, set, stride);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::printf("%-6s %-9s %llu differences, %.1f s\n", op_info(op).mnemonic, spelling(set),
                  static_cast<unsigned long long>(found), seconds);
      std::fflush(stdout);
      differences += found;
    }
  }
  return differences == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How infix operations of the text form bind, for its printer and its parser only. OpFormat lists
// their formats from loose to tight; all group to the left but comparisons, which do not group.
#pragma once

#include "vyre/ir/op.h"

namespace vyre::internal {

constexpr bool is_infix(OpFormat format) {
  return format >= OpFormat::kInfixOr && format <= OpFormat::kInfixMul;
}
constexpr bool is_bitwise(OpFormat format) {
  return format >= OpFormat::kInfixBitOr && format <= OpFormat::kInfixShift;
}

// Whether an infix operation that is an operand of another one must stand in parentheses though
// precedence does not ask for them: languages disagree on how the two bind, so text never makes a
// reader guess. Logic is looser than both in all of them.
constexpr bool reader_would_guess(OpFormat parent, OpFormat operand) {
  const bool logic = parent == OpFormat::kInfixOr || parent == OpFormat::kInfixAnd;
  return !logic && is_bitwise(parent) != is_bitwise(operand);
}

}  // namespace vyre::internal

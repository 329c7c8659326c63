// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The program that a fuzz input is, as text or as VIR0.
#pragma once

#include <optional>

#include "tests/fuzz/fuzz_target.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::test {

inline std::optional<Program> program_of(std::string_view bytes) {
  if (wire::looks_like_vir0(bytes)) return wire::decode(bytes).program;
  return parse(bytes).program;
}

}  // namespace vyre::test

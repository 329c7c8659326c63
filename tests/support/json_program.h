// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The program that a JSON text describes: what a reader in another language would do, to judge what
// ir/json.h writes.
//
//   CHECK(test::program_from_json(to_json(program).value()) == program);
#pragma once

#include <string>

#include "vyre/ir/program.h"

namespace vyre::test {

// Throws std::exception where the text is not what docs/json.md says.
Program program_from_json(const std::string& json);

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The law of the text form, as a check of one program.
//
//   test::check_round_trip(program);
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "vyre/ir/parse.h"
#include "vyre/ir/print.h"

namespace vyre::test {

// parse(print(p)) is p, with the same hash, and prints to the same text.
inline void check_round_trip(const Program& program) {
  const StatusOr<std::string> text = print(program);
  REQUIRE(text.ok());
  const ParseResult result = parse(*text);
  if (!result.ok()) {
    INFO(render(result.diagnostics, *text));
    FAIL("the printed program does not parse");
  }
  const bool equal = *result.program == program && result.program->hash() == program.hash();
  if (equal && print(*result.program).value() == *text) return;
  INFO(*text);
  INFO(print(*result.program).value());
  FAIL("the parsed program is not the printed one");
}

}  // namespace vyre::test

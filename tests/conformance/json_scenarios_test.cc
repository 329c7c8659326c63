// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/conformance/scenarios.h"
#include "tests/support/json_program.h"
#include "vyre/ir/json.h"

namespace vyre {
namespace {

TEST_CASE("each scenario's program can be rebuilt from its JSON") {
  for (const auto scenarios :
       {test::memory_scenarios, test::control_scenarios, test::lanes_scenarios}) {
    for (const test::Scenario& scenario : scenarios()) {
      INFO(scenario.name);
      CHECK(test::program_from_json(to_json(scenario.program).value()) == scenario.program);
    }
  }
}

}  // namespace
}  // namespace vyre

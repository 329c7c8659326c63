// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/conformance/scenarios.h"

namespace vyre::test {

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all = memory_scenarios();
  for (auto* more : {&control_scenarios, &lanes_scenarios}) {
    const std::vector<Scenario> scenarios = more();
    all.insert(all.end(), scenarios.begin(), scenarios.end());
  }
  return all;
}

}  // namespace vyre::test

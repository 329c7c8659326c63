// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The programs of the recorded scenarios, built with the library's own functions. The recordings
// tell what each was run on and what came of it.
#pragma once

#include <string>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::test {

struct Scenario {
  std::string name;  // of the recording
  Program program;
};

std::vector<Scenario> memory_scenarios();
std::vector<Scenario> control_scenarios();
std::vector<Scenario> lanes_scenarios();
// All of these.
std::vector<Scenario> all_scenarios();

}  // namespace vyre::test

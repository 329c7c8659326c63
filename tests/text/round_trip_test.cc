// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/conformance/scenarios.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "tests/text/round_trip.h"
#include "vyre/builders/catalog.h"

namespace vyre {
namespace {

using test::check_round_trip;

TEST_CASE("U39: programs of the catalog are the same after text") {
  for (const catalog::Entry& entry : catalog::entries()) {
    for (const uint32_t size : {0U, 1U, 2U, 3U, 5U, 8U, 17U, 64U}) {
      std::vector<uint32_t> arguments(entry.parameters.size(), size);
      INFO(entry.name << " with all parameters " << size);
      check_round_trip(entry.build(arguments));
    }
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      std::vector<uint32_t> arguments;
      for (const catalog::Parameter& parameter : entry.parameters) {
        arguments.push_back(parameter.default_value);
      }
      arguments[i] += 3;
      INFO(entry.name << " with a larger " << entry.parameters[i].name);
      check_round_trip(entry.build(arguments));
    }
  }
}

TEST_CASE("U39: programs of the recorded scenarios are the same after text") {
  size_t count = 0;
  for (const auto& scenarios :
       {test::memory_scenarios(), test::control_scenarios(), test::lanes_scenarios()}) {
    for (const test::Scenario& scenario : scenarios) {
      INFO(scenario.name);
      check_round_trip(scenario.program);
      ++count;
    }
  }
  CHECK(count > 20);
}

TEST_CASE("U39: random programs are the same after text") {
  const auto count = static_cast<uint64_t>(test::sized_for_build("random programs", 10'000));
  for (uint64_t seed = 1; seed <= count; ++seed) {
    INFO("seed " << seed);
    check_round_trip(
        test::random_program(seed, {.grid_sync = seed % 3 == 0, .async = seed % 2 == 0}));
  }
}

}  // namespace
}  // namespace vyre

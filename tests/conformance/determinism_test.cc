// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The same catalog programs in both orders, again, and from several threads: the same bits (E1).
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catalog_inputs.h"
#include "tests/support/engine_run.h"

namespace vyre {
namespace {

TEST_CASE("every catalog program gives the same bits forward and reversed, on every engine") {
  std::map<std::string, std::vector<Value>> first_engine;
  for (const std::shared_ptr<Engine>& engine : engines()) {
    for (const catalog::Entry& entry : catalog::entries()) {
      INFO(engine->name() << " " << entry.name);
      const Program program = catalog::build(entry.name, {}).value();
      const std::vector<Value> inputs = test::catalog_inputs(program);
      const test::EngineRun forward = test::run_on(*engine, program, inputs);
      INFO(message_of(forward.status));
      REQUIRE(forward.ok());
      RunOptions reversed;
      reversed.reversed = true;
      CHECK(test::run_on(*engine, program, inputs, reversed).outputs == forward.outputs);
      const auto [at, is_first] =
          first_engine.try_emplace(std::string(entry.name), forward.outputs);
      CHECK(at->second == forward.outputs);
    }
  }
}

TEST_CASE("a program built anew is the same program, with the same hash") {
  for (const catalog::Entry& entry : catalog::entries()) {
    const Program first = catalog::build(entry.name, {}).value();
    const Program second = catalog::build(entry.name, {}).value();
    CHECK(first == second);
    CHECK(first.hash() == second.hash());
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <set>

namespace vyre {
namespace {

using interpreter::invocation_order;
using interpreter::SplitMix64;
using interpreter::WorkgroupOrder;

RunOptions seeded(uint64_t seed) {
  RunOptions options;
  options.schedule_seed = seed;
  options.reversed = true;  // The seed wins.
  return options;
}
RunOptions reversed() {
  RunOptions options;
  options.reversed = true;
  return options;
}

std::vector<uint64_t> workgroups(const RunOptions& options, uint64_t count, uint64_t segment = 0) {
  const WorkgroupOrder order(options, count, segment);
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < count; ++i) ids.push_back(order.at(i));
  return ids;
}

TEST_CASE("splitmix64 gives its published sequence") {
  SplitMix64 random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("without a seed, workgroups and invocations go up, or down when reversed") {
  CHECK(workgroups({}, 4) == std::vector<uint64_t>{0, 1, 2, 3});
  CHECK(workgroups(reversed(), 4) == std::vector<uint64_t>{3, 2, 1, 0});
  CHECK(invocation_order(3, {}, 7) == std::vector<uint32_t>{0, 1, 2});
  CHECK(invocation_order(3, reversed(), 7) == std::vector<uint32_t>{2, 1, 0});
  CHECK(WorkgroupOrder({}, 4, 0).ascending());
  CHECK_FALSE(WorkgroupOrder(reversed(), 4, 0).ascending());
  CHECK_FALSE(WorkgroupOrder(seeded(1), 4, 0).ascending());
}

TEST_CASE("a seeded order holds each workgroup once, for every count") {
  for (uint64_t count = 0; count < 300; ++count) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      std::vector<uint64_t> ids = workgroups(seeded(seed), count);
      std::ranges::sort(ids);
      std::vector<uint64_t> all(count);
      std::iota(all.begin(), all.end(), uint64_t{0});
      REQUIRE(ids == all);
    }
  }
}

TEST_CASE("a seeded order of very many workgroups takes no memory and repeats nothing") {
  for (const uint64_t count : {std::numeric_limits<uint64_t>::max(), (uint64_t{1} << 63) + 1,
                               (uint64_t{1} << 32) + 1, uint64_t{1} << 32}) {
    const WorkgroupOrder order(seeded(5), count, 0);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < 1000; ++i) {
      const uint64_t id = order.at(i);
      REQUIRE(id < count);
      REQUIRE(seen.insert(id).second);
      REQUIRE(order.at(count - 1 - i) < count);
    }
    CHECK(*seen.rbegin() > count / 2);
  }
}

TEST_CASE("seeds, segments and workgroups give orders of their own, the same in every process") {
  CHECK(workgroups(seeded(1), 50) != workgroups(seeded(2), 50));
  CHECK(workgroups(seeded(1), 50) != workgroups(seeded(1), 50, 1));
  CHECK(workgroups(seeded(1), 50) == workgroups(seeded(1), 50));
  CHECK(invocation_order(50, seeded(1), 0) != invocation_order(50, seeded(2), 0));
  CHECK(invocation_order(50, seeded(1), 0) != invocation_order(50, seeded(1), 1));
  CHECK(workgroups(seeded(1), 6) == std::vector<uint64_t>{2, 5, 1, 0, 4, 3});
  CHECK(invocation_order(6, seeded(1), 0) == std::vector<uint32_t>{2, 0, 1, 3, 4, 5});
}

TEST_CASE("every order of three invocations, and of three workgroups, comes up") {
  std::set<std::vector<uint32_t>> invocations;
  std::set<std::vector<uint64_t>> groups;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    invocations.insert(invocation_order(3, seeded(seed), 0));
    groups.insert(workgroups(seeded(seed), 3));
  }
  CHECK(invocations.size() == 6);
  CHECK(groups.size() == 6);
}

}  // namespace
}  // namespace vyre

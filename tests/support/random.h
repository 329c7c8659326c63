// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random: a generator of our own, since the standard's distributions differ between libraries.
//
//   test::Random random(seed);
//   const uint32_t die = 1 + random.below(6);
//   if (random.percent(30)) ...
//   const DataType::Kind type = random.one_of({DataType::U32, DataType::F32});
//
// The order of a call's arguments is the compiler's choice: never draw twice in one argument list.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace vyre::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567) {}

  uint64_t next() {
    // splitmix64
    state_ += 0x9E3779B97F4A7C15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }
  bool percent(uint32_t chance) { return below(100) < chance; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[next() % from.size()];
  }
  template <typename T>
  T one_of(std::initializer_list<T> from) {
    return from.begin()[next() % from.size()];
  }

 private:
  uint64_t state_;
};

}  // namespace vyre::test

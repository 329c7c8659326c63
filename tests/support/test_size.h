// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How much of a long test a build runs: all of it where code is optimised, less elsewhere.
//
//   const int shapes = test::sized_for_build("attention shapes", 200);
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace vyre::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSlowBuild = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
inline constexpr bool kSlowBuild = true;
#elif defined(__OPTIMIZE__)
inline constexpr bool kSlowBuild = false;
#else
inline constexpr bool kSlowBuild = true;
#endif
#elif defined(__OPTIMIZE__)
inline constexpr bool kSlowBuild = false;
#else
inline constexpr bool kSlowBuild = true;
#endif

// `all`, or a tenth of it in a build without optimisation or with sanitizers, which is said on
// stdout. With VYRE_TEST_ALL set in the environment it is always `all`.
inline int sized_for_build(const char* what, int all) {
  if (!kSlowBuild || std::getenv("VYRE_TEST_ALL") != nullptr) return all;
  const int some = std::max(1, all / 10);
  std::printf("SKIPPED: %d of %d %s, in this slow build; set VYRE_TEST_ALL to run them\n",
              all - some, all, what);
  return some;
}

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checks for what only a bug in vyre can cause. What a user can cause is a Status or a diagnostic.
#pragma once

#include <string_view>

namespace vyre::internal {

// Ends the process with exit code 70 after naming the broken invariant on stderr.
[[noreturn]] void check_failed(const char* file, int line, std::string_view what);

}  // namespace vyre::internal

#define VYRE_CHECK(condition, what)                             \
  do {                                                          \
    if (!(condition)) [[unlikely]]                              \
      ::vyre::internal::check_failed(__FILE__, __LINE__, what); \
  } while (false)
#define VYRE_UNREACHABLE(what) ::vyre::internal::check_failed(__FILE__, __LINE__, what)

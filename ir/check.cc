// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/check.h"

#include <cstdio>
#include <cstdlib>

namespace vyre::internal {

void check_failed(const char* file, int line, std::string_view what) {
  // A broken invariant has no caller to report to: this is the one place that prints.
  std::fprintf(stderr, "%s:%d: a bug in vyre: %.*s\n", file, line, static_cast<int>(what.size()),
               what.data());
  std::_Exit(70);
}

}  // namespace vyre::internal

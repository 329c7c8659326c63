// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/run.h"

#include <fmt/format.h>

#include "vyre/ir/check.h"

namespace vyre {
namespace {

uint32_t ceil_div(uint32_t a, uint32_t b) { return b == 0 ? 0 : a / b + (a % b != 0 ? 1 : 0); }

std::string text(Dim3 v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

}  // namespace

Dispatch Dispatch::covering(Dim3 extent, Dim3 workgroup_size) {
  return Dispatch{{ceil_div(extent.x, workgroup_size.x), ceil_div(extent.y, workgroup_size.y),
                   ceil_div(extent.z, workgroup_size.z)}};
}

const char* spelling(DispatchSource source) {
  switch (source) {
    case DispatchSource::kCaller:
      return "the caller";
    case DispatchSource::kExtent:
      return "the program's extent";
    case DispatchSource::kInferred:
      return "the buffers' sizes";
  }
  VYRE_UNREACHABLE("a dispatch source without a spelling");
}

std::string Trap::to_string() const {
  std::string result = fmt::format("trap `{}` at address {}, workgroup {}, invocation {}, {}", tag,
                                   address, text(workgroup), text(invocation), path);
  if (place.known()) result += fmt::format(" ({})", place.to_string());
  return result;
}

}  // namespace vyre

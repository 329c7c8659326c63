// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/run.h"

#include <absl/strings/cord.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

StatusOr<Checks> parse_checks(std::string_view text) {
  struct Known {
    std::string_view name;
    Checks checks;
  };
  constexpr Known kKnown[] = {{"all", Checks::all()},
                              {"races", Check::kRaces},
                              {"bounds", Check::kBounds},
                              {"wrap", Check::kWrap}};
  Checks checks;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto* const found = std::ranges::find(kKnown, name, &Known::name);
    if (found == std::end(kKnown)) {
      std::vector<std::string> names;
      for (const Known& known : kKnown) names.emplace_back(known.name);
      return absl::InvalidArgumentError(
          fmt::format("there is no check `{}`. Fix: use some of {}, with commas between them.",
                      std::string(name), fmt::join(names, ", ")));
    }
    checks = checks | found->checks;
    begin = end + 1;
  }
  return checks;
}

namespace {

constexpr char kTrapPayload[] = "vyre.trap";

// The payload: eight numbers, the length of the tag, the tag and the path.
std::string encode(const Trap& trap) {
  return fmt::format("{} {} {} {} {} {} {} {} {}{}", trap.address, trap.workgroup.x,
                     trap.workgroup.y, trap.workgroup.z, trap.invocation.x, trap.invocation.y,
                     trap.invocation.z, trap.tag.size(), trap.tag, trap.path);
}

}  // namespace

Status trap_status(const Trap& trap) {
  // A builder's trap says itself what to fix.
  const bool has_fix = trap.tag.find("Fix:") != std::string::npos;
  Status status = absl::AbortedError(
      trap.to_string() +
      (has_fix ? "" : ". Fix: guard the statement, so that it is not reached with such values."));
  status.SetPayload(kTrapPayload, absl::Cord(encode(trap)));
  return status;
}

std::optional<Trap> trap_of(const Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kTrapPayload);
  if (!payload) return std::nullopt;
  const std::string text(*payload);
  const char* at = text.data();
  const char* const end = at + text.size();
  Trap trap;
  uint64_t tag_size = 0;
  const auto read = [&](auto& number) {
    at = std::from_chars(at, end, number).ptr;
    if (at != end) ++at;
  };
  read(trap.address);
  for (Dim3* id : {&trap.workgroup, &trap.invocation}) {
    read(id->x);
    read(id->y);
    read(id->z);
  }
  read(tag_size);
  trap.tag.assign(at, tag_size);
  trap.path.assign(at + tag_size, end);
  return trap;
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What RunChecker says of what it found.
#include <fmt/format.h>

#include <algorithm>

#include "vyre/interpreter/checks/exact_kernels.h"
#include "vyre/interpreter/checks/run_checker.h"
#include "vyre/ir/check.h"
#include "vyre/ir/expr_site.h"

namespace vyre::interpreter {
namespace {

using internal::ExprSite;

struct Where {
  std::string path;
  Place place;

  std::string to_string() const {
    return place.known() ? fmt::format("{} ({})", path, place.to_string()) : path;
  }
};

Where where(const Resolved& resolved, const AccessSite& access) {
  if (access.expr != kNoId) {
    const std::optional<ExprSite> site = internal::find_site(resolved, access.stmt, access.expr);
    VYRE_CHECK(site.has_value(), "an access stands in its statement");
    return {internal::path_of(resolved, *site), internal::place_of(resolved, *site)};
  }
  return {resolved.path(access.stmt), resolved.statements[access.stmt].node->place()};
}

// "... loads it at ..."
const char* does_what(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return "loads it";
    case AccessKind::kStore:
      return "stores to it";
    case AccessKind::kAtomic:
      return "updates it";
    case AccessKind::kCopyRead:
      return "copies from it";
    case AccessKind::kCopyWrite:
      return "ends a copy to it that it started";
  }
  VYRE_UNREACHABLE("a kind of access");
}

bool is_copy(AccessKind kind) {
  return kind == AccessKind::kCopyRead || kind == AccessKind::kCopyWrite;
}

std::string fix_of_race(bool one_workgroup, bool one_site, bool shared, DispatchSource source) {
  if (one_workgroup && !one_site) {
    return "Put a barrier between the two, on every way from one to the other.";
  }
  if (one_workgroup) {
    return "Let one invocation do it, or each on an element of its own; or use an atomic.";
  }
  VYRE_CHECK(shared, "other workgroups have other memory");
  std::string fix =
      "A workgroup's barriers do not order other workgroups: use an atomic or `barrier grid_sync`, "
      "or give each workgroup elements of its own";
  if (source == DispatchSource::kInferred) {
    fix +=
        "; or say how many invocations run, if fewer were meant: the program has no extent, so the "
        "grid follows from the sizes of its buffers";
  }
  return fix + ".";
}

}  // namespace

std::string RunChecker::spell(const Invocation& invocation) const {
  const Dim3 size = resolved_.program.workgroup_size();
  return fmt::format("invocation ({}, {}, {}) of workgroup ({}, {}, {})", invocation.lane % size.x,
                     invocation.lane / size.x % size.y, invocation.lane / size.x / size.y,
                     invocation.workgroup_id.x, invocation.workgroup_id.y,
                     invocation.workgroup_id.z);
}

Diagnostic RunChecker::describe(const std::pair<SiteId, SiteId>& sites, const Race& race,
                                DispatchSource source) const {
  const AccessSite& first = program_.sites[sites.first];
  const AccessSite& second = program_.sites[sites.second];
  const Where here = where(resolved_, first);
  const BufferDecl& buffer = resolved_.program.buffers()[first.buffer];
  const bool one_site = sites.first == sites.second;
  std::string cause =
      fmt::format("race on `{}`[{}]: {} {} here, and {} {} {}, and nothing orders the two",
                  buffer.name(), race.element, spell(race.by[0]), does_what(first.kind),
                  spell(race.by[1]), does_what(second.kind),
                  one_site ? std::string("here") : "at " + where(resolved_, second).to_string());
  return {"C001",
          Severity::kError,
          here.path,
          here.place,
          std::move(cause),
          fix_of_race(race.by[0].workgroup == race.by[1].workgroup, one_site,
                      !buffer.is_workgroup(), source),
          {where(resolved_, second).place}};
}

Diagnostic RunChecker::describe(SiteId site, const Beyond& beyond) const {
  const AccessSite& access = program_.sites[site];
  const Where here = where(resolved_, access);
  const std::string_view name = resolved_.program.buffers()[access.buffer].name();
  std::string cause;
  std::string fix;
  if (is_copy(access.kind)) {
    cause = fmt::format("the copy by {} reaches byte {} of `{}`, which has {}", spell(beyond.by),
                        beyond.index - 1, name, beyond.size);
    fix = "Copy no more than there is, or make the buffer larger.";
  } else {
    cause = fmt::format("{} {} `{}`[{}], and `{}` has {} elements: {}", spell(beyond.by),
                        access.kind == AccessKind::kLoad    ? "loads"
                        : access.kind == AccessKind::kStore ? "stores to"
                                                            : "updates",
                        name, beyond.index, name, beyond.size,
                        access.kind == AccessKind::kStore ? "nothing is stored" : "it gets 0");
    fix = fmt::format(
        "Let only invocations do it whose index is less than `len({})`, or make the buffer larger.",
        name);
  }
  return {"C002", Severity::kError, here.path, here.place, std::move(cause), std::move(fix)};
}

Diagnostic RunChecker::describe(SiteId site, const Wrapped& wrapped) const {
  const AccessSite& access = program_.sites[site];
  const Where here = where(resolved_, access);
  const std::string exact = wrapped.exact == kFar ? std::string("a number beyond 64 bits")
                                                  : fmt::format("{}", wrapped.exact);
  return {
      "C004",
      Severity::kError,
      here.path,
      here.place,
      fmt::format("{} reaches `{}`[{}], and the arithmetic of the index gives {}: it left its "
                  "type on the way",
                  spell(wrapped.by), resolved_.program.buffers()[access.buffer].name(),
                  wrapped.index, exact),
      "Keep all that the index is computed from within its type, or compute it in a wider one."};
}

std::vector<Diagnostic> RunChecker::findings(DispatchSource source, uint64_t& omitted) const {
  struct Finding {
    const AccessSite* site;
    const std::pair<const std::pair<SiteId, SiteId>, Race>* race;
    const std::pair<const SiteId, Beyond>* beyond;
    const std::pair<const SiteId, Wrapped>* wrapped;
  };
  std::vector<Finding> found;
  for (const auto& race : races_) {
    found.push_back({&program_.sites[race.first.first], &race, nullptr, nullptr});
  }
  for (const auto& beyond : beyond_) {
    found.push_back({&program_.sites[beyond.first], nullptr, &beyond, nullptr});
  }
  for (const auto& wrapped : wrapped_) {
    found.push_back({&program_.sites[wrapped.first], nullptr, nullptr, &wrapped});
  }
  std::ranges::stable_sort(found,
                           [](const Finding& a, const Finding& b) { return *a.site < *b.site; });
  omitted = found.size() - std::min<size_t>(found.size(), options_.max_findings);
  std::vector<Diagnostic> diagnostics;
  for (const Finding& finding : std::span(found).first(found.size() - omitted)) {
    if (finding.race != nullptr) {
      diagnostics.push_back(describe(finding.race->first, finding.race->second, source));
    } else if (finding.beyond != nullptr) {
      diagnostics.push_back(describe(finding.beyond->first, finding.beyond->second));
    } else {
      diagnostics.push_back(describe(finding.wrapped->first, finding.wrapped->second));
    }
  }
  return diagnostics;
}

}  // namespace vyre::interpreter

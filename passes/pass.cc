// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "vyre/ir/check.h"
#include "vyre/ir/nearest_name.h"
#include "vyre/passes/bind_shared.h"
#include "vyre/passes/const_fold.h"
#include "vyre/passes/dce.h"
#include "vyre/passes/simplify.h"

namespace vyre {

namespace {

bool has_atomics(const Program& program) {
  return std::ranges::any_of(program.entry(),
                             [](const Node& node) { return node.has(NodeEffects::kAtomic); });
}

}  // namespace

const char* spelling(Exactness exactness) {
  switch (exactness) {
    case Exactness::kExact:
      return "exact";
    case Exactness::kNumeric:
      return "numeric";
  }
  VYRE_UNREACHABLE("an exactness without a spelling");
}

std::span<const Pass> all_passes() {
  static constexpr Pass kPasses[] = {
#define VYRE_PASS(function, name, exactness, summary) \
  {name, summary, Exactness::exactness, &passes::function},
#include "vyre/passes/passes.def"
  };
  return kPasses;
}

StatusOr<const Pass*> find_pass(std::string_view name) {
  std::vector<std::string> known;
  for (const Pass& pass : all_passes()) {
    if (pass.name == name) return &pass;
    known.emplace_back(pass.name);
  }
  const std::optional<std::string> nearest = nearest_name(name, known);
  return absl::NotFoundError(
      fmt::format("there is no pass `{}`. Fix: {}", name,
                  nearest ? fmt::format("did you mean `{}`?", *nearest)
                          : fmt::format("the passes are {}.", fmt::join(known, ", "))));
}

StatusOr<Resolved> resolve_for_pass(const Program& program) {
  Resolved resolved = resolve(program);
  if (resolved.ok()) return resolved;
  return absl::FailedPreconditionError(fmt::format(
      "the program has {} error{}, the first one is\n{}", resolved.diagnostics.size(),
      resolved.diagnostics.size() == 1 ? "" : "s", resolved.diagnostics.front().to_string()));
}

PassResult compared(const Program& before, Program after) {
  // Without an extent, the size of a run may be inferred, and atomics count in that.
  if (!before.extent() && has_atomics(before) != has_atomics(after)) return {before, false};
  const bool changed = after.hash() != before.hash();
  return {std::move(after), changed};
}

}  // namespace vyre

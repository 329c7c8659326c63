// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "vyre/builders/attention_oracle.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/builders/planner.h"
#include "vyre/ir/nearest_name.h"

namespace vyre::catalog {
namespace {

constexpr Parameter kSeqLen{"seq_len", 8, 1, "query rows, and keys a row"};
constexpr Parameter kHeadDim{"head_dim", 16, 1, "elements of a row"};
constexpr Parameter kTileSize{"tile_size", 4, 1, "keys a tile"};

constexpr Parameter kTiledParameters[] = {kSeqLen, kHeadDim, kTileSize};
constexpr Parameter kReferenceParameters[] = {kSeqLen, kHeadDim};
constexpr std::string_view kAttentionInputs[] = {"q", "k", "v"};
constexpr std::string_view kAttentionOutputs[] = {"out"};

Program build_tiled(std::span<const uint32_t> a) {
  return flash_attention_2("q", "k", "v", "out", a[0], a[1], a[2]);
}

Program build_reference(std::span<const uint32_t> a) {
  return flash_attention_2_reference("q", "k", "v", "out", a[0], a[1]);
}

StatusOr<std::vector<double>> attention_oracle(std::span<const uint32_t> a,
                                               std::span<const std::vector<float>> inputs) {
  if (inputs.size() != 3) {
    return absl::InvalidArgumentError(
        fmt::format("attention takes q, k and v, but {} inputs were given. Fix: pass 3 inputs.",
                    inputs.size()));
  }
  return attention_float64(inputs[0], inputs[1], inputs[2], a[0], a[1]);
}

// Queries, keys, values and results alike.
std::vector<uint32_t> attention_shape(std::span<const uint32_t> a, std::string_view) {
  return {a[0], a[1]};
}

StatusOr<std::string> text_of(const StatusOr<FlashAttentionWorkPlan>& plan) {
  if (!plan.ok()) return plan.status();
  return plan->to_string();
}

StatusOr<std::string> plan_tiled(std::span<const uint32_t> a) {
  return text_of(plan_flash_attention_tiled(a[0], a[1], a[2]));
}

StatusOr<std::string> plan_reference(std::span<const uint32_t> a) {
  return text_of(plan_flash_attention_scalar(a[0], a[1]));
}

constexpr Entry kEntries[] = {
    {"flash_attention_2",
     "FlashAttention-2: tiled online-softmax attention, one invocation a query row.",
     kTiledParameters, kAttentionInputs, kAttentionOutputs, build_tiled, attention_shape,
     attention_oracle, plan_tiled},
    {"flash_attention_2_reference",
     "Online-softmax attention key by key, to compare flash_attention_2 with.",
     kReferenceParameters, kAttentionInputs, kAttentionOutputs, build_reference, attention_shape,
     attention_oracle, plan_reference},
};
static_assert(std::ranges::is_sorted(kEntries, {}, &Entry::name));

template <typename Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

// "did you mean x? Known: x, y."
std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  if (const auto nearest = nearest_name(name, known)) {
    return fmt::format("did you mean `{}`? Known: {}.", *nearest, list);
  }
  return fmt::format("use one of: {}.", list);
}

}  // namespace

std::span<const Entry> entries() { return kEntries; }

StatusOr<const Entry*> find(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return &entry;
  }
  return absl::NotFoundError(fmt::format("no program named `{}` in the catalog. Fix: {}", name,
                                         suggestion(name, names_of(kEntries))));
}

StatusOr<std::vector<uint32_t>> arguments_for(const Entry& entry,
                                              const std::map<std::string, uint32_t>& parameters) {
  const std::vector<std::string> known = names_of(entry.parameters);
  std::vector<std::string> problems;
  for (const auto& [name, value] : parameters) {
    if (std::ranges::find(known, name) != known.end()) continue;
    problems.push_back(fmt::format("{} has no parameter `{}`. Fix: {}", entry.name, name,
                                   suggestion(name, known)));
  }
  if (!problems.empty()) {
    return absl::InvalidArgumentError(fmt::format("{}", fmt::join(problems, "\n")));
  }
  std::vector<uint32_t> arguments;
  for (const Parameter& parameter : entry.parameters) {
    const auto given = parameters.find(std::string(parameter.name));
    arguments.push_back(given == parameters.end() ? parameter.default_value : given->second);
  }
  return arguments;
}

StatusOr<Program> build(std::string_view name, const std::map<std::string, uint32_t>& parameters) {
  const StatusOr<const Entry*> entry = find(name);
  if (!entry.ok()) return entry.status();
  const StatusOr<std::vector<uint32_t>> arguments = arguments_for(**entry, parameters);
  if (!arguments.ok()) return arguments.status();
  return (*entry)->build(*arguments);
}

}  // namespace vyre::catalog

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/f32_inputs.h"

#include <cinttypes>
#include <cstdio>

namespace vyre::bench {

namespace {

// Part i of n of 0..total for a text "i/n"; nothing if the text is no such part.
std::optional<Range> parse_slice(const std::string& text, std::uint64_t total) {
  std::uint64_t index = 0;
  std::uint64_t count = 0;
  char after = 0;
  const int read = std::sscanf(text.c_str(), "%" SCNu64 "/%" SCNu64 "%c", &index, &count, &after);
  constexpr std::uint64_t kMostSlices = 65536;
  if (read != 2 || count == 0 || count > kMostSlices || index >= count) return std::nullopt;
  return Range{total * index / count, total * (index + 1) / count};
}

}  // namespace

void InputOptions::add_to(CLI::App& app) {
  app.add_option("--sample", sample, "Check this many random inputs instead of all 2^32")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40));
  app.add_option("--seed", seed, "Seed of the sample");
  app.add_option("--slice", slice, "Only part i of n of the inputs, written i/n");
  app.add_option("--threads", threads, "Number of threads")->check(CLI::Range(1u, 256u));
}

std::optional<Range> InputOptions::range() const {
  constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
  const std::optional<Range> range = parse_slice(slice, sample != 0 ? sample : kAll);
  if (!range) std::fprintf(stderr, "--slice wants i/n with i < n <= 65536\n");
  return range;
}

}  // namespace vyre::bench

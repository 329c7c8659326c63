// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which f32 inputs a check runs over, as its command line says: all 2^32, a slice, random ones.
//
//   bench::InputOptions inputs;
//   inputs.add_to(app);  // --sample, --seed, --slice, --threads
//   std::optional<bench::Range> range = inputs.range();
//   bench::for_each_input(inputs, block, [&](std::uint32_t bits) { check(bits); });
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "bench/verify_blocks.h"

namespace vyre::bench {

struct InputOptions {
  std::uint64_t sample = 0;  // this many random inputs; 0 for all
  std::uint64_t seed = 1;
  std::string slice = "0/1";
  unsigned threads = 1;

  void add_to(CLI::App& app);

  // The inputs by number; nothing, and a line on stderr, if the options make no sense.
  std::optional<Range> range() const;
};

// Calls check(bits) for each input of a block: its number, or random bits from the seed.
template <typename Check>
void for_each_input(const InputOptions& options, Range block, Check check) {
  std::seed_seq sequence{options.seed, options.seed >> 32, block.first, block.first >> 32};
  std::mt19937_64 random(sequence);
  for (std::uint64_t i = block.first; i < block.last; ++i) {
    check(static_cast<std::uint32_t>(options.sample != 0 ? random() : i));
  }
}

}  // namespace vyre::bench

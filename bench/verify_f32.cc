// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checks the f32 functions against the exact mathematical result, by default for all 2^32 inputs.
//
//   vyre-verify-f32 --function exp --function log --threads 2
//   vyre-verify-f32 --sample 10000000 --seed 7
//   vyre-verify-f32 --function sin --slice 3/16 --paths
//   vyre-verify-f32 --sample 200000 --deep
//   vyre-verify-f32 --hard-cases 40 --random-cases 80 --write f32_cases.inc
//
// The first judge is the C library's double function with a margin: where everything within 1e-14
// of its result, relative to it, rounds to one f32, that f32 is expected; elsewhere, near a
// boundary between two f32, MPFR rounds the exact result. The margin is 45 units of 2^-52. glibc's
// manual lists at most 2 units in the last place as the largest known error of any of these
// functions in double precision, and the multiplication by 1 +- 1e-14 adds half a unit, so an error
// would have to be 20 times the largest known to matter, and would go unnoticed only where the
// function under test and the second judge return the same wrong f32. Zeros, infinities and NaN
// have no margin: for them the C library is believed.
//
// The second judge is independent of both: the correctly rounded functions of LLVM's libc where the
// build found it, and integer arithmetic for sqrt, inverse_sqrt and reciprocal. It has to agree
// with what is expected on every input.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/f32_cases.h"
#include "bench/f32_functions.h"
#include "bench/f32_inputs.h"
#include "bench/f32_oracle.h"
#include "bench/verify_blocks.h"

namespace {

using namespace vyre::bench;
using vyre::scalar::detail::Estimate;

struct Options {
  std::vector<std::string> functions;
  InputOptions inputs;
  bool paths = false;
  bool deep = false;
  CaseWriter::Counts cases;
  std::string write;
};

struct Tally {
  std::uint64_t inputs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t by_mpfr = 0;
  std::uint64_t differences = 0;  // between the second judge and what is expected
  std::uint64_t unsettled = 0;
  double worst_ratio = 0.0;
  double seconds = 0.0;
  std::vector<HardCase> hard;

  void add(const Tally& other) {
    inputs += other.inputs;
    mismatches += other.mismatches;
    by_mpfr += other.by_mpfr;
    differences += other.differences;
    unsettled += other.unsettled;
    worst_ratio = std::max(worst_ratio, other.worst_ratio);
    hard.insert(hard.end(), other.hard.begin(), other.hard.end());
  }
};

// The only f32 that the exact result can round to if the first judge is certain of it.
std::optional<float> certain_result(const Function& function, float x) {
  constexpr double kMargin = 1e-14;
  const double y = function.judge(static_cast<double>(x));
  const float low = canonical(static_cast<float>(y * (1.0 - kMargin)));
  const float high = canonical(static_cast<float>(y * (1.0 + kMargin)));
  if (!same(low, high)) return std::nullopt;
  return low;
}

class Checker {
 public:
  Checker(const Function& function, const Options& options)
      : function_(function), options_(options) {}

  Tally run(Range block) {
    for_each_input(options_.inputs, block, [this](std::uint32_t input) { check(input); });
    tally_.inputs = block.size();
    return std::move(tally_);
  }

 private:
  void check(std::uint32_t input) {
    const float x = float_of(input);
    const std::optional<float> certain = certain_result(function_, x);
    const float expected = certain ? *certain : oracle_.round(function_, x);
    const float actual = function_.tested(x);
    if (!same(actual, expected)) {
      report(++tally_.mismatches, "wrong result", input, actual, expected);
    }
    if (!certain) count_hard(input, expected);
    if (function_.second_judge != nullptr) compare_judges(input, expected);
    if (function_.estimate != nullptr && (options_.paths || options_.deep)) {
      check_paths(input, expected);
    }
  }

  void count_hard(std::uint32_t input, float expected) {
    ++tally_.by_mpfr;
    if (options_.cases.hard == 0) return;
    const double distance = oracle_.boundary_distance(function_, float_of(input));
    tally_.hard.push_back({distance, input, bits_of(expected)});
  }

  void compare_judges(std::uint32_t input, float expected) {
    const float second = canonical(function_.second_judge(float_of(input)));
    if (same(second, expected)) return;
    report(++tally_.differences, "second judge", input, second, expected);
  }

  void check_paths(std::uint32_t input, float expected) {
    const float x = float_of(input);
    const Estimate estimate = function_.estimate(x);
    const bool settled = vyre::scalar::detail::is_settled(estimate);
    if (!settled && std::isfinite(x) && expected == expected) ++tally_.unsettled;
    if (!options_.deep) return;
    const float slow = function_.precise(x);
    if (!same(slow, expected)) {
      report(++tally_.mismatches, "wrong precise path", input, slow, expected);
    }
    // Clamped arguments keep the right f32 result, not the right double.
    const bool clamped = expected == 0.0f || std::fabs(expected) == 1.0f;
    if (clamped || !settled || !std::isfinite(x) || !std::isfinite(expected)) return;
    const double ratio = oracle_.bound_ratio(function_, x, estimate);
    if (ratio > 1.0) {
      const float rounded = static_cast<float>(estimate.value);
      report(++tally_.mismatches, "wrong estimate's bound", input, rounded, expected);
    }
    tally_.worst_ratio = std::max(tally_.worst_ratio, ratio);
  }

  // Prints the first few of each block; the table counts them all.
  void report(std::uint64_t count, const char* what, std::uint32_t input, float actual,
              float expected) {
    if (count > 10) return;
    std::printf("%s: %s for 0x%08" PRIX32 ": 0x%08" PRIX32 ", expected 0x%08" PRIX32 "\n",
                function_.name, what, input, bits_of(actual), bits_of(expected));
    std::fflush(stdout);
  }

  const Function& function_;
  const Options& options_;
  Oracle oracle_;
  Tally tally_;
};

void print_row(const Function& function, const Options& options, const Tally& tally) {
  const bool has_paths = function.estimate != nullptr && (options.paths || options.deep);
  const auto count_if = [](bool wanted, std::uint64_t count) {
    return wanted ? std::to_string(count) : std::string("-");
  };
  std::printf("%-13s %11" PRIu64 " %10" PRIu64 " %9" PRIu64 " %12s %9s %11s %8.1f\n", function.name,
              tally.inputs, tally.mismatches, tally.by_mpfr,
              count_if(function.second_judge != nullptr, tally.differences).c_str(),
              count_if(has_paths, tally.unsettled).c_str(),
              has_paths && options.deep ? std::to_string(tally.worst_ratio).c_str() : "-",
              tally.seconds);
  std::fflush(stdout);
}

bool is_chosen(const Function& function, const std::vector<std::string>& chosen) {
  return chosen.empty() || std::find(chosen.begin(), chosen.end(), function.name) != chosen.end();
}

int run(const Options& options) {
  const std::optional<Range> range = options.inputs.range();
  if (!range) return 2;
  if (!has_llvm_libc()) {
    std::printf(
        "Built without LLVM's libc: only sqrt, inverse_sqrt and reciprocal have a second "
        "judge.\n");
  }
  std::optional<CaseWriter> writer;
  if (!options.write.empty()) writer.emplace(options.write, options.cases);
  std::vector<std::pair<const Function*, Tally>> rows;
  for (const Function& function : functions()) {
    if (!is_chosen(function, options.functions)) continue;
    Tally tally =
        run_blocks<Tally>(*range, options.inputs.threads, function.name,
                          [&](Range block) { return Checker(function, options).run(block); });
    if (writer) writer->write(function, std::move(tally.hard));
    rows.emplace_back(&function, std::move(tally));
    std::fprintf(stderr, "%s: done in %.1f s\n", function.name, rows.back().second.seconds);
  }
  std::printf("%-13s %11s %10s %9s %12s %9s %11s %8s\n", "function", "inputs", "mismatches",
              "by MPFR", "second judge", "unsettled", "worst bound", "seconds");
  bool all_right = true;
  for (const auto& [function, tally] : rows) {
    print_row(*function, options, tally);
    all_right = all_right && tally.mismatches == 0 && tally.differences == 0;
  }
  if (writer && !writer->finish()) {
    std::fprintf(stderr, "cannot write %s\n", options.write.c_str());
    return 2;
  }
  return all_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Checks vyre's f32 functions against the exact results");
  std::vector<std::string> names;
  for (const Function& function : functions()) names.emplace_back(function.name);
  app.add_option("--function", options.functions, "Only this function; may be repeated")
      ->check(CLI::IsMember(names));
  options.inputs.add_to(app);
  app.add_flag("--paths", options.paths, "Count the inputs that the double estimate leaves open");
  app.add_flag("--deep", options.deep,
               "Check the precise path and the estimate's error bound on every input (slow)");
  app.add_option("--hard-cases", options.cases.hard, "Keep this many inputs nearest to a boundary");
  app.add_option("--random-cases", options.cases.random, "Write this many random inputs too");
  app.add_option("--write", options.write, "Where to write the cases");
  CLI11_PARSE(app, argc, argv);
  options.cases.seed = options.inputs.seed;
  return run(options);
}

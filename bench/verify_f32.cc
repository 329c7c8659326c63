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
// The judge is the C library's double function: where its result, give or take 1e-14 of itself,
// rounds to one f32, that f32 is expected. MPFR decides the inputs near a rounding boundary.
#include <mpfr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "vyre/ir/scalar/f32_math.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace {

using vyre::scalar::detail::Estimate;
using Clock = std::chrono::steady_clock;
namespace scalar = vyre::scalar;
namespace detail = vyre::scalar::detail;

struct Function {
  const char* name;
  float (*tested)(float);
  double (*judge)(double);
  int (*exact)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
  Estimate (*estimate)(float);  // null for functions that have one path only
  float (*precise)(float);
};

// Wrapped because a library function's address is not portable and some MPFR names are macros.
#define VYRE_JUDGED(name, judge)  \
  [](double x) { return judge; }, \
      [](mpfr_t y, mpfr_srcptr x, mpfr_rnd_t r) { return name(y, x, r); }
#define VYRE_NAMED(name) #name, scalar::f32_##name
#define VYRE_HALVES(name) detail::estimate_##name, detail::precise_##name

const Function kFunctions[] = {
    {VYRE_NAMED(exp), VYRE_JUDGED(mpfr_exp, std::exp(x)), VYRE_HALVES(exp)},
    {VYRE_NAMED(log), VYRE_JUDGED(mpfr_log, std::log(x)), VYRE_HALVES(log)},
    {VYRE_NAMED(sin), VYRE_JUDGED(mpfr_sin, std::sin(x)), VYRE_HALVES(sin)},
    {VYRE_NAMED(cos), VYRE_JUDGED(mpfr_cos, std::cos(x)), VYRE_HALVES(cos)},
    {VYRE_NAMED(tanh), VYRE_JUDGED(mpfr_tanh, std::tanh(x)), VYRE_HALVES(tanh)},
    {VYRE_NAMED(exp2), VYRE_JUDGED(mpfr_exp2, std::exp2(x)), VYRE_HALVES(exp2)},
    {VYRE_NAMED(log2), VYRE_JUDGED(mpfr_log2, std::log2(x)), VYRE_HALVES(log2)},
    {VYRE_NAMED(tan), VYRE_JUDGED(mpfr_tan, std::tan(x)), VYRE_HALVES(tan)},
    {VYRE_NAMED(inverse_sqrt), VYRE_JUDGED(mpfr_rec_sqrt, 1.0 / std::sqrt(x)),
     VYRE_HALVES(inverse_sqrt)},
    {VYRE_NAMED(reciprocal), [](double x) { return 1.0 / x; },
     [](mpfr_t y, mpfr_srcptr x, mpfr_rnd_t r) { return mpfr_ui_div(y, 1, x, r); }, nullptr,
     nullptr},
    {VYRE_NAMED(sqrt), VYRE_JUDGED(mpfr_sqrt, std::sqrt(x)), nullptr, nullptr},
    {VYRE_NAMED(sinh), VYRE_JUDGED(mpfr_sinh, std::sinh(x)), VYRE_HALVES(sinh)},
    {VYRE_NAMED(cosh), VYRE_JUDGED(mpfr_cosh, std::cosh(x)), VYRE_HALVES(cosh)},
    {VYRE_NAMED(asin), VYRE_JUDGED(mpfr_asin, std::asin(x)), VYRE_HALVES(asin)},
    {VYRE_NAMED(acos), VYRE_JUDGED(mpfr_acos, std::acos(x)), VYRE_HALVES(acos)},
    {VYRE_NAMED(atan), VYRE_JUDGED(mpfr_atan, std::atan(x)), VYRE_HALVES(atan)},
};

#undef VYRE_JUDGED
#undef VYRE_NAMED
#undef VYRE_HALVES

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
bool same(float a, float b) { return bits_of(a) == bits_of(b); }

// MPFR numbers with the precision and the exponent range of f32, which with mpfr_subnormalize()
// gives its subnormals too; and a wide pair for distances. One for each thread: MPFR's exponent
// range belongs to the thread.
class Oracle {
 public:
  Oracle() {
    mpfr_init2(input_, 24);
    mpfr_init2(rounded_, 24);
    mpfr_init2(wide_, 240);
    mpfr_init2(other_, 240);
  }
  ~Oracle() {
    mpfr_clear(input_);
    mpfr_clear(rounded_);
    mpfr_clear(wide_);
    mpfr_clear(other_);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  float round(const Function& function, float x) {
    const mpfr_exp_t old_min = mpfr_get_emin();
    const mpfr_exp_t old_max = mpfr_get_emax();
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_set_flt(input_, x, MPFR_RNDN);
    const int inexact = function.exact(rounded_, input_, MPFR_RNDN);
    mpfr_subnormalize(rounded_, inexact, MPFR_RNDN);
    const float result = mpfr_get_flt(rounded_, MPFR_RNDN);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    return result == result ? result : float_of(scalar::kF32NanBits);
  }

  // How far the exact result is from the nearest boundary between two f32, relative to itself.
  double boundary_distance(const Function& function, float x) {
    evaluate_wide(function, x);
    const float rounded = round(function, x);
    if (!(std::fabs(rounded) < 0x1.fffffep127f)) return 1.0;
    double least = 1.0;
    for (const float toward : {-INFINITY, INFINITY}) {
      const double boundary = 0.5 * (static_cast<double>(rounded) +
                                     static_cast<double>(std::nextafter(rounded, toward)));
      mpfr_sub_d(other_, wide_, boundary, MPFR_RNDN);
      mpfr_div(other_, other_, wide_, MPFR_RNDN);
      least = std::min(least, std::fabs(mpfr_get_d(other_, MPFR_RNDN)));
    }
    return least;
  }

  // |value - f(x)| over the bound an estimate claims; at most 1 when the bound holds.
  double bound_ratio(const Function& function, float x, Estimate estimate) {
    evaluate_wide(function, x);
    mpfr_sub_d(other_, wide_, estimate.value, MPFR_RNDN);
    if (mpfr_zero_p(other_)) return 0.0;
    mpfr_div_d(other_, other_, estimate.error, MPFR_RNDN);
    return std::fabs(mpfr_get_d(other_, MPFR_RNDN));
  }

 private:
  void evaluate_wide(const Function& function, float x) {
    mpfr_set_flt(input_, x, MPFR_RNDN);
    function.exact(wide_, input_, MPFR_RNDN);
  }

  mpfr_t input_, rounded_, wide_, other_;
};

struct HardCase {
  double distance;
  std::uint32_t input;
  std::uint32_t expected;
};

struct Options {
  std::vector<std::string> functions;
  std::uint64_t sample = 0;
  std::uint64_t seed = 1;
  std::string slice = "0/1";
  unsigned threads = 1;
  bool paths = false;
  bool deep = false;
  std::size_t hard_cases = 0;
  std::size_t random_cases = 0;
  std::string write;
};

struct Tally {
  std::uint64_t inputs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t by_mpfr = 0;
  std::uint64_t unsettled = 0;
  double worst_ratio = 0.0;
  std::vector<HardCase> hard;

  void add(const Tally& other) {
    inputs += other.inputs;
    mismatches += other.mismatches;
    by_mpfr += other.by_mpfr;
    unsettled += other.unsettled;
    worst_ratio = std::max(worst_ratio, other.worst_ratio);
    hard.insert(hard.end(), other.hard.begin(), other.hard.end());
  }
};

// The expected result if the judge is certain of it, MPFR's otherwise.
float expected_result(const Function& function, float x, Oracle& oracle, bool* asked_mpfr) {
  constexpr double kMargin = 1e-14;
  const double y = function.judge(static_cast<double>(x));
  if (y != y) return float_of(scalar::kF32NanBits);
  const float low = static_cast<float>(y * (1.0 - kMargin));
  const float high = static_cast<float>(y * (1.0 + kMargin));
  if (low == high) return low;
  *asked_mpfr = true;
  return oracle.round(function, x);
}

class Checker {
 public:
  Checker(const Function& function, const Options& options)
      : function_(function), options_(options) {}

  // `first` up to `last` count inputs: the bits themselves, or random ones from the seed.
  Tally run(std::uint64_t first, std::uint64_t last) {
    Oracle oracle;
    Tally tally;
    std::seed_seq sequence{options_.seed, options_.seed >> 32, first, first >> 32};
    std::mt19937_64 random(sequence);
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint32_t input = static_cast<std::uint32_t>(options_.sample != 0 ? random() : i);
      check(input, oracle, tally);
    }
    tally.inputs = last - first;
    return tally;
  }

 private:
  void check(std::uint32_t input, Oracle& oracle, Tally& tally) {
    const float x = float_of(input);
    const float actual = function_.tested(x);
    bool asked_mpfr = false;
    const float expected = expected_result(function_, x, oracle, &asked_mpfr);
    if (!same(actual, expected)) report(tally, "result", input, actual, expected);
    if (asked_mpfr) {
      ++tally.by_mpfr;
      if (options_.hard_cases != 0) remember(input, expected, oracle, tally);
    }
    if (function_.estimate == nullptr || !(options_.paths || options_.deep)) return;
    const Estimate estimate = function_.estimate(x);
    const bool settled = detail::is_settled(estimate);
    if (!settled && std::isfinite(x) && expected == expected) ++tally.unsettled;
    if (!options_.deep) return;
    const float slow = function_.precise(x);
    if (!same(slow, expected)) report(tally, "precise path", input, slow, expected);
    if (std::isfinite(x) && std::isfinite(expected) && settled) {
      const double ratio = oracle.bound_ratio(function_, x, estimate);
      // Clamped arguments keep the right f32 result, not the right double.
      const bool clamped = expected == 0.0f || std::fabs(expected) == 1.0f;
      if (ratio > 1.0 && !clamped) report(tally, "estimate's bound", input, actual, expected);
      if (!clamped) tally.worst_ratio = std::max(tally.worst_ratio, ratio);
    }
  }

  void report(Tally& tally, const char* what, std::uint32_t input, float actual, float expected) {
    if (++tally.mismatches > 10) return;
    std::printf("%s: wrong %s for 0x%08" PRIX32 ": 0x%08" PRIX32 ", expected 0x%08" PRIX32 "\n",
                function_.name, what, input, bits_of(actual), bits_of(expected));
    std::fflush(stdout);
  }

  void remember(std::uint32_t input, float expected, Oracle& oracle, Tally& tally) {
    const double distance = oracle.boundary_distance(function_, float_of(input));
    tally.hard.push_back({distance, input, bits_of(expected)});
  }

  const Function& function_;
  const Options& options_;
};

struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

// Slice i of n of all inputs or of the sample.
bool parse_slice(const Options& options, Range* range) {
  std::uint64_t index = 0;
  std::uint64_t count = 0;
  if (std::sscanf(options.slice.c_str(), "%" SCNu64 "/%" SCNu64, &index, &count) != 2) return false;
  if (count == 0 || count > 65536 || index >= count) return false;
  const std::uint64_t total = options.sample != 0 ? options.sample : std::uint64_t{1} << 32;
  if (total > std::uint64_t{1} << 40) return false;
  *range = {total * index / count, total * (index + 1) / count};
  return true;
}

// Hands out blocks of the range to the threads and says now and then how far it is.
Tally run_function(const Function& function, const Options& options, Range range) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 24;
  std::mutex mutex;
  std::uint64_t next = range.first;
  Tally total;
  auto said = Clock::now();
  auto work = [&] {
    while (true) {
      std::uint64_t first = 0;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (next >= range.last) return;
        first = next;
        next = std::min(next + kBlock, range.last);
      }
      const Tally tally =
          Checker(function, options).run(first, std::min(first + kBlock, range.last));
      const std::lock_guard<std::mutex> lock(mutex);
      total.add(tally);
      if (Clock::now() - said > std::chrono::seconds(20)) {
        said = Clock::now();
        std::fprintf(stderr, "%s: %.0f%%, %" PRIu64 " mismatches\n", function.name,
                     100.0 * static_cast<double>(total.inputs) /
                         static_cast<double>(range.last - range.first),
                     total.mismatches);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return total;
}

struct Case {
  std::uint32_t input;
  std::uint32_t expected;
};

// Random inputs with a result that says something: no zero, infinity or NaN, not 1, not the input.
std::vector<Case> random_cases(const Function& function, std::uint64_t seed, std::size_t count) {
  Oracle oracle;
  std::mt19937_64 random(seed);
  std::vector<Case> cases;
  while (cases.size() < count) {
    const float x = float_of(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(x)) continue;
    const float y = oracle.round(function, x);
    if (!std::isfinite(y) || y == 0.0f || std::fabs(y) == 1.0f || y == x) continue;
    cases.push_back({bits_of(x), bits_of(y)});
  }
  return cases;
}

void write_cases(std::ofstream& file, const Function& function, std::vector<HardCase> hard,
                 const Options& options) {
  std::sort(hard.begin(), hard.end(), [](const HardCase& a, const HardCase& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.input < b.input;
  });
  hard.resize(std::min(hard.size(), options.hard_cases));
  std::vector<Case> cases;
  for (const HardCase& one : hard) cases.push_back({one.input, one.expected});
  const std::vector<Case> more = random_cases(function, options.seed, options.random_cases);
  cases.insert(cases.end(), more.begin(), more.end());
  char text[160];
  if (!hard.empty()) {
    const double least = hard.front().distance;
    std::snprintf(text, sizeof text, "// %zu hard cases, the hardest ", hard.size());
    file << text;
    std::snprintf(text, sizeof text, "2^%.1f from a boundary\n", std::log2(least));
    file << (least == 0.0 ? "a tie\n" : text);
  }
  file << "{\"" << function.name << "\", vyre::scalar::f32_" << function.name << ", {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::snprintf(text, sizeof text, "{0x%08" PRIX32 "u, 0x%08" PRIX32 "u},%s", cases[i].input,
                  cases[i].expected, i % 4 == 3 || i + 1 == cases.size() ? "\n" : " ");
    file << text;
  }
  file << "}},\n";
}

int run(const Options& options) {
  Range range{};
  if (!parse_slice(options, &range)) {
    std::fprintf(stderr, "--slice wants i/n with i < n, and --sample at most 2^40\n");
    return 2;
  }
  std::ofstream file;
  if (!options.write.empty()) {
    file.open(options.write);
    file << "// SPDX-License-Identifier: Apache-2.0 OR MIT\n"
            "// Written by vyre-verify-f32 --write: bits of inputs and of their correctly rounded "
            "results.\n";
  }
  std::printf("%-13s %11s %10s %9s %9s %11s %8s\n", "function", "inputs", "mismatches", "by MPFR",
              "unsettled", "worst bound", "seconds");
  bool all_right = true;
  for (const Function& function : kFunctions) {
    const auto& chosen = options.functions;
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), function.name) == chosen.end()) {
      continue;
    }
    const auto start = Clock::now();
    Tally tally = run_function(function, options, range);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool has_paths = function.estimate != nullptr && (options.paths || options.deep);
    std::printf("%-13s %11" PRIu64 " %10" PRIu64 " %9" PRIu64 " %9s %11s %8.1f\n", function.name,
                tally.inputs, tally.mismatches, tally.by_mpfr,
                has_paths ? std::to_string(tally.unsettled).c_str() : "-",
                has_paths && options.deep ? std::to_string(tally.worst_ratio).c_str() : "-",
                seconds);
    std::fflush(stdout);
    if (file.is_open()) {
      write_cases(file, function, std::move(tally.hard), options);
    }
    all_right = all_right && tally.mismatches == 0;
  }
  if (!options.write.empty() && !file.flush()) {
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
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  app.add_option("--function", options.functions, "Only this function; may be repeated")
      ->check(CLI::IsMember(names));
  app.add_option("--sample", options.sample, "Check this many random inputs instead of all 2^32");
  app.add_option("--seed", options.seed, "Seed of the sample");
  app.add_option("--slice", options.slice, "Only part i of n of the inputs, written i/n");
  app.add_option("--threads", options.threads, "Number of threads")->check(CLI::Range(1u, 256u));
  app.add_flag("--paths", options.paths, "Count the inputs that the double estimate leaves open");
  app.add_flag("--deep", options.deep,
               "Check the precise path and the estimate's error bound on every input (slow)");
  app.add_option("--hard-cases", options.hard_cases, "Keep this many inputs nearest to a boundary");
  app.add_option("--random-cases", options.random_cases, "Write this many random inputs too");
  app.add_option("--write", options.write, "Where to write the cases");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}

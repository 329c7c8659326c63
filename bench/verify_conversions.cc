// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checks the conversions between f32 and the narrow floating-point formats: every code of a format
// to f32, and by default all 2^32 f32 to each format.
//
//   vyre-verify-conversions --threads 2
//   vyre-verify-conversions --format f16 --slice 3/16
//   vyre-verify-conversions --sample 1000000
//
// The judge computes a code from the definition of a format, by arithmetic in double precision that
// is exact but for one rounding, which the processor does: a number at least as large as the least
// normal one is a multiple of its own power of two, any other a multiple of the least subnormal.
// For f16 the processor's own conversion (F16C) is a second judge where there is one. NaN has to
// give the format's only one, and infinity and what rounds to more than the largest number has to
// give infinity or, without one, NaN.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "bench/f32_inputs.h"
#include "bench/verify_blocks.h"
#include "vyre/ir/scalar/convert.h"
#include "vyre/ir/scalar/f32_math.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace {

using namespace vyre;
using bench::Range;

struct Format {
  const char* name;
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;
  std::uint32_t nan;
  std::uint32_t (*narrow)(float);
  float (*widen)(std::uint32_t);

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  std::uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
  // The code after that of the largest number: infinity, or the NaN of a format without.
  std::uint32_t overflow() const {
    const std::uint32_t top = ((1u << exponent_bits) - 1) << fraction_bits;
    return has_infinity ? top : sign() - 1;
  }
};

#define VYRE_CONVERSIONS(name)                                                  \
  [](float x) { return static_cast<std::uint32_t>(scalar::f32_to_##name(x)); }, \
      [](std::uint32_t bits) {                                                  \
        using Bits = decltype(scalar::f32_to_##name(0.0f));                     \
        return scalar::name##_to_f32(static_cast<Bits>(bits));                  \
      }
constexpr Format kFormats[] = {
    {"f16", 5, 10, true, 0x7E00, VYRE_CONVERSIONS(f16)},
    {"bf16", 8, 7, true, 0x7FC0, VYRE_CONVERSIONS(bf16)},
    {"f8e5m2", 5, 2, true, 0x7E, VYRE_CONVERSIONS(f8e5m2)},
    {"f8e4m3", 4, 3, false, 0x7F, VYRE_CONVERSIONS(f8e4m3)},
};
#undef VYRE_CONVERSIONS

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The code that x has to become.
std::uint32_t expected_code(const Format& format, float x) {
  if (x != x) return format.nan;
  const std::uint32_t sign = std::signbit(x) ? format.sign() : 0;
  const std::uint32_t overflow = format.overflow() | (format.has_infinity ? sign : 0);
  if (std::isinf(x)) return overflow;
  const double size = std::fabs(static_cast<double>(x));
  const int least = 1 - format.bias();
  const int own = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023;
  const int exponent = std::max(own, least);
  // A sum that ends in [2^52, 2^53) is rounded to an integer, to nearest even.
  constexpr double kRounder = 0x1p52;
  const double multiple = size * power_of_two(format.fraction_bits - exponent);
  const auto rounded = static_cast<std::uint32_t>((multiple + kRounder) - kRounder);
  // Codes of neighbours are neighbours: each exponent above the least adds 2^fraction_bits, and the
  // multiples of a normal number start there.
  const std::uint32_t code =
      (static_cast<std::uint32_t>(exponent - least) << format.fraction_bits) + rounded;
  return code >= format.overflow() ? overflow : code | sign;
}

// The bits that a code has to become.
std::uint32_t expected_bits(const Format& format, std::uint32_t code) {
  const std::uint32_t size = code & (format.sign() - 1);
  const bool negative = (code & format.sign()) != 0;
  if (size == format.overflow() && format.has_infinity) return negative ? 0xFF800000u : 0x7F800000u;
  if (size >= format.overflow()) return scalar::kF32NanBits;
  const int exponent = static_cast<int>(size >> format.fraction_bits);
  const std::uint32_t fraction = size & ((1u << format.fraction_bits) - 1);
  const std::uint32_t leading = exponent == 0 ? 0 : 1u << format.fraction_bits;
  const float value = std::ldexp(static_cast<float>(leading + fraction),
                                 std::max(exponent, 1) - format.bias() - format.fraction_bits);
  return bits_of(negative ? -value : value);
}

#if defined(__x86_64__)
bool has_processor_judge() {
  // Not every compiler's __builtin_cpu_supports() knows F16C; it needs what AVX needs of the
  // system.
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
         (c & bit_F16C) != 0;
}

__attribute__((target("f16c"))) std::uint32_t processor_f16(float x) {
  const __m128i packed = _mm_cvtps_ph(_mm_set_ss(x), _MM_FROUND_TO_NEAREST_INT);
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(packed)) & 0xFFFF;
}
#else
bool has_processor_judge() { return false; }
std::uint32_t processor_f16(float) { return 0; }
#endif

struct Tally {
  std::uint64_t inputs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t differences = 0;  // between the processor and what is expected
  double seconds = 0.0;

  void add(const Tally& other) {
    inputs += other.inputs;
    mismatches += other.mismatches;
    differences += other.differences;
  }
};

struct Options {
  std::vector<std::string> formats;
  bench::InputOptions inputs;
};

// Prints the first few of each block; the table counts them all.
void report(std::uint64_t count, const std::string& what, std::uint32_t input, std::uint32_t actual,
            std::uint32_t expected) {
  if (count > 10) return;
  std::printf("%s: 0x%08" PRIX32 " gives 0x%08" PRIX32 ", expected 0x%08" PRIX32 "\n", what.c_str(),
              input, actual, expected);
  std::fflush(stdout);
}

bool has_second_judge(const Format& format) {
  return std::string(format.name) == "f16" && has_processor_judge();
}

Tally check_narrowing(const Format& format, const Options& options, Range block) {
  const std::string what = std::string("f32 to ") + format.name;
  const bool ask_processor = has_second_judge(format);
  Tally tally;
  bench::for_each_input(options.inputs, block, [&](std::uint32_t input) {
    const float x = float_of(input);
    const std::uint32_t expected = expected_code(format, x);
    const std::uint32_t actual = format.narrow(x);
    if (actual != expected) report(++tally.mismatches, what, input, actual, expected);
    if (!ask_processor) return;
    const std::uint32_t second = x == x ? processor_f16(x) : format.nan;
    if (second != expected) {
      report(++tally.differences, what + " by the processor", input, second, expected);
    }
  });
  tally.inputs = block.size();
  return tally;
}

// A finite number and an infinity also have to come back to their own code.
Tally check_widening(const Format& format) {
  const std::string what = std::string(format.name) + " to f32";
  Tally tally;
  for (std::uint32_t code = 0; code < 2 * format.sign(); ++code) {
    const std::uint32_t expected = expected_bits(format, code);
    const float wide = format.widen(code);
    if (bits_of(wide) != expected) {
      report(++tally.mismatches, what, code, bits_of(wide), expected);
    }
    const std::uint32_t back = format.narrow(wide);
    const std::uint32_t own = wide == wide ? code : format.nan;
    if (back != own) report(++tally.mismatches, what + " and back", code, back, own);
    ++tally.inputs;
  }
  return tally;
}

void print_row(const std::string& what, const Tally& tally, bool has_second) {
  std::printf("%-14s %11" PRIu64 " %10" PRIu64 " %12s %8.1f\n", what.c_str(), tally.inputs,
              tally.mismatches, has_second ? std::to_string(tally.differences).c_str() : "-",
              tally.seconds);
}

int run(const Options& options) {
  const std::optional<Range> range = options.inputs.range();
  if (!range) return 2;
  if (!has_processor_judge()) {
    std::printf("This processor has no F16C: f16 has one judge.\n");
  }
  std::printf("%-14s %11s %10s %12s %8s\n", "conversion", "inputs", "mismatches", "second judge",
              "seconds");
  bool all_right = true;
  for (const Format& format : kFormats) {
    const auto& chosen = options.formats;
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), format.name) == chosen.end()) {
      continue;
    }
    const std::string name = format.name;
    const Tally widened = check_widening(format);
    print_row(name + " to f32", widened, false);
    const Tally narrowed = bench::run_blocks<Tally>(
        *range, options.inputs.threads, "f32 to " + name,
        [&](Range block) { return check_narrowing(format, options, block); });
    print_row("f32 to " + name, narrowed, has_second_judge(format));
    std::fflush(stdout);
    all_right = all_right && widened.mismatches == 0 && narrowed.mismatches == 0 &&
                narrowed.differences == 0;
  }
  return all_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Checks vyre's conversions between f32 and the narrow formats");
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  app.add_option("--format", options.formats, "Only this format; may be repeated")
      ->check(CLI::IsMember(names));
  options.inputs.add_to(app);
  CLI11_PARSE(app, argc, argv);
  return run(options);
}

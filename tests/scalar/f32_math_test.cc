// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/f32_math.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "vyre/ir/scalar/f32_paths.h"

namespace {

using namespace vyre::scalar;

using Function = float (*)(float);

constexpr std::uint32_t kNan = 0x7FC00000u;
constexpr std::uint32_t kInf = 0x7F800000u;
constexpr std::uint32_t kMinusInf = 0xFF800000u;
constexpr std::uint32_t kOne = 0x3F800000u;
constexpr std::uint32_t kMinusOne = 0xBF800000u;
constexpr std::uint32_t kMinusZero = 0x80000000u;
constexpr std::uint32_t kLeast = 0x00000001u;  // the least subnormal, 2^-149
constexpr std::uint32_t kLargest = 0x7F7FFFFFu;

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Cases {
  std::string name;
  Function function;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> input_and_result;
};

void check(const Cases& cases) {
  for (const auto& [input, expected] : cases.input_and_result) {
    CAPTURE(cases.name, input, float_of(input), expected);
    CHECK(bits_of(cases.function(float_of(input))) == expected);
  }
}

struct Paths {
  std::string name;
  Function function;
  detail::Estimate (*estimate)(float);
  Function precise;
};

#define VYRE_PATHS(name) \
  { #name, f32_##name, detail::estimate_##name, detail::precise_##name }
const Paths kTwoPathFunctions[] = {
    VYRE_PATHS(exp),  VYRE_PATHS(exp2),         VYRE_PATHS(log),  VYRE_PATHS(log2),
    VYRE_PATHS(sin),  VYRE_PATHS(cos),          VYRE_PATHS(tan),  VYRE_PATHS(asin),
    VYRE_PATHS(acos), VYRE_PATHS(atan),         VYRE_PATHS(sinh), VYRE_PATHS(cosh),
    VYRE_PATHS(tanh), VYRE_PATHS(inverse_sqrt),
};
#undef VYRE_PATHS

const Function kUnary[] = {
    f32_exp,          f32_exp2,       f32_log,   f32_log2, f32_sin,   f32_cos,   f32_tan,
    f32_asin,         f32_acos,       f32_atan,  f32_sinh, f32_cosh,  f32_tanh,  f32_sqrt,
    f32_inverse_sqrt, f32_reciprocal, f32_floor, f32_ceil, f32_trunc, f32_round, f32_sign,
};

}  // namespace

TEST_CASE("every NaN argument gives the one NaN", "[scalar][f32]") {
  for (const std::uint32_t nan :
       {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFF800001u, 0x7FFFFFFFu}) {
    const float x = float_of(nan);
    for (const Function function : kUnary) CHECK(bits_of(function(x)) == kNan);
    CHECK(bits_of(f32_fma(x, 1.0f, 1.0f)) == kNan);
    CHECK(bits_of(f32_fma(1.0f, x, 1.0f)) == kNan);
    CHECK(bits_of(f32_fma(1.0f, 1.0f, x)) == kNan);
    CHECK(bits_of(f32_min(x, x)) == kNan);
    CHECK(bits_of(f32_max(x, x)) == kNan);
  }
}

TEST_CASE("special arguments give the results of Annex F", "[scalar][f32]") {
  const Cases table[] = {
      {"exp",
       f32_exp,
       {{0u, kOne},
        {kMinusZero, kOne},
        {kInf, kInf},
        {kMinusInf, 0u},
        {kLargest, kInf},
        {kLargest | kMinusZero, 0u}}},
      {"exp2",
       f32_exp2,
       {{0u, kOne},
        {kMinusZero, kOne},
        {kInf, kInf},
        {kMinusInf, 0u},
        {kLargest, kInf},
        {kLargest | kMinusZero, 0u}}},
      {"log",
       f32_log,
       {{0u, kMinusInf},
        {kMinusZero, kMinusInf},
        {kOne, 0u},
        {kInf, kInf},
        {kMinusOne, kNan},
        {kMinusInf, kNan},
        {0x80000001u, kNan}}},
      {"log2",
       f32_log2,
       {{0u, kMinusInf},
        {kMinusZero, kMinusInf},
        {kOne, 0u},
        {kInf, kInf},
        {kMinusOne, kNan},
        {kMinusInf, kNan},
        {0x80000001u, kNan}}},
      {"sin", f32_sin, {{0u, 0u}, {kMinusZero, kMinusZero}, {kInf, kNan}, {kMinusInf, kNan}}},
      {"cos", f32_cos, {{0u, kOne}, {kMinusZero, kOne}, {kInf, kNan}, {kMinusInf, kNan}}},
      {"tan", f32_tan, {{0u, 0u}, {kMinusZero, kMinusZero}, {kInf, kNan}, {kMinusInf, kNan}}},
      {"asin",
       f32_asin,
       {{0u, 0u},
        {kMinusZero, kMinusZero},
        {kOne, 0x3FC90FDBu},
        {kMinusOne, 0xBFC90FDBu},
        {0x3F800001u, kNan},
        {0xBF800001u, kNan},
        {kInf, kNan},
        {kMinusInf, kNan}}},
      {"acos",
       f32_acos,
       {{0u, 0x3FC90FDBu},
        {kMinusZero, 0x3FC90FDBu},
        {kOne, 0u},
        {kMinusOne, 0x40490FDBu},
        {0x3F800001u, kNan},
        {0xBF800001u, kNan},
        {kInf, kNan},
        {kMinusInf, kNan}}},
      {"atan",
       f32_atan,
       {{0u, 0u},
        {kMinusZero, kMinusZero},
        {kInf, 0x3FC90FDBu},
        {kMinusInf, 0xBFC90FDBu},
        {kOne, 0x3F490FDBu}}},
      {"sinh",
       f32_sinh,
       {{0u, 0u},
        {kMinusZero, kMinusZero},
        {kInf, kInf},
        {kMinusInf, kMinusInf},
        {kLargest, kInf},
        {kLargest | kMinusZero, kMinusInf}}},
      {"cosh",
       f32_cosh,
       {{0u, kOne},
        {kMinusZero, kOne},
        {kInf, kInf},
        {kMinusInf, kInf},
        {kLargest, kInf},
        {kLargest | kMinusZero, kInf}}},
      {"tanh",
       f32_tanh,
       {{0u, 0u},
        {kMinusZero, kMinusZero},
        {kInf, kOne},
        {kMinusInf, kMinusOne},
        {kLargest, kOne}}},
      {"sqrt",
       f32_sqrt,
       {{0u, 0u},
        {kMinusZero, kMinusZero},
        {kInf, kInf},
        {kMinusOne, kNan},
        {kMinusInf, kNan},
        {0x80000001u, kNan}}},
      {"inverse_sqrt",
       f32_inverse_sqrt,
       {{0u, kInf},
        {kMinusZero, kMinusInf},
        {kInf, 0u},
        {kMinusOne, kNan},
        {kMinusInf, kNan},
        {0x80000001u, kNan}}},
      {"reciprocal",
       f32_reciprocal,
       {{0u, kInf},
        {kMinusZero, kMinusInf},
        {kInf, 0u},
        {kMinusInf, kMinusZero},
        {kLeast, kInf},
        {kMinusOne, kMinusOne}}},
  };
  for (const Cases& cases : table) check(cases);
}

TEST_CASE("small arguments of odd functions come back or move by one step", "[scalar][f32]") {
  for (const std::uint32_t tiny : {0x00000001u, 0x00000123u, 0x00800000u, 0x0D800000u}) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const std::uint32_t x = tiny | sign;
      for (const Function same : {f32_sin, f32_tan, f32_asin, f32_atan, f32_sinh, f32_tanh}) {
        CHECK(bits_of(same(float_of(x))) == x);
      }
      CHECK(bits_of(f32_exp(float_of(x))) == kOne);
      CHECK(bits_of(f32_cos(float_of(x))) == kOne);
      CHECK(bits_of(f32_cosh(float_of(x))) == kOne);
    }
  }
}

TEST_CASE("exp2 of an integer and log2 of a power of two are exact", "[scalar][f32]") {
  for (int n = -149; n <= 127; ++n) {
    const float power = std::ldexp(1.0f, n);
    CHECK(bits_of(f32_exp2(static_cast<float>(n))) == bits_of(power));
    CHECK(bits_of(f32_log2(power)) == bits_of(static_cast<float>(n)));
    CHECK(bits_of(detail::precise_exp2(static_cast<float>(n))) == bits_of(power));
    CHECK(bits_of(detail::precise_log2(power)) == bits_of(static_cast<float>(n)));
  }
}

TEST_CASE("exp and exp2 meet zero and infinity where rounding says", "[scalar][f32]") {
  // 2^-150 is a tie between 0 and the least subnormal, and goes to the even 0.
  CHECK(bits_of(f32_exp2(-150.0f)) == 0u);
  CHECK(bits_of(f32_exp2(std::nextafter(-150.0f, 0.0f))) == kLeast);
  CHECK(bits_of(f32_exp2(std::nextafter(-150.0f, -200.0f))) == 0u);
  CHECK(bits_of(f32_exp2(128.0f)) == kInf);
  CHECK(bits_of(f32_exp2(std::nextafter(128.0f, 0.0f))) == 0x7F7FFFA7u);
  // ln 2^-150 = -103.97208..., ln of the overflow threshold = 88.72283...
  CHECK(bits_of(f32_exp(-0x1.9fe368p+6f)) == kLeast);
  CHECK(bits_of(f32_exp(std::nextafter(-0x1.9fe368p+6f, -200.0f))) == 0u);
  CHECK(bits_of(f32_exp(0x1.62e42ep+6f)) == 0x7F7FFF84u);
  CHECK(bits_of(f32_exp(std::nextafter(0x1.62e42ep+6f, 200.0f))) == kInf);
}

TEST_CASE("angles are reduced exactly however large", "[scalar][f32]") {
  CHECK(bits_of(f32_sin(0x1.fffffep+127f)) == 0xBF0599B3u);
  CHECK(bits_of(f32_cos(0x1.fffffep+127f)) == 0x3F5A5F96u);
  CHECK(bits_of(f32_tan(0x1.fffffep+127f)) == 0xBF1C9ECAu);
  // The nearest any f32 comes to a multiple of pi/2, 2^-29.2 away.
  CHECK(bits_of(f32_cos(0x1.47d0fep+34f)) == bits_of(detail::precise_cos(0x1.47d0fep+34f)));
}

TEST_CASE("results match values computed with many more bits", "[scalar][f32]") {
  const Cases table[] = {
#include "f32_cases.inc"
  };
  for (const Cases& cases : table) check(cases);
}

TEST_CASE("the precise path matches them by itself", "[scalar][f32]") {
  const Cases table[] = {
#include "f32_cases.inc"
  };
  for (const Cases& cases : table) {
    for (const Paths& paths : kTwoPathFunctions) {
      if (paths.name == cases.name) check({cases.name, paths.precise, cases.input_and_result});
    }
  }
}

TEST_CASE("the quick path and the precise one agree on every argument tried", "[scalar][f32]") {
  std::mt19937_64 random(20240611);
  for (const Paths& paths : kTwoPathFunctions) {
    int settled = 0;
    int differences = 0;
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries; ++i) {
      const float x = float_of(static_cast<std::uint32_t>(random()));
      const std::uint32_t precise = bits_of(paths.precise(x));
      differences += bits_of(paths.function(x)) != precise ? 1 : 0;
      const bool special = precise == kNan || !std::isfinite(x);
      settled += special || detail::is_settled(paths.estimate(x)) ? 1 : 0;
    }
    CAPTURE(paths.name);
    CHECK(differences == 0);
    // The precise path is for about one argument in a million.
    CHECK(settled >= kTries - 2);
  }
}

TEST_CASE("monotonic functions stay monotonic after rounding", "[scalar][f32]") {
  struct Piece {
    Function function;
    float first;
    bool rising;
  };
  const Piece pieces[] = {
      {f32_exp, 1.0f, true},           {f32_exp, -90.0f, true},
      {f32_exp2, 0.999f, true},        {f32_log, 0.9999f, true},
      {f32_log2, 1.0f, true},          {f32_sin, 0.7f, true},
      {f32_cos, 0.7f, false},          {f32_tan, 1.5f, true},
      {f32_asin, 0.4999f, true},       {f32_acos, 0.4999f, false},
      {f32_atan, 31.999f, true},       {f32_sinh, 0.005f, true},
      {f32_cosh, 0.5f, true},          {f32_tanh, 0.01f, true},
      {f32_inverse_sqrt, 1.0f, false}, {f32_reciprocal, 0x1p126f, false},
  };
  for (const Piece& piece : pieces) {
    const float direction = std::numeric_limits<float>::infinity();
    float x = piece.first;
    float before = piece.function(x);
    int backwards = 0;
    for (int i = 0; i < 3000; ++i) {
      x = std::nextafter(x, direction);
      const float now = piece.function(x);
      backwards += piece.rising ? now < before : now > before;
      before = now;
    }
    CAPTURE(piece.first, piece.rising);
    CHECK(backwards == 0);
  }
}

TEST_CASE("fma rounds once", "[scalar][f32]") {
  // A product next to a tie, decided by an addend far below it.
  const float a = 1.0f + 0x1p-12f;
  CHECK(f32_fma(a, a, 0x1p-100f) == 0x1.002002p+0f);  // a^2 = 1 + 2^-11 + 2^-24, a tie
  CHECK(f32_fma(a, a, 0.0f) == 0x1.002p+0f);
  CHECK(f32_fma(a, a, -0x1p-100f) == 0x1.002p+0f);
  CHECK(f32_fma(0x1p-75f, 0x1p-75f, 0.0f) == 0.0f);  // 2^-150, a tie
  CHECK(bits_of(f32_fma(0x1p-75f, 0x1.000002p-75f, 0.0f)) == kLeast);
  CHECK(bits_of(f32_fma(0x1p-75f, 0x1p-75f, float_of(kLeast))) == 2u);
  CHECK(bits_of(f32_fma(0x1p-75f, -0x1p-75f, 0.0f)) == kMinusZero);
  CHECK(bits_of(f32_fma(0x1p127f, 2.0f, -0x1p127f)) == bits_of(0x1p127f));
  CHECK(bits_of(f32_fma(0x1p127f, 2.0f, 0.0f)) == kInf);
  CHECK(bits_of(f32_fma(3.0f, 5.0f, -15.0f)) == 0u);
  CHECK(bits_of(f32_fma(-0.0f, 1.0f, -0.0f)) == kMinusZero);
  CHECK(bits_of(f32_fma(float_of(kInf), 0.0f, 1.0f)) == kNan);
  CHECK(bits_of(f32_fma(float_of(kInf), 1.0f, float_of(kMinusInf))) == kNan);
  CHECK(bits_of(f32_fma(1.0f, 1.0f, float_of(kMinusInf))) == kMinusInf);
}

TEST_CASE("fma agrees with the C library's", "[scalar][f32]") {
  std::mt19937_64 random(7);
  int differences = 0;
  for (int i = 0; i < 200000; ++i) {
    float a = float_of(static_cast<std::uint32_t>(random()));
    const float b = float_of(static_cast<std::uint32_t>(random()));
    float c = float_of(static_cast<std::uint32_t>(random()));
    // Random exponents rarely let the addend meet the product; half the time make it so.
    if (i % 2 == 0) c = std::ldexp(a * b, static_cast<int>(random() % 60) - 30);
    const float expected = std::fma(a, b, c);
    const std::uint32_t bits = expected == expected ? bits_of(expected) : kNan;
    differences += bits_of(f32_fma(a, b, c)) != bits ? 1 : 0;
  }
  CHECK(differences == 0);
}

TEST_CASE("rounding to integers agrees with the C library's, signs of zeros included",
          "[scalar][f32]") {
  std::vector<float> arguments = {
      0.0f,           0.5f,           0x1.fffffep-2f, 1.0f,    1.5f,    2.5f,    0x1p-149f,
      0x1.fffffep21f, 0x1.fffffep22f, 0x1p23f,        0x1p24f, 0x1p31f, 0x1p32f, 0x1.fffffep127f,
      float_of(kInf)};
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    arguments.push_back(
        std::ldexp(static_cast<float>(random() % 0x1000000u), -static_cast<int>(random() % 40)));
  }
  int differences = 0;
  for (const float size : arguments) {
    for (const float x : {size, -size}) {
      differences += bits_of(f32_floor(x)) != bits_of(std::floor(x));
      differences += bits_of(f32_ceil(x)) != bits_of(std::ceil(x));
      differences += bits_of(f32_trunc(x)) != bits_of(std::trunc(x));
      differences += bits_of(f32_round(x)) != bits_of(std::round(x));
    }
  }
  CHECK(differences == 0);
  CHECK(bits_of(f32_round(-0.25f)) == kMinusZero);
  CHECK(bits_of(f32_ceil(-0.25f)) == kMinusZero);
}

TEST_CASE("sign, abs and negate look at the sign alone", "[scalar][f32]") {
  CHECK(bits_of(f32_sign(float_of(kMinusZero))) == 0u);
  CHECK(bits_of(f32_sign(0.0f)) == 0u);
  CHECK(bits_of(f32_sign(float_of(kLeast))) == kOne);
  CHECK(bits_of(f32_sign(float_of(kMinusInf))) == kMinusOne);
  CHECK(bits_of(f32_abs(float_of(0xFFC01234u))) == 0x7FC01234u);
  CHECK(bits_of(f32_abs(float_of(kMinusZero))) == 0u);
  CHECK(bits_of(f32_negate(float_of(0x7F801234u))) == 0xFF801234u);
  CHECK(bits_of(f32_negate(0.0f)) == kMinusZero);
}

TEST_CASE("min and max order zeros and prefer numbers to NaN", "[scalar][f32]") {
  const float nan = float_of(0xFFC00001u);
  const float minus_zero = float_of(kMinusZero);
  for (const auto& [a, b] : {std::pair(0.0f, minus_zero), std::pair(minus_zero, 0.0f)}) {
    CHECK(bits_of(f32_min(a, b)) == kMinusZero);
    CHECK(bits_of(f32_max(a, b)) == 0u);
  }
  for (const float number : {1.0f, minus_zero, float_of(kInf), float_of(kMinusInf)}) {
    CHECK(bits_of(f32_min(number, nan)) == bits_of(number));
    CHECK(bits_of(f32_min(nan, number)) == bits_of(number));
    CHECK(bits_of(f32_max(number, nan)) == bits_of(number));
    CHECK(bits_of(f32_max(nan, number)) == bits_of(number));
  }
  CHECK(f32_min(2.0f, -3.0f) == -3.0f);
  CHECK(f32_max(2.0f, -3.0f) == 2.0f);
}

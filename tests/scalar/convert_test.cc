// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The reference here shares nothing with the code under test: it lists the values of a format from
// their definition and looks up between which two a number lies, on which side of their midpoint.
#include "vyre/ir/scalar/convert.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace vyre::scalar;

constexpr std::uint32_t kNan = 0x7FC00000u;

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Format {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;
  std::uint32_t nan;

  std::uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};

const Format kF16{5, 10, true, 0x7E00};
const Format kBf16{8, 7, true, 0x7FC0};
const Format kE5m2{5, 2, true, 0x7E};
const Format kE4m3{4, 3, false, 0x7F};

// The values of all finite non-negative codes, and after them what the next code would be worth if
// the format had it: overflow begins at the midpoint before it.
class Reference {
 public:
  explicit Reference(const Format& format) : format_(format) {
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const std::uint32_t top = (1u << format.exponent_bits) - 1;
    // With infinities the highest exponent is reserved; without, only its last code.
    const std::uint32_t end = format.has_infinity
                                  ? top << format.fraction_bits
                                  : (1u << (format.exponent_bits + format.fraction_bits)) - 1;
    for (std::uint32_t code = 0; code <= end; ++code) {
      const int exponent = static_cast<int>(code >> format.fraction_bits);
      const int fraction = static_cast<int>(code & ((1u << format.fraction_bits) - 1));
      const int significand = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
      values_.push_back(std::ldexp(static_cast<double>(significand),
                                   std::max(exponent, 1) - bias - format.fraction_bits));
    }
  }

  // Codes of finite values are 0 up to count() - 1.
  std::uint32_t count() const { return static_cast<std::uint32_t>(values_.size()) - 1; }
  double value(std::uint32_t code) const { return values_[code]; }
  // Between code and code + 1; one more bit than the format has, so exact.
  double midpoint(std::uint32_t code) const { return (values_[code] + values_[code + 1]) / 2; }

  std::uint32_t round(double x) const {
    if (x != x) return format_.nan;
    const double size = std::fabs(x);
    const std::uint32_t code = round_size([&](double limit) {
      return size < limit ? -1 : size > limit ? 1 : 0;
    });
    return finish(code, std::signbit(x));
  }

  // Compares in integers, as a double does not hold every 64-bit integer.
  std::uint32_t round_integer(bool negative, std::uint64_t size) const {
    const std::uint32_t code = round_size([&](double limit) {
      if (limit >= 0x1p64) return -1;
      const auto whole = static_cast<std::uint64_t>(limit);
      if (size != whole) return size < whole ? -1 : 1;
      return static_cast<double>(whole) < limit ? -1 : 0;
    });
    return finish(code, negative);
  }

 private:
  // `compare(limit)` tells how the number compares to limit.
  template <typename Compare>
  std::uint32_t round_size(Compare compare) const {
    // The last code whose value is not above the number.
    std::uint32_t low = 0;
    std::uint32_t high = count() + 1;
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (compare(values_[middle]) >= 0 ? low : high) = middle;
    }
    if (low == count()) return low;
    const int side = compare(midpoint(low));
    return side < 0 ? low : side > 0 ? low + 1 : low + (low & 1);
  }

  std::uint32_t finish(std::uint32_t code, bool negative) const {
    if (code == count() && !format_.has_infinity) return format_.nan;
    return code | (negative ? format_.sign() : 0);
  }

  Format format_;
  std::vector<double> values_;
};

// Counts instead of one CHECK each: there are hundreds of thousands of cases.
struct Failures {
  int count = 0;
  double first = 0.0;

  void add(bool right, double x) {
    if (right) return;
    if (count++ == 0) first = x;
  }
};

void check(const Failures& failures) {
  CAPTURE(failures.first);
  CHECK(failures.count == 0);
}

// Each value, each midpoint between neighbours, and the numbers of the source type next to them.
template <typename Source, typename Convert>
void check_around_every_boundary(const Format& format, Convert convert) {
  const Reference reference(format);
  Failures failures;
  for (std::uint32_t code = 0; code < reference.count(); ++code) {
    for (const double edge : {reference.value(code), reference.midpoint(code)}) {
      const Source center = static_cast<Source>(edge);
      REQUIRE(static_cast<double>(center) == edge);
      for (const Source x : {std::nextafter(center, Source{0}), center,
                             std::nextafter(center, std::numeric_limits<Source>::infinity())}) {
        for (const Source signed_x : {x, -x}) {
          const double exact = static_cast<double>(signed_x);
          failures.add(convert(signed_x) == reference.round(exact), exact);
        }
      }
    }
  }
  check(failures);
}

template <typename Source, typename Bits, typename Convert>
void check_random_bits(const Format& format, Convert convert) {
  const Reference reference(format);
  std::mt19937_64 random(11);
  Failures failures;
  for (int i = 0; i < 300000; ++i) {
    const Source x = std::bit_cast<Source>(static_cast<Bits>(random()));
    const double exact = static_cast<double>(x);
    failures.add(convert(x) == reference.round(exact), exact);
  }
  check(failures);
}

// Numbers spread over the format's own range, which random bits of a double seldom meet.
template <typename Convert>
void check_random_values(const Format& format, Convert convert) {
  const Reference reference(format);
  std::mt19937_64 random(13);
  Failures failures;
  for (int i = 0; i < 300000; ++i) {
    const double size = reference.value(static_cast<std::uint32_t>(random() % reference.count()));
    const double x = size * (1.0 + std::ldexp(static_cast<double>(random() % 4096),
                                              -static_cast<int>(random() % 53)));
    failures.add(convert(x) == reference.round(x), x);
  }
  check(failures);
}

template <typename Convert, typename ConvertUnsigned>
void check_integers(const Format& format, Convert convert, ConvertUnsigned convert_unsigned) {
  const Reference reference(format);
  Failures failures;
  const auto try_bits = [&](std::uint64_t bits) {
    const auto value = static_cast<std::int64_t>(bits);
    const std::uint64_t size = value < 0 ? std::uint64_t{0} - bits : bits;
    failures.add(convert(value) == reference.round_integer(value < 0, size),
                 static_cast<double>(value));
    failures.add(convert_unsigned(bits) == reference.round_integer(false, bits),
                 static_cast<double>(bits));
  };
  std::mt19937_64 random(17);
  for (int i = 0; i < 300000; ++i) try_bits(random() >> (random() % 64));
  for (std::uint64_t small = 0; small < 70000; ++small) {
    try_bits(small);
    try_bits(std::uint64_t{0} - small);
  }
  // Ties between neighbours, and one off them.
  for (std::uint32_t code = 0; code < reference.count(); ++code) {
    const double tie = reference.midpoint(code);
    if (tie < 1.0 || tie >= 0x1p64) continue;
    const auto near = static_cast<std::uint64_t>(tie);
    for (const std::uint64_t bits : {near - 1, near, near + 1}) {
      try_bits(bits);
      try_bits(std::uint64_t{0} - bits);
    }
  }
  check(failures);
}

// Widening against the list of values; what is finite comes back to its own code.
template <typename Bits, typename Widen, typename Narrow>
void check_every_code(const Format& format, Widen widen, Narrow narrow) {
  const Reference reference(format);
  Failures failures;
  for (std::uint32_t code = 0; code < 2 * format.sign(); ++code) {
    const std::uint32_t size = code & (format.sign() - 1);
    const bool negative = (code & format.sign()) != 0;
    const float wide = widen(static_cast<Bits>(code));
    std::uint32_t expected = kNan;
    std::uint32_t back = format.nan;
    if (size < reference.count()) {
      const float value = static_cast<float>(reference.value(size));
      expected = bits_of(negative ? -value : value);
      back = code;
    } else if (format.has_infinity && size == reference.count()) {
      expected = negative ? 0xFF800000u : 0x7F800000u;
      back = code;
    }
    failures.add(bits_of(wide) == expected, static_cast<double>(code));
    failures.add(narrow(wide) == back, static_cast<double>(code));
  }
  check(failures);
}

}  // namespace

TEST_CASE("every code widens to its value and narrows back", "[scalar][convert]") {
  check_every_code<std::uint16_t>(kF16, f16_to_f32, f32_to_f16);
  check_every_code<std::uint16_t>(kBf16, bf16_to_f32, f32_to_bf16);
  check_every_code<std::uint8_t>(kE5m2, f8e5m2_to_f32, f32_to_f8e5m2);
  check_every_code<std::uint8_t>(kE4m3, f8e4m3_to_f32, f32_to_f8e4m3);
}

TEST_CASE("f32 is rounded to nearest even around every boundary", "[scalar][convert]") {
  check_around_every_boundary<float>(kF16, f32_to_f16);
  check_around_every_boundary<float>(kBf16, f32_to_bf16);
  check_around_every_boundary<float>(kE5m2, f32_to_f8e5m2);
  check_around_every_boundary<float>(kE4m3, f32_to_f8e4m3);
}

TEST_CASE("f64 is rounded once, to nearest even, around every boundary", "[scalar][convert]") {
  check_around_every_boundary<double>(kF16, f64_to_f16);
  check_around_every_boundary<double>(kBf16, f64_to_bf16);
}

TEST_CASE("random numbers are rounded to nearest even", "[scalar][convert]") {
  check_random_bits<float, std::uint32_t>(kF16, f32_to_f16);
  check_random_bits<float, std::uint32_t>(kBf16, f32_to_bf16);
  check_random_bits<float, std::uint32_t>(kE5m2, f32_to_f8e5m2);
  check_random_bits<float, std::uint32_t>(kE4m3, f32_to_f8e4m3);
  check_random_bits<double, std::uint64_t>(kF16, f64_to_f16);
  check_random_bits<double, std::uint64_t>(kBf16, f64_to_bf16);
  check_random_values(kF16, f64_to_f16);
  check_random_values(kBf16, f64_to_bf16);
}

TEST_CASE("integers are rounded once", "[scalar][convert]") {
  check_integers(kF16, int64_to_f16, uint64_to_f16);
  check_integers(kBf16, int64_to_bf16, uint64_to_bf16);
  // 2^40 + 2^32 is a tie in bf16 between 2^40 and 2^40 + 2^33; one more decides it, but an f32 has
  // no room for that one.
  CHECK(int64_to_bf16((std::int64_t{1} << 40) + (std::int64_t{1} << 32)) == 0x5380);
  CHECK(int64_to_bf16((std::int64_t{1} << 40) + (std::int64_t{1} << 32) + 1) == 0x5381);
  CHECK(int64_to_bf16(std::numeric_limits<std::int64_t>::min()) == 0xDF00);
  CHECK(uint64_to_bf16(std::numeric_limits<std::uint64_t>::max()) == 0x5F80);
  CHECK(uint64_to_f16(65519) == 0x7BFF);
  CHECK(uint64_to_f16(65520) == 0x7C00);
  CHECK(int64_to_f16(-65520) == 0xFC00);
}

TEST_CASE("overflow and NaN give what each format has for them", "[scalar][convert]") {
  for (const std::uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu}) {
    CHECK(f32_to_f16(float_of(nan)) == 0x7E00);
    CHECK(f32_to_bf16(float_of(nan)) == 0x7FC0);
    CHECK(f32_to_f8e5m2(float_of(nan)) == 0x7E);
    CHECK(f32_to_f8e4m3(float_of(nan)) == 0x7F);
  }
  CHECK(f32_to_f8e4m3(448.0f) == 0x7E);
  CHECK(f32_to_f8e4m3(464.0f) == 0x7E);  // the tie goes to the even 448
  CHECK(f32_to_f8e4m3(std::nextafter(464.0f, 500.0f)) == 0x7F);
  CHECK(f32_to_f8e4m3(-464.0f) == 0xFE);
  CHECK(f32_to_f8e4m3(-480.0f) == 0x7F);
  CHECK(f32_to_f8e4m3(-std::numeric_limits<float>::infinity()) == 0x7F);
  CHECK(f32_to_f8e5m2(61440.0f) == 0x7C);
  CHECK(f32_to_f8e5m2(std::nextafter(61440.0f, 0.0f)) == 0x7B);
  CHECK(f32_to_f8e5m2(-1e30f) == 0xFC);
  CHECK(bits_of(f8e4m3_to_f32(0xFF)) == kNan);
  CHECK(bits_of(f8e5m2_to_f32(0xFC)) == 0xFF800000u);
  CHECK(f64_to_bf16(std::numeric_limits<double>::max()) == 0x7F80);
  CHECK(f64_to_f16(-std::numeric_limits<double>::denorm_min()) == 0x8000);
}

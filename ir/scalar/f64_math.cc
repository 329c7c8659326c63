// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/scalar/f64_math.h"

#include <bit>

namespace vyre::scalar {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr uint64_t kSignBit = uint64_t{1} << 63;
constexpr uint64_t kHiddenBit = uint64_t{1} << 52;
constexpr int kMinExponent = -1074;  // of the last place of a subnormal
constexpr int kMaxExponent = 971;    // of the last place of the largest number

bool is_finite(double x) { return ((std::bit_cast<uint64_t>(x) >> 52) & 0x7FF) != 0x7FF; }
bool is_negative(double x) { return (std::bit_cast<uint64_t>(x) & kSignBit) != 0; }

// The magnitude significand * 2^exponent of a finite number.
struct Parts {
  uint64_t significand;
  int exponent;
};
Parts split(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const int field = static_cast<int>((bits >> 52) & 0x7FF);
  const uint64_t fraction = bits & (kHiddenBit - 1);
  if (field == 0) return {fraction, kMinExponent};
  return {fraction | kHiddenBit, field - 1075};
}

int bit_width(Wide x) {
  const auto high = static_cast<uint64_t>(x >> 64);
  const auto low = static_cast<uint64_t>(x);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

// The shifted number with the last bit set if any bit that was shifted out was.
Wide shift_right_sticky(Wide x, int count) {
  if (count <= 0) return x;
  if (count >= 128) return x != 0 ? 1 : 0;
  const Wide shifted = x >> count;
  return (shifted << count) == x ? shifted : shifted | 1;
}

// A magnitude with 128 bits. Normalised: bit 125 is the highest one, so that a sum has room and at
// least 20 bits below a 106-bit product are zero.
struct WideParts {
  Wide significand;
  int exponent;
};
WideParts normalise(Wide significand, int exponent) {
  const int shift = 126 - bit_width(significand);
  return {significand << shift, exponent - shift};
}

// Nearest even; `significand` is not zero, and its last bit may stand for lower ones.
double round_to_f64(bool negative, WideParts value) {
  int drop = bit_width(value.significand) - 53;
  if (value.exponent + drop < kMinExponent) drop = kMinExponent - value.exponent;
  // Two bits more than needed: the half and the sticky one.
  const Wide kept =
      drop >= 2 ? shift_right_sticky(value.significand, drop - 2) : value.significand << (2 - drop);
  auto rounded = static_cast<uint64_t>(kept >> 2);
  const auto rest = static_cast<unsigned>(kept & 3);
  if (rest > 2 || (rest == 2 && (rounded & 1) != 0)) ++rounded;
  int exponent = value.exponent + drop;
  if (rounded == kHiddenBit << 1) {
    rounded >>= 1;
    ++exponent;
  }
  uint64_t bits = 0x7FF0000000000000u;
  if (exponent <= kMaxExponent) {
    // Without the hidden bit it is subnormal (or zero), whose exponent field is 0.
    const bool normal = (rounded & kHiddenBit) != 0;
    const uint64_t field = normal ? static_cast<uint64_t>(exponent + 1075) : 0;
    bits = (rounded & (kHiddenBit - 1)) | field << 52;
  }
  return std::bit_cast<double>(bits | (negative ? kSignBit : 0));
}

}  // namespace

double f64_fma(double a, double b, double c) {
  if (!is_finite(a) || !is_finite(b)) return a * b + c;  // the product is exact
  if (!is_finite(c)) return c;
  if (a == 0.0 || b == 0.0) return a * b + c;  // exact, with the right zero
  const Parts left = split(a);
  const Parts right = split(b);
  const bool product_negative = is_negative(a) != is_negative(b);
  const WideParts product = normalise(static_cast<Wide>(left.significand) * right.significand,
                                      left.exponent + right.exponent);
  if (c == 0.0) return round_to_f64(product_negative, product);

  const Parts addend_parts = split(c);
  const WideParts addend = normalise(addend_parts.significand, addend_parts.exponent);
  const bool product_is_larger = product.exponent != addend.exponent
                                     ? product.exponent > addend.exponent
                                     : product.significand >= addend.significand;
  const WideParts large = product_is_larger ? product : addend;
  const WideParts small = product_is_larger ? addend : product;
  const bool negative = product_is_larger ? product_negative : is_negative(c);
  // Only a shift by more than 20 loses bits, and then the difference loses one bit at most, so the
  // sticky bit stays far below the half.
  const Wide aligned = shift_right_sticky(small.significand, large.exponent - small.exponent);
  if (product_negative == is_negative(c)) {
    return round_to_f64(negative, {large.significand + aligned, large.exponent});
  }
  const Wide difference = large.significand - aligned;
  if (difference == 0) return 0.0;
  return round_to_f64(negative, {difference, large.exponent});
}

double f64_sqrt(double x) { return __builtin_sqrt(x); }

double f64_trunc(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023;
  if (exponent >= 52) return x;
  if (exponent < 0) return std::bit_cast<double>(bits & kSignBit);
  const uint64_t fraction = (kHiddenBit - 1) >> exponent;
  return std::bit_cast<double>(bits & ~fraction);
}

double f64_floor(double x) {
  const double whole = f64_trunc(x);
  return whole > x ? whole - 1.0 : whole;
}

double f64_ceil(double x) {
  const double whole = f64_trunc(x);
  // -1 + 1 would be +0 for x in (-1, 0), but there the whole part is -0 and not below x.
  return whole < x ? whole + 1.0 : whole;
}

double f64_round(double x) {
  const double whole = f64_trunc(x);
  const double rest = f64_abs(x - whole);  // exact; NaN for infinities
  if (!(rest >= 0.5)) return whole;
  return is_negative(x) ? whole - 1.0 : whole + 1.0;
}

double f64_abs(double x) { return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~kSignBit); }

double f64_negate(double x) { return std::bit_cast<double>(std::bit_cast<uint64_t>(x) ^ kSignBit); }

double f64_min(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return is_negative(a) ? a : b;
  return a < b ? a : b;
}

double f64_max(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return is_negative(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace vyre::scalar

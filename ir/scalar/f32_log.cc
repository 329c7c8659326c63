// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// log and log2: x = 2^k m with m near 1, and m = c (1 + r) for a c from a table; the logarithm is
// that of 2^k, of c and of 1 + r.
#include "vyre/ir/scalar/double_double_constants.h"
#include "vyre/ir/scalar/double_double_functions.h"
#include "vyre/ir/scalar/f32_log_table.h"
#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::scalar {
namespace detail {

namespace {

// Where k != 0 the result is at least 0.34 and k ln 2 carries two roundings of it; where k = 0 but
// c != 1 the result is at least 2^-9 and the table entry, at most 2^-7 beyond it, one; where c = 1
// everything is relative to r. Nothing sums up to more than 2^-50.4.
constexpr double kLogError = 0x1p-49;

struct LogParts {
  double exponent;        // k
  const LogEntry* entry;  // c
  double log1p;           // log(1 + r)
};

// For positive finite x. As a double a subnormal f32 is normal, so it needs no case of its own.
inline LogParts split_log(float x) {
  // The least significand, about sqrt(1/2), chosen so that 1 is inside a table interval.
  constexpr std::uint64_t kFirst = std::uint64_t{0x3FE69} << 44;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  const std::uint64_t offset = bits - kFirst;
  const std::int64_t exponent = static_cast<std::int64_t>(offset) >> 52;
  const LogEntry* entry = &kLogTable[(offset >> 45) & 127];
  const double m = std::bit_cast<double>(bits - (offset & (std::uint64_t{0xFFF} << 52)));
  // Exact: m has 24 bits and 1/c at most 17.
  const double r = m * entry->inverse - 1.0;
  const double r2 = r * r;
  const double tail =
      (kLogPoly[0] + r * kLogPoly[1]) + r2 * ((kLogPoly[2] + r * kLogPoly[3]) + r2 * kLogPoly[4]);
  return {static_cast<double>(exponent), entry, r + r2 * tail};
}

// Zero, infinity, NaN and everything negative.
inline bool is_log_special(float x) {
  return std::bit_cast<std::uint32_t>(x) - 1 >= kInfinityBits - 1;
}

inline Estimate no_estimate() { return {static_cast<double>(f32_nan()), 0.0}; }

float log_of_special(float x) {
  if (x == 0.0f) return -f32_infinity();
  if (x == f32_infinity()) return x;
  return f32_nan();
}

}  // namespace

inline Estimate inline_estimate_log(float x) {
  if (is_log_special(x)) return no_estimate();
  const LogParts parts = split_log(x);
  return relative_estimate((parts.exponent * kLogLn2 + parts.entry->log) + parts.log1p, kLogError);
}

inline Estimate inline_estimate_log2(float x) {
  if (is_log_special(x)) return no_estimate();
  const LogParts parts = split_log(x);
  return relative_estimate((parts.exponent + parts.entry->log2) + parts.log1p * kLogInverseLn2,
                           kLogError);
}

Estimate estimate_log(float x) { return inline_estimate_log(x); }
Estimate estimate_log2(float x) { return inline_estimate_log2(x); }

namespace {

// One Newton step on the estimate y: log(x) = y + log(x e^-y), and x e^-y is within 2^-44 of 1, so
// that three terms of the series reach 2^-170.
DoubleDouble exact_log(float x) {
  const double y = inline_estimate_log(x).value;
  const DoubleDouble one{1.0, 0.0};
  const DoubleDouble t = exact_exp({-y, 0.0}) * static_cast<double>(x) - one;
  return DoubleDouble{y, 0.0} + t * (one - t * DoubleDouble{0.5, 0.0} + t * t * (1.0 / 3.0));
}

}  // namespace

float precise_log(float x) {
  if (is_log_special(x)) return log_of_special(x);
  if (x == 1.0f) return 0.0f;
  return round_to_f32(exact_log(x));
}

float precise_log2(float x) {
  if (is_log_special(x)) return log_of_special(x);
  const LogParts parts = split_log(x);
  if (parts.log1p == 0.0 && parts.entry->log2 == 0.0) return static_cast<float>(parts.exponent);
  return round_to_f32(exact_log(x) * DoubleDouble{kExactInverseLn2Hi, kExactInverseLn2Lo});
}

}  // namespace detail

float f32_log(float x) {
  return detail::settle<detail::precise_log>(detail::inline_estimate_log(x), x);
}
float f32_log2(float x) {
  return detail::settle<detail::precise_log2>(detail::inline_estimate_log2(x), x);
}

}  // namespace vyre::scalar

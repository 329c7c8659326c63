// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64.h"
#include "vyre/ir/derived_f64_blocks.h"
#include "vyre/ir/derived_f64_trig_reduction.h"

namespace vyre {

using namespace derived_f64;

namespace {

// sin r = r - r^3 / 6 + r^5 p(r^2) for |r| <= pi/4, to 2^-64 of itself
// (generate_f64_polynomials.py).
constexpr double kSin[] = {
    -0x1.ab93e7b0c7603p-41, 0x1.61225b1f9dae7p-33,  -0x1.ae645534093d7p-26,
    0x1.71de3a550cac6p-19,  -0x1.a01a01a019ed6p-13, 0x1.1111111111111p-7,
};
// -1 / 6 as a sum.
constexpr double kMinusSixth = -0x1.5555555555555p-3;
constexpr double kMinusSixthLow = -0x1.5555555555555p-57;
// cos r = 1 - r^2 / 2 + r^4 p(r^2), to 2^-60.
constexpr double kCos[] = {
    0x1.ab78473be59d7p-45, -0x1.9394b9eb4d56dp-37, 0x1.1eed8deb82809p-29, -0x1.27e4fb7712ca2p-22,
    0x1.a01a01a019d0ap-16, -0x1.6c16c16c16c16p-10, 0x1.5555555555555p-5,
};

// sin and cos of a rest, which is at most pi/4 and a little.
struct SinAndCos {
  Pair sin;
  Pair cos;
};

// The first two terms of each are added with all their errors; the others are below 0.02. The
// derivatives are enough for the low part of r.
SinAndCos sin_and_cos(const Pair& r) {
  const Pair z = two_product(r.high, r.high);
  const Expr sixth = number(kMinusSixth);
  const Expr cube = r.high * z.high;
  const Expr cube_low = fma(r.high, z.low, fma(r.high, z.high, -cube));
  const Expr sine = fma(cube, sixth, r.high);
  const Expr sine_low = fma(cube, sixth, r.high - sine);

  const Pair cosine = fast_two_sum(number(1.0), number(-0.5) * z.high);
  const Expr cos_low = fma(number(-0.5), z.low, -(sine * r.low));
  const Expr cos_rest = fma(z.high * z.high, polynomial(z.high, kCos), cos_low);
  const Pair cos = fast_two_sum(cosine.high, cosine.low + cos_rest);

  const Expr sixth_low = fma(cube, number(kMinusSixthLow), cube_low * sixth);
  const Expr sin_low = fma(cos.high, r.low, sixth_low);
  const Expr sin_rest = fma(cube * z.high, polynomial(z.high, kSin), sin_low);
  return {fast_two_sum(sine, sine_low + sin_rest), cos};
}

// Whether bit i of an integer is set.
Expr has_bit(const Expr& integer, unsigned i) {
  return Expr::ne(integer & Expr::u64(uint64_t{1} << i), Expr::u64(0));
}

// y for finite x.
Expr if_finite(const Expr& x, const Expr& y) {
  const Expr infinity = Expr::literal(DataType::F64, uint64_t{0x7FF} << 52);
  const Expr nan = Expr::literal(DataType::F64, uint64_t{0x7FF8} << 48);
  return Expr::select(Expr::lt(Expr::abs(x), infinity), y, nan);
}

// sin (rest + quadrant pi/2). The second bit of the quadrant, moved to the sign, is its sign.
Expr sin_of(const Pair& rest, const Expr& quadrant) {
  const SinAndCos both = sin_and_cos(rest);
  const Expr value = Expr::select(has_bit(quadrant, 0), both.cos.high, both.sin.high);
  return flip_sign(value, (quadrant >> Expr::u64(1)) << Expr::u64(63));
}

}  // namespace

// Within 0.58 ulp.
Expr f64_sin_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const ReducedAngle angle = reduce_angle(x);
  return if_finite(x, flip_sign(sin_of(angle.rest, angle.quadrant), sign_bit(x)));
}

// sin of a quarter turn more, within 0.58 ulp.
Expr f64_cos_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const ReducedAngle angle = reduce_angle(x);
  return if_finite(x, sin_of(angle.rest, angle.quadrant + Expr::u64(1)));
}

// sin r / cos r, or -cos r / sin r in odd quadrants, within 0.60 ulp.
Expr f64_tan_meaning(DataType::Kind, std::span<const Expr> operands) {
  const Expr& x = operands[0];
  const ReducedAngle angle = reduce_angle(x);
  const auto [sin, cos] = sin_and_cos(angle.rest);
  const Expr is_odd = has_bit(angle.quadrant, 0);
  const Pair result =
      quotient(derived_f64::select(is_odd, cos, sin), derived_f64::select(is_odd, sin, cos));
  const Expr sign = sign_bit(x) ^ (angle.quadrant << Expr::u64(63));
  return if_finite(x, flip_sign(result.high + result.low, sign));
}

}  // namespace vyre

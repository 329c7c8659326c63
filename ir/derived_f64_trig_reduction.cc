// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_f64_trig_reduction.h"

#include <array>
#include <vector>

// Payne and Hanek's method in integers. For |x| = M 2^(E - 63), M a u64 with its top bit set,
//
//   |x| / 2 pi = M 2^(E - 65) (2 / pi)
//
// and bits of 2^(E - 65) (2 / pi) of weight 1 and more only add whole turns. The 192 bits after
// them give the turn to 2^-128. No f64 is nearer than 2^-62 to a multiple of pi/2, measured in
// quarter turns, except those that are below 1, so at least 64 bits of the rest are right.
namespace vyre::derived_f64 {
namespace {

// 2^-65 (2 / pi) as a binary fraction (generate_f64_polynomials.py).
constexpr std::array<uint64_t, 19> kTwoOverPi = {
    0x0000000000000000, 0x517CC1B727220A94, 0xFE13ABE8FA9A6EE0, 0x6DB14ACC9E21C820,
    0xFF28B1D5EF5DE2B0, 0xDB92371D2126E970, 0x0324977504E8C90E, 0x7F0EF58E5894D39F,
    0x74411AFA975DA242, 0x74CE38135A2FBF20, 0x9CC8EB1CC1A99CFA, 0x4E422FC5DEFC941D,
    0x8FFC4BFFEF02CC07, 0xF79788C5AD05368F, 0xB69B3F6793E584DB, 0xA7A31FB34F2FF516,
    0xBA93DD63F5F2F8BD, 0x9E839CFBC5294975, 0x35FDAFD88FC6AE84,
};

constexpr size_t kWindowWords = 4;

Expr word(uint64_t value) { return Expr::u64(value); }

// 64 bits of two neighbouring words, from bit first mod 64 on (shifts take amounts modulo 64). A
// shift by 64 would be one by 0, so that of the second word is done in two parts.
Expr shifted_word(const Expr& high, const Expr& low, const Expr& first) {
  return (high << first) | ((low >> word(1)) >> (first ^ word(63)));
}

// The 192 bits of kTwoOverPi from a bit on, for bit in 0..1023. Words that cannot start a window
// any more drop out as each bit of the word's number is looked at: a shifter made of selects.
std::vector<Expr> window(const Expr& bit) {
  std::vector<Expr> words;
  for (const uint64_t value : kTwoOverPi) words.push_back(word(value));
  for (const size_t step : {size_t{8}, size_t{4}, size_t{2}, size_t{1}}) {
    const Expr is_set = Expr::ne(bit & word(step * 64), word(0));
    std::vector<Expr> next;
    for (size_t i = 0; i < step - 1 + kWindowWords; ++i) {
      next.push_back(Expr::select(is_set, words[i + step], words[i]));
    }
    words = std::move(next);
  }
  std::vector<Expr> shifted;
  for (size_t i = 0; i + 1 < kWindowWords; ++i) {
    shifted.push_back(shifted_word(words[i], words[i + 1], bit));
  }
  return shifted;
}

// A fraction of 128 bits.
struct Fraction {
  Expr high;
  Expr low;
};

// The top 128 of the low 192 bits of a product of 64 and 192 bits.
Fraction low_product(const Expr& factor, const std::vector<Expr>& words) {
  const Expr carried = Expr::mulhi(factor, words[2]);
  const Expr low = factor * words[1] + carried;
  const Expr carry = Expr::select(Expr::lt(low, carried), word(1), word(0));
  return {factor * words[0] + Expr::mulhi(factor, words[1]) + carry, low};
}

// A fraction of a quarter turn in -1/2..1/2, in two's complement, as an angle.
Pair to_angle(const Fraction& fraction) {
  const Expr sign = fraction.high & word(uint64_t{1} << 63);
  // All ones where it is negative. Complementing instead of negating is off by 2^-128.
  const Expr mask =
      Expr::cast(DataType::U64, Expr::cast(DataType::I64, fraction.high) >> Expr::i64(63));
  const Expr high = fraction.high ^ mask;
  const Expr zeros = Expr::clz(high);
  const Expr normal = shifted_word(high, fraction.low ^ mask, zeros);
  // 53 bits and 11 bits, both exact.
  const Expr low_bits = normal & word(0x7FF);
  const Expr exponent = word(1023 - 64) - zeros;
  const Expr factor = from_bits((exponent << word(52)) | sign);
  const Pair quarters{Expr::cast(DataType::F64, normal ^ low_bits) * factor,
                      Expr::cast(DataType::F64, low_bits) * factor};
  return product(quarters, {number(0x1.921fb54442d18p+0), number(0x1.1a62633145c07p-54)});
}

}  // namespace

ReducedAngle reduce_angle(const Expr& x) {
  const Expr magnitude = Expr::abs(x);
  const Expr bits = bits_of(magnitude);
  // Numbers of 0.5..1 count as ones with the exponent 0 and a significand half as large. What is
  // smaller does not get here.
  const Expr field = bits >> word(52);
  const Expr bounded_field = Expr::max(field, word(1023));
  const Expr significand =
      ((bits << word(11)) | word(uint64_t{1} << 63)) >> (bounded_field - field);
  const Fraction turns = low_product(significand, window(bounded_field - word(1023)));
  const Fraction quarters{(turns.high << word(2)) | (turns.low >> word(62)), turns.low << word(2)};
  // Past the middle of a quarter the rest is negative and belongs to the next one.
  const Expr quadrant = (turns.high >> word(62)) + (quarters.high >> word(63));

  const Expr is_small = Expr::lt(magnitude, number(0x1.921fb54442d18p-1));
  const Pair rest = select(is_small, {magnitude, number(0.0)}, to_angle(quarters));
  return {rest, Expr::select(is_small, word(0), quadrant)};
}

}  // namespace vyre::derived_f64

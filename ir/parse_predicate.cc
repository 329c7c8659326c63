// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Conditions on a buffer's count, by operator precedence with a stack of what is open. The terms of
// a ShapePredicate are in the order in which they are completed.
#include <fmt/format.h>

#include <limits>

#include "vyre/ir/parse_declaration.h"

namespace vyre::internal {
namespace {

using Kind = ShapePredicate::Kind;
using Term = ShapePredicate::Term;

class PredicateReader {
 public:
  explicit PredicateReader(TextReader& reader) : reader_(reader) {}

  std::optional<ShapePredicate> read() {
    while (true) {
      if (!read_operand()) return std::nullopt;
      close_parentheses();
      if (reader_.accept("and")) {
        reduce(kAnd);
        open_.push_back(kAnd);
      } else if (reader_.accept("or")) {
        reduce(kOr);
        open_.push_back(kOr);
      } else {
        break;
      }
    }
    reduce(kOr);
    if (!open_.empty()) {
      reader_.unexpected("`and`, `or` or `)`", "close the parenthesis with `)`.");
      return std::nullopt;
    }
    return ShapePredicate::from_terms(std::move(terms_));
  }

 private:
  // From loose to tight; a parenthesis ends what binds more loosely outside of it.
  enum Open : uint8_t { kParenthesis, kOr, kAnd, kNot };

  bool read_operand() {
    while (reader_.count_node()) {
      if (reader_.accept("not")) {
        open_.push_back(kNot);
      } else if (reader_.accept("(")) {
        open_.push_back(kParenthesis);
        ++parentheses_;
      } else {
        return reader_.accept("count") ? read_comparison() : read_affine_range();
      }
    }
    return false;
  }

  void reduce(Open least) {
    while (!open_.empty() && open_.back() >= least) {
      const Kind kind = open_.back() == kNot   ? Kind::kNot
                        : open_.back() == kAnd ? Kind::kAnd
                                               : Kind::kOr;
      open_.pop_back();
      terms_.push_back(Term{kind, {}});
    }
  }

  // The last `)` is that of `where`.
  void close_parentheses() {
    while (parentheses_ > 0 && reader_.accept(")")) {
      reduce(kOr);
      open_.pop_back();
      --parentheses_;
    }
  }

  bool add(Kind kind, std::vector<int64_t> values) {
    terms_.push_back(Term{kind, std::move(values)});
    return true;
  }

  // Behind `count`.
  bool read_comparison() {
    static constexpr std::string_view kMarks[] = {">=", "<=", "=="};
    static constexpr Kind kKinds[] = {Kind::kAtLeast, Kind::kAtMost, Kind::kExactly};
    for (size_t i = 0; i < std::size(kMarks); ++i) {
      if (!reader_.accept(kMarks[i])) continue;
      const std::optional<uint32_t> number = reader_.u32("a number of elements");
      return number && add(kKinds[i], {*number});
    }
    if (!reader_.accept("%")) {
      reader_.unexpected("a comparison of `count`", "write >=, <=, == or % behind `count`.");
      return false;
    }
    const std::optional<uint32_t> modulus = reader_.u32("a modulus");
    if (!modulus || !reader_.expect("==", "and a remainder after the modulus")) return false;
    return read_remainder(*modulus);
  }

  // A remainder of 0 is a condition of its own unless it is written mod(0).
  bool read_remainder(uint32_t modulus) {
    if (reader_.accept("mod")) {
      if (!reader_.expect("(", "after `mod`")) return false;
      const std::optional<uint64_t> zero = reader_.u64("0", 0);
      return zero && reader_.expect(")", "after 0") && add(Kind::kModEquals, {modulus, 0});
    }
    const std::optional<uint32_t> remainder = reader_.u32("a remainder");
    if (!remainder) return false;
    if (*remainder == 0) return add(Kind::kMultipleOf, {modulus});
    return add(Kind::kModEquals, {modulus, *remainder});
  }

  // -1 <= -2 * count + 3 <= 5
  bool read_affine_range() {
    const std::optional<int64_t> least = integer("a condition on `count`");
    if (!least || !reader_.expect("<=", "after the least value")) return false;
    const std::optional<int64_t> scale = integer("a factor");
    if (!scale || !reader_.expect("*", "after the factor")) return false;
    if (!reader_.expect("count", "after `*`") || !reader_.expect("+", "after `count`"))
      return false;
    const std::optional<int64_t> offset = integer("an offset");
    if (!offset || !reader_.expect("<=", "after the offset")) return false;
    const std::optional<int64_t> most = integer("the largest value");
    return most && add(Kind::kAffineRange, {*scale, *offset, *least, *most});
  }

  std::optional<int64_t> integer(std::string_view what) {
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    const bool negative = reader_.accept("-");
    const std::optional<uint64_t> magnitude = reader_.u64(what, kMost + (negative ? 1 : 0));
    if (!magnitude) return std::nullopt;
    return static_cast<int64_t>(negative ? 0 - *magnitude : *magnitude);
  }

  TextReader& reader_;
  std::vector<Open> open_;
  size_t parentheses_ = 0;
  std::vector<Term> terms_;
};

}  // namespace

std::optional<ShapePredicate> read_predicate(TextReader& reader) {
  return PredicateReader(reader).read();
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/predicate_codec.h"

#include <fmt/format.h>

#include <vector>

#include "vyre/ir/wire/limits.h"

namespace vyre::wire {
namespace {

using Kind = ShapePredicate::Kind;
constexpr uint8_t kNoPredicate = 0;

// A combination whose operands are being read.
struct Combination {
  Kind kind;
  std::optional<ShapePredicate> left;
};

ShapePredicate read_affine_range(ByteReader& in) {
  const auto scale = static_cast<int64_t>(in.leb());
  const auto offset = static_cast<int64_t>(in.leb());
  const auto min = static_cast<int64_t>(in.leb());
  return ShapePredicate::affine_range(scale, offset, min, static_cast<int64_t>(in.leb()));
}

ShapePredicate read_leaf(ByteReader& in, Kind kind) {
  if (kind == Kind::kAffineRange) return read_affine_range(in);
  const uint32_t value = in.u32();
  if (kind == Kind::kAtLeast) return ShapePredicate::at_least(value);
  if (kind == Kind::kAtMost) return ShapePredicate::at_most(value);
  if (kind == Kind::kExactly) return ShapePredicate::exactly(value);
  if (kind == Kind::kMultipleOf) return ShapePredicate::multiple_of(value);
  return ShapePredicate::mod_equals(value, in.u32());
}

// Combines as far as there are operands. True once `value` is the whole predicate.
bool fold(std::vector<Combination>& open, ShapePredicate& value) {
  while (!open.empty()) {
    Combination& top = open.back();
    if (top.kind != Kind::kNot && !top.left) {
      top.left = std::move(value);
      return false;
    }
    if (top.kind == Kind::kNot) {
      value = ShapePredicate::negated(std::move(value));
    } else if (top.kind == Kind::kAnd) {
      value = ShapePredicate::both(*std::move(top.left), value);
    } else {
      value = ShapePredicate::either(*std::move(top.left), value);
    }
    open.pop_back();
  }
  return true;
}

// For each combination the term at which its left operand ends; its right one ends just before it.
std::vector<size_t> left_operands(const std::vector<ShapePredicate::Term>& terms) {
  std::vector<size_t> left(terms.size());
  std::vector<size_t> values;  // where those not yet combined end
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].kind == Kind::kAnd || terms[i].kind == Kind::kOr) {
      values.pop_back();
      left[i] = values.back();
      values.pop_back();
    } else if (terms[i].kind == Kind::kNot) {
      values.pop_back();
    }
    values.push_back(i);
  }
  return left;
}

void write_term(ByteWriter& out, const ShapePredicate::Term& term) {
  out.u8(static_cast<uint8_t>(term.kind));
  for (const int64_t value : term.values) {
    if (term.kind == Kind::kAffineRange) {
      out.leb(static_cast<uint64_t>(value));
    } else {
      out.u32(static_cast<uint32_t>(value));
    }
  }
}

}  // namespace

std::optional<ShapePredicate> read_predicate(ByteReader& in) {
  std::vector<Combination> open;
  while (in.ok()) {
    const size_t start = in.position();
    const uint8_t tag = in.u8();
    if (tag == kNoPredicate && open.empty()) return std::nullopt;
    if (tag == kNoPredicate || tag > static_cast<uint8_t>(Kind::kNot)) {
      in.fail_at(start, kTagIsKnown, fmt::format("{:#04x} is not a predicate's tag", tag));
      break;
    }
    if (open.size() >= kMaxPredicateDepth) {
      in.fail_at(start, kPredicateIsShallow, "a shape predicate nests too deep");
      break;
    }
    const auto kind = static_cast<Kind>(tag);
    if (kind >= Kind::kAnd) {
      open.push_back({kind, std::nullopt});
      continue;
    }
    ShapePredicate value = read_leaf(in, kind);
    if (in.ok() && fold(open, value)) return value;
  }
  return std::nullopt;
}

void write_predicate(ByteWriter& out, const std::optional<ShapePredicate>& predicate) {
  if (!predicate) return out.u8(kNoPredicate);
  const std::vector<ShapePredicate::Term>& terms = predicate->terms();
  if (terms.empty()) return out.fail(kPredicateIsShallow, "a shape predicate is empty");
  const std::vector<size_t> left = left_operands(terms);
  struct Visit {
    size_t term;
    uint32_t depth;
  };
  std::vector<Visit> visits{{terms.size() - 1, 0}};
  while (!visits.empty() && out.ok()) {
    const Visit visit = visits.back();
    visits.pop_back();
    const Kind kind = terms[visit.term].kind;
    if (visit.depth >= kMaxPredicateDepth) {
      return out.fail(kPredicateIsShallow, "a shape predicate nests too deep");
    }
    write_term(out, terms[visit.term]);
    if (kind < Kind::kAnd) continue;
    visits.push_back({visit.term - 1, visit.depth + 1});
    if (kind != Kind::kNot) visits.push_back({left[visit.term], visit.depth + 1});
  }
}

}  // namespace vyre::wire

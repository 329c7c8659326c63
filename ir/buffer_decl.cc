// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/buffer_decl.h"

#include <fmt/format.h>

#include "vyre/ir/check.h"
#include "vyre/ir/structural.h"

namespace vyre {

const char* spelling(BufferAccess access) {
  switch (access) {
    case BufferAccess::kReadOnly:
      return "read";
    case BufferAccess::kReadWrite:
      return "read_write";
    case BufferAccess::kUniform:
      return "uniform";
    case BufferAccess::kWorkgroup:
      return "workgroup";
    case BufferAccess::kWriteOnly:
      return "write";
  }
  VYRE_UNREACHABLE("a buffer access without a spelling");
}

const char* spelling(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kGlobal:
      return "global";
    case MemoryKind::kShared:
      return "shared";
    case MemoryKind::kUniform:
      return "uniform";
    case MemoryKind::kLocal:
      return "local";
    case MemoryKind::kReadonly:
      return "readonly";
    case MemoryKind::kPush:
      return "push";
    case MemoryKind::kPersistent:
      return "persistent";
  }
  VYRE_UNREACHABLE("a memory kind without a spelling");
}

MemoryKind default_kind(BufferAccess access) {
  switch (access) {
    case BufferAccess::kReadOnly:
      return MemoryKind::kReadonly;
    case BufferAccess::kUniform:
      return MemoryKind::kUniform;
    case BufferAccess::kWorkgroup:
      return MemoryKind::kShared;
    case BufferAccess::kReadWrite:
    case BufferAccess::kWriteOnly:
      return MemoryKind::kGlobal;
  }
  VYRE_UNREACHABLE("a buffer access without a memory kind");
}

const char* spelling(CacheLocality locality) {
  switch (locality) {
    case CacheLocality::kStreaming:
      return "streaming";
    case CacheLocality::kTemporal:
      return "temporal";
    case CacheLocality::kRandom:
      return "random";
  }
  VYRE_UNREACHABLE("a cache locality without a spelling");
}

const char* spelling(LinearType type) {
  switch (type) {
    case LinearType::kLinear:
      return "linear";
    case LinearType::kAffine:
      return "affine";
    case LinearType::kRelevant:
      return "relevant";
    case LinearType::kUnrestricted:
      return "unrestricted";
  }
  VYRE_UNREACHABLE("a linear type without a spelling");
}

namespace {

size_t operand_count(ShapePredicate::Kind kind) {
  if (kind < ShapePredicate::Kind::kAnd) return 0;
  return kind == ShapePredicate::Kind::kNot ? 1 : 2;
}

size_t value_count(ShapePredicate::Kind kind) {
  if (kind == ShapePredicate::Kind::kAffineRange) return 4;
  if (kind == ShapePredicate::Kind::kModEquals) return 2;
  return operand_count(kind) == 0 ? 1 : 0;
}

}  // namespace

ShapePredicate ShapePredicate::leaf(Kind kind, std::vector<int64_t> values) {
  ShapePredicate predicate;
  predicate.terms_.push_back(Term{kind, std::move(values)});
  return predicate;
}

ShapePredicate ShapePredicate::both(ShapePredicate a, const ShapePredicate& b) {
  a.terms_.insert(a.terms_.end(), b.terms_.begin(), b.terms_.end());
  a.terms_.push_back(Term{Kind::kAnd, {}});
  return a;
}

ShapePredicate ShapePredicate::either(ShapePredicate a, const ShapePredicate& b) {
  a.terms_.insert(a.terms_.end(), b.terms_.begin(), b.terms_.end());
  a.terms_.push_back(Term{Kind::kOr, {}});
  return a;
}

ShapePredicate ShapePredicate::negated(ShapePredicate a) {
  a.terms_.push_back(Term{Kind::kNot, {}});
  return a;
}

std::optional<ShapePredicate> ShapePredicate::from_terms(std::vector<Term> terms) {
  size_t results = 0;
  for (const Term& term : terms) {
    const size_t operands = operand_count(term.kind);
    if (results < operands || term.values.size() != value_count(term.kind)) return std::nullopt;
    results = results - operands + 1;
  }
  if (results != 1) return std::nullopt;
  ShapePredicate predicate;
  predicate.terms_ = std::move(terms);
  return predicate;
}

namespace {

bool affine_range_holds(const std::vector<int64_t>& v, uint64_t count) {
  // scale * count + offset can need 128 bits.
  __extension__ using Wide = __int128;
  const Wide value = static_cast<Wide>(v[0]) * static_cast<Wide>(count) + v[1];
  return value >= v[2] && value <= v[3];
}

bool leaf_holds(const ShapePredicate::Term& term, uint64_t count) {
  const auto value = [&term](size_t i) { return static_cast<uint64_t>(term.values[i]); };
  switch (term.kind) {
    case ShapePredicate::Kind::kAtLeast:
      return count >= value(0);
    case ShapePredicate::Kind::kAtMost:
      return count <= value(0);
    case ShapePredicate::Kind::kExactly:
      return count == value(0);
    case ShapePredicate::Kind::kMultipleOf:
      return value(0) != 0 && count % value(0) == 0;
    case ShapePredicate::Kind::kModEquals:
      return value(0) != 0 && value(1) < value(0) && count % value(0) == value(1);
    case ShapePredicate::Kind::kAffineRange:
      return affine_range_holds(term.values, count);
    case ShapePredicate::Kind::kAnd:
    case ShapePredicate::Kind::kOr:
    case ShapePredicate::Kind::kNot:
      break;
  }
  VYRE_UNREACHABLE("a combination is not a leaf");
}

std::string leaf_text(const ShapePredicate::Term& term) {
  const std::vector<int64_t>& v = term.values;
  switch (term.kind) {
    case ShapePredicate::Kind::kAtLeast:
      return fmt::format("count >= {}", v[0]);
    case ShapePredicate::Kind::kAtMost:
      return fmt::format("count <= {}", v[0]);
    case ShapePredicate::Kind::kExactly:
      return fmt::format("count == {}", v[0]);
    case ShapePredicate::Kind::kMultipleOf:
      return fmt::format("count % {} == 0", v[0]);
    case ShapePredicate::Kind::kModEquals:
      // A remainder of zero is written apart from kMultipleOf, which means the same.
      return v[1] == 0 ? fmt::format("count % {} == mod(0)", v[0])
                       : fmt::format("count % {} == {}", v[0], v[1]);
    case ShapePredicate::Kind::kAffineRange:
      return fmt::format("{} <= {} * count + {} <= {}", v[2], v[0], v[1], v[3]);
    case ShapePredicate::Kind::kAnd:
    case ShapePredicate::Kind::kOr:
    case ShapePredicate::Kind::kNot:
      break;
  }
  VYRE_UNREACHABLE("a combination is not a leaf");
}

// The terms that a combination combines; `right` alone for a negation.
struct Operands {
  size_t left;
  size_t right;
};

// By position in the postfix list.
std::vector<Operands> operands_of(const std::vector<ShapePredicate::Term>& terms) {
  std::vector<Operands> operands(terms.size());
  std::vector<size_t> stack;
  for (size_t i = 0; i < terms.size(); ++i) {
    const size_t count = operand_count(terms[i].kind);
    if (count > 0) operands[i] = {stack[stack.size() - count], stack.back()};
    stack.resize(stack.size() - count);
    stack.push_back(i);
  }
  return operands;
}

}  // namespace

bool ShapePredicate::holds(uint64_t count) const {
  const std::vector<Operands> operands = operands_of(terms_);
  std::vector<char> results(terms_.size());
  for (size_t i = 0; i < terms_.size(); ++i) {
    const bool left = results[operands[i].left] != 0;
    const bool right = results[operands[i].right] != 0;
    switch (terms_[i].kind) {
      case Kind::kAnd:
        results[i] = left && right;
        break;
      case Kind::kOr:
        results[i] = left || right;
        break;
      case Kind::kNot:
        results[i] = !right;
        break;
      case Kind::kAtLeast:
      case Kind::kAtMost:
      case Kind::kExactly:
      case Kind::kMultipleOf:
      case Kind::kModEquals:
      case Kind::kAffineRange:
        results[i] = leaf_holds(terms_[i], count);
        break;
    }
  }
  return results.back() != 0;
}

std::string ShapePredicate::to_string() const {
  const std::vector<Operands> operands = operands_of(terms_);
  // What is still to be written, last on top: a term, or where there is none, the text.
  struct Piece {
    std::optional<size_t> term;
    const char* text;
  };
  std::string result;
  std::vector<Piece> stack{{terms_.size() - 1, ""}};
  const auto push = [&](size_t term, bool parentheses) {
    if (parentheses) stack.push_back({{}, ")"});
    stack.push_back({term, ""});
    if (parentheses) stack.push_back({{}, "("});
  };
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (!piece.term) {
      result += piece.text;
      continue;
    }
    const Kind kind = terms_[*piece.term].kind;
    const auto [left, right] = operands[*piece.term];
    if (kind < Kind::kAnd) {
      result += leaf_text(terms_[*piece.term]);
    } else if (kind == Kind::kNot) {
      result += "not ";
      push(right, terms_[right].kind != Kind::kNot);
    } else {
      // The enumeration lists kAnd before kOr, tight before loose; both group to the left.
      const auto looser = [&](size_t term) {
        return terms_[term].kind > kind && terms_[term].kind != Kind::kNot;
      };
      push(right, looser(right) || terms_[right].kind == kind);
      stack.push_back({{}, kind == Kind::kAnd ? " and " : " or "});
      push(left, looser(left));
    }
  }
  return result;
}

BufferDecl BufferDecl::storage(std::string_view name, uint32_t binding, BufferAccess access,
                               DataType element, Place place) {
  BufferDecl decl;
  decl.name_ = name;
  decl.binding_ = binding;
  decl.access_ = access;
  decl.kind_ = default_kind(access);
  decl.element_ = std::move(element);
  decl.place_ = std::move(place);
  return decl;
}

BufferDecl BufferDecl::read(std::string_view name, uint32_t binding, DataType element,
                            Place place) {
  return storage(name, binding, BufferAccess::kReadOnly, std::move(element), std::move(place));
}
BufferDecl BufferDecl::read_write(std::string_view name, uint32_t binding, DataType element,
                                  Place place) {
  return storage(name, binding, BufferAccess::kReadWrite, std::move(element), std::move(place));
}
BufferDecl BufferDecl::output(std::string_view name, uint32_t binding, DataType element,
                              Place place) {
  return read_write(name, binding, std::move(element), std::move(place))
      .with_output(true)
      .with_pipeline_live_out(true);
}
BufferDecl BufferDecl::uniform(std::string_view name, uint32_t binding, DataType element,
                               Place place) {
  return storage(name, binding, BufferAccess::kUniform, std::move(element), std::move(place));
}
BufferDecl BufferDecl::workgroup(std::string_view name, uint32_t count, DataType element,
                                 Place place) {
  return storage(name, 0, BufferAccess::kWorkgroup, std::move(element), std::move(place))
      .with_count(count);
}
BufferDecl BufferDecl::local(std::string_view name, uint32_t count, DataType element, Place place) {
  return workgroup(name, count, std::move(element), std::move(place)).with_kind(MemoryKind::kLocal);
}
BufferDecl BufferDecl::transient(std::string_view name, uint32_t count, DataType element,
                                 Place place) {
  return read_write(name, 0, std::move(element), std::move(place))
      .with_count(count)
      .with_kind(MemoryKind::kPersistent);
}

BufferDecl BufferDecl::with_name(std::string_view name) const {
  BufferDecl decl = *this;
  decl.name_ = name;
  return decl;
}
BufferDecl BufferDecl::with_count(uint32_t count) const {
  BufferDecl decl = *this;
  decl.count_ = count;
  return decl;
}
BufferDecl BufferDecl::with_kind(MemoryKind kind) const {
  BufferDecl decl = *this;
  decl.kind_ = kind;
  return decl;
}
BufferDecl BufferDecl::with_access(BufferAccess access) const {
  BufferDecl decl = *this;
  decl.access_ = access;
  return decl;
}
BufferDecl BufferDecl::with_hints(MemoryHints hints) const {
  BufferDecl decl = *this;
  decl.hints_ = hints;
  return decl;
}
BufferDecl BufferDecl::with_output(bool is_output) const {
  BufferDecl decl = *this;
  decl.is_output_ = is_output;
  return decl;
}
BufferDecl BufferDecl::with_pipeline_live_out(bool live_out) const {
  BufferDecl decl = *this;
  decl.pipeline_live_out_ = live_out;
  return decl;
}
BufferDecl BufferDecl::with_output_byte_range(ByteRange range) const {
  BufferDecl decl = *this;
  decl.output_byte_range_ = range;
  return decl;
}
BufferDecl BufferDecl::with_bytes_extraction(bool enabled) const {
  BufferDecl decl = *this;
  decl.bytes_extraction_ = enabled;
  return decl;
}
BufferDecl BufferDecl::with_linear_type(LinearType type) const {
  BufferDecl decl = *this;
  decl.linear_type_ = type;
  return decl;
}
BufferDecl BufferDecl::with_shape_predicate(ShapePredicate predicate) const {
  BufferDecl decl = *this;
  decl.shape_predicate_ = std::move(predicate);
  return decl;
}

std::optional<uint64_t> BufferDecl::static_byte_length() const {
  if (!count_) return std::nullopt;
  const std::optional<uint64_t> bits = element_.bit_width();
  uint64_t total = 0;
  if (bits) {
    if (__builtin_mul_overflow(*bits, uint64_t{*count_}, &total)) return std::nullopt;
    return total / 8 + (total % 8 != 0 ? 1 : 0);
  }
  const std::optional<uint64_t> size = element_.size_bytes();
  if (!size || __builtin_mul_overflow(*size, uint64_t{*count_}, &total)) return std::nullopt;
  return total;
}

void BufferDecl::add_to(DigestBuilder& digest) const {
  digest.add_text(name_).add_u32(binding_);
  digest.add_u8(static_cast<uint8_t>(access_)).add_u8(static_cast<uint8_t>(kind_));
  internal::add_type(digest, element_);
  digest.add_u8(count_ ? 1 : 0).add_u32(count_.value_or(0));
  digest.add_u8(is_output_ ? 1 : 0).add_u8(pipeline_live_out_ ? 1 : 0);
  const ByteRange range = output_byte_range_.value_or(ByteRange{});
  digest.add_u8(output_byte_range_ ? 1 : 0).add_u64(range.begin).add_u64(range.end);
  digest.add_u8(hints_.coalesce_axis ? 1 : 0).add_u8(hints_.coalesce_axis.value_or(0));
  digest.add_u32(hints_.preferred_alignment).add_u8(static_cast<uint8_t>(hints_.cache_locality));
  digest.add_u8(bytes_extraction_ ? 1 : 0).add_u8(static_cast<uint8_t>(linear_type_));
  digest.add_u64(shape_predicate_ ? shape_predicate_->terms().size() : 0);
  if (!shape_predicate_) return;
  for (const ShapePredicate::Term& term : shape_predicate_->terms()) {
    digest.add_u8(static_cast<uint8_t>(term.kind));
    for (const int64_t value : term.values) digest.add_u64(static_cast<uint64_t>(value));
  }
}

bool operator==(const BufferDecl& a, const BufferDecl& b) {
  return a.name_ == b.name_ && a.binding_ == b.binding_ && a.access_ == b.access_ &&
         a.kind_ == b.kind_ && a.element_ == b.element_ && a.count_ == b.count_ &&
         a.is_output_ == b.is_output_ && a.pipeline_live_out_ == b.pipeline_live_out_ &&
         a.output_byte_range_ == b.output_byte_range_ && a.hints_ == b.hints_ &&
         a.bytes_extraction_ == b.bytes_extraction_ && a.linear_type_ == b.linear_type_ &&
         a.shape_predicate_ == b.shape_predicate_;
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// BufferDecl: how a program declares a buffer.
//
//   BufferDecl::storage("q", 0, BufferAccess::kReadOnly, DataType::F32).with_count(128)
//   BufferDecl::output("out", 3, DataType::F32).with_count(128)
//   BufferDecl::workgroup("scratch", 1024, DataType::F32)   // one array a workgroup
//   BufferDecl::local("row", 64, DataType::F32)             // one array an invocation
//   BufferDecl::transient("tmp", 4096, DataType::F32)       // global memory of one run
//
// A count is a number of elements. Without one the buffer is sized by what is bound to it; 0 is a
// legal empty buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/digest.h"
#include "vyre/ir/place.h"

namespace vyre {

// The original's wire numbers.
enum class BufferAccess : uint8_t {
  kReadOnly = 0,   // supplied by the caller
  kReadWrite = 1,  // supplied and returned, unless marked as an output
  kUniform = 2,    // supplied, small and read only
  kWorkgroup = 3,  // scratch of a workgroup or invocation; never seen by the caller
  kWriteOnly = 4,  // allocated by the engine and returned
};
const char* spelling(BufferAccess access);

enum class MemoryKind : uint8_t {
  kGlobal = 0,
  kShared = 1,
  kUniform = 2,
  kLocal = 3,
  kReadonly = 4,
  kPush = 5,
  kPersistent = 6,
};
const char* spelling(MemoryKind kind);
// The kind an access has unless the declaration says otherwise.
MemoryKind default_kind(BufferAccess access);

enum class CacheLocality : uint8_t { kStreaming = 0, kTemporal = 1, kRandom = 2 };
const char* spelling(CacheLocality locality);

struct MemoryHints {
  std::optional<uint8_t> coalesce_axis;
  uint32_t preferred_alignment = 0;
  CacheLocality cache_locality = CacheLocality::kTemporal;
  friend bool operator==(const MemoryHints&, const MemoryHints&) = default;
};

enum class LinearType : uint8_t { kLinear = 0, kAffine = 1, kRelevant = 2, kUnrestricted = 3 };
const char* spelling(LinearType type);

// A condition on a buffer's element count. Kept as a postfix list of terms, so that nesting costs
// no stack.
class ShapePredicate {
 public:
  enum class Kind : uint8_t {  // the original's wire numbers
    kAtLeast = 1,
    kAtMost = 2,
    kExactly = 3,
    kMultipleOf = 4,
    kModEquals = 5,    // values: modulus, remainder
    kAffineRange = 6,  // values: scale, offset, min, max; min <= scale * count + offset <= max
    kAnd = 7,
    kOr = 8,
    kNot = 9,
  };
  struct Term {
    Kind kind;
    std::vector<int64_t> values;
    friend bool operator==(const Term&, const Term&) = default;
  };

  static ShapePredicate at_least(uint32_t n) { return leaf(Kind::kAtLeast, {n}); }
  static ShapePredicate at_most(uint32_t n) { return leaf(Kind::kAtMost, {n}); }
  static ShapePredicate exactly(uint32_t n) { return leaf(Kind::kExactly, {n}); }
  static ShapePredicate multiple_of(uint32_t n) { return leaf(Kind::kMultipleOf, {n}); }
  static ShapePredicate mod_equals(uint32_t modulus, uint32_t remainder) {
    return leaf(Kind::kModEquals, {modulus, remainder});
  }
  static ShapePredicate affine_range(int64_t scale, int64_t offset, int64_t min, int64_t max) {
    return leaf(Kind::kAffineRange, {scale, offset, min, max});
  }
  static ShapePredicate both(ShapePredicate a, const ShapePredicate& b);
  static ShapePredicate either(ShapePredicate a, const ShapePredicate& b);
  static ShapePredicate negated(ShapePredicate a);
  // From terms() of another, in linear time; none where they are no postfix list of one condition.
  static std::optional<ShapePredicate> from_terms(std::vector<Term> terms);

  const std::vector<Term>& terms() const { return terms_; }
  bool holds(uint64_t count) const;
  // "count % 4 == 0 and count >= 8"
  std::string to_string() const;
  friend bool operator==(const ShapePredicate&, const ShapePredicate&) = default;

 private:
  static ShapePredicate leaf(Kind kind, std::vector<int64_t> values);
  std::vector<Term> terms_;
};

// Half open, in bytes.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

class BufferDecl {
 public:
  static BufferDecl storage(std::string_view name, uint32_t binding, BufferAccess access,
                            DataType element, Place place = Place::here());
  static BufferDecl read(std::string_view name, uint32_t binding, DataType element,
                         Place place = Place::here());
  static BufferDecl read_write(std::string_view name, uint32_t binding, DataType element,
                               Place place = Place::here());
  // read_write, marked as an output and live out of a pipeline.
  static BufferDecl output(std::string_view name, uint32_t binding, DataType element,
                           Place place = Place::here());
  static BufferDecl uniform(std::string_view name, uint32_t binding, DataType element,
                            Place place = Place::here());
  static BufferDecl workgroup(std::string_view name, uint32_t count, DataType element,
                              Place place = Place::here());
  // One array an invocation.
  static BufferDecl local(std::string_view name, uint32_t count, DataType element,
                          Place place = Place::here());
  // Global memory of one run: neither an input nor an output, zero at the start.
  static BufferDecl transient(std::string_view name, uint32_t count, DataType element,
                              Place place = Place::here());

  BufferDecl with_name(std::string_view name) const;
  BufferDecl with_count(uint32_t count) const;
  BufferDecl with_kind(MemoryKind kind) const;
  BufferDecl with_access(BufferAccess access) const;
  BufferDecl with_hints(MemoryHints hints) const;
  BufferDecl with_output(bool is_output) const;
  BufferDecl with_pipeline_live_out(bool live_out) const;
  // The bytes that are returned, of an output that is larger than its result.
  BufferDecl with_output_byte_range(ByteRange range) const;
  BufferDecl with_bytes_extraction(bool enabled) const;
  BufferDecl with_linear_type(LinearType type) const;
  BufferDecl with_shape_predicate(ShapePredicate predicate) const;

  const std::string& name() const { return name_; }
  uint32_t binding() const { return binding_; }
  BufferAccess access() const { return access_; }
  MemoryKind kind() const { return kind_; }
  const DataType& element() const { return element_; }
  std::optional<uint32_t> count() const { return count_; }
  bool is_output() const { return is_output_; }
  bool pipeline_live_out() const { return pipeline_live_out_; }
  const std::optional<ByteRange>& output_byte_range() const { return output_byte_range_; }
  const MemoryHints& hints() const { return hints_; }
  bool bytes_extraction() const { return bytes_extraction_; }
  LinearType linear_type() const { return linear_type_; }
  const std::optional<ShapePredicate>& shape_predicate() const { return shape_predicate_; }
  const Place& place() const { return place_; }

  bool is_workgroup() const {
    return access_ == BufferAccess::kWorkgroup && kind_ != MemoryKind::kLocal;
  }
  bool is_local() const { return kind_ == MemoryKind::kLocal; }
  bool is_transient() const { return kind_ == MemoryKind::kPersistent; }
  // Bound by the caller, by name or binding number.
  bool is_bound() const {
    return access_ != BufferAccess::kWorkgroup && !is_local() && !is_transient();
  }
  // Allocated by the engine and returned.
  bool is_backend_allocated_output() const {
    return is_bound() && (is_output_ || access_ == BufferAccess::kWriteOnly ||
                          (pipeline_live_out_ && access_ == BufferAccess::kReadWrite));
  }
  // Supplied by the caller: one value each, in declaration order.
  bool is_input() const { return is_bound() && !is_backend_allocated_output(); }
  // Given back to the caller: one value each, in declaration order.
  bool is_returned() const {
    return is_bound() && (is_backend_allocated_output() || access_ == BufferAccess::kReadWrite);
  }
  bool is_writable() const {
    return access_ == BufferAccess::kReadWrite || access_ == BufferAccess::kWriteOnly ||
           access_ == BufferAccess::kWorkgroup;
  }
  // Packed bytes of the declared count; none without a count or where the type has no width.
  std::optional<uint64_t> static_byte_length() const;

  void add_to(DigestBuilder& digest) const;
  // All fields; the place is no part of the value.
  friend bool operator==(const BufferDecl& a, const BufferDecl& b);

 private:
  std::string name_;
  uint32_t binding_ = 0;
  BufferAccess access_ = BufferAccess::kReadOnly;
  MemoryKind kind_ = MemoryKind::kReadonly;
  DataType element_;
  std::optional<uint32_t> count_;
  bool is_output_ = false;
  bool pipeline_live_out_ = false;
  std::optional<ByteRange> output_byte_range_;
  MemoryHints hints_;
  bool bytes_extraction_ = false;
  LinearType linear_type_ = LinearType::kUnrestricted;
  std::optional<ShapePredicate> shape_predicate_;
  Place place_;
};

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorder's values without their C++ types: what kernel_values.h puts types on. Users include
// vyre/ir/kernel.h; nothing here is for them.
//
//   RecordedValue sum = record(&Expr::add, a, b);   // an expression, and what it has read
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/expr.h"
#include "vyre/ir/place.h"

namespace vyre::internal {

class Recorder;

// A name or buffer that an expression mentions, and when and where it was read.
struct Reference {
  uint32_t slot = 0;
  uint64_t time = 0;
  Place place;
};
// Sorted by slot, one entry a slot: its oldest read.
using References = std::vector<Reference>;

// An expression with its history. Moving copies, so a handle is never empty.
struct RecordedValue {
  std::shared_ptr<Recorder> recorder;  // null for a number
  Expr expr;
  std::shared_ptr<const References> references;  // null for none

  RecordedValue(std::shared_ptr<Recorder> recorder, Expr expr,
                std::shared_ptr<const References> references);
  RecordedValue(const RecordedValue&) = default;
  RecordedValue& operator=(const RecordedValue&) = default;
  ~RecordedValue() = default;
};

// A value where it is used. `problem` says why a number does not fit, and is reported as soon as
// the argument meets a recorder.
struct Argument {
  RecordedValue value;
  Place place;
  std::string problem;
};

Argument signed_argument(DataType::Kind type, int64_t number, Place place);
Argument unsigned_argument(DataType::Kind type, uint64_t number, Place place);
Argument float_argument(DataType::Kind type, float number, Place place);
Argument double_argument(DataType::Kind type, double number, Place place);
// Stands for an index that no buffer has.
Argument impossible_index(const std::string& value, Place place);
Argument bool_argument(bool value, Place place);

struct VariableHandle {
  std::shared_ptr<Recorder> recorder;
  uint32_t slot = 0;
};
struct BufferHandle {
  std::shared_ptr<Recorder> recorder;
  uint32_t slot = 0;
};
// buffer[index], dated by when it was written.
struct ElementHandle {
  BufferHandle buffer;
  Argument index;
  uint64_t time = 0;
};

// Expressions. The first argument is the function of Expr that makes them.
using BuildUnary = Expr (*)(Operand, Place);
using BuildBinary = Expr (*)(Operand, Operand, Place);
using BuildTernary = Expr (*)(Operand, Operand, Operand, Place);
RecordedValue record(BuildUnary build, const Argument& a);
RecordedValue record(BuildBinary build, const Argument& a, const Argument& b);
RecordedValue record(BuildTernary build, const Argument& a, const Argument& b, const Argument& c);
RecordedValue record_cast(DataType::Kind target, const Argument& value);
RecordedValue record_bitcast(DataType::Kind target, const Argument& value);

// Binds the value where it stands, to a name made of `hint`.
RecordedValue bind_now(std::string_view hint, const RecordedValue& value, const Place& place);

RecordedValue read_variable(const VariableHandle& variable, const Place& place);
std::string_view variable_name(const VariableHandle& variable);
void assign(const VariableHandle& variable, const Argument& value);

std::string_view buffer_name(const BufferHandle& buffer);
RecordedValue buffer_length(const BufferHandle& buffer, const Place& place);
ElementHandle element(const BufferHandle& buffer, Argument index);
RecordedValue load(const ElementHandle& element);
// The same element, read again now.
RecordedValue load_now(const ElementHandle& element, const Place& place);
void store(const ElementHandle& element, const Argument& value);
// Emits the operation at once, bound to a name, which it gives. `expected` may be null.
RecordedValue record_atomic(Op op, const BufferHandle& buffer, const Argument& index,
                            const Argument* expected, const Argument& value,
                            MemoryOrdering ordering);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/kernel_recording.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "vyre/ir/check.h"
#include "vyre/ir/kernel_recorder.h"

namespace vyre::internal {

RecordedValue::RecordedValue(std::shared_ptr<Recorder> recorder_of, Expr expression,
                             std::shared_ptr<const References> history)
    : recorder(std::move(recorder_of)),
      expr(std::move(expression)),
      references(std::move(history)) {}

namespace {

constexpr uint32_t kCanonicalNan = 0x7FC00000;

Argument number(DataType::Kind type, uint64_t bits, Place place, std::string problem = {}) {
  return {RecordedValue(nullptr, Expr::literal(type, bits, place), nullptr), place,
          std::move(problem)};
}

template <typename N>
std::string does_not_fit(N value, DataType::Kind type) {
  return fmt::format(
      "{} is not representable as {}. Fix: write a number that is, or give the "
      "other operand a type that holds it with cast<T>",
      value, DataType(type).spelling());
}

// The literal of an integer of at most 64 bits.
template <typename N>
Argument integer_argument(DataType::Kind type, N value, Place place) {
  const auto fit = [&](bool fits, uint64_t bits) {
    return number(type, fits ? bits : 0, place, fits ? "" : does_not_fit(value, type));
  };
  const auto bits = static_cast<uint64_t>(value);
  // Whether the float is the integer; 2^64 and 2^63 do not convert back.
  const auto exact = [&](auto rounded) {
    const auto limit = std::is_signed_v<N> ? 0x1p63 : 0x1p64;
    return static_cast<double>(rounded) < limit && static_cast<N>(rounded) == value;
  };
  if (type == DataType::F32) {
    const auto rounded = static_cast<float>(value);
    return fit(exact(rounded), std::bit_cast<uint32_t>(rounded));
  }
  if (type == DataType::F64) {
    const auto rounded = static_cast<double>(value);
    return fit(exact(rounded), std::bit_cast<uint64_t>(rounded));
  }
  if (type == DataType::I32) return fit(std::in_range<int32_t>(value), bits & 0xFFFFFFFFU);
  if (type == DataType::I64) return fit(std::in_range<int64_t>(value), bits);
  if (type == DataType::U64) return fit(std::in_range<uint64_t>(value), bits);
  return fit(std::in_range<uint32_t>(value), bits & 0xFFFFFFFFU);
}

std::shared_ptr<const References> one_reference(Reference reference) {
  return std::make_shared<const References>(1, std::move(reference));
}

// What the operands have read, as far as they are of that kernel: slots of another mean nothing.
std::shared_ptr<const References> references_of(const std::shared_ptr<Recorder>& recorder,
                                                std::initializer_list<const Argument*> operands) {
  std::shared_ptr<const References> references;
  for (const Argument* operand : operands) {
    const RecordedValue& value = operand->value;
    if (recorder->check(*operand)) references = merge(references, value.references);
  }
  return references;
}

RecordedValue combine(Expr expr, std::initializer_list<const Argument*> operands) {
  std::shared_ptr<Recorder> recorder;
  for (const Argument* operand : operands) {
    if (recorder == nullptr) recorder = operand->value.recorder;
  }
  if (recorder == nullptr) return {nullptr, std::move(expr), nullptr};
  std::shared_ptr<const References> references = references_of(recorder, operands);
  return {std::move(recorder), std::move(expr), std::move(references)};
}

Operand operand(const Argument& argument) { return {argument.value.expr, argument.place}; }

const Slot& slot_of(const BufferHandle& buffer) {
  return buffer.recorder->history().slot(buffer.slot);
}

RecordedValue load_at(const ElementHandle& element, uint64_t time, const Place& place) {
  const std::shared_ptr<Recorder>& recorder = element.buffer.recorder;
  Expr expr = Expr::load(slot_of(element.buffer).name, element.index.value.expr, place);
  std::shared_ptr<const References> references =
      one_reference(recorder->history().read_at(element.buffer.slot, time, place));
  if (element.index.value.recorder == recorder) {
    references = merge(references, element.index.value.references);
  }
  return {recorder, std::move(expr), std::move(references)};
}

}  // namespace

Argument signed_argument(DataType::Kind type, int64_t value, Place place) {
  return integer_argument(type, value, std::move(place));
}
Argument unsigned_argument(DataType::Kind type, uint64_t value, Place place) {
  return integer_argument(type, value, std::move(place));
}

Argument float_argument(DataType::Kind type, float value, Place place) {
  if (type == DataType::F64) return double_argument(type, value, std::move(place));
  return number(type, std::bit_cast<uint32_t>(value), std::move(place));
}

Argument double_argument(DataType::Kind type, double value, Place place) {
  if (type == DataType::F64) return number(type, std::bit_cast<uint64_t>(value), std::move(place));
  // The sign and payload of a NaN would depend on how the machine converts it.
  if (std::isnan(value)) return number(type, kCanonicalNan, std::move(place));
  // From here on up rounding to nearest gives infinity; converting would be undefined.
  const bool overflows = std::isfinite(value) && std::abs(value) >= 0x1.ffffffp127;
  if (overflows) return number(type, 0, std::move(place), does_not_fit(value, type));
  return number(type, std::bit_cast<uint32_t>(static_cast<float>(value)), std::move(place));
}

Argument bool_argument(bool value, Place place) {
  return number(DataType::Bool, value ? 1 : 0, std::move(place));
}

Argument impossible_index(const std::string& value, Place place) {
  return number(
      DataType::U32, 0, std::move(place),
      fmt::format("{} is not an index, which is in 0..4294967295. Fix: count from 0, as in "
                  "x[x.size() - 1] for the last element; larger ones are u64 values",
                  value));
}

RecordedValue record(BuildUnary build, const Argument& a) {
  return combine(build(operand(a), a.place), {&a});
}
RecordedValue record(BuildBinary build, const Argument& a, const Argument& b) {
  return combine(build(operand(a), operand(b), a.place), {&a, &b});
}
RecordedValue record(BuildTernary build, const Argument& a, const Argument& b, const Argument& c) {
  return combine(build(operand(a), operand(b), operand(c), a.place), {&a, &b, &c});
}
RecordedValue record_cast(DataType::Kind target, const Argument& value) {
  return combine(Expr::cast(target, operand(value), value.place), {&value});
}
RecordedValue record_bitcast(DataType::Kind target, const Argument& value) {
  return combine(Expr::bitcast(target, operand(value), value.place), {&value});
}

RecordedValue bind_now(std::string_view hint, const RecordedValue& value, const Place& place) {
  const std::shared_ptr<Recorder>& recorder = value.recorder;
  if (recorder == nullptr) return value;
  const uint32_t slot =
      recorder->bind(hint, Slot::kLet, {value, place, {}}, place, false, /*automatic=*/true);
  const History& history = recorder->history();
  return {recorder, Expr::var(history.slot(slot).name, place),
          one_reference(history.read(slot, place))};
}

RecordedValue read_variable(const VariableHandle& variable, const Place& place) {
  const History& history = variable.recorder->history();
  return {variable.recorder, Expr::var(history.slot(variable.slot).name, place),
          one_reference(history.read(variable.slot, place))};
}

std::string_view variable_name(const VariableHandle& variable) {
  return variable.recorder->history().slot(variable.slot).name;
}

void assign(const VariableHandle& variable, const Argument& value) {
  variable.recorder->assign(variable.slot, value);
}

std::string_view buffer_name(const BufferHandle& buffer) { return slot_of(buffer).name; }

RecordedValue buffer_length(const BufferHandle& buffer, const Place& place) {
  // Nothing changes a length while a program runs, so it has no date.
  return {buffer.recorder, Expr::buf_len(slot_of(buffer).name, place), nullptr};
}

ElementHandle element(const BufferHandle& buffer, Argument index) {
  buffer.recorder->check(index);
  return {buffer, std::move(index), buffer.recorder->history().now()};
}

RecordedValue load(const ElementHandle& element) {
  return load_at(element, element.time, element.index.place);
}

RecordedValue load_now(const ElementHandle& element, const Place& place) {
  return load_at(element, element.buffer.recorder->history().now(), place);
}

void store(const ElementHandle& element, const Argument& value) {
  Recorder& recorder = *element.buffer.recorder;
  recorder.use({element.index.value, value.place, element.index.problem});
  recorder.use(value);
  recorder.emit(Node::store(slot_of(element.buffer).name, element.index.value.expr,
                            value.value.expr, value.place));
  recorder.write_buffer(element.buffer.slot, value.place, WriteCause::kStored);
}

RecordedValue record_atomic(Op op, const BufferHandle& buffer, const Argument& index,
                            const Argument* expected, const Argument& value,
                            MemoryOrdering ordering) {
  const Place& place = index.place;
  const Expr* expected_expr = expected == nullptr ? nullptr : &expected->value.expr;
  Expr expr = Expr::atomic(op, slot_of(buffer).name, index.value.expr, expected_expr,
                           value.value.expr, ordering, 0, place);
  std::shared_ptr<const References> references =
      expected == nullptr ? references_of(buffer.recorder, {&index, &value})
                          : references_of(buffer.recorder, {&index, expected, &value});
  const RecordedValue old =
      bind_now("old", {buffer.recorder, std::move(expr), std::move(references)}, place);
  buffer.recorder->write_buffer(buffer.slot, place, WriteCause::kAtomic);
  return old;
}

}  // namespace vyre::internal

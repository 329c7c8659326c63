// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/kernel.h"

#include <fmt/format.h>

#include <utility>

#include "vyre/ir/kernel_recorder.h"

namespace vyre {

using internal::Argument;
using internal::Frame;
using internal::RecordedValue;
using internal::Reference;
using internal::References;
using internal::Slot;

namespace {

// The name of a slot as a value.
RecordedValue named(const std::shared_ptr<internal::Recorder>& recorder, uint32_t slot,
                    const Place& place) {
  const internal::History& history = recorder->history();
  return {recorder, Expr::var(history.slot(slot).name, place),
          std::make_shared<const References>(1, history.read(slot, place))};
}

Frame frame(Frame::Kind kind, const Place& place) {
  Frame frame;
  frame.kind = kind;
  frame.place = place;
  return frame;
}

}  // namespace

Kernel::Kernel(std::string_view name, Dim3 workgroup_size, const Place& place)
    : recorder_(std::make_shared<internal::Recorder>(name, workgroup_size, place)) {}

StatusOr<Program> Kernel::finish() { return recorder_->finish(std::nullopt); }
StatusOr<Program> Kernel::finish(Dim3 extent) { return recorder_->finish(extent); }
bool Kernel::ok() const { return recorder_->ok(); }

BufferDecl Kernel::write_decl(std::string_view name, uint32_t binding, DataType element,
                              Place place) {
  return BufferDecl::storage(name, binding, BufferAccess::kWriteOnly, std::move(element),
                             std::move(place));
}

namespace {

void check_count(internal::Recorder& recorder, std::string_view name, BufferCount count,
                 const Place& place) {
  if (count.fits()) return;
  recorder.report(place, fmt::format("the count of buffer `{}` is not in 0..4294967295. Fix: give "
                                     "a number of elements",
                                     name));
}

}  // namespace

internal::BufferHandle Kernel::declare_bound(Declare make, std::string_view name,
                                             DataType::Kind element, BufferCount count,
                                             const Place& place) {
  check_count(*recorder_, name, count, place);
  BufferDecl declaration = make(name, recorder_->next_binding(), element, place);
  if (count.count()) declaration = declaration.with_count(*count.count());
  return {recorder_, recorder_->declare(declaration, place)};
}

internal::BufferHandle Kernel::declare_scratch(Declare make, std::string_view name,
                                               DataType::Kind element, BufferCount count,
                                               const Place& place) {
  check_count(*recorder_, name, count, place);
  if (!count.count()) {
    recorder_->report(place, fmt::format("scratch buffer `{}` has no count. Fix: say how many "
                                         "elements it has",
                                         name));
  }
  return {recorder_,
          recorder_->declare(make(name, count.count().value_or(0), element, place), place)};
}

internal::BufferHandle Kernel::declare(const BufferDecl& declaration, DataType::Kind element,
                                       const Place& place) {
  if (!(declaration.element() == DataType(element))) {
    recorder_->report(
        place, fmt::format("buffer `{}` is declared with elements {} and used with {}. Fix: make "
                           "them the same",
                           declaration.name(), declaration.element().spelling(),
                           DataType(element).spelling()));
  }
  return {recorder_, recorder_->declare(declaration, place)};
}

RecordedValue Kernel::bind(std::string_view name, const Argument& value, const Place& place,
                           bool consumed) {
  return named(recorder_, recorder_->bind(name, Slot::kLet, value, place, consumed), place);
}

internal::VariableHandle Kernel::variable(std::string_view name, const Argument& value,
                                          const Place& place, bool consumed) {
  return {recorder_, recorder_->bind(name, Slot::kVariable, value, place, consumed)};
}

Val<u32> Kernel::axis(Expr (*make)(uint8_t, Place), uint32_t axis, const Place& place) {
  if (axis > 2) {
    recorder_->report(place, fmt::format("there is no axis {}. Fix: use 0, 1 or 2", axis));
    axis = 0;
  }
  return Val<u32>(RecordedValue(recorder_, make(static_cast<uint8_t>(axis), place), nullptr));
}
Val<u32> Kernel::invocation_id(uint32_t axis, Place place) {
  return this->axis(&Expr::invocation_id, axis, place);
}
Val<u32> Kernel::workgroup_id(uint32_t axis, Place place) {
  return this->axis(&Expr::workgroup_id, axis, place);
}
Val<u32> Kernel::local_id(uint32_t axis, Place place) {
  return this->axis(&Expr::local_id, axis, place);
}
Val<u32> Kernel::subgroup_local_id(Place place) {
  return Val<u32>(RecordedValue(recorder_, Expr::subgroup_local_id(std::move(place)), nullptr));
}
Val<u32> Kernel::subgroup_size(Place place) {
  return Val<u32>(RecordedValue(recorder_, Expr::subgroup_size(std::move(place)), nullptr));
}

void Kernel::begin_if(const Argument& condition, const Place& place) {
  recorder_->use(condition);
  Frame then = frame(Frame::kThen, place);
  then.operands = {condition.value.expr};
  recorder_->open(std::move(then));
}
If Kernel::end_if() { return If(recorder_, recorder_->close_then()); }

void If::begin(const Place& place) { recorder_->open_else(id_, place); }
void If::end() { recorder_->close_else(); }

Val<u32> Kernel::begin_for(std::string_view name, const Argument& from, const Argument& to,
                           const Place& place) {
  recorder_->use(from);
  recorder_->use(to);
  Frame loop = frame(Frame::kFor, place);
  loop.operands = {from.value.expr, to.value.expr};
  return Val<u32>(named(recorder_, recorder_->open_for(name, std::move(loop)), place));
}
void Kernel::end_for() { recorder_->close_loop(); }

void Kernel::begin_forever(const Place& place) { recorder_->open(frame(Frame::kForever, place)); }
void Kernel::end_forever() { recorder_->close_loop(); }

void Kernel::begin_block(const Place& place) { recorder_->open(frame(Frame::kBlock, place)); }
void Kernel::end_block() { recorder_->close_block(); }

void Kernel::begin_region(std::string_view generator, const Place& place) {
  Frame region = frame(Frame::kRegion, place);
  region.name = generator;
  recorder_->open(std::move(region));
}
void Kernel::end_region() { recorder_->close_block(); }

void Kernel::barrier(MemoryOrdering ordering, Place place) {
  recorder_->emit(Node::barrier_with_ordering(ordering, place));
  recorder_->barrier(ordering, place);
}

void Kernel::return_(Place place) { recorder_->emit(Node::return_(std::move(place))); }

void Kernel::trap(std::string_view tag, const Arg<u32>& address, Place place) {
  const Argument& argument = address.argument();
  recorder_->use(argument);
  recorder_->emit(Node::trap(Operand(argument.value.expr, place), tag, place));
}

}  // namespace vyre

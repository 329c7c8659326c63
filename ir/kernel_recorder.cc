// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/kernel_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "vyre/ir/check.h"
#include "vyre/ir/validate/validate.h"

namespace vyre::internal {
namespace {

// More would not be read; the rest is counted.
constexpr size_t kErrorsKept = 100;

bool leaves(const std::vector<Node>& nodes) {
  return !nodes.empty() &&
         (nodes.back().kind() == NodeKind::kReturn || nodes.back().kind() == NodeKind::kTrap);
}

const char* verb(WriteCause cause) {
  switch (cause) {
    case WriteCause::kAssigned:
      return "assigned";
    case WriteCause::kStored:
      return "stored to";
    case WriteCause::kAtomic:
      return "changed by an atomic";
    case WriteCause::kBarrier:
      return "opened to other invocations' writes by the barrier";
    case WriteCause::kStatement:
      return "changed by a statement";
  }
  VYRE_UNREACHABLE("a cause of a write without a verb");
}

const char* noun(Slot::Kind kind) {
  switch (kind) {
    case Slot::kLet:
      return "let";
    case Slot::kLoopVariable:
      return "loop variable";
    case Slot::kVariable:
      return "variable";
    case Slot::kBuffer:
      return "buffer";
  }
  VYRE_UNREACHABLE("a kind of slot without a noun");
}

}  // namespace

Recorder::Recorder(std::string_view name, Dim3 workgroup_size, const Place& place)
    : name_(name), workgroup_size_(workgroup_size), frames_(1) {
  frames_[0].place = place;
}

void Recorder::report(const Place& place, const std::string& message) {
  std::string text = fmt::format("{}: {}", place.to_string(), message);
  if (errors_.size() == kErrorsKept) {
    ++errors_left_out_;
    return;
  }
  if (reported_.insert(text).second) errors_.push_back(std::move(text));
}

StatusOr<Program> Recorder::finish(std::optional<Dim3> extent) {
  if (finished_) {
    return absl::FailedPreconditionError(fmt::format(
        "kernel `{}` is finished already. Fix: call finish() once and copy the program", name_));
  }
  if (frames_.size() != 1) {
    return absl::FailedPreconditionError(fmt::format(
        "kernel `{}` cannot be finished inside the block that began at {}. Fix: call finish() "
        "after the block",
        name_, frames_.back().place.to_string()));
  }
  finished_ = true;
  const auto heading = [this](uint64_t count) {
    return fmt::format("kernel `{}` has {} error{}", name_, count, count == 1 ? "" : "s");
  };
  if (!errors_.empty()) {
    std::string text = heading(errors_.size() + errors_left_out_);
    for (const std::string& error : errors_) text += "\n  " + error;
    if (errors_left_out_ != 0) text += fmt::format("\n  and {} more", errors_left_out_);
    return absl::InvalidArgumentError(text);
  }
  Node body = Node::region(name_, std::nullopt, std::move(frames_[0].nodes), frames_[0].place);
  frames_[0].nodes.clear();
  const Program program = Program::wrapped(buffers_, workgroup_size_, std::move(body));
  const ValidationReport report = validate(program, {.carried = false});
  if (!report.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}\n{}", heading(report.errors() + report.omitted), report.to_string()));
  }
  return extent ? program.with_extent(*extent) : program;
}

bool Recorder::check(const Argument& argument) {
  if (!argument.problem.empty()) report(argument.place, argument.problem);
  const Recorder* other = argument.value.recorder.get();
  if (other == nullptr || other == this) return true;
  // In either direction it is one mistake, told once.
  const auto [first, second] = std::minmax(name_, other->name_);
  const std::string message = fmt::format(
      "values of two kernels, `{}` and `{}`, are mixed. Fix: make each value with the kernel that "
      "uses it",
      first, second);
  report(argument.place, message);
  argument.value.recorder->report(argument.place, message);
  return false;
}

void Recorder::use(const Argument& argument) {
  if (!check(argument) || argument.value.references == nullptr) return;
  for (const Reference& reference : *argument.value.references) {
    if (history_.slot(reference.slot).end != Slot::kLive) {
      report_ended(reference, argument.place);
      continue;
    }
    const std::optional<StaleUse> stale = history_.use(reference, argument.place);
    if (stale) report_stale(*stale);
  }
}

void Recorder::report_stale(const StaleUse& stale) {
  const Slot& slot = history_.slot(stale.read.slot);
  const std::string read = stale.read.place.to_string();
  const std::string written =
      fmt::format("{} at {}", verb(stale.write.cause), stale.write.place.to_string());
  if (stale.in_loop) {
    report(stale.use,
           fmt::format("`{}` was read at {}, before the loop at {}, and is {} inside it, so later "
                       "iterations would use another value. Fix: bind it with let where it is "
                       "read, or read it inside the loop",
                       slot.name, read, stale.loop.to_string(), written));
    return;
  }
  report(stale.use,
         fmt::format("`{}` was read at {} and then {}, so this value is no longer what was read. "
                     "Fix: bind it with let where it is read, or read it again here",
                     slot.name, read, written));
}

void Recorder::report_ended(const Reference& reference, const Place& place) {
  const Slot& slot = history_.slot(reference.slot);
  const std::string bound = slot.place.to_string();
  const std::string ended = slot.end_place.to_string();
  switch (slot.end) {
    case Slot::kLive:
      return;
    case Slot::kScopeEnded:
      return report(
          place,
          fmt::format("the {} `{}` of {} is used outside of its block, which began at {}. "
                      "Fix: use it inside, or assign it there to a var made before the block",
                      noun(slot.kind), slot.name, bound, ended));
    case Slot::kGridBarrier:
      return report(
          place, fmt::format("the {} `{}` of {} is used after the grid barrier at {}, where names "
                             "are gone. Fix: bind it again, or keep it in a buffer",
                             noun(slot.kind), slot.name, bound, ended));
    case Slot::kBoundAgain:
      return report(place, fmt::format("the value of {} was given another name at {}. Fix: use "
                                       "what let or var gave there",
                                       bound, ended));
  }
}

uint32_t Recorder::declare(const BufferDecl& declaration, const Place& place) {
  const std::string& name = declaration.name();
  if (name.empty()) report(place, "a buffer has no name. Fix: give it one");
  if (declaration.is_bound()) {
    const uint32_t binding = declaration.binding();
    if (!bindings_.insert(binding).second) {
      report(place, fmt::format("binding {} of buffer `{}` is taken. Fix: use another number, or "
                                "leave the numbering to the kernel",
                                binding, name));
    }
    if (binding >= next_binding_ && binding != UINT32_MAX) next_binding_ = binding + 1;
  }
  Slot slot{.kind = Slot::kBuffer, .name = name, .place = place};
  slot.changes = declaration.is_writable();
  slot.shared = slot.changes && !declaration.is_local();
  const uint32_t index = history_.add(std::move(slot));
  buffers_.push_back(declaration);
  buffer_slots_.push_back(index);
  const auto [first, added] = buffer_names_.emplace(name, index);
  if (!added) {
    report(place, fmt::format("buffer `{}` is declared already, at {}. Fix: rename one of them",
                              name, history_.slot(first->second).place.to_string()));
  }
  return index;
}

std::optional<uint32_t> Recorder::find_buffer(std::string_view name) const {
  const auto found = buffer_names_.find(std::string(name));
  if (found == buffer_names_.end()) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> Recorder::find_name(std::string_view name) const {
  const auto found = names_.find(std::string(name));
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

void Recorder::emit(Node node) {
  last_if_.reset();
  // What is recorded after finish() has nowhere to go; finish() has said all it can.
  if (!finished_) frames_.back().nodes.push_back(std::move(node));
}

std::string Recorder::fresh_name(const std::string& base) {
  if (!names_.contains(base)) return base;
  uint32_t& suffix = next_suffix_.try_emplace(base, 1).first->second;
  std::string name = fmt::format("{}.{}", base, suffix);
  while (names_.contains(name)) name = fmt::format("{}.{}", base, ++suffix);
  return name;
}

// A name that is free again may be the next fresh one of its base.
void Recorder::free_name(const std::string& name) {
  names_.erase(name);
  next_suffix_.erase(name);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return;
  const auto hint = next_suffix_.find(name.substr(0, dot));
  if (hint == next_suffix_.end()) return;
  uint32_t suffix = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + dot + 1, end, suffix);
  if (parsed.ec == std::errc() && parsed.ptr == end && suffix != 0) {
    hint->second = std::min(hint->second, suffix);
  }
}

uint32_t Recorder::add_name(Slot slot) {
  if (slot.name.empty()) {
    report(slot.place, fmt::format("a {} has no name. Fix: give it one", noun(slot.kind)));
    slot.name = "unnamed";
  }
  slot.name = fresh_name(slot.name);
  std::string name = slot.name;
  const uint32_t index = history_.add(std::move(slot));
  names_.emplace(std::move(name), index);
  frames_.back().slots.push_back(index);
  return index;
}

// If the value is the name of the recorder's own let right before this point, removes that let and
// gives what it binds.
std::optional<Expr> Recorder::take_back_binding(const Argument& argument, const Place& place) {
  const RecordedValue& value = argument.value;
  Frame& frame = frames_.back();
  if (value.recorder.get() != this || value.references == nullptr || value.expr.op() != Op::kVar ||
      frame.nodes.empty() || frame.slots.empty()) {
    return std::nullopt;
  }
  const uint32_t index = value.references->front().slot;
  const Slot& slot = history_.slot(index);
  const Node& node = frame.nodes.back();
  if (!slot.automatic || frame.slots.back() != index || node.kind() != NodeKind::kLet ||
      node.name() != slot.name) {
    return std::nullopt;
  }
  Expr bound = node.operand(0);
  frame.nodes.pop_back();
  frame.slots.pop_back();
  free_name(slot.name);
  history_.end(index, Slot::kBoundAgain, place);
  return bound;
}

uint32_t Recorder::bind(std::string_view name, Slot::Kind kind, const Argument& value,
                        const Place& place, bool consumed, bool automatic) {
  use(value);
  std::optional<Expr> bound;
  if (consumed) bound = take_back_binding(value, place);
  Slot slot{.kind = kind, .name = std::string(name), .place = place};
  slot.changes = kind == Slot::kVariable;
  slot.automatic = automatic;
  const uint32_t index = add_name(std::move(slot));
  emit(Node::let_bind(history_.slot(index).name, bound ? *bound : value.value.expr, place));
  return index;
}

void Recorder::assign(uint32_t slot, const Argument& value) {
  use(value);
  if (history_.slot(slot).end != Slot::kLive) {
    return report_ended({slot, history_.now(), value.place}, value.place);
  }
  emit(Node::assign(history_.slot(slot).name, value.value.expr, value.place));
  history_.write(slot, value.place, WriteCause::kAssigned);
}

void Recorder::write_buffer(uint32_t slot, const Place& place, WriteCause cause) {
  const Slot& buffer = history_.slot(slot);
  if (!buffer.changes) {
    report(place, fmt::format("buffer `{}`, declared at {}, is read only. Fix: declare it with "
                              "read_write or output, or write another buffer",
                              buffer.name, buffer.place.to_string()));
  }
  history_.write(slot, place, cause);
}

void Recorder::barrier(MemoryOrdering ordering, const Place& place) {
  const bool grid = ordering == MemoryOrdering::kGridSync;
  for (const uint32_t slot : buffer_slots_) {
    const Slot& buffer = history_.slot(slot);
    // A grid barrier also starts an invocation's own arrays anew.
    if (buffer.shared || (grid && buffer.changes)) {
      history_.write(slot, place, WriteCause::kBarrier);
    }
  }
  if (grid) end_all_names(place);
}

// The names stay taken: what follows is in the same blocks.
void Recorder::end_all_names(const Place& grid_barrier) {
  for (const Frame& frame : frames_) {
    for (const uint32_t slot : frame.slots) history_.end(slot, Slot::kGridBarrier, grid_barrier);
  }
}

void Recorder::write_all_buffers(const Place& place) {
  for (const uint32_t slot : buffer_slots_) {
    if (history_.slot(slot).changes) history_.write(slot, place, WriteCause::kStatement);
  }
}

void Recorder::adopt_name(std::string_view name, const Place& place) {
  Slot slot{.kind = Slot::kVariable, .name = std::string(name), .place = place};
  slot.changes = true;  // whoever made the statement can assign it too
  add_name(std::move(slot));
}

void Recorder::open(Frame frame) {
  last_if_.reset();
  if (frame.kind != Frame::kElse) frame.mark = history_.mark();
  const bool loop = frame.kind == Frame::kFor || frame.kind == Frame::kForever;
  if (loop) history_.begin_loop(frame.place);
  frames_.push_back(std::move(frame));
}

uint32_t Recorder::open_for(std::string_view name, Frame frame) {
  Slot slot{.kind = Slot::kLoopVariable, .name = std::string(name), .place = frame.place};
  open(std::move(frame));
  const uint32_t index = add_name(std::move(slot));
  frames_.back().name = history_.slot(index).name;
  return index;
}

Frame Recorder::close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  for (const uint32_t slot : frame.slots) {
    history_.end(slot, Slot::kScopeEnded, frame.place);
    free_name(history_.slot(slot).name);
  }
  return frame;
}

uint64_t Recorder::close_then() {
  Frame frame = close();
  emit(Node::if_then(frame.operands[0], frame.nodes, frame.place));
  Frame otherwise;
  otherwise.kind = Frame::kElse;
  otherwise.place = frame.place;
  otherwise.operands = std::move(frame.operands);
  otherwise.mark = frame.mark;
  otherwise.then_leaves = leaves(frame.nodes);
  otherwise.then = std::move(frame.nodes);
  // What a branch that leaves has written reaches nothing that follows.
  otherwise.then_writes = history_.take_back(frame.mark);
  if (!otherwise.then_leaves) history_.put_back(otherwise.then_writes);
  last_if_ = LastIf{next_if_, std::move(otherwise)};
  return next_if_++;
}

void Recorder::open_else(uint64_t if_id, const Place& place) {
  if (!last_if_ || last_if_->id != if_id) {
    report(place,
           "else_ does not follow its if_ directly. Fix: write k.if_(...).else_(...) with "
           "nothing between");
    Frame orphan;
    orphan.kind = Frame::kOrphanElse;
    orphan.place = place;
    return open(std::move(orphan));
  }
  Frame otherwise = std::move(last_if_->otherwise);
  if (!finished_) frames_.back().nodes.pop_back();
  history_.take_back(otherwise.mark);
  open(std::move(otherwise));
}

void Recorder::close_else() {
  Frame frame = close();
  if (frame.kind == Frame::kOrphanElse) return;
  const std::vector<Write> writes = history_.take_back(frame.mark);
  if (!frame.then_leaves) history_.put_back(frame.then_writes);
  if (!leaves(frame.nodes)) history_.put_back(writes);
  emit(Node::if_then_else(frame.operands[0], std::move(frame.then), std::move(frame.nodes),
                          frame.place));
}

void Recorder::close_loop() {
  for (const StaleUse& stale : history_.end_loop()) report_stale(stale);
  Frame frame = close();
  if (frame.kind == Frame::kForever) {
    return emit(Node::forever(std::move(frame.nodes), frame.place));
  }
  emit(Node::loop_for(frame.name, frame.operands[0], frame.operands[1], std::move(frame.nodes),
                      frame.place));
}

void Recorder::close_block() {
  Frame frame = close();
  if (frame.kind == Frame::kRegion) {
    return emit(Node::region(frame.name, std::nullopt, std::move(frame.nodes), frame.place));
  }
  emit(Node::block(std::move(frame.nodes), frame.place));
}

}  // namespace vyre::internal

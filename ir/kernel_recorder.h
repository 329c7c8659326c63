// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Recorder: the state of a Kernel while it is recorded: open blocks with their statements, names in
// use, errors so far. Shared by a Kernel and its handles, so that a handle that outlives its kernel
// is an error and not a dangling pointer. Not for users.
//
//   recorder.open({.kind = Frame::kThen, .place = here, .operands = {condition}});
//   recorder.emit(Node::return_(here));
//   const uint64_t id = recorder.close_then();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/ir/kernel_history.h"
#include "vyre/ir/node.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::internal {

// A block that is being recorded.
struct Frame {
  enum Kind : uint8_t { kRoot, kThen, kElse, kOrphanElse, kFor, kForever, kBlock, kRegion };

  Kind kind = kRoot;
  Place place;
  std::vector<Expr> operands;  // condition; from, to
  std::string name;            // loop variable, generator
  std::vector<Node> nodes;
  std::vector<uint32_t> slots;  // names bound in it
  size_t mark = 0;              // of the history, where it (for an else: where its If) began

  // Of an else: the other branch.
  std::vector<Node> then;
  std::vector<Write> then_writes;
  bool then_leaves = false;
};

class Recorder {
 public:
  Recorder(std::string_view name, Dim3 workgroup_size, const Place& place);

  const std::string& name() const { return name_; }
  History& history() { return history_; }

  // Errors are kept in the order of their discovery, equal ones once.
  void report(const Place& place, const std::string& message);
  bool ok() const { return errors_.empty(); }
  StatusOr<Program> finish(std::optional<Dim3> extent);

  // Reports a number that does not fit, and a value of another kernel. Whether it is this one's.
  bool check(const Argument& argument);
  // A statement evaluates the argument: checks it, its names' scopes and the dates of its reads.
  void use(const Argument& argument);

  // Gives the buffer's slot.
  uint32_t declare(const BufferDecl& declaration, const Place& place);
  uint32_t next_binding() const { return next_binding_; }
  std::optional<uint32_t> find_buffer(std::string_view name) const;
  // The variable, let or loop variable with that name, if it is live.
  std::optional<uint32_t> find_name(std::string_view name) const;

  void emit(Node node);
  // Emits a let of a new name; gives its slot. `consumed` allows replacing a binding of the
  // recorder's own that the value comes from.
  uint32_t bind(std::string_view name, Slot::Kind kind, const Argument& value, const Place& place,
                bool consumed, bool automatic = false);
  void assign(uint32_t slot, const Argument& value);
  // Notes a store or atomic on a buffer, and reports it where the buffer cannot be written.
  void write_buffer(uint32_t slot, const Place& place, WriteCause cause);
  // Everything that other invocations can write may have changed.
  void barrier(MemoryOrdering ordering, const Place& place);
  // Every buffer may have changed.
  void write_all_buffers(const Place& place);
  // Takes a name that a statement made by other means binds.
  void adopt_name(std::string_view name, const Place& place);

  void open(Frame frame);
  uint32_t open_for(std::string_view name, Frame frame);
  uint64_t close_then();
  void open_else(uint64_t if_id, const Place& place);
  void close_else();
  void close_loop();
  void close_block();

 private:
  // The If that ended last, as long as nothing follows it.
  struct LastIf {
    uint64_t id = 0;
    Frame otherwise;  // its else, ready to be opened
  };

  std::string fresh_name(const std::string& base);
  void free_name(const std::string& name);
  uint32_t add_name(Slot slot);
  std::optional<Expr> take_back_binding(const Argument& value, const Place& place);
  Frame close();
  void report_stale(const StaleUse& stale);
  void report_ended(const Reference& reference, const Place& place);
  void end_all_names(const Place& grid_barrier);

  std::string name_;
  Dim3 workgroup_size_;
  History history_;
  std::vector<std::string> errors_;
  std::set<std::string> reported_;
  uint64_t errors_left_out_ = 0;
  bool finished_ = false;

  std::vector<BufferDecl> buffers_;
  std::vector<uint32_t> buffer_slots_;
  std::unordered_map<std::string, uint32_t> buffer_names_;
  std::set<uint32_t> bindings_;
  uint32_t next_binding_ = 0;

  std::vector<Frame> frames_;
  std::unordered_map<std::string, uint32_t> names_;  // taken in the open frames, by slot
  std::unordered_map<std::string, uint32_t>
      next_suffix_;  // where the search for a fresh name starts
  uint64_t next_if_ = 1;
  std::optional<LastIf> last_if_;
};

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The compact form of a program that the interpreter runs: a flat list of operations, each with
// instructions that compute its operands for all invocations of a workgroup at once.
//
// An invocation is a lane. Lanes are taken a strip at a time, and a value that differs between
// lanes is an array with one element a lane (structure of arrays). What is the same in all lanes is
// computed once and stands in a scalar; an index such as `invocation_id.x * 16 + k`, which grows by
// the same step from lane to lane, is two scalars, its value in lane 0 and that step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vyre/interpreter/checks/access_site.h"
#include "vyre/interpreter/memory.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/scalar/kernels.h"

namespace vyre::interpreter {

// Kernels compute whole blocks of lanes: every array of lanes has room for them.
inline constexpr uint32_t kBlockLanes = 16;
inline constexpr uint32_t kMaxStripLanes = 256;

// How a value differs between lanes.
enum class Shape : uint8_t {
  kUniform,  // not at all
  kAffine,   // base + step * lane, modulo 2^32
  kVarying,  // freely
};

// Scalars are words of 8 bytes; those of a statement end with it. The other banks hold arrays of
// one strip: 4 bytes a lane for bool and the 32-bit types, 8 for the 64-bit ones.
enum class Bank : uint8_t { kScalars, kTemporaries, kVariables, kStatementScalars };

// A place in a bank, in units of 8 bytes.
class Slot {
 public:
  static constexpr uint32_t kMaxOffset = (uint32_t{1} << 30) - 1;

  constexpr Slot() = default;
  constexpr Slot(Bank bank, uint32_t offset) : bits_(static_cast<uint32_t>(bank) << 30 | offset) {}
  constexpr uint32_t bank() const { return bits_ >> 30; }
  constexpr uint32_t offset() const { return bits_ & kMaxOffset; }
  friend constexpr bool operator==(Slot, Slot) = default;

 private:
  uint32_t bits_ = 0;
};

// A value that instructions have left somewhere.
struct LaneValue {
  Slot slot;  // affine: of the base
  Slot step;  // affine
  Shape shape = Shape::kUniform;
  bool wide = false;  // 64 bits a lane
  friend bool operator==(const LaneValue&, const LaneValue&) = default;
};

// The bit of LaneInstruction::wide that is the target's.
inline constexpr uint8_t kWideTarget = 0x80;

struct LaneContext;
struct LaneInstruction;
using LaneFunction = void (*)(const LaneInstruction&, LaneContext&);

struct LaneInstruction {
  LaneFunction run = nullptr;
  Slot target;
  std::array<Slot, 4> operands{};
  uint32_t buffer = 0;
  // Operands for functions that find their form at run time: bit i is set if operand i is a scalar
  // and bit i of `wide` if it has 64 bits; bit 7 of `wide` is the target's.
  uint8_t scalars = 0;
  uint8_t wide = 0;
  uint8_t arity = 0;
  Op op = Op::kLitU32;  // atomics and subgroup operations
  scalar::Kernel kernel = nullptr;
  uint64_t identity = 0;  // of a reduction; the site of a noted access
};

// Brings words that lie `step` bytes apart in memory next to each other.
using StridedLoad = void (*)(uint32_t* to, const std::byte* from, int64_t step, uint32_t count);

// What instructions work on: one strip of one workgroup.
struct LaneContext {
  // A plain array: what indexes a std::array is a function, which a linker may take from a file
  // that was compiled for another processor.
  std::byte* banks[4] = {};
  uint32_t first = 0;  // the active lanes of the strip lie in [first, last)
  uint32_t last = 0;
  const uint32_t* mask = nullptr;  // which of them are active: not zero; null: all
  uint32_t strip_begin = 0;        // number of the strip's lane 0 in the workgroup
  BufferView* views = nullptr;
  StridedLoad strided_load = nullptr;
  struct AccessLog* accesses = nullptr;  // null: nobody asks
  class RunChecker* checker = nullptr;   // of a program that is compiled to be checked
  // The first trap of each lane in this statement, and of all lanes at once.
  scalar::ArithmeticTrap* traps = nullptr;
  bool trapped = false;
  scalar::ArithmeticTrap scalar_trap = scalar::ArithmeticTrap::kNone;
  bool atomics_are_shared = false;  // other threads use the same words

  bool is_active(uint32_t lane) const { return mask == nullptr || mask[lane] != 0; }
  std::byte* at(Slot slot) const {
    return banks[slot.bank()] + size_t{slot.offset()} * sizeof(uint64_t);
  }
  template <typename T>
  T* lanes(Slot slot) const {
    return reinterpret_cast<T*>(at(slot));
  }
  uint64_t& scalar(Slot slot) const { return *reinterpret_cast<uint64_t*>(at(slot)); }
};

enum class LaneOpKind : uint8_t {
  kLet,  // and assignments
  kStore,
  kScope,  // a block or region is entered
  kIf,     // one way for all lanes
  kJump,
  kIfLanes,  // each lane its way
  kElseLanes,
  kEndIfLanes,
  kLoop,  // as many iterations for all lanes
  kLoopNext,
  kLoopLanes,  // each lane its number of iterations
  kLoopLanesNext,
  kReturn,
  kBarrier,
  kTrap,
  kAsyncLoad,
  kAsyncStore,
  kAsyncWait,
  kEnd,
};

struct LaneOp {
  LaneOpKind kind = LaneOpKind::kEnd;
  // All instructions work on scalars: they run once, whatever the number of strips.
  bool scalar_only = false;
  bool may_trap = false;
  // Lanes see each other's effects in this statement: it runs for one lane after the other.
  bool lane_by_lane = false;
  bool collective = false;   // looks across the lanes of subgroups
  bool has_effects = false;  // on memory
  // Let: the instructions leave the value in `variable` themselves.
  bool direct = false;
  StmtId stmt = 0;
  uint32_t code_begin = 0;
  uint32_t code_end = 0;
  std::array<LaneValue, 2> results{};
  LaneValue variable;  // let, loop
  // If: where the other branch or what follows starts. Loop: its kLoopNext. kLoopNext: the body.
  uint32_t target = 0;
  uint32_t escape = 0;         // where to go on when no lane of this statement is left
  uint32_t frame = 0;          // of the loops or of the statements that divide lanes, by depth
  uint32_t hazards_begin = 0;  // store: indices of loads from the same buffer
  uint32_t hazards_end = 0;
  SiteId site = kNoId;  // asynchronous copy: of its read; the next one is of its write
};

struct LaneProgram {
  std::vector<LaneOp> ops;
  std::vector<uint32_t> segments;  // the first operation of each
  std::vector<LaneInstruction> instructions;
  std::vector<LaneValue> hazards;
  std::vector<AccessSite> sites;  // of a program that is compiled to be checked
  uint32_t invocations = 0;
  uint32_t strip_lanes = 0;  // a multiple of kBlockLanes
  uint32_t strip_count = 0;
  uint32_t scalar_count = 0;
  uint32_t statement_scalar_count = 0;
  uint32_t temporary_count = 0;
  uint32_t variable_count = 0;
  uint32_t frame_count = 0;
  uint32_t loop_count = 0;
  // What stands in scalars from the start.
  std::vector<std::pair<uint32_t, uint64_t>> constants;
  std::vector<std::pair<uint32_t, uint32_t>> lengths;  // scalar, buffer
  std::array<uint32_t, 3> workgroup_ids{};             // scalars: the workgroup's id
  std::array<uint32_t, 3> workgroup_begins{};          // scalars: id of its invocation 0
  // Arrays that hold ids of the lanes, if something reads them.
  std::array<std::optional<uint32_t>, 3> local_ids;
  std::optional<uint32_t> subgroup_local_id;
  StridedLoad strided_load = nullptr;
};

enum class InstructionSet : uint8_t;

// The resolved program must be runnable. Errors: an operation that has no kernel for its type; a
// statement whose expressions, shared effects counted at each use, are too large.
StatusOr<LaneProgram> compile_lanes(const Resolved& resolved, InstructionSet set,
                                    Checks checks = {});

}  // namespace vyre::interpreter

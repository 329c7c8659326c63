// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Op: the operation of an expression, and the table of what is known of each.
//
//   const OpInfo& info = op_info(Op::kAdd);
//   info.mnemonic;                  // "+"
//   info.has(OpFlags::kMayTrap);    // false
//   is_derived(Op::kExp, DataType::F64);  // true: a sequence of other operations
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vyre/ir/data_type.h"

namespace vyre {

enum class Op : uint8_t {
#define VYRE_OP(enumerator, ...) enumerator,
#include "vyre/ir/ops.def"
};

// How text lays an operation out. Infix formats are listed from loose to tight.
enum class OpFormat : uint8_t {
  kLiteral,       // 8u
  kVariable,      // row
  kBuffer,        // len(q), &q
  kAxis,          // invocation_id.x
  kNullary,       // subgroup_size
  kLoad,          // q[i]
  kInfixOr,       // a or b
  kInfixAnd,      // a and b
  kInfixCompare,  // a < b, not associative
  kInfixBitOr,    // a | b
  kInfixBitXor,   // a ^ b
  kInfixBitAnd,   // a & b
  kInfixShift,    // a << b
  kInfixAdd,      // a + b
  kInfixMul,      // a * b
  kPrefix,        // ~a, not a
  kPrefixMinus,   // -a, or neg(a) before a literal
  kCall,          // min(a, b)
  kCast,          // cast<f16>(a)
  kAtomic,        // atomic_add<seq_cst>(x[i], v)
  kExtension,     // binop<0x80000001>(a, b)
  kCallOp,        // call "op.id"(a, &q)
  kOpaque,        // opaque "kind" x"0a1b"
};

// Which operand types an operation takes and which it gives; ir/type_rules.h evaluates them.
enum class TypeRule : uint8_t {
  kLiteral,
  kVariable,
  kBufLen,
  kBufferRef,
  kIndex,           // () -> u32
  kLoad,            // (u32|u64) -> the buffer's value type
  kArithmetic,      // (T, T) -> T, T an integer or float
  kRemainder,       // (T, T) -> T, T an integer
  kAbsDiff,         // (T, T) -> unsigned T, T an integer
  kSaturating,      // (T, T) -> T, T an integer
  kInteger,         // (T, T) -> T, T an integer
  kBitwise,         // (T, T) -> T, T an integer
  kShift,           // (T, T) -> T, T an integer
  kEquality,        // (T, T) -> bool, T any value type
  kOrdering,        // (T, T) -> bool, T an integer or float
  kLogical,         // (T, U) -> bool, T and U integers or bool
  kLegacySubgroup,  // always refused
  kNegate,          // T -> T, T an integer or float
  kNot,             // T -> bool, T an integer or bool
  kIntegerUnary,    // T -> T, T an integer
  kUnpack,          // u32|i32 -> u32
  kFloatUnary,      // T -> T, T a float
  kFloatTest,       // T -> bool, T a float
  kSelect,          // (bool|u32, T, T) -> T, T any value type
  kCast,
  kBitcast,
  kFma,  // (T, T, T) -> T, T a float
  kCall,
  kOpaque,
  kBallot,      // bool|u32 -> u32
  kShuffle,     // (T, u32) -> T, T any value type
  kReduce,      // T -> T, T an integer or float
  kReduceBits,  // T -> T, T an integer
  kAtomic,      // (u32|u64, u32) -> u32
  kAtomicCas,   // (u32|u64, u32, u32) -> u32
};

// The number space of a row's tag.
enum class WireGroup : uint8_t {
  kExpr,
  kBinOp,
  kUnOp,
  kReduce,
  kAtomic,
  kLiteral64,  // opaque expressions of kind vyre.literal.* on the original's wire
  kVyre,       // operations the original does not have
};

enum class OpFlags : uint16_t {
  kPure = 0,
  kCommutative = 1 << 0,  // bit for bit
  kMayTrap = 1 << 1,      // on signed integers
  kReads = 1 << 2,        // memory
  kAtomic = 1 << 3,       // reads and writes memory; never merged, removed or reordered
  kSubgroup = 1 << 4,     // looks at other lanes
  kOpaque = 1 << 5,       // carried, not executed
};
constexpr OpFlags operator|(OpFlags a, OpFlags b) {
  return static_cast<OpFlags>(static_cast<uint16_t>(a) | static_cast<uint16_t>(b));
}
constexpr bool has_flag(OpFlags set, OpFlags flag) {
  return (static_cast<uint16_t>(set) & static_cast<uint16_t>(flag)) != 0;
}

// Whether an operation is core, which means that a scalar kernel or an engine gives it, or derived
// from other operations.
enum class Derivation : uint8_t {
  kCore,
  kDerived,
  kDerivedOnF64,  // and core on f32
};

struct OpInfo {
  Op op;
  const char* name;      // "add": the builder function
  const char* mnemonic;  // "+": the text form
  OpFormat format;
  TypeRule rule;
  OpFlags flags;
  WireGroup group;
  uint8_t tag;
  Derivation derivation;
  const char* doc;

  constexpr bool has(OpFlags flag) const { return has_flag(flags, flag); }
};

// All rows in the order of the enumeration.
std::span<const OpInfo> all_ops();
const OpInfo& op_info(Op op);

// Whether derived_meaning (ir/derived_ops.h) states what the operation is on operands of that type.
bool is_derived(Op op, DataType::Kind operand_type);

// The op with that wire group and tag, if there is one.
std::optional<Op> op_from_wire(WireGroup group, uint8_t tag);

inline bool is_literal(Op op) { return op_info(op).format == OpFormat::kLiteral; }
inline bool is_atomic(Op op) { return op_info(op).format == OpFormat::kAtomic; }
// Whether it looks at other lanes, so that all invocations of a workgroup must meet there (E7). The
// ids of a lane and the width of its subgroup ask nobody.
inline bool is_collective(Op op) {
  const OpInfo& info = op_info(op);
  return info.has(OpFlags::kSubgroup) && info.rule != TypeRule::kIndex;
}

// Memory orderings, with the original's wire numbers.
enum class MemoryOrdering : uint8_t {
  kRelaxed = 0,
  kAcquire = 1,
  kRelease = 2,
  kAcqRel = 3,
  kSeqCst = 4,
  kGridSync = 5,
};
// "seq_cst"
const char* spelling(MemoryOrdering ordering);

}  // namespace vyre

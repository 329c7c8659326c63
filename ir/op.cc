// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/op.h"

#include <cstddef>
#include <iterator>

#include "vyre/ir/check.h"

namespace vyre {
namespace {

constexpr Derivation derivation_of(std::string_view meaning) {
  if (meaning == "core") return Derivation::kCore;
  return meaning.starts_with("f64_") ? Derivation::kDerivedOnF64 : Derivation::kDerived;
}

// The columns of ops.def name enumerators of several enumerations with equal spellings, so each
// column is qualified where it is used; flags are joined by | inside one namespace of constants.
namespace flags {
constexpr OpFlags kPure = OpFlags::kPure;
constexpr OpFlags kCommutative = OpFlags::kCommutative;
constexpr OpFlags kMayTrap = OpFlags::kMayTrap;
constexpr OpFlags kReads = OpFlags::kReads;
constexpr OpFlags kAtomic = OpFlags::kAtomic;
constexpr OpFlags kSubgroup = OpFlags::kSubgroup;
constexpr OpFlags kOpaque = OpFlags::kOpaque;
}  // namespace flags

template <typename F>
constexpr OpFlags flags_of(F f) {
  return f();
}

constexpr OpInfo kOps[] = {
#define VYRE_OP(enumerator, builder, mnemonic, format, rule, op_flags, group, tag, meaning, doc) \
  {Op::enumerator,                                                                               \
   #builder,                                                                                     \
   mnemonic,                                                                                     \
   OpFormat::format,                                                                             \
   TypeRule::rule,                                                                               \
   flags_of([] {                                                                                 \
     using namespace flags;                                                                      \
     return op_flags;                                                                            \
   }),                                                                                           \
   WireGroup::group,                                                                             \
   tag,                                                                                          \
   derivation_of(#meaning),                                                                      \
   doc},
#include "vyre/ir/ops.def"
};

constexpr bool tags_are_unique() {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    for (size_t j = i + 1; j < std::size(kOps); ++j) {
      if (kOps[i].group == kOps[j].group && kOps[i].tag == kOps[j].tag) return false;
    }
  }
  return true;
}
static_assert(tags_are_unique(), "two rows of ops.def share a wire group and tag");

}  // namespace

std::span<const OpInfo> all_ops() { return kOps; }

const OpInfo& op_info(Op op) { return kOps[static_cast<size_t>(op)]; }

bool is_derived(Op op, DataType::Kind operand_type) {
  switch (op_info(op).derivation) {
    case Derivation::kCore:
      return false;
    case Derivation::kDerived:
      return true;
    case Derivation::kDerivedOnF64:
      return operand_type == DataType::F64;
  }
  VYRE_UNREACHABLE("a derivation without an answer");
}

std::optional<Op> op_from_wire(WireGroup group, uint8_t tag) {
  for (const OpInfo& info : kOps) {
    if (info.group == group && info.tag == tag) return info.op;
  }
  return std::nullopt;
}

const char* spelling(MemoryOrdering ordering) {
  switch (ordering) {
    case MemoryOrdering::kRelaxed:
      return "relaxed";
    case MemoryOrdering::kAcquire:
      return "acquire";
    case MemoryOrdering::kRelease:
      return "release";
    case MemoryOrdering::kAcqRel:
      return "acq_rel";
    case MemoryOrdering::kSeqCst:
      return "seq_cst";
    case MemoryOrdering::kGridSync:
      return "grid_sync";
  }
  VYRE_UNREACHABLE("a memory ordering without a spelling");
}

}  // namespace vyre

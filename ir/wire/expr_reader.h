// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Expressions from bytes, at any depth.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vyre/ir/expr.h"
#include "vyre/ir/wire/byte_reader.h"

namespace vyre::wire {

class ExprReader {
 public:
  ExprReader(ByteReader& in, uint64_t& budget) : in_(in), budget_(budget) {}

  // One expression with all in it; some literal after an error.
  Expr read();

 private:
  // An expression whose operands are being read.
  struct Pending {
    Op op = Op::kLitU32;
    size_t first = 0;   // of its operands in values_
    size_t wanted = 0;  // operands; of an atomic, those up to the next flag
    std::string_view name;
    std::string_view payload;
    uint64_t bits = 0;
    DataType type;
    MemoryOrdering ordering = MemoryOrdering::kSeqCst;
    bool has_expected = false;
  };

  Pending read_head();
  void read_fields(Pending& pending);
  void read_op(Pending& pending, WireGroup group);
  void read_opaque(Pending& pending);
  Op op_of(WireGroup group, uint8_t tag, size_t position);
  // Whether all operands are there; reads the flag that stands between those of an atomic.
  bool is_complete(Pending& pending);
  static Expr build_leaf(const Pending& pending);
  static Expr build(const Pending& pending, std::vector<Expr> operands);

  ByteReader& in_;
  uint64_t& budget_;
  std::vector<Pending> pending_;
  std::vector<Expr> values_;
};

// Reads a memory ordering's tag.
MemoryOrdering read_ordering(ByteReader& in);

}  // namespace vyre::wire

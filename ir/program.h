// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Program: a kernel as an immutable value. Copies share; threads may share.
//
//   Program p = Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(4)},
//                                {64, 1, 1},
//                                {Node::store("y", Expr::gid_x(), 7u)})
//                   .with_extent({4, 1, 1});
//   p.hash().to_hex();       // the same in every process
//   p == p;                  // structural, by bits
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/buffer_decl.h"
#include "vyre/ir/node.h"

namespace vyre {

// Sizes along x, y and z. Braces with fewer numbers leave the rest at 1.
struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  uint32_t operator[](size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

class Program {
 public:
  // A program whose entry is made of regions. If a top-level statement is not one, or there is
  // none, all of them go into one region named vyre.program.root.
  static Program wrapped(std::vector<BufferDecl> buffers, Dim3 workgroup_size, Body entry);
  // The parts as they are.
  static Program from_raw_parts(std::vector<BufferDecl> buffers, Dim3 workgroup_size, Body entry);
  // No buffers, one empty root region.
  static Program empty();

  const std::vector<BufferDecl>& buffers() const;
  // Index of the buffer with that name in buffers(); the first, should there be several.
  std::optional<size_t> find_buffer(std::string_view name) const;
  Dim3 workgroup_size() const;
  // Invocations in a workgroup.
  uint64_t workgroup_invocations() const;
  std::span<const Node> entry() const;
  const std::optional<std::string>& entry_op_id() const;
  bool non_composable_with_self() const;
  // The invocations an ordinary run needs along each axis; set by builders.
  const std::optional<Dim3>& extent() const;

  // The same program with one part exchanged.
  Program with_entry(Body entry) const;
  Program with_buffers(std::vector<BufferDecl> buffers) const;
  Program with_workgroup_size(Dim3 size) const;
  Program with_extent(Dim3 extent) const;
  Program without_extent() const;
  Program with_entry_op_id(std::optional<std::string> op_id) const;
  Program with_non_composable_with_self(bool value) const;
  // Wraps the entry as wrapped() does, if a rewrite left bare statements at the top.
  Program reconcile_runnable_top_level() const;

  // Root regions with empty bodies and nothing else.
  bool is_explicit_noop() const;

  // 256 bits over a bit-exact serialisation: buffers in order, sizes, extent, statements, literals
  // by bits. Equal programs have equal hashes, in every process.
  const Digest& hash() const;

  // Structural equality, buffers in order, extent included.
  friend bool operator==(const Program& a, const Program& b);

 private:
  struct Data;
  explicit Program(Data data);
  std::shared_ptr<const Data> data_;
};

inline constexpr std::string_view kRootRegion = "vyre.program.root";

}  // namespace vyre

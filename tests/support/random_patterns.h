// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The ways in which the invocations of a random program exchange data without a race: workgroup or
// global memory between barriers, folds along a tree, one writer for all, the grid's barrier, and
// asynchronous copies.
//
//   PatternGenerator patterns(random, shape, buffers, expressions);
//   patterns.append_exchange(nodes);   // write one's own - barrier - read a neighbour's - barrier
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random_expressions.h"
#include "vyre/ir/node.h"

namespace vyre::test {

class PatternGenerator {
 public:
  PatternGenerator(Random& random, const Shape& shape, Buffers& buffers,
                   ExpressionGenerator& expressions)
      : random_(random), shape_(shape), buffers_(buffers), expressions_(expressions) {}

  // Where all invocations of the workgroup meet.
  void append_meeting(std::vector<Node>& nodes);
  Node barrier();

  // Where all that follows is in the same body and nothing of it returns. `between` appends what
  // is executed while the copies are under way.
  void append_copies(std::vector<Node>& nodes,
                     const std::function<void(std::vector<Node>&)>& between);

  // Before the grid's barrier, and after it.
  Node write_crossing();
  bool has_crossing() const { return !crossing_.empty(); }
  Node read_crossing();

  // To an element of the invocation's own, of an output of that value type.
  Node output(Kind value_type, const Expr& value);
  // The same, or into a digest of all values that the invocation showed so far.
  Node show(Kind value_type, const Expr& value);

 private:
  void append_exchange(std::vector<Node>& nodes);
  void append_tree(std::vector<Node>& nodes);
  void append_broadcast(std::vector<Node>& nodes);
  void append_readings(std::vector<Node>& nodes, const Buffer& mates);
  Kind number_type();
  const Buffer& mates(Kind element);
  Expr first_of_mates(const Buffer& mates) const;
  Expr mate(const Buffer& mates);
  Expr folded(Kind type, const Expr& a, const Expr& b);
  Node fold_step(const Buffer& mates, const Expr& stride);
  std::string fresh(const char* prefix);

  Random& random_;
  const Shape& shape_;
  Buffers& buffers_;
  ExpressionGenerator& expressions_;
  std::vector<const Buffer*> crossing_;
  uint32_t next_name_ = 0;
};

}  // namespace vyre::test

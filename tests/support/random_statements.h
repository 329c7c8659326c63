// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random statements: what an invocation does on its own, the control around it, and where the
// patterns of exchange go.
//
//   StatementGenerator statements(random, shape, buffers, expressions, patterns, settings);
//   std::vector<Node> nodes = statements.body(context, 6);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random_expressions.h"
#include "tests/support/random_patterns.h"
#include "vyre/ir/node.h"

namespace vyre::test {

struct StatementSettings {
  bool traps = false;
  bool async = false;
  uint64_t budget = 0;  // how often a statement may run, all invocations taken together
  uint32_t longest_loop = 6;
};

// Where statements go.
struct Spot {
  bool meets = false;    // all invocations of the workgroup stand here together
  bool uniform = false;  // control that depends on uniform values only has led here
  bool returns = false;  // an invocation may return
  bool forever = true;   // a loop without an end of its own may stand here
  bool tallies = true;   // nobody reads the tallies before the next barrier of the grid
  uint32_t depth = 3;    // bodies that may still be nested
  uint64_t weight = 1;   // how often an invocation comes here, about

  Spot nested() const;
};

// Something that a program is to contain.
struct Feature {
  enum class Kind : uint8_t {
    kOperation,  // operations()[index]
    kCast,
    kBitcast,
    kAtomic,    // on a word of the invocation's own
    kTally,     // commutative_atomics()[index]
    kSubgroup,  // subgroup_operations()[index]
    kLoad,      // of element from buffer
    kStore,
  };
  Kind kind;
  size_t index = 0;
  BufferKind buffer = BufferKind::kRead;
  DataType::Kind element = DataType::U32;
};
const std::vector<Feature>& all_features();

class StatementGenerator {
 public:
  StatementGenerator(Random& random, const Shape& shape, Buffers& buffers,
                     ExpressionGenerator& expressions, PatternGenerator& patterns,
                     StatementSettings settings)
      : random_(random),
        shape_(shape),
        buffers_(buffers),
        expressions_(expressions),
        patterns_(patterns),
        settings_(settings) {}

  // At most that many statements or patterns, in a scope of their own.
  std::vector<Node> body(const Spot& spot, uint32_t most);
  // In the scope that is open.
  void append(std::vector<Node>& nodes, const Spot& spot);
  // Where all invocations of the workgroup meet.
  void append(std::vector<Node>& nodes, const Feature& feature);
  // To an element of the invocation's own.
  Node store(Kind value_type, uint32_t depth);
  // Return or trap, of few invocations.
  Node exit(const Spot& spot);
  // Writes what some of the variables hold that were bound since.
  void show_variables(std::vector<Node>& nodes, const ExpressionGenerator::Scope& since);
  // Writes an element of each array that the caller does not see.
  void show_arrays(std::vector<Node>& nodes);

 private:
  void append_simple(std::vector<Node>& nodes, const Spot& spot);
  void append_merge(std::vector<Node>& nodes, const Spot& spot);
  void append_shown(std::vector<Node>& nodes, Kind type, const Expr& value);
  void append_access(std::vector<Node>& nodes, const Feature& feature);
  Node let();
  Node uniform_let();
  Node assign(const Spot& spot);
  Node update();
  Node private_store();
  Node let_atomic(Op op);
  Node tally(size_t which);
  Node collective();
  Node branch(const Spot& spot);
  Node uniform_branch(const Spot& spot);
  Node loop(const Spot& spot);
  Node uniform_loop(const Spot& spot);
  Node forever(const Spot& spot);
  void append_accumulation(std::vector<Node>& nodes, const Spot& spot);
  const Buffer& owned_word();
  Op any_atomic();
  bool may_loop(const Spot& spot, uint64_t trips) const;

  Random& random_;
  const Shape& shape_;
  Buffers& buffers_;
  ExpressionGenerator& expressions_;
  PatternGenerator& patterns_;
  StatementSettings settings_;
  uint32_t next_unused_ = 0;
};

}  // namespace vyre::test

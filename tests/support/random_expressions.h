// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Random expressions over the variables and buffers of a random program.
//
//   ExpressionGenerator expressions(random, shape, buffers, settings);
//   Expr e = expressions.any(DataType::F32, 3);          // of any values that the invocation has
//   Expr u = expressions.uniform(DataType::U32, 2);      // the same for the whole workgroup
//   Expr i = expressions.own_index(buffer);              // an element that only it touches
//
// What is loaded is either an input or an element that no other invocation writes, so an expression
// may stand wherever its variables are in scope; one made during a Meeting only where the whole
// workgroup meets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/evaluable.h"
#include "tests/support/random.h"
#include "tests/support/random_memory.h"

namespace vyre::test {

struct ExpressionSettings {
  bool traps = false;         // divisions that trap for some values
  bool strays = false;        // about every tenth access is out of bounds
  bool by_workgroup = false;  // how invocations are numbered, where that makes a difference
};

struct ProgramVariable {
  std::string name;
  Kind type;
  bool assignable;
  bool uniform;  // one value in the workgroup
};

class ExpressionGenerator {
 public:
  ExpressionGenerator(Random& random, const Shape& shape, Buffers& buffers,
                      ExpressionSettings settings);

  // Names. A name that has gone out of scope may come again.
  struct Scope {
    size_t variables;
    size_t shared;
  };
  Scope open_scope() const { return {variables_.size(), shared_.size()}; }
  void close_scope(const Scope& scope);
  std::string bind(Kind type, bool assignable, bool uniform);
  const std::vector<ProgramVariable>& variables() const { return variables_; }
  // Names never to be used again, for what follows a barrier of the grid.
  void forget_names();
  // The variables that hold the numbers of the invocation, bound by the caller.
  void set_numbers(std::string global, std::string local);
  void clear_numbers();
  // How many of a hundred leaves are literals.
  void set_literal_share(uint32_t share) { literal_share_ = share; }

  // The invocation's number in the grid and in its workgroup.
  Expr global_number() const;
  Expr local_number() const;
  Expr workgroup_number() const;

  Kind any_type();
  // The value type itself or the narrower type that this program stores it in.
  Kind any_element(Kind value_type);
  Expr any(Kind type, uint32_t depth);
  Expr uniform(Kind type, uint32_t depth);
  Expr literal(Kind type);
  // bool or u32.
  Expr condition(uint32_t depth);
  // For a store: of the element's value type or one that a store takes in its place.
  Expr stored_value(Kind element, uint32_t depth);

  Expr operation(const Operation& operation, uint32_t depth);
  Expr cast(const Conversion& conversion, uint32_t depth);
  Expr bitcast(const Conversion& conversion, uint32_t depth);
  // In a Meeting only.
  Expr subgroup(const SubgroupOperation& operation, uint32_t depth);

  // An element of an owned buffer that is the invocation's own, or out of bounds.
  Expr own_index(const Buffer& buffer);
  // Any element, for buffers without owners.
  Expr any_index(const Buffer& buffer);
  // One way or the other, as the buffer's use demands.
  Expr index(const Buffer& buffer);
  // Now and then u64 instead of u32, and now and then out of bounds.
  Expr perturbed(const Expr& index, const Buffer& buffer);

  // While it lives, all invocations of the workgroup evaluate what is generated together.
  class Meeting {
   public:
    explicit Meeting(ExpressionGenerator& generator) : generator_(generator) {
      generator_.meeting_ = true;
    }
    ~Meeting() { generator_.meeting_ = false; }
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;

   private:
    ExpressionGenerator& generator_;
  };

 private:
  struct Shared {
    Expr expr;
    Kind type;
  };

  Expr leaf(Kind type);
  Expr uniform_leaf(Kind type);
  std::optional<Expr> variable(Kind type, bool uniform);
  std::optional<Expr> shared(Kind type);
  Expr builtin();
  Expr load_leaf(Kind type);
  Expr compound(Kind type, uint32_t depth);
  Expr constant_choice(Kind type, uint32_t depth);
  Expr converted(Kind type, uint32_t depth);
  Expr divisor(Kind type, const Expr& value);
  Expr special_literal(Kind type);
  Expr simple_index(const Buffer& buffer);
  Expr element_of_owner(uint32_t each);
  const Buffer& lengthy();
  Expr out_of_bounds(const Expr& index, const Buffer& buffer);

  Random& random_;
  const Shape& shape_;
  Buffers& buffers_;
  ExpressionSettings settings_;
  std::map<Kind, std::vector<const Operation*>> by_result_;
  std::map<Kind, std::vector<const SubgroupOperation*>> subgroups_by_result_;
  std::map<Kind, Kind> narrow_;  // the memory type that stands beside each value type
  std::vector<ProgramVariable> variables_;
  std::vector<Shared> shared_;  // expressions whose names are in scope
  std::vector<std::string> free_names_;
  uint32_t next_name_ = 0;
  std::optional<std::string> global_name_;
  std::optional<std::string> local_name_;
  uint32_t literal_share_ = 18;  // of a hundred leaves
  uint32_t index_depth_ = 0;
  bool meeting_ = false;
};

}  // namespace vyre::test

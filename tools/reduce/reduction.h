// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reduction: the smallest program so far, and what may take its place. The kinds of rewrites are
// functions over one.
//
//   Reduction reduction(program, holds, options);
//   if (reduction.attempt(reduction.program().without_extent())) ...   // it is smaller, and holds
#pragma once

#include <absl/container/flat_hash_set.h>

#include <functional>
#include <string>
#include <vector>

#include "vyre/tools/reduce/reducer.h"

namespace vyre::tools {

// How large a program is, so that each step makes it smaller and there is an end of them.
struct Weight {
  uint64_t nodes = 0;
  // Of programs with as many nodes: literals other than 0 and 1, long names, large sizes.
  uint64_t details = 0;
  // Distinct statements and expressions: what is shared a lot has more nodes than can be counted.
  uint64_t objects = 0;
  friend auto operator<=>(const Weight&, const Weight&) = default;
};
Weight weight_of(const Program& program);

class Reduction {
 public:
  Reduction(const Program& program, const Predicate& holds, const ReduceOptions& options);

  const Program& program() const { return program_; }
  uint64_t tests() const { return tests_; }
  uint64_t successes() const { return successes_; }
  // Whether a limit is reached.
  bool stopped() const;

  // Takes the candidate if it is smaller, legal, and the predicate holds of it.
  bool attempt(const Program& candidate);

 private:
  struct DigestHash {
    size_t operator()(const Digest& digest) const { return static_cast<size_t>(digest.words[0]); }
  };

  Program program_;
  Weight weight_;
  const Predicate& holds_;
  const ReduceOptions& options_;
  bool must_resolve_;
  bool must_have_regions_;  // at the top, as runnable programs do
  uint64_t tests_ = 0;
  uint64_t candidates_ = 0;
  uint64_t successes_ = 0;
  absl::flat_hash_set<Digest, DigestHash> tried_;
};

// Removes as much of a list as possible, large stretches first, the last ones first, since later
// parts depend on earlier ones. `remove(begin, end)` says whether that stretch is gone.
void remove_stretches(size_t size, const std::function<bool(size_t begin, size_t end)>& remove);

// The rewrites. Each tries all of one kind once.
void reduce_statements(Reduction& reduction);
void reduce_variables(Reduction& reduction);
void reduce_expressions(Reduction& reduction);
void reduce_declarations(Reduction& reduction);
void reduce_names(Reduction& reduction);

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What a set of programs executes, against all that could be executed.
//
//   test::Coverage coverage;
//   const Program probed = test::with_probes(program);   // as program, and writes down where it
//   was
//   ... run it; `probes` are the bytes of its last buffer ...
//   coverage.add(resolve(program), probes);
//   CHECK(coverage.missing() == "");
//   coverage.print(1, 1000);
//
// Executed is measured, not guessed: a statement counts if an invocation began it, and with it all
// of its expressions, since operands are evaluated whatever their values are. A statement that ends
// by a trap in its own expressions counts as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/support/random_program.h"
#include "vyre/ir/resolve.h"

namespace vyre::test {

// The program with a u32 output more, the last buffer, in which each statement first sets the
// element of its number in resolve's order.
Program with_probes(const Program& program);

class Coverage {
 public:
  // All rows that programs with these options should have, at zero.
  explicit Coverage(const RandomProgramOptions& options = {});

  // What was executed of a program, by the bytes of the probes' buffer.
  void add(const Resolved& resolved, std::span<const std::byte> probes);

  // "cast: bool -> f8e4m3, operation: tan f64", empty if nothing is missing.
  std::string missing() const;
  // A line a group: how many rows, how many of them seen, and the one that was seen least often.
  void print(uint64_t first_seed, uint64_t count) const;

 private:
  // How many statements or distinct expressions; first by group, then by row.
  using Counts = std::map<std::string, std::map<std::string, uint64_t>>;

  void expect(const std::string& group, const std::string& row) { counts_[group][row]; }
  // Rows that are not expected are not counted.
  void count(const std::string& group, const std::string& row);
  void add_shape(const Program& program);
  void add_statement(const Resolved& resolved, StmtId stmt);
  void add_expression(const Resolved& resolved, const ResolvedExpr& record);

  Counts counts_;
  uint64_t programs_ = 0;
};

}  // namespace vyre::test

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// validate: everything that is wrong with a program, in one run.
//
//   ValidationReport report = validate(program);
//   if (!report.ok()) fmt::print("{}", report.to_string());   // code, place, cause, fix
//   validate(program, ValidateOptions::structure_only()).ok();  // what holds after every pass
//
// The rules and their codes stand in ir/diagnostics.def and docs/diagnostics.md. Rules of the class
// structure hold for every program; those of the class source are about what a person wrote, and a
// pass may break them (it may fold a divisor to zero); a program with something of the class
// carried is well-formed, but cannot be run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/status.h"

namespace vyre {

struct ValidateOptions {
  bool source = true;   // also the rules of the class source
  bool carried = true;  // also what no engine runs
  // Whether the program may look at its subgroups (V041).
  bool subgroups = true;

  // Limits, part of the class source. A nesting is a statement around others (V018), the depth of
  // an expression the operations on the way to its deepest leaf (V033), a statement counts at each
  // of its occurrences (V019).
  uint32_t max_nesting = 10'000;
  uint32_t max_expression_depth = 1'000'000;
  uint32_t max_statements = 10'000'000;
  // What the workgroup memory of one workgroup may take, in bytes (V142).
  std::optional<uint64_t> max_workgroup_bytes{};

  uint32_t max_diagnostics = 1000;  // at most as many are kept, and the others counted

  static ValidateOptions structure_only() { return {.source = false, .carried = false}; }
  // The limits of the original, and its engine that has no subgroups.
  static ValidateOptions original() {
    return {.subgroups = false,
            .max_nesting = 64,
            .max_expression_depth = 128,
            .max_statements = 100'000};
  }
};

struct ValidationReport {
  // One rule family after the other, in each in the order of the program.
  std::vector<Diagnostic> diagnostics;
  uint64_t omitted = 0;  // found and not kept

  // No error; warnings may be there.
  bool ok() const { return errors() == 0; }
  size_t errors() const;
  // One diagnostic after the other, then how many were omitted.
  std::string to_string() const;
  // {"diagnostics": [...], "omitted": 0}; see to_json in ir/diagnostic.h.
  std::string to_json() const;
  // OK, or InvalidArgument with the errors; Unimplemented if all of them are of the class carried.
  Status status() const;
};

// Linear in the number of statements and of expressions by (object, binding).
ValidationReport validate(const Program& program, const ValidateOptions& options = {});
// The same of a program that was resolved already.
ValidationReport validate(const Resolved& resolved, const ValidateOptions& options = {});

}  // namespace vyre

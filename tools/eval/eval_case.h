// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What vyre-eval runs: a program, the bytes of its inputs, and what its outputs have to be; from
// the command line or from a fixture.
//
//   StatusOr<EvalCase> c = case_of(loaded, {{"q", "q.npy"}, {"k", "random:7"}}, {}, limits);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vyre/ir/status.h"
#include "vyre/tools/support/array_file.h"
#include "vyre/tools/support/compare.h"
#include "vyre/tools/support/engine_run.h"
#include "vyre/tools/support/fixture.h"
#include "vyre/tools/support/program_argument.h"

namespace vyre::tools {

struct ExpectedOutput {
  std::string path;
  NamedBytes array;
};

struct EvalCase {
  LoadedProgram loaded;
  std::vector<NamedBytes> inputs;
  std::vector<ExpectedOutput> expected;
  Tolerance tolerance;
  std::vector<std::string> random_inputs;  // names of those that nobody gave
};

// NAME=VALUE texts as a map. InvalidArgument for a text without `=` and for a name given twice.
StatusOr<std::map<std::string, std::string>> parse_assignments(
    std::string_view option, const std::vector<std::string>& texts);

// Inputs are files or generators by name; one that is missing is random with seed 1. Errors: a name
// that the program does not have, with the nearest one; those of check_program(); what reading the
// files gives; buffers of more than max_bytes together (ResourceExhausted). A trap program takes
// nothing: it only traps.
StatusOr<EvalCase> case_of(const LoadedProgram& loaded,
                           const std::map<std::string, std::string>& inputs,
                           const std::map<std::string, std::string>& expected, uint64_t max_bytes);

// The same from a fixture, which has to give each input.
StatusOr<EvalCase> case_of(const Fixture& fixture, uint64_t max_bytes);

// What a file for a returned buffer has to be. InvalidArgument if there is no such buffer, with the
// nearest one. Where impossible dimensions leave a program that only traps, the buffers are those
// that it has with its default dimensions.
StatusOr<ArraySpec> output_spec(const LoadedProgram& loaded, std::string_view option,
                                std::string_view name);

}  // namespace vyre::tools

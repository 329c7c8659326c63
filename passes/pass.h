// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Pass: a rewrite of programs, as a plain function, and the list of all of them (passes.def).
//
//   StatusOr<const Pass*> pass = find_pass("dce");
//   StatusOr<PassResult> result = (*pass)->function(program);
//   if (result.ok() && result->changed) program = result->program;
//
// Running several, with checks between them: vyre/passes/pipeline.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/status.h"

namespace vyre {

struct PassResult {
  Program program;
  bool changed;  // exactly if program.hash() is another one than before
};

// A pass refuses a program whose names or types do not resolve (FailedPrecondition); on every other
// program it succeeds unless its header says otherwise.
using PassFunction = StatusOr<PassResult> (*)(const Program&);

enum class Exactness : uint8_t {
  kExact,    // keeps output bytes and trap of every determinate program and input
  kNumeric,  // changes results within a stated bound
};
// "exact", "numeric"
const char* spelling(Exactness exactness);

struct Pass {
  std::string_view name;
  std::string_view summary;
  Exactness exactness;
  PassFunction function;
};

// In the order of passes.def.
std::span<const Pass> all_passes();

// NotFound, with the nearest name and all names, if there is none.
StatusOr<const Pass*> find_pass(std::string_view name);

// The tables of a program, or the error of a pass that needs them: FailedPrecondition with the
// first diagnostic.
StatusOr<Resolved> resolve_for_pass(const Program& program);

// The result of a pass that made `after` of `before`. A program without an extent keeps its last
// atomic, reached or not, because the inferred size of a run depends on it: then nothing changes.
PassResult compared(const Program& before, Program after);

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A program as JSON, for tools in other languages. docs/json.md is its schema.
//
//   StatusOr<std::string> json = to_json(program);
//   StatusOr<std::string> more = to_json(program, {.types = true, .places = true});
//
// JSON is an output: nothing of a program's value is missing, but vyre does not read it. Statements
// and expressions stand in flat arrays and refer to each other by index, so that depth needs no
// stack and what is shared is written once. The same program gives the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre {

struct JsonOptions {
  // The type of each expression's value, where names and types resolve.
  bool types = false;
  // Where each part was written. Parts that are equal but were written in two places are two then.
  bool places = false;
  uint64_t max_bytes = uint64_t{1} << 30;
};

// Strict JSON in UTF-8, with a newline at the end. Refused are names and strings that are not UTF-8
// (invalid argument), and what is above the limit (resource exhausted). Time and size are linear in
// the number of distinct parts.
StatusOr<std::string> to_json(const Program& program, const JsonOptions& options = {});

}  // namespace vyre

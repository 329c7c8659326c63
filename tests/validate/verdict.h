// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Short programs, and the codes that the validator gives for them.
#pragma once

#include <string>

#include "vyre/ir/validate/validate.h"

namespace vyre::test {

// "V008 V066": the codes in the order of the report, empty for a program without fault.
inline std::string codes(const ValidationReport& report) {
  std::string text;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    text += (text.empty() ? "" : " ") + diagnostic.code;
  }
  return text;
}
inline std::string codes(const Program& program, const ValidateOptions& options = {}) {
  return codes(validate(program, options));
}

// Runs in workgroups of 64 with an output `out` of 64 u32, an input `in` of as many, workgroup
// memory `shared` and a read_write buffer `state`.
inline Program with_body(Body body, Dim3 workgroup_size = {64, 1, 1}) {
  return Program::wrapped({BufferDecl::output("out", 0, DataType::U32).with_count(64),
                           BufferDecl::read("in", 1, DataType::U32).with_count(64),
                           BufferDecl::read_write("state", 2, DataType::U32).with_count(64),
                           BufferDecl::workgroup("shared", 64, DataType::U32)},
                          workgroup_size, std::move(body));
}
inline std::string body_codes(Body body, Dim3 workgroup_size = {64, 1, 1}) {
  return codes(with_body(std::move(body), workgroup_size));
}

}  // namespace vyre::test

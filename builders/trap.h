// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Trap programs: how a builder that always returns a Program reports invalid arguments. Running one
// traps at once with the message; asking costs nothing:
//
//   Program p = flash_attention_2("q", "k", "v", "out", /*seq_len=*/0, 16, 4);
//   if (auto message = trap_program_message(p)) return absl::InvalidArgumentError(*message);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"

namespace vyre {

// A program of one output named `output` with one element, and one invocation, which traps with
// `message` at address 0 inside a region named `op_id`.
Program invalid_builder_trap_program(std::string_view op_id, std::string_view output,
                                     DataType element, std::string_view message);

// Whether the program does nothing but trap: its only statement, inside regions and blocks, is a
// trap.
bool is_trap_program(const Program& program);

// The trap's message, if it is a trap program.
std::optional<std::string> trap_program_message(const Program& program);

}  // namespace vyre

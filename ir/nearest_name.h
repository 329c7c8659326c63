// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Spelling help: the known name that an unknown one was probably meant to be.
//
//   const std::vector<std::string> known{"seq_len", "head_dim"};
//   nearest_name("seqlen", known);   // "seq_len"
//   nearest_name("colour", known);   // none: nothing is near
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vyre {

// The least number of single-byte insertions, deletions and replacements that turn a into b. If it
// exceeds `limit`, limit + 1. Takes at most |a| * |b| steps.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// The nearest of `known`, the first of several equally near ones; none if all differ in more than a
// third of the longer name, and none for names longer than 256 bytes.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

}  // namespace vyre

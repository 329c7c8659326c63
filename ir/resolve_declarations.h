// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The part of resolve() that looks at declarations alone: sizes, buffers, names.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/type_rules.h"

namespace vyre::internal {

// Finds by string_view.
struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <typename T>
using NameMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

// V106, V107, V108, V109 and element types that are carried, not executed.
void check_declarations(const Program& program, std::vector<Diagnostic>& errors,
                        std::vector<Diagnostic>& carried);

// V025, V009, V014: what keeps atomics from a buffer.
std::optional<TypeError> check_atomic_buffer(const BufferDecl& decl);

// "Did you mean `row`?" if one of the known names is near, else the given text.
std::string suggestion(std::string_view name, std::span<const std::string> known,
                       std::string otherwise);

}  // namespace vyre::internal

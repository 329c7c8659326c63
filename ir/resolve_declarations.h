// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The part of resolve() that looks at declarations alone: sizes, buffers, names.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/resolve.h"
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

// "cast the index to u32" as "Cast the index to u32.", sentences as they are.
std::string sentence(std::string text);

// What to do about a name that is not known. Comparing it with those that are takes time, so not
// more of it is given than is of use: a program with very many wrong names stays cheap to refuse.
class SpellingHelp {
 public:
  // "Did you mean `row`?" if one of the known names, known_name(0), known_name(1), ..., is near;
  // else the given text.
  template <typename F>
  std::string suggest(std::string_view name, size_t known_count, F known_name,
                      std::string otherwise) {
    constexpr size_t kMaxGiven = 50;
    constexpr size_t kMaxKnown = 1000;
    if (++given_ > kMaxGiven) return otherwise;
    std::vector<std::string> known;
    for (size_t i = 0; i < std::min(known_count, kMaxKnown); ++i) known.push_back(known_name(i));
    return suggestion(name, known, std::move(otherwise));
  }

 private:
  static std::string suggestion(std::string_view name, std::span<const std::string> known,
                                std::string otherwise);
  size_t given_ = 0;
};

// What to do about a statement that binds a name again. An assignment is a way out only where it
// would be legal.
std::string rebinding_fix(NodeKind kind, const Variable& first, const Variable& again);

}  // namespace vyre::internal

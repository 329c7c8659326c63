// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The part of resolve() that looks at declarations alone: sizes, buffers, names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"

namespace vyre::internal {

// V106, V107, V108, V109 and element types that are carried, not executed.
void check_declarations(const Program& program, std::vector<Diagnostic>& errors,
                        std::vector<Diagnostic>& carried);

// "Did you mean `row`?" if one of the known names is near, else the given text.
std::string suggestion(std::string_view name, std::span<const std::string> known,
                       std::string otherwise);

}  // namespace vyre::internal

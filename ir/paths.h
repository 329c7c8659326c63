// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How the steps of a node path are spelled. For the tables that know where statements stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "vyre/ir/node.h"

namespace vyre::internal {

// The steps one after the other. A path of ten thousand steps helps nobody: of one that is very
// long both ends are kept, with dots between them.
std::string joined_steps(size_t count, const std::function<std::string(size_t)>& step);

struct PathStep {
  std::optional<NodeKind> parent;  // none in the entry
  uint8_t body = 0;                // which of the parent's bodies
  uint32_t index = 0;
};

// "entry[0].body[3].then[1]"
std::string path_text(std::span<const PathStep> outermost_first);

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// How the steps of a node path are spelled. For the tables that know where statements stand.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vyre/ir/node.h"

namespace vyre::internal {

struct PathStep {
  std::optional<NodeKind> parent;  // none in the entry
  uint8_t body = 0;                // which of the parent's bodies
  uint32_t index = 0;
};

// "entry[0].body[3].then[1]"; of a path that is very long, both ends with dots between them.
std::string path_text(std::span<const PathStep> outermost_first);

}  // namespace vyre::internal

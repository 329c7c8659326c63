// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where a program reaches memory: a load or an atomic in a statement, or the statement itself.
#pragma once

#include <cstdint>

#include "vyre/ir/resolve.h"

namespace vyre::interpreter {

enum class AccessKind : uint8_t { kLoad, kStore, kAtomic, kCopyRead, kCopyWrite };

struct AccessSite {
  StmtId stmt = kNoId;
  ExprId expr = kNoId;  // a load or an atomic
  uint32_t buffer = kNoId;
  AccessKind kind = AccessKind::kLoad;

  friend bool operator==(const AccessSite&, const AccessSite&) = default;
  friend auto operator<=>(const AccessSite&, const AccessSite&) = default;
};

using SiteId = uint32_t;

constexpr bool writes(AccessKind kind) {
  return kind == AccessKind::kStore || kind == AccessKind::kAtomic ||
         kind == AccessKind::kCopyWrite;
}

}  // namespace vyre::interpreter

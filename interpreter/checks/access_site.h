// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where a program reaches memory: a load or an atomic in a statement, or the statement itself.
#pragma once

#include <compare>
#include <cstdint>
#include <tuple>

#include "vyre/ir/resolve.h"

namespace vyre::interpreter {

enum class AccessKind : uint8_t { kLoad, kStore, kAtomic, kCopyRead, kCopyWrite };

struct AccessSite {
  StmtId stmt = kNoId;
  ExprId expr = kNoId;  // a load or an atomic
  uint32_t buffer = kNoId;
  AccessKind kind = AccessKind::kLoad;

  friend bool operator==(const AccessSite&, const AccessSite&) = default;
  // A statement stands before what is in it.
  friend auto operator<=>(const AccessSite& a, const AccessSite& b) { return a.key() <=> b.key(); }

 private:
  std::tuple<StmtId, ExprId, AccessKind, uint32_t> key() const {
    return {stmt, expr + 1, kind, buffer};
  }
};

using SiteId = uint32_t;

constexpr bool writes(AccessKind kind) {
  return kind == AccessKind::kStore || kind == AccessKind::kAtomic ||
         kind == AccessKind::kCopyWrite;
}

}  // namespace vyre::interpreter

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Shared by Expr and Node: structural equality of shared graphs, and digests of types.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vyre/ir/data_type.h"
#include "vyre/ir/digest.h"

namespace vyre::internal {

struct PairHash {
  size_t operator()(const std::pair<const void*, const void*>& pair) const {
    const auto a = reinterpret_cast<uintptr_t>(pair.first);
    const auto b = reinterpret_cast<uintptr_t>(pair.second);
    return static_cast<size_t>((a ^ (b << 1)) * 0x9E3779B97F4A7C15ULL >> 16);
  }
};

// Whether two graphs are equal: `same` compares two objects without their children, `children`
// gives those. An explicit stack, because depth is the user's; a memo of pairs, because a shared
// subgraph met at each of its uses would take exponential time.
template <typename T, typename Same, typename Children>
bool equal_graphs(const T& a, const T& b, Same same, Children children) {
  std::unordered_set<std::pair<const void*, const void*>, PairHash> seen;
  std::vector<std::pair<const T*, const T*>> stack{{&a, &b}};
  while (!stack.empty()) {
    const auto [left, right] = stack.back();
    stack.pop_back();
    if (left->same_object(*right)) continue;
    if (left->digest() != right->digest() || !same(*left, *right)) return false;
    if (!seen.emplace(left->identity(), right->identity()).second) continue;
    const std::span<const T> left_children = children(*left);
    const std::span<const T> right_children = children(*right);
    for (size_t i = 0; i < left_children.size(); ++i) {
      stack.emplace_back(&left_children[i], &right_children[i]);
    }
  }
  return true;
}

void add_type(DigestBuilder& digest, const DataType& type);

}  // namespace vyre::internal

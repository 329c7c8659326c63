// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace vyre {
namespace {

// Names come from files and command lines: no suggestion is worth a quadratic walk over a megabyte.
constexpr size_t kLongestName = 256;

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  // Each further byte of the longer text is an insertion.
  if (b.size() - a.size() > limit) return limit + 1;
  // row[i]: the distance between the first i bytes of a and those of b read so far.
  std::vector<size_t> row(a.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t j = 0; j < b.size(); ++j) {
    size_t diagonal = std::exchange(row[0], j + 1);
    size_t least = row[0];
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[i + 1];
      row[i + 1] = std::min({replaced, row[i] + 1, diagonal + 1});
      least = std::min(least, row[i + 1]);
    }
    // The least of a row never falls from one row to the next.
    if (least > limit) return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() > kLongestName) return std::nullopt;
  const std::string* nearest = nullptr;
  size_t nearest_distance = 0;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const size_t limit = std::max(name.size(), candidate.size()) / 3;
    const size_t distance = edit_distance(name, candidate, limit);
    if (distance > limit || (nearest != nullptr && distance >= nearest_distance)) continue;
    nearest = &candidate;
    nearest_distance = distance;
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Which elements of two sequences correspond, for differences that a person reads.
//
//   const std::vector<uint32_t> a{1, 2, 3, 4}, b{1, 3, 4, 5};
//   align(a, b);    // {0, 0, 1}, {2, 1, 2}: 1 is 1, and 3, 4 are 3, 4
//
// Sequences that differ little get the fewest differences possible (Myers). Where they differ much,
// elements that both have exactly once are taken for the same (patience), and what lies between
// them is aligned in turn. Work is bounded: what is left then does not correspond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vyre::tools {

// left[left + i] == right[right + i] for i below length.
struct EqualRun {
  size_t left;
  size_t right;
  size_t length;
  friend bool operator==(const EqualRun&, const EqualRun&) = default;
};

struct AlignmentLimits {
  uint64_t work = uint64_t{1} << 26;  // comparisons, about
  uint32_t edits = 1024;              // a stretch with more is aligned by its unique elements
};

// Ascending in both sequences, none adjacent to the next one in both.
std::vector<EqualRun> align(std::span<const uint32_t> left, std::span<const uint32_t> right,
                            const AlignmentLimits& limits = {});

}  // namespace vyre::tools

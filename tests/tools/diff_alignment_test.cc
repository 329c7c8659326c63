// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "tests/support/random.h"
#include "vyre/tools/diff/alignment.h"

namespace vyre::tools {
namespace {

using Sequence = std::vector<uint32_t>;

size_t equal_elements(const std::vector<EqualRun>& runs) {
  size_t count = 0;
  for (const EqualRun& run : runs) count += run.length;
  return count;
}

// Ascending, not adjacent, and equal element by element.
void check_alignment(const Sequence& left, const Sequence& right,
                     const std::vector<EqualRun>& runs) {
  size_t left_at = 0;
  size_t right_at = 0;
  bool first = true;
  for (const EqualRun& run : runs) {
    REQUIRE(run.length > 0);
    REQUIRE(run.left >= left_at);
    REQUIRE(run.right >= right_at);
    if (!first) REQUIRE((run.left > left_at || run.right > right_at));
    first = false;
    left_at = run.left + run.length;
    right_at = run.right + run.length;
    REQUIRE(left_at <= left.size());
    REQUIRE(right_at <= right.size());
    for (size_t i = 0; i < run.length; ++i) REQUIRE(left[run.left + i] == right[run.right + i]);
  }
}

// The length of the longest common subsequence, by the book.
size_t longest_common(const Sequence& left, const Sequence& right) {
  std::vector<size_t> row(right.size() + 1);
  for (const uint32_t element : left) {
    size_t diagonal = 0;
    for (size_t k = 0; k < right.size(); ++k) {
      const size_t above = row[k + 1];
      row[k + 1] = element == right[k] ? diagonal + 1 : std::max(above, row[k]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST_CASE("sequences are aligned by what they have in common") {
  CHECK(align({}, {}).empty());
  CHECK(align(Sequence{1}, Sequence{}).empty());
  CHECK(align(Sequence{1, 2}, Sequence{3}).empty());
  CHECK(align(Sequence{1, 2, 3}, Sequence{1, 2, 3}) == std::vector<EqualRun>{{0, 0, 3}});
  CHECK(align(Sequence{1, 2, 3, 4}, Sequence{1, 3, 4, 5}) ==
        std::vector<EqualRun>{{0, 0, 1}, {2, 1, 2}});
  CHECK(align(Sequence{9, 1, 2}, Sequence{1, 2, 7}) == std::vector<EqualRun>{{1, 0, 2}});
}

TEST_CASE("within the limits, no alignment has more in common") {
  test::Random random(1);
  for (int i = 0; i < 3000; ++i) {
    Sequence left(random.below(12));
    Sequence right(random.below(12));
    const uint32_t letters = 1 + random.below(5);
    for (uint32_t& element : left) element = random.below(letters);
    for (uint32_t& element : right) element = random.below(letters);
    const std::vector<EqualRun> runs = align(left, right);
    check_alignment(left, right, runs);
    CHECK(equal_elements(runs) == longest_common(left, right));
  }
}

TEST_CASE("many differences are aligned by what occurs once") {
  test::Random random(2);
  for (int i = 0; i < 300; ++i) {
    // Every third element is the same, and the only one of its kind.
    Sequence left;
    Sequence right;
    for (uint32_t k = 0; k < 60; ++k) {
      for (uint32_t n = random.below(5); n > 0; --n) left.push_back(random.below(3));
      for (uint32_t n = random.below(5); n > 0; --n) right.push_back(3 + random.below(3));
      left.push_back(1000 + k);
      right.push_back(1000 + k);
    }
    const std::vector<EqualRun> runs = align(left, right, {.edits = 2});
    check_alignment(left, right, runs);
    CHECK(equal_elements(runs) == 60);
  }
}

TEST_CASE("aligning ends soon, whatever the sequences are") {
  Sequence left(400'000);
  Sequence right(400'000);
  // Without anything in common, without anything unique, and with all of it the other way round.
  for (uint32_t i = 0; i < left.size(); ++i) {
    left[i] = i;
    right[i] = 1'000'000 + i;
  }
  check_alignment(left, right, align(left, right));
  for (uint32_t i = 0; i < left.size(); ++i) {
    left[i] = i * 2654435761U % 7;
    right[i] = i * 2246822519U % 11;
  }
  check_alignment(left, right, align(left, right));
  for (uint32_t i = 0; i < left.size(); ++i) {
    left[i] = i;
    right[i] = static_cast<uint32_t>(left.size()) - i;
  }
  check_alignment(left, right, align(left, right));
  // Stretches between unique elements, each of which hides the next one.
  test::Random random(3);
  for (uint32_t i = 0; i < left.size(); ++i) {
    left[i] = i / 2;
    right[i] = random.below(200'000);
  }
  check_alignment(left, right, align(left, right, {.edits = 4}));
}

TEST_CASE("without work left, nothing else corresponds") {
  const Sequence left{1, 2, 3, 4, 5, 9};
  const Sequence right{1, 7, 3, 8, 5, 9};
  CHECK(align(left, right, {.work = 0}) == std::vector<EqualRun>{{0, 0, 1}, {4, 4, 2}});
}

}  // namespace
}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/nearest_name.h"

#include <catch2/catch.hpp>
#include <vector>

namespace vyre {
namespace {

TEST_CASE("the edit distance counts insertions, deletions and replacements") {
  CHECK(edit_distance("", "", 9) == 0);
  CHECK(edit_distance("", "abc", 9) == 3);
  CHECK(edit_distance("kitten", "sitting", 9) == 3);
  CHECK(edit_distance("sitting", "kitten", 9) == 3);
  CHECK(edit_distance("flaw", "lawn", 9) == 2);
  CHECK(edit_distance("ab", "ba", 9) == 2);
}

TEST_CASE("the edit distance stops above its limit") {
  CHECK(edit_distance("kitten", "sitting", 3) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("a", "abcdef", 2) == 3);
  CHECK(edit_distance("a", "a", 0) == 0);
  CHECK(edit_distance("a", "b", 0) == 1);
}

TEST_CASE("the nearest name is the likely meaning of a misspelling") {
  const std::vector<std::string> known{"head_dim", "seq_len", "tile_size"};
  CHECK(nearest_name("seqlen", known) == "seq_len");
  CHECK(nearest_name("tilesize", known) == "tile_size");
  CHECK(nearest_name("head_dim", known) == "head_dim");
  CHECK(nearest_name("dim_head", known) == std::nullopt);
  CHECK(nearest_name("colour", known) == std::nullopt);
  CHECK(nearest_name("", known) == std::nullopt);
  CHECK(nearest_name("x", {}) == std::nullopt);
}

TEST_CASE("of equally near names the first is taken, and a nearer one wins") {
  const std::vector<std::string> known{"abcx", "abcy", "abcdz", "abcd"};
  CHECK(nearest_name("abc", known) == "abcx");
  CHECK(nearest_name("abcd", known) == "abcd");
}

TEST_CASE("a very long name has no suggestion and costs little") {
  const std::vector<std::string> known{std::string(1'000'000, 'a'), "seq_len"};
  CHECK(nearest_name(std::string(1'000'000, 'a'), known) == std::nullopt);
  CHECK(nearest_name("seq_lem", known) == "seq_len");
}

}  // namespace
}  // namespace vyre

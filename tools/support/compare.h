// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Comparing the bytes of two buffers, element by element.
//
//   Difference d = compare(DataType::F32, got, expected, {.absolute = 1e-5});
//   if (d.count > 0) fmt::print("{}\n", d.to_string("out"));
//
// Without a tolerance elements are equal if their bits are, or if both are NaN: -0 differs from +0.
// With one, floats are equal if both are NaN, if they are equal as numbers (-0 and +0 too), or if
// both are finite and |got - expected| <= absolute + relative * |expected|. A NaN never equals a
// number. Integers and bools are always compared exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/data_type.h"

namespace vyre::tools {

struct Tolerance {
  double absolute = 0;
  double relative = 0;
  bool exact() const { return absolute == 0 && relative == 0; }
};

struct Difference {
  uint64_t elements = 0;  // compared
  bool exact = true;      // without a tolerance
  uint64_t count = 0;     // different
  uint64_t first = 0;     // index of the first different one
  std::string got;        // and its two values
  std::string expected;

  // "out: 3 of 128 elements differ, first element 5: got 1.5 (0x3fc00000), expected ..."
  std::string to_string(std::string_view name) const;
};

// The spans have as many bytes each, a whole number of elements of a value or memory type.
Difference compare(DataType::Kind element, std::span<const std::byte> got,
                   std::span<const std::byte> expected, const Tolerance& tolerance = {});

// How far floats are from exact results.
struct OracleError {
  double largest = 0;           // of |got - exact| over the elements where that is a number
  uint64_t nan_mismatches = 0;  // one is NaN and the other is not, or they are unequal infinities
  // "5.96e-08", "5.96e-08, 2 not finite"
  std::string to_string() const;
};
OracleError oracle_error(std::span<const std::byte> got_f32, std::span<const double> exact);

// "1.5 (0x3fc00000)" for floats, "7" for integers.
std::string element_text(DataType::Kind element, const std::byte* bytes);

}  // namespace vyre::tools

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "vyre/ir/check.h"
#include "vyre/ir/scalar/memory.h"

namespace vyre::tools {
namespace {

double number_of(DataType::Kind value_type, uint64_t bits) {
  if (value_type == DataType::F64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

bool near(double got, double expected, const Tolerance& tolerance) {
  if (got == expected) return true;
  // An infinite expected value would otherwise allow everything.
  if (!std::isfinite(got) || !std::isfinite(expected)) return false;
  return std::fabs(got - expected) <= tolerance.absolute + tolerance.relative * std::fabs(expected);
}

}  // namespace

std::string Difference::to_string(std::string_view name) const {
  if (count == 0) {
    return fmt::format("{}: {} elements equal{}", name, elements,
                       exact ? "" : " within the tolerance");
  }
  return fmt::format("{}: {} of {} elements differ, first element {}: got {}, expected {}", name,
                     count, elements, first, got, expected);
}

Difference compare(DataType::Kind element, std::span<const std::byte> got,
                   std::span<const std::byte> expected, const Tolerance& tolerance) {
  VYRE_CHECK(got.size() == expected.size(), "compare takes buffers of one size");
  const uint32_t stride = DataType(element).stride_bytes();
  const DataType::Kind value_type = *value_type_of(element);
  const scalar::Loader load = scalar::find_loader(element);
  Difference difference;
  difference.elements = got.size() / stride;
  difference.exact = tolerance.exact();
  for (uint64_t i = 0; i < difference.elements; ++i) {
    const std::byte* a = got.data() + i * stride;
    const std::byte* b = expected.data() + i * stride;
    if (std::memcmp(a, b, stride) == 0) continue;
    if (is_float(value_type)) {
      const double x = number_of(value_type, load(a));
      const double y = number_of(value_type, load(b));
      if (std::isnan(x) && std::isnan(y)) continue;
      if (!tolerance.exact() && near(x, y, tolerance)) continue;
    }
    if (difference.count++ > 0) continue;
    difference.first = i;
    difference.got = element_text(element, a);
    difference.expected = element_text(element, b);
  }
  return difference;
}

OracleError oracle_error(std::span<const std::byte> got_f32, std::span<const double> exact) {
  VYRE_CHECK(got_f32.size() == exact.size() * sizeof(float), "as many results as exact ones");
  OracleError error;
  for (size_t i = 0; i < exact.size(); ++i) {
    float got = 0;
    std::memcpy(&got, got_f32.data() + i * sizeof(float), sizeof(float));
    const auto wide = static_cast<double>(got);
    if (wide == exact[i] || (std::isnan(wide) && std::isnan(exact[i]))) continue;
    if (!std::isfinite(wide) || !std::isfinite(exact[i])) {
      ++error.nan_mismatches;
      continue;
    }
    error.largest = std::max(error.largest, std::fabs(wide - exact[i]));
  }
  return error;
}

std::string OracleError::to_string() const {
  const std::string text = fmt::format("{:.3g}", largest);
  return nan_mismatches == 0 ? text : fmt::format("{}, {} not finite", text, nan_mismatches);
}

std::string element_text(DataType::Kind element, const std::byte* bytes) {
  const DataType::Kind value_type = *value_type_of(element);
  const uint64_t value = scalar::load_element(element, bytes);
  if (value_type == DataType::Bool) return value != 0 ? "true" : "false";
  if (is_signed_integer(value_type)) {
    const auto wide = static_cast<int64_t>(value);
    return fmt::format("{}", value_type == DataType::I32 ? static_cast<int32_t>(wide) : wide);
  }
  if (!is_float(value_type)) return fmt::format("{}", value);
  const uint32_t stride = DataType(element).stride_bytes();
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, stride);
  if (value_type == DataType::F64) {
    return fmt::format("{} (0x{:016x})", std::bit_cast<double>(value), bits);
  }
  return fmt::format("{} (0x{:0{}x})", std::bit_cast<float>(static_cast<uint32_t>(value)), bits,
                     stride * 2);
}

}  // namespace vyre::tools

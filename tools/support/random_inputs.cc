// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/random_inputs.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>

#include "vyre/ir/scalar/memory.h"
#include "vyre/tools/support/cli.h"

namespace vyre::tools {
namespace {

constexpr uint64_t kGamma = 0x9E3779B97F4A7C15;

uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

int significant_bits(DataType::Kind element) {
  if (element == DataType::F64) return 53;
  if (element == DataType::F16) return 11;
  if (element == DataType::BF16) return 8;
  if (element == DataType::F8E4M3) return 4;
  if (element == DataType::F8E5M2) return 3;
  return 24;
}

// The bits of a number as a value that a store takes.
uint64_t value_bits(DataType::Kind value_type, double number) {
  if (value_type == DataType::F64) return std::bit_cast<uint64_t>(number);
  if (value_type == DataType::F32) return std::bit_cast<uint32_t>(static_cast<float>(number));
  return static_cast<uint64_t>(static_cast<int64_t>(number));
}

uint64_t random_value(DataType::Kind element, DataType::Kind value_type, uint64_t r) {
  if (is_float(value_type)) {
    const int p = significant_bits(element);
    return value_bits(value_type, std::ldexp(static_cast<double>(r >> (64 - p)), 1 - p) - 1);
  }
  if (value_type == DataType::Bool) return r >> 63;
  return is_signed_integer(value_type) ? (r >> 59) - 16 : r >> 59;
}

uint64_t constant_value(Generator::Kind kind, DataType::Kind value_type, uint64_t i) {
  if (kind == Generator::Kind::kZeros) return 0;
  const uint64_t number = kind == Generator::Kind::kOnes ? 1 : i;
  if (value_type == DataType::Bool) return number != 0 ? 1 : 0;
  if (is_float(value_type)) return value_bits(value_type, static_cast<double>(number));
  return number;
}

}  // namespace

uint64_t random_bits(uint64_t seed, uint64_t position, uint64_t i) {
  return mix(mix(seed) + position + (i + 1) * kGamma);
}

StatusOr<std::optional<Generator>> parse_generator(std::string_view text) {
  if (text == "random") return Generator{};
  if (text == "arange") return Generator{Generator::Kind::kArange};
  if (text == "zeros") return Generator{Generator::Kind::kZeros};
  if (text == "ones") return Generator{Generator::Kind::kOnes};
  constexpr std::string_view kSeeded = "random:";
  if (text.starts_with(kSeeded)) {
    const StatusOr<uint64_t> seed =
        parse_unsigned("the seed", text.substr(kSeeded.size()), UINT64_MAX);
    if (!seed.ok()) return seed.status();
    return Generator{Generator::Kind::kRandom, *seed};
  }
  if (text.find_first_of("./") != std::string_view::npos) return std::nullopt;
  return absl::InvalidArgumentError(
      fmt::format("`{}` is neither a file with an extension nor a generator. Fix: {}", text,
                  suggestion(text, {"random", "arange", "zeros", "ones"})));
}

std::vector<std::byte> generate(const Generator& generator, DataType::Kind element, uint64_t count,
                                uint64_t position) {
  const uint32_t stride = DataType(element).stride_bytes();
  const DataType::Kind value_type = *value_type_of(element);
  const scalar::Storer store = scalar::find_storer(element);
  std::vector<std::byte> bytes(static_cast<size_t>(count) * stride);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t value =
        generator.kind == Generator::Kind::kRandom
            ? random_value(element, value_type, random_bits(generator.seed, position, i))
            : constant_value(generator.kind, value_type, i);
    store(bytes.data() + i * stride, value);
  }
  return bytes;
}

}  // namespace vyre::tools

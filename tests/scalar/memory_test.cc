// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Casts, bitcasts, loads and stores. The reference computes with the exact value: a long double has
// 64 bits of significand here, enough for every value type.
#include "vyre/ir/scalar/memory.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/support/edge_values.h"
#include "vyre/ir/scalar/kernels.h"
#include "vyre/ir/type_rules.h"

namespace vyre::scalar {
namespace {

using test::edge_values;
using test::kValueTypes;

static_assert(std::numeric_limits<long double>::digits >= 64);

constexpr DataType::Kind kMemoryTypes[] = {DataType::U8,     DataType::U16,   DataType::I8,
                                           DataType::I16,    DataType::F16,   DataType::BF16,
                                           DataType::F8E4M3, DataType::F8E5M2};

uint64_t f32_bits(long double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

uint64_t cast(DataType::Kind from, DataType::Kind to, uint64_t bits) {
  const Kernel kernel = find_cast_kernel(from, to);
  REQUIRE(kernel != nullptr);
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  const uint64_t result = kernel(&bits, trap);
  CHECK(trap == ArithmeticTrap::kNone);
  return canonical_nan(*value_type_of(to), result);
}
uint64_t cast_from_f32(DataType::Kind to, float value) {
  return cast(DataType::F32, to, std::bit_cast<uint32_t>(value));
}

long double exact_value(DataType::Kind type, uint64_t bits) {
  if (type == DataType::F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == DataType::F64) return std::bit_cast<double>(bits);
  if (type == DataType::I32) return static_cast<int32_t>(bits);
  if (type == DataType::I64) return static_cast<int64_t>(bits);
  return bits;
}

// An integer format, and the value type that holds it.
struct IntegerFormat {
  DataType::Kind type;
  int width;
  bool is_signed;
  int value_width;
};
constexpr IntegerFormat kIntegers[] = {
    {DataType::U8, 8, false, 32},   {DataType::U16, 16, false, 32}, {DataType::U32, 32, false, 32},
    {DataType::U64, 64, false, 64}, {DataType::I8, 8, true, 32},    {DataType::I16, 16, true, 32},
    {DataType::I32, 32, true, 32},  {DataType::I64, 64, true, 64}};

// The low `width` bits, extended by sign, as a pattern of the value type.
uint64_t wrap(const IntegerFormat& format, uint64_t bits) {
  const uint64_t mask = format.width == 64 ? ~uint64_t{0} : (uint64_t{1} << format.width) - 1;
  bits &= mask;
  if (format.is_signed && (bits >> (format.width - 1)) != 0) bits |= ~mask;
  return format.value_width == 64 ? bits : bits & 0xFFFFFFFF;
}

uint64_t saturate(const IntegerFormat& format, long double value) {
  if (std::isnan(value)) return 0;
  const int digits = format.width - (format.is_signed ? 1 : 0);
  const long double top = std::ldexp(1.0L, digits) - 1;
  const long double bottom = format.is_signed ? -std::ldexp(1.0L, digits) : 0;
  const long double clamped = std::fmin(std::fmax(std::trunc(value), bottom), top);
  const uint64_t magnitude = static_cast<uint64_t>(std::fabs(clamped));
  return wrap(format, clamped < 0 ? 0 - magnitude : magnitude);
}

TEST_CASE("casts to integers wrap integers and saturate floats") {
  for (const DataType::Kind from : kValueTypes) {
    for (const IntegerFormat& format : kIntegers) {
      for (const uint64_t bits : edge_values(from)) {
        CAPTURE(DataType(from).spelling(), DataType(format.type).spelling(), bits);
        uint64_t source = bits;
        if (from == DataType::I32)
          source = static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)});
        const uint64_t expected =
            is_float(from) ? saturate(format, exact_value(from, bits)) : wrap(format, source);
        CHECK(cast(from, format.type, bits) == expected);
      }
    }
  }
  CHECK(cast_from_f32(DataType::U8, 300.0f) == 255);
  CHECK(cast_from_f32(DataType::I8, -300.0f) == 0xFFFFFF80);
  CHECK(cast_from_f32(DataType::U32, -1.0f) == 0);
  CHECK(cast_from_f32(DataType::I32, 3e9f) == 0x7FFFFFFF);
}

TEST_CASE("a cast to bool is whether the value is not zero, and NaN is not") {
  for (const DataType::Kind from : kValueTypes) {
    for (const uint64_t bits : edge_values(from)) {
      CAPTURE(DataType(from).spelling(), bits);
      CHECK(cast(from, DataType::Bool, bits) == (exact_value(from, bits) != 0 ? 1u : 0u));
    }
  }
}

// A binary format that rounds to nearest even. Past `largest`, rounded to the format's precision,
// stands infinity or NaN.
struct FloatFormat {
  DataType::Kind type;
  int precision;
  int min_exponent;  // of the last place of subnormals
  long double largest;
  bool has_infinity;
};
const FloatFormat kFloats[] = {{DataType::F32, 24, -149, std::numeric_limits<float>::max(), true},
                               {DataType::F16, 11, -24, 65504, true},
                               {DataType::BF16, 8, -133, 0x1.FEp127L, true},
                               {DataType::F8E4M3, 4, -9, 448, false},
                               {DataType::F8E5M2, 3, -16, 57344, true}};

// The f32 bits of the value rounded to the format.
uint64_t rounded_bits(const FloatFormat& format, long double value) {
  if (std::isnan(value)) return 0x7FC00000;
  long double rounded = value;
  if (value != 0 && std::isfinite(value)) {
    const int exponent = std::max(std::ilogb(value) - format.precision + 1, format.min_exponent);
    rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
  }
  if (std::fabs(rounded) > format.largest) {
    if (!format.has_infinity) return 0x7FC00000;
    rounded = std::copysign(std::numeric_limits<long double>::infinity(), value);
  }
  return f32_bits(rounded);
}

TEST_CASE("casts to floats round the exact value once") {
  for (const DataType::Kind from : kValueTypes) {
    for (const uint64_t bits : edge_values(from)) {
      const long double value = exact_value(from, bits);
      for (const FloatFormat& format : kFloats) {
        CAPTURE(DataType(from).spelling(), DataType(format.type).spelling(), bits);
        CHECK(cast(from, format.type, bits) == rounded_bits(format, value));
      }
      const auto wide = std::bit_cast<uint64_t>(static_cast<double>(value));
      CHECK(cast(from, DataType::F64, bits) == canonical_nan(DataType::F64, wide));
    }
  }
}

TEST_CASE("U34: whole numbers and floats become bf16 by rounding to nearest, ties to even") {
  struct Row {
    int64_t from;
    float to;
  };
  for (const auto& [from, to] :
       {Row{259, 260}, Row{33000, 33024}, Row{257, 256}, Row{-259, -260}}) {
    CAPTURE(from);
    const auto as_float = static_cast<float>(from);
    const auto as_double = static_cast<double>(from);
    CHECK(cast(DataType::I32, DataType::BF16, static_cast<uint32_t>(from)) == f32_bits(to));
    CHECK(cast(DataType::I64, DataType::BF16, static_cast<uint64_t>(from)) == f32_bits(to));
    CHECK(cast(DataType::F32, DataType::BF16, f32_bits(as_float)) == f32_bits(to));
    CHECK(cast(DataType::F64, DataType::BF16, std::bit_cast<uint64_t>(as_double)) == f32_bits(to));
    if (from < 0) continue;
    CHECK(cast(DataType::U32, DataType::BF16, static_cast<uint64_t>(from)) == f32_bits(to));
    CHECK(cast(DataType::U64, DataType::BF16, static_cast<uint64_t>(from)) == f32_bits(to));
  }
}

// Each pair: a number next to a tie of the narrow format, which rounding to f32 first would lose.
TEST_CASE("casts from wide types do not pass through f32") {
  CHECK(cast(DataType::I32, DataType::BF16, 259) == f32_bits(260));
  CHECK(cast(DataType::U32, DataType::BF16, 33000) == f32_bits(33024));
  for (const FloatFormat& format : kFloats) {
    if (format.type == DataType::F32) continue;
    CAPTURE(DataType(format.type).spelling());
    const long double tie = 1 + std::ldexp(1.0L, -format.precision);
    for (const long double value : {tie, tie + 0x1p-52L, tie - 0x1p-52L, -tie - 0x1p-52L}) {
      const auto bits = std::bit_cast<uint64_t>(static_cast<double>(value));
      CHECK(cast(DataType::F64, format.type, bits) == rounded_bits(format, value));
    }
    // The same for the integer 2^62 and a half place of the format, where that is in range.
    const int64_t whole = (int64_t{1} << 62) + (int64_t{1} << (62 - format.precision));
    for (const int64_t value : {whole, whole + 1, whole - 1, -whole - 1}) {
      const auto bits = static_cast<uint64_t>(value);
      const auto exact = static_cast<long double>(value);
      CHECK(cast(DataType::I64, format.type, bits) == rounded_bits(format, exact));
    }
  }
  // 256 + 8: half a place of f8e4m3 (32 apart at 256 is 16) and of f8e5m2; and close to them.
  for (uint32_t value = 0; value < 70000; ++value) {
    for (const FloatFormat& format : kFloats) {
      const uint64_t found = cast(DataType::U32, format.type, value);
      if (found == rounded_bits(format, value)) continue;
      CAPTURE(DataType(format.type).spelling(), value);
      CHECK(found == rounded_bits(format, value));
    }
  }
}

TEST_CASE("a cast to a memory type gives what a store and a load give") {
  for (const DataType::Kind to : kMemoryTypes) {
    const DataType::Kind value_type = *value_type_of(to);
    for (const uint64_t bits : edge_values(value_type)) {
      CAPTURE(DataType(to).spelling(), bits);
      std::array<std::byte, 8> memory{};
      store_element(to, memory.data(), bits);
      const uint64_t loaded = canonical_nan(value_type, load_element(to, memory.data()));
      CHECK(cast(value_type, to, bits) == loaded);
    }
  }
}

TEST_CASE("casts exist from value types to value and memory types") {
  for (int from = 0; from < 256; ++from) {
    for (int to = 0; to < 256; ++to) {
      const auto from_kind = static_cast<DataType::Kind>(from);
      const auto to_kind = static_cast<DataType::Kind>(to);
      const bool exist = (from >= 0x01 && from <= 0x1F) && (to >= 0x01 && to <= 0x1F);
      if (!exist) continue;
      CHECK((find_cast_kernel(from_kind, to_kind) != nullptr) == is_legal_cast(from_kind, to_kind));
      CHECK((find_bitcast_kernel(from_kind, to_kind) != nullptr) ==
            is_legal_bitcast(from_kind, to_kind));
    }
  }
}

TEST_CASE("a bitcast keeps the bits, and shows one NaN only") {
  const auto bitcast = [](DataType::Kind from, DataType::Kind to, uint64_t bits) {
    ArithmeticTrap trap = ArithmeticTrap::kNone;
    return find_bitcast_kernel(from, to)(&bits, trap);
  };
  CHECK(bitcast(DataType::F32, DataType::U32, 0x80000001) == 0x80000001);
  CHECK(bitcast(DataType::F32, DataType::I32, 0xFF812345) == 0x7FC00000);
  CHECK(bitcast(DataType::F64, DataType::U64, 0xFFF0000000000001) == 0x7FF8000000000000);
  CHECK(bitcast(DataType::F64, DataType::I64, 0xFFF0000000000000) == 0xFFF0000000000000);
  CHECK(bitcast(DataType::U32, DataType::F32, 0x3F800000) == 0x3F800000);
  CHECK(bitcast(DataType::I64, DataType::U64, ~uint64_t{0}) == ~uint64_t{0});
}

TEST_CASE("every pattern of a narrow type survives a load and a store, but for NaNs") {
  for (const DataType::Kind type : kMemoryTypes) {
    const uint64_t count = uint64_t{1} << *DataType(type).bit_width();
    for (uint64_t pattern = 0; pattern < count; ++pattern) {
      std::array<std::byte, 2> memory{static_cast<std::byte>(pattern & 0xFF),
                                      static_cast<std::byte>(pattern >> 8)};
      const uint64_t value = load_element(type, memory.data());
      store_element(type, memory.data(), value);
      const uint64_t stored =
          std::to_integer<uint64_t>(memory[0]) | std::to_integer<uint64_t>(memory[1]) << 8;
      if (stored == canonical_nan(type, pattern)) continue;
      CAPTURE(DataType(type).spelling(), pattern);
      CHECK(stored == canonical_nan(type, pattern));
    }
  }
}

TEST_CASE("loads extend and stores truncate, round and normalise") {
  const auto stored = [](DataType::Kind type, uint64_t value) {
    std::array<std::byte, 9> memory;
    memory.fill(std::byte{0xAA});
    store_element(type, memory.data(), value);
    const uint64_t size = *DataType(type).size_bytes();
    // No byte behind the element is touched.
    CHECK(memory[size] == std::byte{0xAA});
    uint64_t bits = 0;
    for (uint64_t i = size; i-- > 0;) bits = bits << 8 | std::to_integer<uint64_t>(memory[i]);
    return bits;
  };
  CHECK(stored(DataType::U8, 0x1FF) == 0xFF);
  CHECK(stored(DataType::I16, 0xFFFF7FFF) == 0x7FFF);
  CHECK(stored(DataType::Bool, 2) == 1);
  CHECK(stored(DataType::U32, 1) == 1);
  CHECK(stored(DataType::F32, 0xFF812345) == 0x7FC00000);
  CHECK(stored(DataType::F32, 0x00000001) == 0x00000001);
  CHECK(stored(DataType::F64, 0xFFF0000000000001) == 0x7FF8000000000000);
  CHECK(stored(DataType::F16, f32_bits(65535)) == 0x7C00);
  CHECK(stored(DataType::F16, f32_bits(65519)) == 0x7BFF);
  CHECK(stored(DataType::F16, 0xFF812345) == 0x7E00);
  CHECK(stored(DataType::BF16, 0xFF812345) == 0x7FC0);
  CHECK(stored(DataType::F8E4M3, 0xFF812345) == 0x7F);
  CHECK(stored(DataType::F8E4M3, f32_bits(1000)) == 0x7F);
  CHECK(stored(DataType::F8E5M2, 0xFF812345) == 0x7E);
  CHECK(stored(DataType::F8E5M2, f32_bits(-1e9L)) == 0xFC);

  const auto loaded = [](DataType::Kind type, uint64_t bits) {
    std::array<std::byte, 8> memory;
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<std::byte>(bits >> (8 * i) & 0xFF);
    return load_element(type, memory.data());
  };
  CHECK(loaded(DataType::U8, 0xAAFF) == 0xFF);
  CHECK(loaded(DataType::I8, 0xAA80) == 0xFFFFFF80);
  CHECK(loaded(DataType::I16, 0xAA8000) == 0xFFFF8000);
  CHECK(loaded(DataType::Bool, 0x00010000) == 1);
  CHECK(loaded(DataType::Bool, 0x1'00000000) == 0);
  CHECK(loaded(DataType::F16, 0x0001) == f32_bits(0x1p-24L));
  CHECK(loaded(DataType::BF16, 0x0001) == 0x00010000);
  CHECK(loaded(DataType::I64, 0x8000000000000000) == 0x8000000000000000);
}

TEST_CASE("f16 infinity times zero is the canonical NaN") {
  const std::array<std::byte, 2> infinity{std::byte{0x00}, std::byte{0x7C}};
  const uint64_t operands[] = {load_element(DataType::F16, infinity.data()), 0};
  ArithmeticTrap trap = ArithmeticTrap::kNone;
  const uint64_t product = find_kernel(Op::kMul, DataType::F32)(operands, trap);
  std::array<std::byte, 2> memory{};
  store_element(DataType::F16, memory.data(), product);
  CHECK(memory == std::array<std::byte, 2>{std::byte{0x00}, std::byte{0x7E}});
}

TEST_CASE("carried types have no loads and stores") {
  CHECK(find_loader(DataType::Bytes) == nullptr);
  CHECK(find_storer(DataType::FP4) == nullptr);
  CHECK(find_loader(DataType::Vec2U32) == nullptr);
}

}  // namespace
}  // namespace vyre::scalar

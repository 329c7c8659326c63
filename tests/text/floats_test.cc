// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/support/random.h"
#include "tests/support/test_size.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

// The bits of a literal's text, or the type's name and an error that no bits equal.
uint64_t bits_of(const std::string& text, Op op) {
  const StatusOr<Expr> expr = parse_expr(text);
  INFO(text << ": " << expr.status());
  REQUIRE(expr.ok());
  REQUIRE(expr->op() == op);
  return expr->bits();
}
uint64_t f32_bits(const std::string& text) { return bits_of(text, Op::kLitF32); }
uint64_t f64_bits(const std::string& text) { return bits_of(text, Op::kLitF64); }

std::string code_of(const std::string& text) {
  const StatusOr<Expr> expr = parse_expr(text);
  if (expr.ok()) return "";
  const std::string_view message = message_of(expr.status());
  return std::string(message.substr(6, 4));
}

void check_bits(DataType::Kind type, uint64_t bits) {
  const std::string text = *print_expr(Expr::literal(type, bits));
  const StatusOr<Expr> expr = parse_expr(text);
  const bool same = expr.ok() && *expr == Expr::literal(type, bits);
  if (same) return;
  INFO(fmt::format("{:x} is printed {}", bits, text));
  FAIL("the literal is another one after text");
}

TEST_CASE("U41: f32 literals keep their bits") {
  for (const uint32_t bits :
       {0x00000000U, 0x80000000U, 0x7F800000U, 0xFF800000U, 0x7FC00000U, 0xFFC00000U, 0x7F800001U,
        0xFF812345U, 0x7FFFFFFFU, 0x00000001U, 0x80000001U, 0x007FFFFFU, 0x00800000U, 0x7F7FFFFFU,
        0xFF7FFFFFU, 0x3DCCCCCDU, 0x4B800000U, 0x3F800001U}) {
    check_bits(DataType::F32, bits);
  }
  // All exponents and signs with the ends of the significand; bench/verify_text.cc runs all 2^32.
  for (uint32_t top = 0; top < 512; ++top) {
    for (const uint32_t low : {0U, 1U, 2U, 0x3FFFFFU, 0x400000U, 0x400001U, 0x7FFFFEU, 0x7FFFFFU}) {
      check_bits(DataType::F32, top << 23 | low);
    }
  }
  const auto count = static_cast<uint64_t>(test::sized_for_build("f32 literals", 500'000));
  for (uint64_t i = 0; i < count; ++i) check_bits(DataType::F32, i * 2654435761 & 0xFFFFFFFF);
}

TEST_CASE("U41: f64 literals keep their bits") {
  for (uint64_t top = 0; top < 4096; ++top) {
    for (const uint64_t low : {uint64_t{0}, uint64_t{1}, (uint64_t{1} << 51) - 1, uint64_t{1} << 51,
                               (uint64_t{1} << 52) - 2, (uint64_t{1} << 52) - 1}) {
      check_bits(DataType::F64, top << 52 | low);
    }
  }
  test::Random random(7);
  const int count = test::sized_for_build("f64 literals", 300'000);
  for (int i = 0; i < count; ++i) check_bits(DataType::F64, random.next());
}

TEST_CASE("decimals are rounded once to nearest even, whatever their length") {
  CHECK(f32_bits("0.1") == 0x3DCCCCCD);
  CHECK(f32_bits("16777217.0") == 0x4B800000);  // halfway: to even
  CHECK(f32_bits("16777219.0") == 0x4B800002);
  CHECK(f32_bits("16777217.00000000000000000000000001") == 0x4B800001);
  CHECK(f32_bits("16777217." + std::string(100'000, '0') + "1") == 0x4B800001);
  CHECK(f32_bits("1" + std::string(30, '0') + "e-30") == 0x3F800000);
  CHECK(f32_bits("0." + std::string(50'000, '0') + "1e50001") == 0x3F800000);
  // Through f64 this one would be rounded twice.
  CHECK(f32_bits("1.00000017881393432617187499") == 0x3F800001);
  CHECK(f32_bits("1.00000017881393432617187500") == 0x3F800002);
  CHECK(f32_bits("1.00000017881393432617187501") == 0x3F800002);
  CHECK(f64_bits("9007199254740993.0f64") == 0x4340000000000000);
  CHECK(f64_bits("9007199254740993.0000001f64") == 0x4340000000000001);
  CHECK(f64_bits("0.1f64") == 0x3FB999999999999A);
  CHECK(f64_bits("1e5f64") == f64_bits("100000.0f64"));
  CHECK(f32_bits("1E+2") == f32_bits("100.0"));
}

TEST_CASE("hexadecimal floats are rounded once to nearest even") {
  CHECK(f32_bits("0x1.8p+1") == 0x40400000);
  CHECK(f32_bits("-0x1.8P1") == 0xC0400000);
  CHECK(f32_bits("0x1p-149") == 1);
  CHECK(f32_bits("0x1.fffffep+127") == 0x7F7FFFFF);
  CHECK(f32_bits("0x1.000001p0") == 0x3F800000);
  CHECK(f32_bits("0x1.0000010000000000000000000000000000001p0") == 0x3F800001);
  CHECK(f32_bits("0x1.000003p0") == 0x3F800002);
  CHECK(f32_bits("0x0.8p1") == 0x3F800000);
  CHECK(f32_bits("0x" + std::string(10'000, '0') + "1p0") == 0x3F800000);
  CHECK(f32_bits("0x0p99999999999999999999") == 0);
  CHECK(f64_bits("0x1.8p+1f64") == 0x4008000000000000);
  CHECK(f64_bits("0x1p-1074f64") == 1);
  CHECK(f64_bits("0x1.00000000000008p0f64") == 0x3FF0000000000000);
  test::Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t bits = random.next() & 0x7FFFFFFFFFFFFFFF;
    const auto value = std::bit_cast<double>(bits);
    if (std::isnan(value) || std::isinf(value)) continue;
    INFO(fmt::format("{:a}", value));
    CHECK(f64_bits(fmt::format("{:a}f64", value)) == bits);
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow)) continue;
    CHECK(f32_bits(fmt::format("{:a}", value)) == std::bit_cast<uint32_t>(narrow));
  }
}

TEST_CASE("decimals agree with the C library on random texts") {
  test::Random random(12);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = fmt::format("{}.{}", random.below(1000), random.next());
    if (random.percent(50)) text += fmt::format("{}", random.next());
    text += fmt::format("e{}", static_cast<int>(random.below(80)) - 50);
    INFO(text);
    const float narrow = std::strtof(text.c_str(), nullptr);
    const double wide = std::strtod(text.c_str(), nullptr);
    if (!std::isinf(narrow)) CHECK(f32_bits(text) == std::bit_cast<uint32_t>(narrow));
    CHECK(f64_bits(text + "f64") == std::bit_cast<uint64_t>(wide));
  }
}

TEST_CASE("what is too small becomes zero, what is too large is refused") {
  CHECK(f32_bits("1e-46") == 0);
  CHECK(f32_bits("-1e-46") == 0x80000000);
  CHECK(f32_bits("7.1e-46") == 1);  // more than half of the least subnormal number
  CHECK(f32_bits("1e-999999999999999999999999") == 0);
  CHECK(f32_bits("0x1p-150") == 0);
  CHECK(f32_bits("0x1.8p-150") == 1);
  CHECK(f64_bits("1e-400f64") == 0);
  // Halfway between the largest number and the next power of two, and just below.
  CHECK(code_of("340282356779733661637539395458142568448.0") == "P012");
  CHECK(f32_bits("340282356779733661637539395458142568447.9") == 0x7F7FFFFF);
  CHECK(code_of("3.5e38") == "P012");
  CHECK(code_of("-1e39") == "P012");
  CHECK(code_of("1e999999999999999999999999") == "P012");
  CHECK(code_of("0x1p128") == "P012");
  CHECK(code_of("0x1.ffffffp127") == "P012");
  CHECK(code_of("0x" + std::string(1000, 'f') + "p0") == "P012");
  CHECK(code_of("0." + std::string(100, '0') + "1e200") == "P012");
  CHECK(code_of("1e309f64") == "P012");
  CHECK(f64_bits("1e39f64") == std::bit_cast<uint64_t>(1e39));
}

TEST_CASE("whole numbers are read in hexadecimal, and printed in decimal") {
  const auto same = [](const char* hexadecimal, const char* decimal) {
    INFO(hexadecimal);
    CHECK(*parse_expr(hexadecimal) == *parse_expr(decimal));
    CHECK(*print_expr(*parse_expr(hexadecimal)) == decimal);
  };
  same("0x1Fu", "31u");
  same("0X0000000000000000000ffu", "255u");
  same("0xffffffffu", "4294967295u");
  same("-0x80000000i", "-2147483648i");
  same("0x7fffffffi", "2147483647i");
  same("0xffffffffffffffffu64", "18446744073709551615u64");
  same("-0x1i64", "-1i64");
  same("0xf64u", "3940u");
}

TEST_CASE("numbers that are almost right are refused with a code") {
  CHECK(code_of("8") == "P010");
  CHECK(code_of("-8") == "P010");
  CHECK(code_of("0x10") == "P010");
  CHECK(code_of("0xf64") == "P010");
  for (const char* text :
       {"8f", "8U", "8u32", "1.5f", "1.5u", "1e5i", "1.5f32", "0x10U", "0x1p", "1e", "1.5e+", "0x",
        "0xg", "0xu", "1_000u", "0b1u", "1.5f64f", "0x1.8"}) {
    INFO(text);
    CHECK(code_of(text) == "P011");
  }
  for (const char* text :
       {"4294967296u", "2147483648i", "-2147483649i", "18446744073709551616u64",
        "9223372036854775808i64", "-9223372036854775809i64", "99999999999999999999999999999u",
        "0x100000000u", "0x80000000i", "-0x80000001i", "0x10000000000000000u64", "f32(0x100000000)",
        "f64(0x10000000000000000)"}) {
    INFO(text);
    CHECK(code_of(text) == "P012");
  }
  CHECK(code_of("-8u") == "P013");
  CHECK(code_of("-0x8u") == "P013");
  CHECK(code_of("-8u64") == "P013");
  CHECK(code_of("f32(1.5)") == "P014");
  CHECK(code_of("f32(x)") == "P014");
  CHECK(code_of(".5") == "P014");
  CHECK(code_of("5.") != "");
}

TEST_CASE("integers reach both ends of their types") {
  CHECK(*parse_expr("2147483647i") == Expr::i32(INT32_MAX));
  CHECK(*parse_expr("-2147483648i") == Expr::i32(INT32_MIN));
  CHECK(*parse_expr("-9223372036854775808i64") == Expr::i64(INT64_MIN));
  CHECK(*parse_expr("18446744073709551615u64") == Expr::u64(UINT64_MAX));
  CHECK(*parse_expr("-0i") == Expr::i32(0));
  CHECK(*parse_expr("007u") == Expr::u32(7));
}

TEST_CASE("literals do not depend on the caller's rounding mode") {
  const int old = std::fegetround();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const uint64_t decimal = f32_bits("0.1");
    const uint64_t wide = f64_bits("0.1f64");
    const uint64_t halfway = f32_bits("16777217.0");
    const uint64_t hexadecimal = f32_bits("0x1.000003p0");
    const std::string printed = *print_expr(Expr::literal(DataType::F32, 0x3DCCCCCD));
    std::fesetround(old);
    CHECK(decimal == 0x3DCCCCCD);
    CHECK(wide == 0x3FB999999999999A);
    CHECK(halfway == 0x4B800000);
    CHECK(hexadecimal == 0x3F800002);
    CHECK(printed == "0.1");
  }
}

}  // namespace
}  // namespace vyre

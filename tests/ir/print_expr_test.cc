// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <bit>
#include <catch2/catch.hpp>
#include <charconv>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "vyre/ir/format.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

using namespace literals;

std::string text(const Expr& e) {
  const absl::StatusOr<std::string> printed = print_expr(e);
  return printed.ok() ? *printed : printed.status().ToString();
}
Expr v(const char* name) { return Expr::var(name); }

TEST_CASE("integer and bool literals carry their type") {
  CHECK(text(8_u) == "8u");
  CHECK(text(Expr::u32(4294967295)) == "4294967295u");
  CHECK(text(-3_i) == "-3i");
  CHECK(text(-2147483648_i) == "-2147483648i");
  CHECK(text(Expr::u64(~uint64_t{0})) == "18446744073709551615u64");
  CHECK(text(Expr::i64(-3)) == "-3i64");
  CHECK(text(Expr::i64(std::numeric_limits<int64_t>::min())) == "-9223372036854775808i64");
  CHECK(text(Expr::bool_(true)) == "true");
  CHECK(text(Expr::bool_(false)) == "false");
}

TEST_CASE("float literals are shortest decimals that look like floats") {
  CHECK(text(1_f) == "1.0");
  CHECK(text(-0.0_f) == "-0.0");
  CHECK(text(0.1_f) == "0.1");
  CHECK(text(1e20_f) == "1e+20");
  CHECK(text(16777216_f) == "16777216.0");
  CHECK(text(Expr::f32(std::numeric_limits<float>::lowest())) == "-3.4028235e+38");
  CHECK(text(Expr::literal(DataType::F32, 1)) == "1e-45");
  CHECK(text(Expr::f64(0.1)) == "0.1f64");
  CHECK(text(Expr::f64(1)) == "1.0f64");
  CHECK(text(Expr::f64(1e300)) == "1e+300f64");
}

TEST_CASE("infinities and NaNs") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  CHECK(text(Expr::f32(kInf)) == "inf");
  CHECK(text(Expr::f32(-kInf)) == "-inf");
  CHECK(text(Expr::literal(DataType::F32, 0x7FC00000)) == "nan");
  CHECK(text(Expr::literal(DataType::F32, 0xFFC00000)) == "f32(0xffc00000)");
  CHECK(text(Expr::literal(DataType::F32, 0x7F812345)) == "f32(0x7f812345)");
  CHECK(text(Expr::f64(double{kInf})) == "inf_f64");
  CHECK(text(Expr::f64(-double{kInf})) == "-inf_f64");
  CHECK(text(Expr::literal(DataType::F64, 0x7FF8000000000000)) == "nan_f64");
  CHECK(text(Expr::literal(DataType::F64, 0x7FF0000000000001)) == "f64(0x7ff0000000000001)");
}

TEST_CASE("every f32 that a seed finds reads back from its decimal") {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    const std::string printed = text(Expr::literal(DataType::F32, bits));
    if (printed.starts_with("f32(") || printed == "nan") continue;
    float value = 0;
    std::from_chars(printed.data(), printed.data() + printed.size(), value);
    CHECK(std::bit_cast<uint32_t>(value) == bits);
  }
}

TEST_CASE("names stand bare where they can, else in backquotes") {
  CHECK(text(v("row")) == "row");
  CHECK(text(v("dot_val.1")) == "dot_val.1");
  CHECK(text(v("local")) == "`local`");
  CHECK(text(v("min")) == "`min`");
  CHECK(text(v("")) == "``");
  CHECK(text(v("a b")) == "`a b`");
  CHECK(text(v("tick`back\\line\nend")) == "`tick\\`back\\\\line\\nend`");
  CHECK(text(v("größe")) == "`größe`");
  CHECK(text(v("a\tb\x7F")) == "`a\\u{9}b\\u{7f}`");
  CHECK(text(v("a\u202Eb")) == "`a\\u{202e}b`");
  CHECK(text(Expr::load("if", v("let"))) == "`if`[`let`]");
}

TEST_CASE("leaves") {
  CHECK(text(Expr::buf_len("q")) == "len(q)");
  CHECK(text(Expr::buffer_ref("q")) == "&q");
  CHECK(text(Expr::invocation_id(0)) == "invocation_id.x");
  CHECK(text(Expr::workgroup_id(1)) == "workgroup_id.y");
  CHECK(text(Expr::local_id(2)) == "local_id.z");
  CHECK(text(Expr::local_id(7)) == "local_id(7)");
  CHECK(text(Expr::subgroup_size()) == "subgroup_size");
  CHECK(text(Expr::subgroup_local_id()) == "subgroup_local_id");
}

TEST_CASE("loads, calls, casts and extensions") {
  const Expr a = v("a");
  const Expr b = v("b");
  CHECK(text(Expr::load("q", a + 1u)) == "q[a + 1u]");
  CHECK(text(Expr::min(a, b)) == "min(a, b)");
  CHECK(text(Expr::saturating_add(a, b)) == "sat_add(a, b)");
  CHECK(text(Expr::fma(a, b, 1.5f)) == "fma(a, b, 1.5)");
  CHECK(text(Expr::select(Expr::lt(a, b), a, b)) == "select(a < b, a, b)");
  CHECK(text(Expr::cast(DataType::F16, a)) == "cast<f16>(a)");
  CHECK(text(Expr::bitcast(DataType::U32, a)) == "bitcast<u32>(a)");
  CHECK(text(Expr::cast(DataType::vec(DataType::U32, 3), a)) == "cast<vec<u32;3>>(a)");
  CHECK(text(Expr::subgroup_add(a)) == "subgroup_add(a)");
  CHECK(text(Expr::opaque_binary(0x80000001, a, b)) == "binop<0x80000001>(a, b)");
  CHECK(text(Expr::opaque_unary(5, a)) == "unop<0x00000005>(a)");
  CHECK(text(Expr::call("op.id", {a, Expr::buffer_ref("q")})) == "call \"op.id\"(a, &q)");
  CHECK(text(Expr::call("a\"b", {})) == "call \"a\\\"b\"()");
  CHECK(text(Expr::opaque("kind", std::string("\x0A\x1B", 2))) == "opaque \"kind\" x\"0a1b\"");
}

TEST_CASE("atomics name their ordering, compare-and-exchange its expected value") {
  const Expr i = v("i");
  const Expr w = v("w");
  const auto relaxed = MemoryOrdering::kRelaxed;
  CHECK(text(Expr::atomic_add("x", i, w)) == "atomic_add<seq_cst>(x[i], w)");
  CHECK(text(Expr::atomic_add_ordered("x", i, w, relaxed)) == "atomic_add<relaxed>(x[i], w)");
  CHECK(text(Expr::atomic_compare_exchange("x", i, v("e"), w)) ==
        "atomic_compare_exchange<seq_cst>(x[i], e, w)");
  CHECK(text(Expr::atomic(Op::kAtomicCompareExchange, "x", i, nullptr, w, relaxed)) ==
        "atomic_compare_exchange<relaxed>(x[i], w)");
  CHECK(text(Expr::atomic(Op::kAtomicAdd, "x", i, &i, w, relaxed)) ==
        "atomic_add<relaxed>(x[i], i, w)");
  CHECK(text(Expr::atomic(Op::kAtomicOpaque, "x", i, nullptr, w, relaxed, 0x80000002)) ==
        "atomic<0x80000002, relaxed>(x[i], w)");
}

TEST_CASE("fields that an operation does not have are no part of it") {
  const Expr i = v("i");
  const auto order = MemoryOrdering::kSeqCst;
  CHECK(Expr::atomic(Op::kAtomicAdd, "x", i, nullptr, i, order, 5) ==
        Expr::atomic(Op::kAtomicAdd, "x", i, nullptr, i, order, 0));
  CHECK(Expr::literal(DataType::Bool, 2) == Expr::bool_(true));
  CHECK(Expr::literal(DataType::U32, uint64_t{1} << 32) == Expr::u32(0));
}

TEST_CASE("a minus sign before a literal belongs to it, negation of one is neg") {
  CHECK(text(-v("x")) == "-x");
  CHECK(text(-(-v("x"))) == "--x");
  CHECK(text(-Expr(3_i)) == "neg(3i)");
  CHECK(text(-Expr(-3_i)) == "neg(-3i)");
  CHECK(text(-(-Expr(3_i))) == "-neg(3i)");
  CHECK(text(-Expr(1.5_f)) == "neg(1.5)");
  CHECK(text(-Expr::f32(std::numeric_limits<float>::infinity())) == "neg(inf)");
  CHECK(text(v("a") - -v("b")) == "a - -b");
  CHECK(text(v("a") - Expr(-3_i)) == "a - -3i");
  CHECK(text(Expr(-3_i) * v("a")) == "-3i * a");
  CHECK(text(-(Expr(3_i) * v("a"))) == "-(3i * a)");
  CHECK(text(-v("a") * v("b")) == "-a * b");
  CHECK(text(-Expr::load("q", 0u)) == "-q[0u]");
}

TEST_CASE("prefix operations bind tighter than infix ones") {
  const Expr a = v("a");
  const Expr b = v("b");
  CHECK(text(Expr::not_(Expr::lt(a, b))) == "not (a < b)");
  CHECK(text(Expr::lt(Expr::not_(a), b)) == "not a < b");
  CHECK(text(Expr::not_(Expr::not_(a))) == "not not a");
  CHECK(text(~(a + b)) == "~(a + b)");
  CHECK(text(~-a) == "~-a");
  CHECK(text(-Expr::not_(a)) == "-not a");
}

TEST_CASE("infix operations group to the left") {
  const Expr a = v("a");
  const Expr b = v("b");
  const Expr c = v("c");
  CHECK(text(a - b - c) == "a - b - c");
  CHECK(text(a - (b - c)) == "a - (b - c)");
  CHECK(text(a + (b + c)) == "a + (b + c)");
  CHECK(text(a / b * c % a) == "a / b * c % a");
  CHECK(text(a / (b * c)) == "a / (b * c)");
  CHECK(text(Expr::and_(Expr::and_(a, b), c)) == "a and b and c");
  CHECK(text(Expr::and_(a, Expr::and_(b, c))) == "a and (b and c)");
  CHECK(text(a << b >> c) == "a << b >> c");
}

TEST_CASE("comparisons do not chain") {
  const Expr a = v("a");
  const Expr b = v("b");
  CHECK(text(Expr::lt(Expr::lt(a, b), a)) == "(a < b) < a");
  CHECK(text(Expr::eq(a, Expr::ne(b, a))) == "a == (b != a)");
}

// Rows: the inner operation; columns: the outer one; "l" and "r": parentheses where the inner one
// is the left or the right operand.
TEST_CASE("parentheses stand where the grouping needs them, and around mixes of bits and numbers") {
  using Build = Expr (*)(Operand, Operand, Place);
  struct Infix {
    const char* spelling;
    Build build;
  };
  const Infix ops[] = {{"*", Expr::mul},     {"+", Expr::add},    {"<<", Expr::shl},
                       {"&", Expr::bitand_}, {"^", Expr::bitxor}, {"|", Expr::bitor_},
                       {"<", Expr::lt},      {"and", Expr::and_}, {"or", Expr::or_}};
  const char* expected[] = {// *    +    <<    &     ^     |     <    and   or
                            "r    -    lr   lr   lr   lr   -    -    -",   // *
                            "lr   r    lr   lr   lr   lr   -    -    -",   // +
                            "lr   lr   r    -    -    -    lr   -    -",   // <<
                            "lr   lr   lr   r    -    -    lr   -    -",   // &
                            "lr   lr   lr   lr   r    -    lr   -    -",   // ^
                            "lr   lr   lr   lr   lr   r    lr   -    -",   // |
                            "lr   lr   lr   lr   lr   lr   lr   -    -",   // <
                            "lr   lr   lr   lr   lr   lr   lr   r    -",   // and
                            "lr   lr   lr   lr   lr   lr   lr   lr   r"};  // or
  const Place place = Place::here();
  for (size_t inner = 0; inner < std::size(ops); ++inner) {
    std::istringstream row(expected[inner]);
    for (const Infix& outer : ops) {
      std::string sides;
      row >> sides;
      const Expr part = ops[inner].build(v("a"), v("b"), place);
      const std::string plain = fmt::format("a {} b", ops[inner].spelling);
      const std::string wrapped = "(" + plain + ")";
      const bool left = sides.find('l') != std::string::npos;
      const bool right = sides.find('r') != std::string::npos;
      CHECK(text(outer.build(part, v("c"), place)) ==
            fmt::format("{} {} c", left ? wrapped : plain, outer.spelling));
      CHECK(text(outer.build(v("c"), part, place)) ==
            fmt::format("c {} {}", outer.spelling, right ? wrapped : plain));
    }
  }
}

class RandomExprs {
 public:
  explicit RandomExprs(uint32_t seed) : random_(seed) {}

  Expr make(int depth) {
    if (depth == 0 || pick(4) == 0) return leaf();
    const auto ops = all_ops();
    while (true) {
      const OpInfo& info = ops[pick(static_cast<uint32_t>(ops.size()))];
      if (std::optional<Expr> e = operation(info, depth - 1)) return *e;
    }
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }

  Expr leaf() {
    switch (pick(8)) {
      case 0:
        return Expr::i32(static_cast<int32_t>(pick(3)) - 1);
      case 1:
        return Expr::u32(pick(2));
      case 2:
        return Expr::f32(static_cast<float>(pick(3)) - 1.0F);
      case 3:
        return Expr::literal(DataType::F32, 0x7F800000U + pick(2));
      case 4:
        return Expr::literal(DataType::F64, uint64_t{0x7FF0} << 48 | pick(2));
      case 5:
        return Expr::buffer_ref(pick(2) == 0 ? "x" : "len");
      case 6:
        return Expr::i64(static_cast<int64_t>(pick(3)) - 1);
      default:
        return v(pick(2) == 0 ? "x" : "not");
    }
  }

  std::optional<Expr> operation(const OpInfo& info, int depth) {
    const auto operand = [&] { return make(depth); };
    switch (info.op) {
#define VYRE_OP(...)
#define VYRE_BINARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                           \
    return Expr::builder(operand(), operand());
#define VYRE_UNARY_OP(enumerator, builder, ...) \
  case Op::enumerator:                          \
    return Expr::builder(operand());
#include "vyre/ir/ops.def"
      case Op::kSelect:
        return Expr::select(operand(), operand(), operand());
      case Op::kLoad:
        return Expr::load("x", operand());
      case Op::kCast:
        return Expr::cast(pick(2) == 0 ? DataType::F16 : DataType::U32, operand());
      case Op::kCallOp:
        return Expr::call("x", std::vector<Expr>(pick(3), operand()));
      case Op::kAtomicAdd:
      case Op::kAtomicCompareExchange: {
        const Expr expected = operand();
        return Expr::atomic(info.op, "x", operand(), pick(2) == 0 ? nullptr : &expected, operand(),
                            MemoryOrdering::kSeqCst);
      }
      default:
        return std::nullopt;
    }
  }

  std::mt19937 random_;
};

TEST_CASE("different expressions have different texts") {
  constexpr uint32_t kSeed = 20;
  CAPTURE(kSeed);
  RandomExprs random(kSeed);
  std::map<std::string, Expr> by_text;
  size_t repeats = 0;
  for (int i = 0; i < 60'000; ++i) {
    const Expr e = random.make(i % 4);
    const auto [it, added] = by_text.emplace(text(e), e);
    if (added) continue;
    ++repeats;
    if (!(it->second == e)) FAIL("two expressions print as " << it->first);
  }
  // All pairs are compared by way of the map; more than 20,000 of the expressions are distinct.
  CHECK(by_text.size() > 20'000);
  CHECK(repeats > 1'000);
}

TEST_CASE("deep trees print") {
  Expr chain = v("x");
  for (uint32_t i = 0; i < 200'000; ++i) chain = Expr::select(v("c"), chain, Expr::u32(7));
  const std::string printed = text(chain);
  CHECK(printed.size() == 1 + 200'000 * std::string("select(c, , 7u)").size());
  Expr right = v("x");
  for (uint32_t i = 0; i < 200'000; ++i) right = v("a") - right;
  CHECK(text(right).size() == 1 + 200'000 * std::string("a - ()").size() - 2);
}

TEST_CASE("a shared graph whose tree is too large is refused, with the way out") {
  Expr e = v("x");
  for (int i = 0; i < 60; ++i) e = e + e;
  const absl::StatusOr<std::string> printed = print_expr(e);
  REQUIRE_FALSE(printed.ok());
  CHECK(printed.status().code() == absl::StatusCode::kResourceExhausted);
  CHECK(printed.status().ToString().find("bind_shared") != std::string::npos);
  CHECK(print_expr(v("x") + 1u, {.max_bytes = 6}).ok());
  const absl::StatusOr<std::string> long_text = print_expr(v("x") + 1u, {.max_bytes = 5});
  REQUIRE_FALSE(long_text.ok());
  CHECK(long_text.status().ToString().find("bind_shared") != std::string::npos);
  CHECK(print_expr(v("x") + 1u, {.max_nodes = 3}).ok());
  CHECK_FALSE(print_expr(v("x") + 1u, {.max_nodes = 2}).ok());
}

TEST_CASE("names and strings that are not UTF-8 are refused") {
  const absl::StatusOr<std::string> printed = print_expr(v("a\xFF"));
  REQUIRE_FALSE(printed.ok());
  CHECK(printed.status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(printed.status().ToString().find("the name \"a\\xff\" is not UTF-8") != std::string::npos);
  CHECK_FALSE(print_expr(Expr::call("\xC0\x80", {})).ok());
  CHECK(print_expr(Expr::opaque("kind", "\xFF")).ok());
}

TEST_CASE("fmt formats expressions, and says what cannot be printed") {
  CHECK(fmt::format("{}", v("x") + 1u) == "x + 1u");
  CHECK(fmt::format("{:>4}", v("x")) == "   x");
  CHECK(fmt::format("{}", v("\xFF")).starts_with("<the name"));
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// E2 in one statement: what lanes read that other lanes write in the same statement, and indices
// that wrap, leave a buffer or are 64 bits wide.
#include "tests/interpreter/judged.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

using namespace literals;
using test::counting;
using test::judged;
using test::over_x;

const Expr kI = Expr::gid_x();
// One strip and several, full and not.
const uint32_t kSizes[] = {1, 15, 16, 17, 255, 256, 257, 300, 513, 1024};

Expr x(const Expr& index) { return Expr::load("x", index); }

TEST_CASE("E2: all lanes that add one to an element count the lanes") {
  for (const uint32_t size : kSizes) {
    INFO(size << " lanes");
    const Program p = over_x(1, {size, 1, 1}, {Node::store("x", 0u, x(0_u) + 1u)});
    CHECK(judged(p, {{7}}).words() == std::vector<uint32_t>{7 + size});
  }
}

TEST_CASE("E2: a lane's store is read by later lanes and not by earlier ones") {
  for (const uint32_t size : kSizes) {
    INFO(size << " lanes");
    const std::vector<uint32_t> start = counting(size + 1, 5, 3);
    std::vector<uint32_t> shifted = start;
    for (uint32_t i = 0; i < size; ++i) shifted[i] = start[i + 1];
    const Program down = over_x(size + 1, {size, 1, 1}, {Node::store("x", kI, x(kI + 1u))});
    CHECK(judged(down, {start}).words() == shifted);
    const Program up = over_x(size + 1, {size, 1, 1}, {Node::store("x", kI + 1u, x(kI))});
    CHECK(judged(up, {start}).words() == std::vector<uint32_t>(size + 1, 5));
    const Program sums =
        over_x(size + 1, {size, 1, 1}, {Node::store("x", kI + 1u, x(kI) + x(kI + 1u))});
    std::vector<uint32_t> summed = start;
    for (uint32_t i = 0; i < size; ++i) summed[i + 1] += summed[i];
    CHECK(judged(sums, {start}).words() == summed);
  }
}

TEST_CASE("E2: reversed, strided and gathered elements of the buffer that is stored to") {
  for (const uint32_t size : kSizes) {
    INFO(size << " lanes");
    const std::vector<uint32_t> start = counting(2 * size, 5, 3);
    const auto store = [&](const Expr& to, const Expr& from) {
      const Program p = over_x(2 * size, {size, 1, 1}, {Node::store("x", to, x(from) + 1u)});
      return judged(p, {start}).words();
    };
    std::vector<uint32_t> mirrored = start;
    for (uint32_t i = 0; i < size; ++i) mirrored[i] = mirrored[size - 1 - i] + 1;
    CHECK(store(kI, Expr::u32(size - 1) - kI) == mirrored);
    mirrored = start;
    for (uint32_t i = 0; i < size; ++i) mirrored[size - 1 - i] = mirrored[i] + 1;
    CHECK(store(Expr::u32(size - 1) - kI, kI) == mirrored);
    std::vector<uint32_t> strided = start;
    for (uint32_t i = 0; i < size; ++i) strided[2 * i] = strided[i] + 1;
    CHECK(store(kI * 2u, kI) == strided);
    strided = start;
    for (uint32_t i = 0; i < size; ++i) strided[i] = strided[2 * i] + 1;
    CHECK(store(kI, kI * 2u) == strided);
    std::vector<uint32_t> permuted = start;
    for (uint32_t i = 0; i < size; ++i) permuted[i] = permuted[(i * 7 + 3) % size] + 1;
    CHECK(store(kI, (kI * 7u + 3u) % Expr::u32(size)) == permuted);
    permuted = start;
    for (uint32_t i = 0; i < size; ++i) permuted[(i * 7 + 3) % size] = permuted[i] + 1;
    CHECK(store((kI * 7u + 3u) % Expr::u32(size), kI) == permuted);
  }
}

TEST_CASE("E2: an element that a whole strip reads, and the last lane of a strip stores") {
  for (const uint32_t size : {256u, 257u, 512u, 1024u}) {
    INFO(size << " lanes");
    const std::vector<uint32_t> start = counting(size, 5, 3);
    std::vector<uint32_t> expected = start;
    for (uint32_t i = 0; i < size; ++i) expected[size - 1 - i] = expected[size - 256] + 1;
    const Program p =
        over_x(size, {size, 1, 1},
               {Node::store("x", Expr::u32(size - 1) - kI, x(Expr::u32(size - 256)) + 1u)});
    CHECK(judged(p, {start}).words() == expected);
  }
}

TEST_CASE("E2: a division traps for what earlier lanes have stored") {
  for (const uint32_t size : {16u, 300u}) {
    // Each lane divides by what the lane before it left: 3, 2, 1, 0.
    const Expr before = Expr::cast(DataType::I32, x(kI));
    const Expr quotient = Expr::cast(DataType::U32, 12_i / before);
    const Program p =
        over_x(size + 1, {size, 1, 1}, {Node::store("x", kI + 1u, quotient * 0u + x(kI) - 1u)});
    const test::Observed seen = judged(p, {std::vector<uint32_t>(size + 1, 3)}).seen;
    CHECK_THAT(seen.trap,
               Catch::Contains("division by zero") && Catch::Contains("invocation (3, 0, 0)"));
    // The same in lanes that another strip has: nobody traps before.
    if (size < 300) continue;
    std::vector<uint32_t> late(size + 1, 1000);
    late[0] = 280;
    CHECK_THAT(judged(p, {late}).seen.trap, Catch::Contains("invocation (280, 0, 0)"));
  }
}

TEST_CASE("affine indices wrap, leave buffers and go backwards") {
  const uint32_t counts[] = {0, 1, 5, 16, 300, 1500};
  for (const uint32_t size : {1u, 16u, 17u, 300u}) {
    for (const uint32_t count : counts) {
      for (const uint32_t step :
           {0u, 1u, 2u, 3u, 0xFFFFFFFFu, 0xFFFFFFFEu, 0x80000000u, 0x10000000u}) {
        for (const uint32_t base : {0u, 1u, 4u, 299u, 0xFFFFFFF0u, 0xFFFFFFFFu, 0x80000000u}) {
          INFO(size << " lanes, " << count << " elements, " << base << " + " << step << " * lane");
          const Expr index = kI * Expr::u32(step) + Expr::u32(base);
          const Program p = over_x(
              count, {size, 1, 1},
              {Node::let_bind("before", x(index)), Node::store("x", index, kI + 100u),
               Node::store("y", kI, Expr::var("before") + x(index) * 3u),
               Node::if_then(Expr::ne(kI % 3u, 1u), {Node::store("x", index, x(index) + 7u)})},
              {BufferDecl::output("y", 1, DataType::U32).with_count(size)});
          judged(p, {counting(count, 10)});
        }
      }
    }
  }
}

TEST_CASE("u64 indices reach beyond 2^32 and do not wrap") {
  for (const uint32_t size : {1u, 17u, 300u}) {
    const Expr wide = Expr::cast(DataType::U64, kI);
    const Expr far = wide + Expr::u64(uint64_t{1} << 32);
    const std::vector<uint32_t> start = counting(size, 10);
    const Program p = over_x(
        size, {size, 1, 1},
        {Node::store("x", far, 1u), Node::store("x", wide, x(far) + x(wide)),
         Node::store("l", far, 9u), Node::store("l", wide, kI),
         Node::store("l", Expr::u64(2), kI + 1u),
         Node::store("x", wide, x(wide) + Expr::load("l", Expr::u64(2)) + Expr::load("l", far))},
        {BufferDecl::local("l", 4, DataType::U32)});
    std::vector<uint32_t> expected = start;
    for (uint32_t i = 0; i < size; ++i) expected[i] += i + 1;
    CHECK(judged(p, {start}).words() == expected);
  }
}

TEST_CASE("local arrays are apart for each lane, with uniform, affine and varying indices") {
  for (const uint32_t size : kSizes) {
    INFO(size << " lanes");
    const auto l = [](const Expr& index) { return Expr::load("l", index); };
    const Program p = over_x(
        size, {size, 1, 1},
        {Node::store("l", 1u, kI * 5u), Node::store("l", 1u, l(1_u) + 1u),
         Node::store("l", kI, kI + 1000u), Node::store("l", kI + 0xFFFFFFFEu, kI + 2000u),
         Node::store("l", kI % 3u, l(kI % 3u) + l(2_u - kI) + 1u),
         Node::store("f", kI & 1u, Expr::cast(DataType::F32, kI) * 0.5F),
         Node::store("h", kI & 3u, kI),
         Node::if_then(Expr::lt(kI & 7u, 5u), {Node::store("h", 2u, 300u)}),
         Node::store("x", kI,
                     l(0_u) * 31u + l(1_u) * 17u + l(2_u) * 7u + l(kI) + Expr::load("h", 2u) +
                         Expr::cast(DataType::U32, Expr::load("f", kI & 1u)))},
        {BufferDecl::local("l", 3, DataType::U32), BufferDecl::local("f", 2, DataType::F32),
         BufferDecl::local("h", 5, DataType::U8)});
    judged(p, {counting(size)});
  }
}

TEST_CASE("bound memory may start at any address") {
  const Program p = over_x(40, {40, 1, 1},
                           {Node::store("x", kI, x(kI) + 1u), Node::store("x", kI ^ 1u, x(kI) * 2u),
                            Node::store("d", kI, Expr::load("d", kI) + Expr::load("d", 39u - kI)),
                            Node::store("f", kI, Expr::load("f", kI) * 2.0F),
                            Node::let_bind("old", Expr::atomic_add("x", 3u, kI))},
                           {BufferDecl::read_write("d", 1, DataType::F64).with_count(40),
                            BufferDecl::read_write("f", 2, DataType::F32).with_count(40)});
  const auto compiled = interpreter::CompiledProgram::create(resolve(p));
  REQUIRE(compiled.ok());
  std::vector<std::vector<std::byte>> results;
  for (const size_t shift : {0u, 1u, 2u, 3u, 5u, 7u}) {
    std::vector<std::vector<std::byte>> memory;
    std::vector<std::span<std::byte>> views;
    for (const size_t bytes : {160u, 320u, 160u}) {
      memory.emplace_back(bytes + shift);
      for (size_t i = 0; i < bytes; ++i) memory.back()[i + shift] = static_cast<std::byte>(i % 64);
    }
    for (std::vector<std::byte>& bytes : memory) views.push_back(std::span(bytes).subspan(shift));
    REQUIRE(compiled->run(views, {}).ok());
    results.emplace_back();
    for (const std::span<std::byte> view : views) {
      results.back().insert(results.back().end(), view.begin(), view.end());
    }
    CHECK(results.back() == results.front());
  }
}

TEST_CASE("atomics and loads of one buffer in one statement happen lane by lane") {
  for (const uint32_t size : kSizes) {
    INFO(size << " lanes");
    const auto add = [](uint32_t at, const Expr& value) {
      return Expr::atomic_add("a", Expr::u32(at), value);
    };
    const Program p = over_x(
        size, {size, 1, 1},
        {Node::store("x", kI, add(0, 1_u)),
         Node::store("x", kI, x(kI) * 100u + add(1, 1_u) + add(1, 2_u)),
         Node::store("x", kI, x(kI) + add(2, kI) * Expr::load("a", 2u)),
         Node::let_bind("unused", add(3, kI)),
         Node::if_then(Expr::eq(add(4, 1_u) & 1u, 0u), {Node::store("x", kI, x(kI) + add(5, 3_u))}),
         Node::let_bind("swapped", Expr::atomic_exchange("x", kI / 2u, kI)),
         Node::store("x", kI,
                     Expr::var("swapped") + Expr::atomic_compare_exchange("a", 6u, kI, kI + 1u)),
         Node::store("a", 7u, Expr::load("a", 7u) + add(7, 1_u))},
        {BufferDecl::read_write("a", 1, DataType::U32).with_count(8)});
    const std::vector<uint32_t> a = judged(p, {counting(size), std::vector<uint32_t>(8)}).words(1);
    CHECK(a[0] == size);
    CHECK(a[1] == 3 * size);
    CHECK(a[3] == size * (size - 1) / 2);
    CHECK(a[6] == size);
  }
}

TEST_CASE("subgroup operations with effects in their statement do not see them") {
  for (const uint32_t size : {16u, 33u, 257u, 300u, 1024u}) {
    for (const bool reversed : {false, true}) {
      INFO(size << " lanes, reversed " << reversed);
      RunOptions options;
      options.reversed = reversed;
      const Expr sum = Expr::subgroup_add(x(Expr::u32(size - 1) - kI));
      const std::vector<uint32_t> ones(size, 1);
      const std::vector<uint32_t> sums =
          judged(over_x(size, {size, 1, 1}, {Node::store("x", kI, sum)}), {ones}, options).words();
      CHECK(sums[0] == std::min(size, 32u));
      const Program p = over_x(
          size, {size, 1, 1},
          {Node::store("x", kI,
                       Expr::subgroup_add(Expr::atomic_add("a", 0u, 1u)) +
                           Expr::atomic_add("a", 0u, kI) + Expr::load("a", 0u)),
           Node::store("a", 1u, Expr::subgroup_shuffle(kI, 3u)),
           // An affine value, and scalars that are made from scalars.
           Node::let_bind("n", x(0_u) + 1u),
           Node::store("x", kI, x(kI) + Expr::subgroup_add((Expr::var("n") + 1u) * 3u + kI))},
          {BufferDecl::read_write("a", 1, DataType::U32).with_count(2)});
      judged(p, {ones, {0, 0}}, options);
      const Expr divided = 100_i / (Expr::cast(DataType::I32, kI) - 5_i);
      CHECK_THAT(
          judged(over_x(size, {size, 1, 1},
                        {Node::store("x", kI,
                                     Expr::cast(DataType::U32, Expr::subgroup_add(divided)))}),
                 {ones}, options)
              .seen.trap,
          Catch::Contains("invocation (5, 0, 0)"));
      const Expr all = 100_i / Expr::cast(DataType::I32, x(0_u) - 1u);
      CHECK_THAT(
          judged(over_x(size, {size, 1, 1},
                        {Node::store("x", kI, Expr::cast(DataType::U32, Expr::subgroup_add(all)))}),
                 {ones}, options)
              .seen.trap,
          Catch::Contains("invocation (0, 0, 0)"));
    }
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where lanes part and meet again: branches, loops, returns and traps, in workgroups of one strip
// and of several, of one to three dimensions.
#include <fmt/format.h>

#include "tests/interpreter/judged.h"

namespace vyre {
namespace {

using namespace literals;
using test::counting;
using test::judged;
using test::over_x;

const Expr kI = Expr::gid_x();
const Dim3 kShapes[] = {{1, 1, 1},   {15, 1, 1},  {16, 1, 1},  {17, 1, 1},   {255, 1, 1},
                        {256, 1, 1}, {257, 1, 1}, {300, 1, 1}, {1024, 1, 1}, {16, 16, 1},
                        {7, 5, 9},   {1, 300, 1}, {1, 1, 33},  {2, 1, 200}};

uint32_t lanes_of(Dim3 size) { return size.x * size.y * size.z; }

// The lane's number in its workgroup.
Expr lane(Dim3 size) {
  return (Expr::local_z() * Expr::u32(size.y) + Expr::local_y()) * Expr::u32(size.x) +
         Expr::local_x();
}

Expr x(const Expr& index) { return Expr::load("x", index); }
Node add_to(const Expr& index, const Expr& value) {
  return Node::store("x", index, x(index) + value);
}

TEST_CASE("lanes take the iterations of their own bounds, in loops in loops") {
  for (const Dim3 size : kShapes) {
    const Expr i = lane(size);
    // Uniform, affine and varying bounds; at both ends of u32.
    const std::pair<Expr, Expr> bounds[] = {{0_u, 3_u},
                                            {i, i + 3u},
                                            {i, 5_u},
                                            {0_u, i % 4u},
                                            {i * 3u, i * 3u + (i & 3u)},
                                            {0xFFFFFFFC_u, 0xFFFFFFFF_u},
                                            {0xFFFFFFFD_u + i % 3u, 0xFFFFFFFF_u},
                                            {0u - i, 3u - i},
                                            {x(i) % 3u, x(i) % 5u},
                                            {5_u, 2_u}};
    int number = 0;
    for (const auto& [from, to] : bounds) {
      INFO("workgroup " << size.x << ", " << size.y << ", " << size.z << ", bounds " << number++);
      const Program p = over_x(
          lanes_of(size), size,
          {Node::let_bind("i", i), Node::let_bind("total", 0_u),
           Node::loop_for(
               "k", from, to,
               {Node::let_bind("twice", Expr::var("k") * 2u),
                Node::loop_for("m", Expr::var("k") & 1u, (Expr::var("i") & 3u),
                               {Node::assign("total", Expr::var("total") * 3u + Expr::var("twice") +
                                                          Expr::var("m"))}),
                Node::if_then(Expr::eq(Expr::var("k") % 3u, 1u),
                              {add_to(Expr::var("i"), Expr::var("k"))})}),
           Node::store("x", Expr::var("i"), x(Expr::var("i")) + Expr::var("total"))});
      judged(p, {counting(lanes_of(size), 11, 7)});
    }
  }
}

TEST_CASE("two thousand branches in each other divide lanes") {
  for (const uint32_t size : {17u, 300u}) {
    // At each depth another lane goes the other way.
    std::vector<Node> body{add_to(kI, 100000_u)};
    for (uint32_t depth = 2000; depth > 0; --depth) {
      const Expr stays = Expr::ne(kI, Expr::u32(depth % 1999));
      body = {Node::if_then_else(stays, body, {add_to(kI, Expr::u32(depth))})};
    }
    const std::vector<uint32_t> words =
        judged(over_x(size, {size, 1, 1}, Body(body)), {std::vector<uint32_t>(size)}).words();
    CHECK(words[5] == 5);
    CHECK(words[0] == 1999);
  }
}

TEST_CASE("variables that become varying one after the other stay right") {
  for (const uint32_t count : {5u, 15u, 16u, 17u, 40u}) {
    INFO(count << " variables");
    // In the loop v0 takes over v1, v1 takes over v2, …; the last depends on the lane. Each round
    // of an analysis that follows assignments finds one more.
    const auto name = [](uint32_t n) { return fmt::format("v{}", n); };
    std::vector<Node> body;
    for (uint32_t n = 0; n <= count; ++n) body.push_back(Node::let_bind(name(n), Expr::u32(n)));
    std::vector<Node> loop;
    for (uint32_t n = 0; n < count; ++n)
      loop.push_back(Node::assign(name(n), Expr::var(name(n + 1))));
    loop.push_back(Node::assign(name(count), kI));
    loop.push_back(
        Node::if_then(Expr::eq(Expr::var("v0") % 2u, 0u), {add_to(kI, Expr::var("v0"))}));
    loop.push_back(Node::loop_for("m", 0u, Expr::var("v0") % 3u, {add_to(kI, 1_u)}));
    body.push_back(Node::loop_for("k", 0u, Expr::u32(count + 3), std::move(loop)));
    body.push_back(add_to(kI, Expr::var("v0")));
    judged(over_x(300, {300, 1, 1}, Body(body)), {counting(300)});
  }
}

TEST_CASE("what lanes assign where they are apart differs where they are together again") {
  for (const Dim3 size : kShapes) {
    const Expr i = lane(size);
    const Program p =
        over_x(lanes_of(size), size,
               {Node::let_bind("u", 5_u), Node::let_bind("w", Expr::cast(DataType::U64, 7_u)),
                Node::if_then(Expr::lt(i, 9u), {Node::assign("u", 6_u)}),
                Node::if_then(Expr::eq(Expr::var("u"), 6u),
                              {Node::assign("w", Expr::var("w") + Expr::u64(uint64_t{1} << 40))}),
                Node::loop_for("k", 0u, i % 3u, {Node::assign("u", Expr::var("k") + 50u)}),
                add_to(Expr::var("u") % Expr::u32(lanes_of(size)), 1_u),
                Node::store("x", i,
                            x(i) + Expr::var("u") * 100u +
                                Expr::cast(DataType::U32, Expr::var("w") >> Expr::u64(36)))});
    judged(p, {counting(lanes_of(size))});
  }
}

TEST_CASE("lanes that have returned do nothing more, and are missed at barriers") {
  for (const Dim3 size : kShapes) {
    INFO("workgroup " << size.x << ", " << size.y << ", " << size.z);
    const Expr i = lane(size);
    const Node leave = Node::if_then(Expr::eq(i % 5u, 2u), {add_to(i, 1_u), Node::return_()});
    const Node loop = Node::loop_for(
        "k", 0u, 6u,
        {Node::if_then(Expr::eq(Expr::var("k") + 20u, i), {Node::return_()}), add_to(i, 3_u)});
    judged(over_x(lanes_of(size), size, {leave, loop, add_to(i, 10_u)}),
           {counting(lanes_of(size))});
    judged(over_x(lanes_of(size), size, {leave, Node::barrier()}), {counting(lanes_of(size))});
    judged(over_x(lanes_of(size), size, {loop, Node::barrier(), add_to(i, 1_u)}),
           {counting(lanes_of(size))});
    judged(over_x(lanes_of(size), size, {Node::return_(), add_to(i, 1_u)}),
           {counting(lanes_of(size))});
    // One way for all, by what a buffer holds.
    for (const uint32_t first : {0u, 1u}) {
      const Program p =
          over_x(lanes_of(size), size,
                 {Node::if_then_else(Expr::eq(x(0_u), 0u), {Node::barrier(), add_to(i, 1_u)},
                                     {Node::return_()}),
                  Node::if_then(Expr::eq(x(0_u), 1u), {add_to(i, 1_u)}), add_to(i, 2_u)});
      judged(p, {counting(lanes_of(size), first)});
    }
  }
}

TEST_CASE("the trap of the least invocation is reported wherever lanes are") {
  for (const Dim3 size : {Dim3{16, 1, 1}, Dim3{300, 1, 1}, Dim3{1024, 1, 1}, Dim3{7, 5, 9}}) {
    const Expr i = lane(size);
    const Expr zero_at_9 = Expr::cast(DataType::I32, i) - 9_i;
    const auto divide = [](const Expr& by) { return Expr::cast(DataType::U32, 8_i / by); };
    const auto trap_of = [&](Body body) {
      const test::Observed seen =
          judged(over_x(lanes_of(size), size, std::move(body)), {counting(lanes_of(size))}).seen;
      CHECK(seen.trap != "");
      return seen.trap;
    };
    const auto is = [&](uint32_t n) {
      return Catch::Contains(fmt::format("invocation ({}, {}, {})", n % size.x, n / size.x % size.y,
                                         n / size.x / size.y));
    };
    CHECK_THAT(trap_of({Node::store("x", i, divide(zero_at_9))}), is(9));
    CHECK_THAT(trap_of({Node::let_bind("a", divide(zero_at_9)), Node::barrier()}), is(9));
    CHECK_THAT(trap_of({Node::if_then(Expr::eq(divide(zero_at_9), 0u), {Node::barrier()})}), is(9));
    CHECK_THAT(trap_of({Node::loop_for("k", 0u, divide(zero_at_9) & 3u, {add_to(i, 1_u)})}), is(9));
    CHECK_THAT(trap_of({Node::if_then(Expr::gt(i, 4u), {Node::trap(i, "late")}),
                        Node::if_then(Expr::eq(i, 3u), {Node::trap(i, "early")})}),
               is(3) && Catch::Contains("early"));
    // One that is the same for all, where some or all of them are.
    const Expr zero = Expr::cast(DataType::I32, x(0_u));
    CHECK_THAT(trap_of({Node::if_then(Expr::gt(i, 4u), {Node::let_bind("a", divide(zero))}),
                        Node::store("x", i, 1_u)}),
               is(5));
    CHECK_THAT(trap_of({Node::if_then(Expr::eq(divide(zero), 1u), {Node::barrier()})}), is(0));
    CHECK_THAT(trap_of({Node::loop_for("k", 0u, divide(zero), {Node::barrier()})}), is(0));
    CHECK_THAT(trap_of({Node::store("x", i, i + divide(zero))}), is(0));
    CHECK_THAT(trap_of({Node::if_then_else(
                            Expr::eq(i & 1u, 1u),
                            {Node::loop_for("k", 0u, 3u,
                                            {Node::if_then(Expr::eq(Expr::var("k"), 1u),
                                                           {Node::trap(Expr::var("k"), "odd")})})},
                            {Node::let_bind("a", divide(zero_at_9 + 1_i))}),
                        Node::trap(7_u, "rest")}),
               is(0));
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// E1: programs without races give the same bytes in every order, and programs with races do not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "tests/interpreter/interleaving_evaluator.h"
#include "tests/support/random_program.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/interpreter/run_program.h"

namespace vyre {
namespace {

using namespace literals;
using Bytes = std::vector<std::byte>;
using test::InterleavedRun;

const Expr kI = Expr::gid_x();
const Expr kLocal = Expr::local_x();

Expr v(std::string_view name) { return Expr::var(name); }
Node grid_sync() { return Node::barrier_with_ordering(MemoryOrdering::kGridSync); }

struct Case {
  std::string name;
  Program program;
  std::vector<Bytes> bound;  // before the run
};

// What came of a run: all bound buffers, one after the other, or the trap, or the error.
struct Outcome {
  Bytes bytes{};
  std::string trap{};
  std::string error{};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <typename Run>
Outcome outcome_of(const Case& c, Run run) {
  std::vector<Bytes> bound = c.bound;
  std::vector<std::span<std::byte>> views(bound.begin(), bound.end());
  const auto report = run(resolve(c.program), std::span<const std::span<std::byte>>(views));
  if (!report.ok()) return {.error = std::string(message_of(report.status()))};
  if (report->trap) return {.trap = report->trap->to_string()};
  Outcome outcome;
  for (const Bytes& bytes : bound) {
    outcome.bytes.insert(outcome.bytes.end(), bytes.begin(), bytes.end());
  }
  return outcome;
}

Outcome plain(const Case& c, const RunOptions& options = {}) {
  return outcome_of(c, [&](const Resolved& resolved, std::span<const std::span<std::byte>> bound) {
    return interpreter::run_program(resolved, bound, options);
  });
}
Outcome seeded(const Case& c, uint64_t seed) {
  RunOptions options;
  options.schedule_seed = seed;
  return plain(c, options);
}
Outcome interleaved(const Case& c, uint64_t seed) {
  return outcome_of(c, [&](const Resolved& resolved, std::span<const std::span<std::byte>> bound) {
    return test::run_interleaved(resolved, bound, seed);
  });
}

// A program of `count` invocations with a u32 input `x` of arbitrary words and an output `y`.
Case u32_case(std::string name, uint32_t count, Dim3 size, Body body,
              std::vector<BufferDecl> more = {}) {
  more.push_back(BufferDecl::read("x", 0, DataType::U32).with_count(count));
  more.push_back(BufferDecl::output("y", 1, DataType::U32).with_count(count));
  const Program program =
      Program::wrapped(std::move(more), size, std::move(body)).with_extent(Dim3{count, 1, 1});
  std::vector<uint32_t> words;
  test::Random random(count);
  for (uint32_t i = 0; i < count; ++i) words.push_back(static_cast<uint32_t>(random.next()));
  const std::vector<Value> inputs{Value::from(words)};
  return {std::move(name), program,
          interpreter::bind_in_order(program, inputs, uint64_t{1} << 30).value()};
}

Case exchange() {
  return u32_case("exchange through workgroup memory", 50, {16, 1, 1},
                  {Node::store("w", kLocal, Expr::load("x", kI)), Node::barrier(),
                   Node::store("y", kI, Expr::load("w", 15_u - kLocal))},
                  {BufferDecl::workgroup("w", 16, DataType::U32)});
}

Case tree_reduction() {
  const Expr stride = Expr::shr(8_u, v("level"));
  return u32_case(
      "tree reduction", 48, {16, 1, 1},
      {Node::store("w", kLocal, Expr::load("x", kI)), Node::barrier(),
       Node::loop_for("level", 0u, 4u,
                      {Node::if_then(Expr::lt(kLocal, stride),
                                     {Node::store("w", kLocal,
                                                  Expr::load("w", kLocal) * 3u +
                                                      Expr::load("w", kLocal + stride))}),
                       Node::barrier()}),
       Node::if_then(Expr::eq(kLocal, 0u), {Node::store("y", kI, Expr::load("w", 0u))})},
      {BufferDecl::workgroup("w", 16, DataType::U32)});
}

Case double_buffer() {
  const Expr from = Expr::bitand_(v("round"), 1u) * 8u;
  const Expr to = 8_u - from;
  return u32_case(
      "two buffers by turns", 24, {8, 1, 1},
      {Node::store("w", kLocal, Expr::load("x", kI)),
       Node::loop_for(
           "round", 0u, 5u,
           {Node::barrier(), Node::store("w", to + kLocal,
                                         Expr::load("w", from + Expr::bitand_(kLocal + 1u, 7u)) +
                                             Expr::load("w", from + kLocal) * 5u)}),
       Node::barrier(), Node::store("y", kI, Expr::load("w", 15_u - kLocal))},
      {BufferDecl::workgroup("w", 16, DataType::U32)});
}

Case subgroups() {
  return u32_case(
      "subgroup operations", 80, {40, 1, 1},
      {Node::let_bind("f", Expr::cast(DataType::F32, Expr::load("x", kI))),
       Node::let_bind("sum", Expr::subgroup_add(v("f"))),
       Node::let_bind("far", Expr::subgroup_shuffle(v("f"), 31_u - Expr::subgroup_local_id())),
       Node::store("y", kI,
                   Expr::bitxor(Expr::bitcast(DataType::U32, v("sum") + v("far")),
                                Expr::subgroup_ballot(Expr::lt(v("f"), 1.0e9f))))});
}

Case commutative_atomics() {
  const Expr word = Expr::load("x", kI);
  return u32_case(
      "atomics whose old values are unused", 60, {8, 1, 1},
      {Node::let_bind("a", Expr::atomic_add("y", word % 7u, word)),
       Node::loop_for("k", 0u, kLocal,
                      {Node::let_bind("b", Expr::atomic_max("y", 7_u + word % 5u, word * v("k"))),
                       Node::let_bind("c", Expr::atomic_xor("y", 12_u + word % 5u, word))})});
}

Case private_atomics() {
  return u32_case(
      "atomics on words of their own", 20, {4, 1, 1},
      {Node::loop_for(
          "k", 0u, 1_u + kI % 5u,
          {Node::let_bind("old", Expr::atomic_add("y", kI, v("k") + 3u)),
           Node::let_bind("new", Expr::atomic_exchange("y", kI, v("old") * 7u + kI))})});
}

Case histogram() {
  const Expr bin = Expr::load("x", kI) % 8u;
  return u32_case("histogram and prefix sums across a grid barrier", 40, {8, 1, 1},
                  {Node::let_bind("old", Expr::atomic_add("t", bin, 1u)), grid_sync(),
                   Node::let_bind("sum", 0_u),
                   Node::loop_for("k", 0u, Expr::bitand_(kI, 7u) + 1u,
                                  {Node::assign("sum", v("sum") + Expr::load("t", v("k")))}),
                   Node::store("y", kI, v("sum")), grid_sync(),
                   Node::store("t", kI + 8u, Expr::load("y", 39_u - kI)), grid_sync(),
                   Node::store("y", kI, Expr::load("t", 47_u - kI) + Expr::load("t", bin))},
                  {BufferDecl::transient("t", 48, DataType::U32)});
}

Case early_returns() {
  return u32_case(
      "returns before a grid barrier", 24, {8, 1, 1},
      {Node::store("w", kLocal, kI), Node::if_then(Expr::eq(kI % 3u, 1u), {Node::return_()}),
       Node::store("y", kI, Expr::load("x", kI)), grid_sync(),
       Node::store("w", kLocal, Expr::load("w", kLocal) + Expr::load("y", 23_u - kI)),
       Node::barrier(), Node::store("t", kI, Expr::load("w", 7_u - kLocal)), grid_sync(),
       Node::if_then(Expr::lt(kI, 5u), {Node::return_()}),
       Node::store("y", kI, Expr::load("t", kI))},
      {BufferDecl::workgroup("w", 8, DataType::U32),
       BufferDecl::transient("t", 24, DataType::U32)});
}

Case async_copies() {
  return u32_case(
      "asynchronous copies", 24, {8, 1, 1},
      {Node::async_load_ext("x", "l", kI * 4u, 4u, "in"),
       Node::async_store("x", "w", kLocal * 4u, 4u, "early"), Node::async_wait("early"),
       Node::async_wait("in"), Node::async_store("l", "w", kLocal * 4u, 4u, "out"),
       Node::async_wait("out"), Node::barrier(),
       Node::store("l", 0u, Expr::load("w", 7_u - kLocal)),
       Node::async_store("l", "y", kI * 4u, 4u, "out"), Node::store("l", 0u, 0u),
       Node::async_wait("out")},
      {BufferDecl::workgroup("w", 8, DataType::U32), BufferDecl::local("l", 1, DataType::U32)});
}

Case ragged_loops() {
  return u32_case(
      "nested loops with ragged bounds", 30, {4, 1, 1},
      {Node::let_bind("sum", 1_u),
       Node::loop_for(
           "a", kLocal, 2_u + kI % 6u,
           {Node::loop_for("b", v("a"), Expr::load("x", v("a")) % 7u,
                           {Node::if_then_else(Expr::eq(Expr::bitand_(v("b"), 1u), 0u),
                                               {Node::assign("sum", v("sum") * 3u + v("b"))},
                                               {Node::store("l", v("b"), v("sum"))})}),
            Node::assign("sum", v("sum") + Expr::load("l", v("a")))}),
       Node::store("y", kI, v("sum"))},
      {BufferDecl::local("l", 8, DataType::U32)});
}

Case workgroup_grid() {
  const Program program =
      Program::wrapped({BufferDecl::workgroup("w", 6, DataType::U32),
                        BufferDecl::output("y", 0, DataType::U32).with_count(60)},
                       {3, 2, 1},
                       {Node::let_bind("mine", Expr::local_y() * 3u + kLocal),
                        Node::store("w", v("mine"), kI + Expr::gid_y() * 100u), Node::barrier(),
                        Node::store("y", (Expr::gid_z() * 4u + Expr::gid_y()) * 6u + kI,
                                    Expr::load("w", 5_u - v("mine")))})
          .with_extent(Dim3{6, 4, 2});
  return {"workgroups along three axes", program, {{}, Bytes(240)}};
}

Case attention() {
  const Program program = flash_attention_2("q", "k", "v", "out", 5, 4, 2);
  std::vector<Value> inputs;
  test::Random random(7);
  for (int i = 0; i < 3; ++i) {
    std::vector<float> numbers;
    for (int k = 0; k < 20; ++k) numbers.push_back(static_cast<float>(random.below(200)) / 64 - 1);
    inputs.push_back(Value::from(numbers));
  }
  return {"flash_attention_2", program,
          interpreter::bind_in_order(program, inputs, uint64_t{1} << 30).value()};
}

Case traps() {
  // The least of the traps that are reached: those after the barrier are not in workgroup 1, and
  // later segments do not start.
  return u32_case(
      "traps", 24, {8, 1, 1},
      {Node::if_then(Expr::and_(Expr::ge(kI, 8u), Expr::eq(kI % 5u, 4u)), {Node::trap(kI, "one")}),
       Node::if_then(Expr::eq(kI, 15u), {Node::trap(kI, "two")}), Node::barrier(),
       Node::if_then(Expr::eq(kI, 8u), {Node::trap(kI, "three")}), grid_sync(),
       Node::trap(kI, "four")});
}

std::vector<Case> race_free_cases() {
  return {
      exchange(),        tree_reduction(), double_buffer(), subgroups(),    commutative_atomics(),
      private_atomics(), histogram(),      early_returns(), async_copies(), ragged_loops(),
      workgroup_grid(),  attention(),      traps()};
}

TEST_CASE("E1: 200 random schedules of race-free programs give equal bits") {
  const std::vector<Case> cases = race_free_cases();
  std::vector<Outcome> expected;
  for (const Case& c : cases) {
    INFO(c.name);
    expected.push_back(plain(c));
    REQUIRE(expected.back().error.empty());
    // Something was computed.
    CHECK((!expected.back().trap.empty() ||
           expected.back().bytes != outcome_of(c, [](auto&&...) {
                                      return StatusOr<InterleavedRun>(InterleavedRun{});
                                    }).bytes));
  }
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const size_t which = seed % cases.size();
    INFO("seed " << seed << ": " << cases[which].name);
    CHECK(seeded(cases[which], seed) == expected[which]);
    CHECK(interleaved(cases[which], seed) == expected[which]);
  }
}

TEST_CASE("E1: random programs give equal bits and traps in random schedules") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const Program program = test::random_program(seed);
    const Case c{"random", program, test::random_inputs(program, seed)};
    const Outcome expected = plain(c);
    CHECK(expected.error.empty());
    CHECK(seeded(c, seed) == expected);
    CHECK(interleaved(c, seed) == expected);
  }
}

// How many of 50 schedules give other bytes than the default order does.
int differing(const Case& c, const std::function<Outcome(const Case&, uint64_t)>& run) {
  const Outcome expected = plain(c);
  int count = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Outcome outcome = run(c, seed);
    CHECK(outcome.error.empty());
    count += outcome == expected ? 0 : 1;
  }
  return count;
}

TEST_CASE("E8: programs with races give other bytes in some schedules") {
  const Case one_word = u32_case("all write one word", 16, {4, 1, 1}, {Node::store("y", 0u, kI)});
  CHECK(differing(one_word, seeded) > 0);
  CHECK(differing(one_word, interleaved) > 0);
  const Case old_value = u32_case("order-dependent atomic", 16, {4, 1, 1},
                                  {Node::store("y", kI, Expr::atomic_add("t", 0u, 1u))},
                                  {BufferDecl::transient("t", 1, DataType::U32)});
  CHECK(differing(old_value, seeded) > 0);
  CHECK(differing(old_value, interleaved) > 0);
  // Without its barrier an exchange depends on the interleaving, and one statement at a time for
  // all invocations hides it.
  const Case no_barrier = u32_case("exchange without a barrier", 16, {16, 1, 1},
                                   {Node::store("w", kLocal, Expr::load("x", kI)),
                                    Node::store("y", kI, Expr::load("w", 15_u - kLocal))},
                                   {BufferDecl::workgroup("w", 16, DataType::U32)});
  CHECK(differing(no_barrier, seeded) == 0);
  CHECK(differing(no_barrier, interleaved) > 0);
  // A workgroup barrier does not order workgroups; a grid barrier does.
  const auto across = [](Node barrier) {
    return u32_case("exchange across workgroups", 16, {4, 1, 1},
                    {Node::store("t", kI, kI), std::move(barrier),
                     Node::store("y", kI, Expr::load("t", 15_u - kI))},
                    {BufferDecl::transient("t", 16, DataType::U32)});
  };
  CHECK(differing(across(Node::barrier()), interleaved) > 0);
  CHECK(differing(across(grid_sync()), interleaved) == 0);
}

TEST_CASE("E2: a seed reorders invocations and workgroups, never statements") {
  // Each invocation notes when it came, in the second of two statements.
  const Case c = u32_case("turns", 8, {8, 1, 1},
                          {Node::let_bind("first", Expr::atomic_add("t", 0u, 1u)),
                           Node::store("y", kI, Expr::atomic_add("t", 0u, 1u))},
                          {BufferDecl::transient("t", 1, DataType::U32)});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<uint32_t> turns = decode<uint32_t>(seeded(c, seed).bytes);
    turns.erase(turns.begin(), turns.begin() + 8);  // what `x` held
    std::ranges::sort(turns);
    CHECK(turns == std::vector<uint32_t>{8, 9, 10, 11, 12, 13, 14, 15});
  }
}

TEST_CASE("E9: the least trap is reported in every schedule") {
  const Case c = traps();
  CHECK_THAT(plain(c).trap, Catch::StartsWith("trap `one` at address 9, workgroup (1, 0, 0)"));
  for (uint64_t seed = 0; seed < 50; ++seed) {
    CHECK(seeded(c, seed) == plain(c));
    CHECK(interleaved(c, seed) == plain(c));
  }
}

TEST_CASE("E5: the interleaving model and the interpreter refuse the same divergence") {
  const auto divergent = [](Node meeting) {
    return u32_case("divergent", 8, {8, 1, 1},
                    {Node::if_then(Expr::lt(kLocal, 3u), {std::move(meeting)})});
  };
  for (const Case& c :
       {divergent(Node::barrier()), divergent(Node::store("y", kI, Expr::subgroup_add(kI))),
        divergent(Node::async_wait("t"))}) {
    const std::string code = plain(c).error.substr(0, plain(c).error.find(':'));
    CHECK_FALSE(code.empty());
    for (uint64_t seed = 0; seed < 10; ++seed) {
      CHECK_THAT(interleaved(c, seed).error, Catch::StartsWith(code));
      CHECK_THAT(seeded(c, seed).error, Catch::StartsWith(code));
    }
  }
}

}  // namespace
}  // namespace vyre

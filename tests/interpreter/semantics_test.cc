// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The execution model, one test a rule, named by its number in docs/semantics.md.
#include <xmmintrin.h>

#include <bit>
#include <cfenv>
#include <limits>

#include "tests/interpreter/run.h"
#include "vyre/ir/evaluate.h"
#include "vyre/ir/scalar/memory.h"

namespace vyre {
namespace {

using namespace literals;
using test::error_of;
using test::run;
using test::u32_program;

const Expr kI = Expr::gid_x();

std::vector<uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

TEST_CASE("E1: a determinate program gives the same bytes in forward and reversed order") {
  const Program p =
      u32_program(70, 32,
                  {Node::store("scratch", Expr::local_x(), kI * 3u), Node::barrier(),
                   Node::store("y", kI, Expr::load("scratch", Expr::bitxor(Expr::local_x(), 1u)))},
                  {BufferDecl::workgroup("scratch", 32, DataType::U32)});
  RunOptions reversed;
  reversed.reversed = true;
  CHECK(run<uint32_t>(p) == run<uint32_t>(p, {}, reversed));
}

TEST_CASE("E2: all invocations execute a statement before any executes the next") {
  // Without a barrier: invocation 0 reads what invocation 3 wrote one statement earlier.
  const Program p = u32_program(
      4, 4,
      {Node::store("scratch", kI, kI + 10u), Node::store("y", kI, Expr::load("scratch", 3_u - kI))},
      {BufferDecl::workgroup("scratch", 4, DataType::U32)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{13, 12, 11, 10});
}

TEST_CASE("E2: in a statement, invocations go in ascending order, or descending when reversed") {
  const Program p = u32_program(4, 4, {Node::store("y", kI, Expr::atomic_add("count", 0u, 1u))},
                                {BufferDecl::transient("count", 1, DataType::U32)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{0, 1, 2, 3});
  RunOptions reversed;
  reversed.reversed = true;
  CHECK(run<uint32_t>(p, {}, reversed) == std::vector<uint32_t>{3, 2, 1, 0});
}

TEST_CASE("E2: then goes before otherwise, and iteration i of a loop for all before i + 1") {
  const auto note = [](uint32_t mark) {
    return Node::store("y", Expr::atomic_add("at", 0u, 1u), kI * 10u + mark);
  };
  const BufferDecl at = BufferDecl::transient("at", 1, DataType::U32);
  const Program branches =
      u32_program(4, 4, {Node::if_then_else(Expr::eq(kI % 2u, 1u), {note(1)}, {note(2)})}, {at});
  CHECK(run<uint32_t>(branches) == std::vector<uint32_t>{11, 31, 2, 22});
  // Invocation i starts at i: iterations are counted from each one's own start.
  const Program loops =
      u32_program(5, 2,
                  {Node::loop_for("k", kI, 3u,
                                  {Node::store("y", Expr::atomic_add("at", 0u, 1u),
                                               kI * 10u + Expr::var("k"))})},
                  {at})
          .with_extent(Dim3{2, 1, 1});
  CHECK(run<uint32_t>(loops) == std::vector<uint32_t>{0, 11, 1, 12, 2});
}

TEST_CASE("E2: workgroups go z, y, x ascending") {
  const Expr id = Expr::workgroup_x() + Expr::workgroup_y() * 10u + Expr::workgroup_z() * 100u;
  const Program p =
      Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(8),
                        BufferDecl::transient("at", 1, DataType::U32)},
                       {1, 1, 1}, {Node::store("y", Expr::atomic_add("at", 0u, 1u), id)})
          .with_extent(Dim3{2, 2, 2});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{0, 1, 10, 11, 100, 101, 110, 111});
}

TEST_CASE("E3: operands are evaluated left to right, both arms of select, both sides of and") {
  const Expr tick = Expr::atomic_add("at", 0u, 1u);
  const BufferDecl at = BufferDecl::transient("at", 1, DataType::U32);
  CHECK(run<uint32_t>(u32_program(1, 1, {Node::store("y", 0u, tick * 10u + tick)}, {at}))[0] == 1);
  CHECK(run<uint32_t>(
            u32_program(1, 1,
                        {Node::let_bind("s", Expr::select(Expr::bool_(true), tick, tick)),
                         Node::let_bind("l", Expr::and_(Expr::ne(tick, 2u), Expr::ne(tick, 9u))),
                         Node::store("y", 0u, Expr::var("s") * 100u + tick)},
                        {at}))[0] == 4);
}

TEST_CASE("E3: a store evaluates its index first, an atomic index, expected, value") {
  const Expr tick = Expr::atomic_add("at", 0u, 1u);
  const BufferDecl at = BufferDecl::transient("at", 1, DataType::U32);
  CHECK(run<uint32_t>(u32_program(2, 1, {Node::store("y", tick + 1u, tick + 5u)}, {at})
                          .with_extent(Dim3{1, 1, 1})) == std::vector<uint32_t>{0, 6});
  // y[0] is 0, so the expected value (the second tick, 1) differs unless it is evaluated first.
  const Program cas = u32_program(
      1, 1,
      {Node::let_bind("old", Expr::atomic_compare_exchange("t", tick, tick - 1u, tick + 40u)),
       Node::store("y", 0u, Expr::load("t", 0u))},
      {at, BufferDecl::transient("t", 1, DataType::U32)});
  CHECK(run<uint32_t>(cas)[0] == 42);
}

TEST_CASE("E3: a shared handle with an effect is evaluated at each occurrence") {
  const Expr tick = Expr::atomic_add("at", 0u, 1u);
  const Program p = u32_program(1, 1, {Node::store("y", 0u, tick + tick + tick)},
                                {BufferDecl::transient("at", 1, DataType::U32)});
  CHECK(run<uint32_t>(p)[0] == 3);
}

TEST_CASE("E4: workgroup, local and transient memory and outputs start as zero") {
  const Expr seen = Expr::load("w", 0u) + Expr::load("l", 0u) + Expr::load("t", kI);
  const Program p = u32_program(
      4, 2,
      {Node::let_bind("seen", seen), Node::barrier(), Node::store("w", 0u, 7u),
       Node::store("l", 0u, 7u), Node::store("t", kI, 7u),
       Node::store("y", kI, Expr::var("seen") + Expr::load("y", kI) + 1u)},
      {BufferDecl::workgroup("w", 1, DataType::U32), BufferDecl::local("l", 1, DataType::U32),
       BufferDecl::transient("t", 4, DataType::U32)});
  // The second workgroup finds zeros again, although the first wrote.
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{1, 1, 1, 1});
}

TEST_CASE("E5: a barrier that some invocations do not reach ends the run with an error") {
  const Program branch = u32_program(
      4, 4, {Node::if_then(Expr::lt(kI, 2u), {Node::barrier()}), Node::store("y", kI, 1u)});
  CHECK_THAT(error_of(branch), Catch::Contains("barrier-divergence") &&
                                   Catch::Contains("2 of 4 invocations") &&
                                   Catch::Contains("entry[0].body[0].then[0]") &&
                                   Catch::Contains("invocation (0, 0, 0) is there, and invocation "
                                                   "(2, 0, 0) took the other branch of the if at "
                                                   "entry[0].body[0] ("));
  const Program returned =
      u32_program(4, 4, {Node::if_then(Expr::eq(kI, 3u), {Node::return_()}), Node::barrier()});
  CHECK_THAT(error_of(returned), Catch::Contains("barrier-divergence") &&
                                     Catch::Contains("invocation (3, 0, 0) has returned at "
                                                     "entry[0].body[0].then[0] ("));
  const Program loop = u32_program(
      4, 4, {Node::loop_for("k", 0u, kI, {Node::region("r", std::nullopt, {Node::barrier()})})});
  CHECK_THAT(error_of(loop), Catch::Contains("barrier-divergence") &&
                                 Catch::Contains("invocation (0, 0, 0) left the loop at "
                                                 "entry[0].body[0] ("));
  // Under two of them, the inner one.
  const Program nested =
      u32_program(4, 4,
                  {Node::if_then(Expr::lt(kI, 3u),
                                 {Node::if_then_else(Expr::lt(kI, 2u), {}, {Node::barrier()})})});
  CHECK_THAT(error_of(nested), Catch::Contains("invocation (2, 0, 0) is there, and invocation "
                                               "(0, 0, 0) took the other branch of the if at "
                                               "entry[0].body[0].then[0] ("));
}

TEST_CASE("E5: a barrier in a loop with uniform bounds meets once an iteration") {
  const Program p = u32_program(
      4, 4,
      {Node::loop_for("k", 0u, 3u,
                      {Node::store("w", kI, Expr::load("w", Expr::bitand_(kI + 1u, 3u)) + kI),
                       Node::barrier()}),
       Node::store("y", kI, Expr::load("w", kI))},
      {BufferDecl::workgroup("w", 4, DataType::U32)});
  CHECK(error_of(p).empty());
}

TEST_CASE("E6: atomics are one step on a u32 word and give the old value") {
  const auto after = [](const Expr& atomic) {
    const Program p = u32_program(2, 1,
                                  {Node::store("t", 0u, 12u), Node::store("y", 0u, atomic),
                                   Node::store("y", 1u, Expr::load("t", 0u))},
                                  {BufferDecl::transient("t", 1, DataType::U32)})
                          .with_extent(Dim3{1, 1, 1});
    return run<uint32_t>(p);
  };
  using V = std::vector<uint32_t>;
  CHECK(after(Expr::atomic_add("t", 0u, 0xFFFFFFFFu)) == V{12, 11});
  CHECK(after(Expr::atomic_or("t", 0u, 3u)) == V{12, 15});
  CHECK(after(Expr::atomic_and("t", 0u, 9u)) == V{12, 8});
  CHECK(after(Expr::atomic_xor("t", 0u, 5u)) == V{12, 9});
  CHECK(after(Expr::atomic_min("t", 0u, 0xFFFFFFFFu)) == V{12, 12});
  CHECK(after(Expr::atomic_max("t", 0u, 0xFFFFFFFFu)) == V{12, 0xFFFFFFFFu});
  CHECK(after(Expr::atomic_exchange("t", 0u, 5u)) == V{12, 5});
  CHECK(after(Expr::atomic_lru_update("t", 0u, 20u)) == V{12, 20});
  CHECK(after(Expr::atomic_compare_exchange("t", 0u, 12u, 1u)) == V{12, 1});
  CHECK(after(Expr::atomic_compare_exchange("t", 0u, 13u, 1u)) == V{12, 12});
  CHECK(after(Expr::atomic_add("t", 1u, 1u)) == V{0, 12});  // out of bounds: D7
}

TEST_CASE("E7: subgroups are 32 consecutive invocations, the last may be partial") {
  const Program sum = u32_program(40, 40, {Node::store("y", kI, Expr::subgroup_add(1_u))});
  std::vector<uint32_t> expected(32, 32);
  expected.resize(40, 8);
  CHECK(run<uint32_t>(sum) == expected);
  const Program ballot =
      u32_program(40, 40, {Node::store("y", kI, Expr::subgroup_ballot(Expr::eq(kI % 2u, 0u)))});
  const std::vector<uint32_t> bits = run<uint32_t>(ballot);
  CHECK(bits[0] == 0x55555555u);
  CHECK(bits[39] == 0x55u);
  const Program shuffle = u32_program(
      40, 40,
      {Node::store("y", kI, Expr::subgroup_shuffle(kI + 100u, Expr::subgroup_local_id() + 1u))});
  const std::vector<uint32_t> lanes = run<uint32_t>(shuffle);
  CHECK(lanes[0] == 101);
  CHECK(lanes[31] == 0);  // lane 32 does not exist
  CHECK(lanes[32] == 133);
  CHECK(lanes[39] == 0);  // lane 8 of the last subgroup is absent
  CHECK_THAT(
      error_of(u32_program(
          4, 4,
          {Node::if_then(Expr::lt(kI, 2u), {Node::store("y", kI, Expr::subgroup_add(1_u))})})),
      Catch::Contains("subgroup-divergence"));
}

TEST_CASE("E7: the ids of a lane may be read where invocations part") {
  const Program ids = u32_program(
      40, 40,
      {Node::if_then(Expr::lt(30u, kI),
                     {Node::store("y", kI, Expr::subgroup_local_id() + Expr::subgroup_size())})});
  const std::vector<uint32_t> lanes = run<uint32_t>(ids);
  CHECK(lanes[30] == 0);
  CHECK(lanes[31] == 63);
  CHECK(lanes[32] == 32);
}

TEST_CASE("E7: reductions fold from the identity in ascending lane order") {
  const Program p =
      Program::wrapped({BufferDecl::read("x", 0, DataType::F32).with_count(4),
                        BufferDecl::output("y", 1, DataType::F32).with_count(4)},
                       {4, 1, 1}, {Node::store("y", kI, Expr::subgroup_add(Expr::load("x", kI)))})
          .with_extent(Dim3{4, 1, 1});
  // ((0 + 2^24) + 1) + 1 + -2^24: each 1 is lost in this order, and in no other.
  const std::vector<float> y =
      run<float>(p, {{"x", std::vector<float>{16777216.0f, 1.0f, 1.0f, -16777216.0f}}});
  CHECK(y == std::vector<float>(4, 0.0f));
}

TEST_CASE("E10: the element count of a buffer is what is bound to it") {
  const Program p = u32_program(1, 1, {Node::store("y", 0u, Expr::buf_len("x"))},
                                {BufferDecl::read("x", 0, DataType::U32).with_count(2)});
  CHECK(run<uint32_t>(p, {{"x", std::vector<uint32_t>(5)}})[0] == 5);
  // 11 bytes hold two elements and a part of one.
  CHECK(run<uint32_t>(p, {{"x", std::vector<std::byte>(11)}})[0] == 2);
}

TEST_CASE("D7: out of bounds a load gives zero and a store is dropped, local arrays included") {
  const Program p =
      u32_program(2, 1,
                  {Node::store("y", 7u, 1u), Node::store("l", 1u, 5u), Node::store("l", 0u, 9u),
                   Node::store("y", 0u, Expr::load("y", 0xFFFFFFFFu) + Expr::load("l", 1u)),
                   Node::store("y", 1u, Expr::load("l", 0u))},
                  {BufferDecl::local("l", 1, DataType::U32)})
          .with_extent(Dim3{2, 1, 1});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{0, 9});
}

TEST_CASE("E11: a NaN that leaves the value world has canonical bits") {
  const Program p =
      Program::wrapped(
          {BufferDecl::read("x", 0, DataType::F32).with_count(1),
           BufferDecl::output("y", 1, DataType::U32).with_count(3)},
          {1, 1, 1},
          {Node::store("f", 0u, Expr::negate(Expr::load("x", 0u))),
           Node::store("y", 0u, Expr::bitcast(DataType::U32, Expr::load("f", 0u))),
           Node::store("y", 1u, Expr::bitcast(DataType::U32, Expr::load("x", 0u))),
           Node::store("y", 2u,
                       Expr::bitcast(DataType::U32, Expr::literal(DataType::F32, 0xFF812345u)))})
          .with_buffers({BufferDecl::read("x", 0, DataType::F32).with_count(1),
                         BufferDecl::output("y", 1, DataType::U32).with_count(3),
                         BufferDecl::transient("f", 1, DataType::F32)})
          .with_extent(Dim3{1, 1, 1});
  const Value nan = Value::from(std::vector<uint32_t>{0xFFABCDEFu});
  CHECK(run<uint32_t>(p, {{"x", nan}}) == std::vector<uint32_t>(3, 0x7FC00000u));
}

TEST_CASE("E12: the caller's floating-point mode changes no bit, and comes back") {
  const Program p = Program::wrapped({BufferDecl::read("x", 0, DataType::F32).with_count(2),
                                      BufferDecl::output("y", 1, DataType::F32).with_count(2)},
                                     {1, 1, 1},
                                     {Node::store("y", 0u, Expr::load("x", 0u) * 0.5f),
                                      Node::store("y", 1u, Expr::load("x", 1u) / 3.0f)})
                        .with_extent(Dim3{1, 1, 1});
  const std::vector<NamedInput> x{
      {"x", std::vector<float>{std::numeric_limits<float>::min(), 1.0f}}};
  const std::vector<uint32_t> expected = bits_of(run<float>(p, x));
  CHECK(expected[0] == 0x00400000u);  // a subnormal, kept
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  std::fesetround(FE_UPWARD);
  const std::vector<float> got = run<float>(p, x);
  const int rounding = std::fegetround();
  const unsigned mode = _mm_getcsr();
  std::fesetround(FE_TONEAREST);
  _mm_setcsr(before);
  CHECK(bits_of(got) == expected);
  CHECK(rounding == FE_UPWARD);
  CHECK((mode & 0x8040) == 0x8040);
}

TEST_CASE("E14: narrow elements widen when loaded and are rounded or cut when stored") {
  const Program p = Program::wrapped({BufferDecl::read("x", 0, DataType::I8).with_count(1),
                                      BufferDecl::output("y", 1, DataType::I8).with_count(2)},
                                     {1, 1, 1},
                                     {Node::store("y", 0u, Expr::load("x", 0u) + 1_i),
                                      Node::store("y", 1u, Expr::i32(300))})
                        .with_extent(Dim3{1, 1, 1});
  CHECK(run<int8_t>(p, {{"x", std::vector<int8_t>{-5}}}) == std::vector<int8_t>{-4, 44});
  const Program halves =
      Program::wrapped({BufferDecl::output("y", 0, DataType::F16).with_count(3)}, {1, 1, 1},
                       {Node::store("y", 0u, 65520.0f), Node::store("y", 1u, 5.9604645e-8f),
                        Node::store("y", 2u, Expr::f32(0.0f) / 0.0f)})
          .with_extent(Dim3{1, 1, 1});
  CHECK(run<uint16_t>(halves) == std::vector<uint16_t>{0x7C00, 0x0001, 0x7E00});
}

TEST_CASE("E16: an f64 function gives the bits of the constant that it folds to") {
  const std::vector<double> inputs = {0.0, -0.0,   0.5,    -0.75, 1.0,
                                      2.0, 1e-310, -37.25, 700.0, 1e300};
  const std::vector<Expr (*)(Operand, Place)> functions = {
      Expr::inverse_sqrt, Expr::exp,  Expr::exp2, Expr::log,  Expr::log2, Expr::sin,  Expr::cos,
      Expr::tan,          Expr::asin, Expr::acos, Expr::atan, Expr::sinh, Expr::cosh, Expr::tanh};
  std::vector<Node> body;
  std::vector<uint64_t> expected;
  for (const auto& function : functions) {
    const auto first = static_cast<uint32_t>(expected.size());
    body.push_back(Node::store("y", kI + first, function(Expr::load("x", kI), Place())));
    for (const double x : inputs) {
      scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
      const auto value = evaluate_constant(function(Expr::f64(x), Place()), trap);
      expected.push_back(scalar::canonical_nan(DataType::F64, value->bits));
    }
  }
  const auto count = static_cast<uint32_t>(inputs.size());
  const Program p = Program::wrapped({BufferDecl::read("x", 0, DataType::F64).with_count(count),
                                      BufferDecl::output("y", 1, DataType::F64)
                                          .with_count(static_cast<uint32_t>(expected.size()))},
                                     {count, 1, 1}, std::move(body))
                        .with_extent(Dim3{count, 1, 1});
  std::vector<uint64_t> found;
  for (const double value : run<double>(p, {{"x", Value::from(inputs)}})) {
    found.push_back(std::bit_cast<uint64_t>(value));
  }
  CHECK(found == expected);
  CHECK(std::bit_cast<double>(expected[count + 4]) == 0x1.5bf0a8b145769p+1);  // e
}

TEST_CASE("E17: indices are u32 or u64, loop bounds u32, conditions bool or u32") {
  const auto refused = [](Body body) { return error_of(u32_program(1, 1, std::move(body))); };
  CHECK(refused({Node::store("y", Expr::u64(0), 1u)}).empty());
  CHECK_THAT(refused({Node::store("y", Expr::i32(0), 1u)}), Catch::Contains("V122"));
  CHECK_THAT(refused({Node::loop_for("k", 0u, Expr::i32(1), {})}), Catch::Contains("V125"));
  CHECK_THAT(refused({Node::loop_for("k", 0.0f, 1u, {})}), Catch::Contains("V124"));
  CHECK(refused({Node::if_then(1u, {})}).empty());
  CHECK_THAT(refused({Node::if_then(1.0f, {})}), Catch::Contains("V123"));
}

TEST_CASE("E21: the extent is covered by whole workgroups, and 0 gives none") {
  const Program p =
      Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {4, 1, 1},
                       {Node::let_bind("n", Expr::atomic_add("y", 0u, 1u))});
  CHECK(run<uint32_t>(p.with_extent(Dim3{5, 1, 1}))[0] == 8);
  CHECK(run<uint32_t>(p.with_extent(Dim3{0, 1, 1}))[0] == 0);
  RunOptions caller;
  caller.dispatch = Dispatch::of_workgroups({3, 1, 1});
  CHECK(run<uint32_t>(p.with_extent(Dim3{5, 1, 1}), {}, caller)[0] == 12);
  const Outputs inferred = evaluate(p, {}).value();
  CHECK(inferred.report().dispatch_source == DispatchSource::kInferred);
}

TEST_CASE("E22: a buffer without a count is sized by what is bound, and 0 is a legal count") {
  const Program p = u32_program(1, 1, {Node::store("y", 0u, Expr::buf_len("x"))},
                                {BufferDecl::read("x", 0, DataType::U32)});
  CHECK(run<uint32_t>(p, {{"x", std::vector<uint32_t>(3)}})[0] == 3);
  const Program empty =
      u32_program(1, 1, {Node::store("y", 0u, Expr::buf_len("x") + Expr::load("w", 0u))},
                  {BufferDecl::read("x", 0, DataType::U32).with_count(0),
                   BufferDecl::workgroup("w", 0, DataType::U32)});
  CHECK(run<uint32_t>(empty, {{"x", std::vector<uint32_t>{}}})[0] == 0);
}

TEST_CASE("E23: a local array belongs to one invocation, a transient buffer to the run") {
  const Program p = u32_program(
      4, 2,
      {Node::store("l", 0u, kI), Node::barrier(),
       Node::let_bind("n", Expr::atomic_add("t", 0u, 1u)),
       Node::store("y", kI, Expr::load("l", 0u) * 10u + Expr::var("n"))},
      {BufferDecl::local("l", 1, DataType::U32), BufferDecl::transient("t", 1, DataType::U32)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{0, 11, 22, 33});
}

TEST_CASE("D9: a program returns any number of buffers") {
  const Program p = Program::wrapped({BufferDecl::output("a", 0, DataType::U32).with_count(1),
                                      BufferDecl::output("b", 1, DataType::F32).with_count(1),
                                      BufferDecl::read_write("c", 2, DataType::U32).with_count(1)},
                                     {1, 1, 1},
                                     {Node::store("a", 0u, 1u), Node::store("b", 0u, 2.0f),
                                      Node::store("c", 0u, Expr::load("c", 0u) + 1u)});
  const Outputs out = evaluate(p, {{"c", std::vector<uint32_t>{41}}}).value();
  CHECK(out.get<uint32_t>("a").value() == std::vector<uint32_t>{1});
  CHECK(out.get<float>("b").value() == std::vector<float>{2.0f});
  CHECK(out.get<uint32_t>("c").value() == std::vector<uint32_t>{42});
}

TEST_CASE("scopes: names end with their scope and loop variables are fresh in each iteration") {
  const Program p =
      u32_program(1, 1,
                  {Node::block({Node::let_bind("a", 1_u)}), Node::let_bind("a", 2_u),
                   Node::let_bind("sum", 0_u),
                   Node::loop_for("k", 0u, 3u,
                                  {Node::let_bind("twice", Expr::var("k") * 2u),
                                   Node::assign("sum", Expr::var("sum") + Expr::var("twice"))}),
                   Node::loop_for("k", 5u, 4u, {Node::assign("sum", 99_u)}),
                   Node::store("y", 0u, Expr::var("sum") + Expr::var("a"))});
  CHECK(run<uint32_t>(p)[0] == 8);
}

TEST_CASE("a loop up to the largest u32 ends") {
  const Program p = u32_program(
      1, 1,
      {Node::let_bind("n", 0_u),
       Node::loop_for("k", 0xFFFFFFFDu, 0xFFFFFFFFu, {Node::assign("n", Expr::var("n") + 1u)}),
       Node::store("y", 0u, Expr::var("n"))});
  CHECK(run<uint32_t>(p)[0] == 2);
}

TEST_CASE("the build contracts nothing, flushes nothing and keeps signed zeros and NaN apart") {
  const auto f = [](const char* name) { return Expr::load(name, 0u); };
  const Program p = Program::wrapped({BufferDecl::read("a", 0, DataType::F32).with_count(1),
                                      BufferDecl::read("b", 1, DataType::F32).with_count(1),
                                      BufferDecl::read("c", 2, DataType::F32).with_count(1),
                                      BufferDecl::output("y", 3, DataType::F32).with_count(5)},
                                     {1, 1, 1},
                                     {Node::store("y", 0u, f("a") * f("b") + f("c")),
                                      Node::store("y", 1u, Expr::min(0.0f, -0.0f)),
                                      Node::store("y", 2u, Expr::min(-0.0f, 0.0f)),
                                      Node::store("y", 3u, Expr::f32(0.0f) / 0.0f),
                                      Node::store("y", 4u, Expr::f32(1e-30f) * 1e-10f)})
                        .with_extent(Dim3{1, 1, 1});
  // (1 + 2^-12)^2 - 1 - 2^-11: 2^-24 with an fma, 0 with two roundings.
  const float x = 1.0f + 0x1p-12f;
  const std::vector<uint32_t> bits =
      bits_of(run<float>(p, {{"a", std::vector<float>{x}},
                             {"b", std::vector<float>{x}},
                             {"c", std::vector<float>{-1.0f - 0x1p-11f}}}));
  CHECK(bits == std::vector<uint32_t>{0x00000000, 0x80000000, 0x80000000, 0x7FC00000, 71362});
}

}  // namespace
}  // namespace vyre

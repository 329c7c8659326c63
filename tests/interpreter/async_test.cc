// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Running asynchronous copies (rule E20).
#include <fmt/format.h>

#include "tests/interpreter/run.h"
#include "vyre/interpreter/run_program.h"

namespace vyre {
namespace {

using namespace literals;
using test::error_of;
using test::run;
using test::u32_program;

const Expr kI = Expr::gid_x();

Node load(std::string_view source, std::string_view destination, Operand offset, Operand size,
          std::string_view tag = "t") {
  return Node::async_load_ext(source, destination, offset, size, tag);
}
Node store(std::string_view source, std::string_view destination, Operand offset, Operand size,
           std::string_view tag = "t") {
  return Node::async_store(source, destination, offset, size, tag);
}
Node wait(std::string_view tag = "t") { return Node::async_wait(tag); }

const std::vector<uint32_t> kWords{0x03020100, 0x07060504, 0x0B0A0908};

// One invocation; `x` holds kWords, `y` has three words.
std::vector<uint32_t> copied(Body body, std::vector<BufferDecl> more = {}) {
  more.push_back(BufferDecl::read("x", 1, DataType::U32).with_count(3));
  const Program p = u32_program(3, 1, std::move(body), std::move(more)).with_extent(Dim3{1, 1, 1});
  return run<uint32_t>(p, {{"x", kWords}});
}

TEST_CASE("E20: an async_load reads from a byte offset and writes from byte 0") {
  CHECK(copied({load("x", "y", 4u, 8u), wait()}) ==
        std::vector<uint32_t>{0x07060504, 0x0B0A0908, 0});
  CHECK(copied({load("x", "y", Expr::u64(3), Expr::u64(5)), wait()}) ==
        std::vector<uint32_t>{0x06050403, 0x07, 0});
}

TEST_CASE("E20: an async_store reads from byte 0 and writes at a byte offset") {
  CHECK(copied({store("x", "y", 4u, 8u), wait()}) ==
        std::vector<uint32_t>{0, 0x03020100, 0x07060504});
  CHECK(copied({store("x", "y", 1u, 4u), wait()}) == std::vector<uint32_t>{0x02010000, 0x03, 0});
}

TEST_CASE("E20: a copy is zero beyond its source and truncated at its destination's end") {
  const Body fill = {Node::store("y", 0u, 9u), Node::store("y", 1u, 9u), Node::store("y", 2u, 9u)};
  const auto after_fill = [&](Node copy) { return copied({fill, std::move(copy), wait()}); };
  CHECK(after_fill(load("x", "y", 8u, 12u)) == std::vector<uint32_t>{0x0B0A0908, 0, 0});
  CHECK(after_fill(load("x", "y", 10u, 8u)) == std::vector<uint32_t>{0x0B0A, 0, 9});
  CHECK(after_fill(load("x", "y", 12u, 4u)) == std::vector<uint32_t>{0, 9, 9});
  CHECK(after_fill(load("x", "y", Expr::u64(~uint64_t{0}), 4u)) == std::vector<uint32_t>{0, 9, 9});
  CHECK(after_fill(load("x", "y", 0u, 0u)) == std::vector<uint32_t>{9, 9, 9});
  CHECK(after_fill(load("x", "y", 0u, Expr::u64(~uint64_t{0}))) == kWords);
  CHECK(after_fill(store("x", "y", 8u, 8u)) == std::vector<uint32_t>{9, 9, 0x03020100});
  CHECK(after_fill(store("x", "y", 11u, 8u)) == std::vector<uint32_t>{9, 9, 9});
  CHECK(after_fill(store("x", "y", 12u, 8u)) == std::vector<uint32_t>{9, 9, 9});
  CHECK(after_fill(store("x", "y", Expr::u64(~uint64_t{0} - 3), 8u)) ==
        std::vector<uint32_t>{9, 9, 9});
}

TEST_CASE("E8: an asynchronous copy reads at its issue and writes at its wait") {
  // The source changes between the two, and the destination has not changed before the wait.
  const auto y = copied({Node::store("w", 0u, 1u), load("w", "y", 0u, 4u), Node::store("w", 0u, 2u),
                         Node::store("y", 1u, Expr::load("y", 0u)), wait(),
                         Node::store("y", 2u, Expr::load("y", 0u))},
                        {BufferDecl::workgroup("w", 1, DataType::U32)});
  CHECK(y == std::vector<uint32_t>{1, 0, 1});
}

TEST_CASE("E20: tags tell copies apart, and a tag is free again after its wait") {
  const auto y = copied({load("x", "y", 0u, 4u, "a"), store("x", "y", 8u, 4u, "b"), wait("b"),
                         wait("a"), store("x", "y", 4u, 4u, "a"), wait("a")});
  CHECK(y == std::vector<uint32_t>{kWords[0], kWords[0], kWords[0]});
  // Both write word 0: the later wait wins, whatever came first.
  CHECK(copied({load("x", "y", 0u, 4u, "a"), load("x", "y", 4u, 4u, "b"), wait("b"),
                wait("a")})[0] == kWords[0]);
}

TEST_CASE("E20: each invocation has its own copies, and its own local arrays in them") {
  const Program p = u32_program(
      4, 2,
      {Node::store("l", 0u, kI * 3u), load("l", "m", 0u, 4u), wait(), store("m", "y", kI * 4u, 4u),
       wait()},
      {BufferDecl::local("l", 1, DataType::U32), BufferDecl::local("m", 1, DataType::U32)});
  CHECK(run<uint32_t>(p) == std::vector<uint32_t>{0, 3, 6, 9});
}

TEST_CASE("E20: copies go through bound, workgroup, transient and local memory") {
  const std::vector<BufferDecl> memory{
      BufferDecl::workgroup("w", 3, DataType::U32), BufferDecl::transient("t", 3, DataType::U32),
      BufferDecl::local("l", 3, DataType::U32),
      BufferDecl::read_write("rw", 5, DataType::U32).with_count(3)};
  for (const std::string_view via : {"w", "t", "l"}) {
    INFO(via);
    CHECK(copied({load("x", via, 0u, 12u), wait(), load(via, "y", 0u, 12u), wait()},
                 {memory.begin(), memory.begin() + 3}) == kWords);
  }
}

TEST_CASE("E11: a copy keeps the bits of NaNs and of bools") {
  const std::vector<uint32_t> bits{0x7F812345, 7, 0xFFC00001};
  const Program p =
      Program::wrapped({BufferDecl::read("x", 0, DataType::F32).with_count(3),
                        BufferDecl::transient("b", 3, DataType::Bool),
                        BufferDecl::output("y", 1, DataType::F32).with_count(3)},
                       {1, 1, 1},
                       {load("x", "b", 0u, 12u), wait(), load("b", "y", 0u, 12u), wait()})
          .with_extent({1, 1, 1});
  const StatusOr<Outputs> out = evaluate(p, {{"x", Value::from(bits)}});
  REQUIRE(out.ok());
  CHECK(decode<uint32_t>(out->bytes("y")->to_bytes()) == bits);
}

TEST_CASE("E10: a copy reaches the bytes of a bound buffer that are no whole element") {
  const Program p = Program::wrapped({BufferDecl::read("x", 0, DataType::U32),
                                      BufferDecl::output("y", 1, DataType::U32).with_count(2)},
                                     {1, 1, 1}, {load("x", "y", 4u, 4u), wait()})
                        .with_extent({1, 1, 1});
  const std::vector<std::byte> six{std::byte{1}, std::byte{2}, std::byte{3},
                                   std::byte{4}, std::byte{5}, std::byte{6}};
  CHECK(run<uint32_t>(p, {{"x", six}}) == std::vector<uint32_t>{0x0605, 0});
}

TEST_CASE("E3: offset and size of a copy are evaluated left to right, at the issue") {
  const auto y =
      copied({Node::let_bind("at", 4_u),
              load("x", "y", Expr::atomic_add("n", 0u, 4u), Expr::atomic_add("n", 0u, 100u) + 0u),
              Node::assign("at", 8_u), wait(), Node::store("y", 2u, Expr::load("n", 0u))},
             {BufferDecl::transient("n", 1, DataType::U32)});
  CHECK(y == std::vector<uint32_t>{kWords[0], 0, 104});
}

TEST_CASE("E20: a misused copy ends the run with its invocation, tag, place and a fix") {
  const auto error = [](Body body) {
    const Program p =
        u32_program(6, 3, std::move(body), {BufferDecl::transient("s", 6, DataType::U32)});
    const StatusOr<Outputs> out = evaluate(p, {});
    CHECK(out.status().code() == absl::StatusCode::kFailedPrecondition);
    return std::string(message_of(out.status()));
  };
  const auto in_four = [](Body body) { return Node::if_then(Expr::eq(kI, 4u), std::move(body)); };
  const auto check_names_four = [&](std::string_view code, Body body) {
    const std::string text = error({in_four(std::move(body))});
    CHECK_THAT(text, Catch::StartsWith(
                         fmt::format("{}: invocation (1, 0, 0) of workgroup (1, 0, 0)", code)));
    CHECK_THAT(text, Catch::Contains("`t`"));
    CHECK_THAT(text, Catch::Contains("entry[0].body[0].then[0] (tests/interpreter/async_test.cc:"));
    CHECK_THAT(text, Catch::Contains(" Fix: "));
  };
  const Node issue = load("s", "y", 0u, 4u);
  check_names_four("async-pending", {issue, issue, wait()});
  check_names_four("async-not-pending", {wait()});
  check_names_four("async-unfinished", {issue});
  check_names_four("async-unfinished", {issue, Node::return_()});
  CHECK_THAT(error({in_four({issue, issue, wait()})}), Catch::Contains("then[1]"));
  CHECK_THAT(error({in_four({issue, wait(), wait()})}), Catch::Contains("then[2]"));
  CHECK_THAT(error({in_four({load("s", "y", 0u, 4u, "u"), wait()})}),
             Catch::StartsWith("async-not-pending"));
}

TEST_CASE("E20: a copy must be waited for in its segment") {
  const Node grid_sync = Node::barrier_with_ordering(MemoryOrdering::kGridSync);
  const std::vector<BufferDecl> more{BufferDecl::transient("s", 6, DataType::U32)};
  const Node issue = load("s", "y", 0u, 4u);
  CHECK_THAT(error_of(u32_program(1, 1, {issue, grid_sync, wait()}, more)),
             Catch::StartsWith("async-unfinished"));
  CHECK(error_of(u32_program(1, 1, {issue, wait(), grid_sync, issue, wait()}, more)).empty());
}

TEST_CASE("E9: copies are left behind by a trap, and by those that a barrier then stops") {
  const auto error = [](Body rest) {
    return error_of(
        u32_program(2, 2,
                    {load("s", "y", 0u, 4u),
                     Node::if_then(Expr::eq(kI, 1u), {Node::trap(5u, "stop")}), std::move(rest)},
                    {BufferDecl::transient("s", 6, DataType::U32)}));
  };
  CHECK_THAT(error({Node::barrier(), wait()}), Catch::StartsWith("trap `stop` at address 5"));
  CHECK_THAT(error({wait()}), Catch::StartsWith("trap `stop` at address 5"));
  // One that runs to its end is not excused by the trap of another.
  CHECK_THAT(error({}), Catch::StartsWith("async-unfinished: invocation (0, 0, 0)"));
}

TEST_CASE("D11: pending copies count as memory of the run, only as far as they are written") {
  RunOptions options;
  // Two pending copies of 1 KiB, and what it takes to remember them, beside 2 KiB of transient
  // memory.
  options.max_memory_bytes = (1 << 12) + 2 * 128;
  const auto program = [](uint32_t pending, Expr size) {
    std::vector<Node> body;
    for (uint32_t i = 0; i < pending; ++i) {
      body.push_back(load("t", "t", 0u, size, fmt::format("tag{}", i)));
    }
    for (uint32_t i = 0; i < pending; ++i) body.push_back(wait(fmt::format("tag{}", i)));
    return u32_program(1, 1, std::move(body), {BufferDecl::transient("t", 512, DataType::U32)});
  };
  CHECK(error_of(program(2, 1024_u), {}, options).empty());
  CHECK_THAT(error_of(program(3, 1024_u), {}, options), Catch::Contains("max_memory_bytes"));
  CHECK(error_of(program(1, Expr::u64(~uint64_t{0})), {}, options).empty());
  CHECK(evaluate(program(3, 1024_u), {}, options).status().code() ==
        absl::StatusCode::kResourceExhausted);
  // What has been waited for is free again.
  std::vector<Node> body;
  for (uint32_t i = 0; i < 10; ++i) {
    body.push_back(load("t", "t", 0u, 2048u));
    body.push_back(wait());
  }
  CHECK(error_of(u32_program(1, 1, body, {BufferDecl::transient("t", 512, DataType::U32)}), {},
                 options)
            .empty());
}

TEST_CASE("D11: copies of no bytes count as memory, too") {
  const auto program = [](uint32_t pending) {
    std::vector<Node> body;
    for (uint32_t i = 0; i < pending; ++i) {
      body.push_back(load("t", "t", 0u, 0u, fmt::format("tag{}", i)));
    }
    for (uint32_t i = 0; i < pending; ++i) body.push_back(wait(fmt::format("tag{}", i)));
    return u32_program(1, 1, std::move(body), {BufferDecl::transient("t", 1, DataType::U32)});
  };
  RunOptions options;
  options.max_memory_bytes = 1 << 14;
  CHECK(error_of(program(50), {}, options).empty());
  CHECK_THAT(error_of(program(200), {}, options), Catch::Contains("max_memory_bytes"));
}

TEST_CASE("D11: a time limit holds in copies that are large") {
  const Program p =
      u32_program(1, 1, {Node::loop_for("k", 0u, 0xFFFFFFFFu, {load("t", "t", 0u, ~0u), wait()})},
                  {BufferDecl::transient("t", 1 << 20, DataType::U32)});
  RunOptions timed;
  timed.max_seconds = 0.05;
  CHECK(evaluate(p, {}, timed).status().code() == absl::StatusCode::kDeadlineExceeded);
}

TEST_CASE("E2: invocations copy in ascending order, or descending when reversed") {
  // All write word 0 at one wait.
  const Program p =
      u32_program(4, 4, {Node::store("l", 0u, kI + 1u), load("l", "y", 0u, 4u), wait()},
                  {BufferDecl::local("l", 1, DataType::U32)});
  CHECK(run<uint32_t>(p)[0] == 4);
  RunOptions reversed;
  reversed.reversed = true;
  CHECK(run<uint32_t>(p, {}, reversed)[0] == 1);
}

}  // namespace
}  // namespace vyre

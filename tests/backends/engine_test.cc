// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What engine.h promises, of every engine.
#include "vyre/backends/engine.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/engine_run.h"

namespace vyre {
namespace {

using test::download;
using test::upload;

constexpr uint32_t kCount = 100;

// y[i] = x[i] + 1 for i < 100, with a table that nobody reads and scratch that nobody binds.
Program increment() {
  const Expr i = Expr::gid_x();
  return Program::wrapped(
             {BufferDecl::read("x", 0, DataType::U32).with_count(kCount),
              BufferDecl::read("table", 1, DataType::F32).with_count(4),
              BufferDecl::workgroup("scratch", 8, DataType::U32),
              BufferDecl::output("y", 2, DataType::U32).with_count(kCount)},
             {32, 1, 1},
             {Node::if_then(Expr::lt(i, kCount), {Node::store("y", i, Expr::load("x", i) + 1U)})})
      .with_extent(Dim3{kCount, 1, 1});
}

// y[0] counts up; an output, so the launch zeroes it.
Program count_up(Expr iterations) {
  return Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                          {Node::loop_for("i", 0U, std::move(iterations),
                                          {Node::store("y", 0U, Expr::load("y", 0U) + 1U)})})
      .with_extent(Dim3{1, 1, 1});
}

Program endless() {
  return Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                          {Node::forever({Node::store("y", 0U, Expr::load("y", 0U) + 1U)})})
      .with_extent(Dim3{1, 1, 1});
}

std::vector<uint32_t> counted(uint32_t from) {
  std::vector<uint32_t> list(kCount);
  for (uint32_t i = 0; i < kCount; ++i) list[i] = from + i;
  return list;
}

// An executable and one buffer for each binding of increment().
struct Fixture {
  explicit Fixture(Engine& an_engine)
      : engine(an_engine), executable(engine.compile(increment(), {}).value()) {
    x = upload(engine, u32_bytes(counted(0)));
    table = upload(engine, std::vector<std::byte>(16));
    y = upload(engine, std::vector<std::byte>(4 * kCount, std::byte{0xFF}));
  }
  std::vector<Binding> bindings() const { return {{"x", x}, {"table", table}, {"y", y}}; }
  StatusOr<RunReport> run(const std::vector<Binding>& bound,
                          std::optional<Dispatch> dispatch = std::nullopt,
                          const RunOptions& options = {}) const {
    StatusOr<std::unique_ptr<Run>> launched = executable->launch(bound, dispatch, options);
    if (!launched.ok()) return launched.status();
    return (*launched)->wait();
  }
  void check_refused(const std::vector<Binding>& bound, const std::string& part) const {
    const Status status = run(bound).status();
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK_THAT(std::string(message_of(status)), Catch::Contains(part) && Catch::Contains("Fix: "));
  }

  Engine& engine;
  std::shared_ptr<const Executable> executable;
  std::shared_ptr<Buffer> x;
  std::shared_ptr<Buffer> table;
  std::shared_ptr<Buffer> y;
};

template <typename Check>
void on_every_engine(const Check& check) {
  REQUIRE_FALSE(engines().empty());
  for (const std::shared_ptr<Engine>& engine : engines()) {
    INFO(engine->name());
    check(*engine);
  }
}

TEST_CASE("the interpreter is the first engine, and each is found by its name") {
  REQUIRE_FALSE(engines().empty());
  CHECK(engines().front()->name() == "interpreter");
  for (const std::shared_ptr<Engine>& engine : engines()) {
    CHECK(find_engine(engine->name()).value()->name() == engine->name());
  }
}

TEST_CASE("an unknown engine is refused with the nearest name or the known ones") {
  const Status near = find_engine("interpeter").status();
  CHECK(near.code() == absl::StatusCode::kNotFound);
  CHECK(message_of(near) ==
        "there is no engine `interpeter` here. Fix: did you mean `interpreter`?");
  CHECK_THAT(std::string(message_of(find_engine("quantum-annealer").status())),
             Catch::Contains("the engines are interpreter"));
}

TEST_CASE("an executable says what it wants bound, in declaration order") {
  on_every_engine([](Engine& engine) {
    const auto executable = engine.compile(increment(), {}).value();
    const std::span<const BindingInfo> bindings = executable->bindings();
    REQUIRE(bindings.size() == 3);
    CHECK(bindings[0].name == "x");
    CHECK(bindings[0].element == DataType(DataType::U32));
    CHECK(bindings[0].count == kCount);
    CHECK(bindings[0].is_input);
    CHECK_FALSE(bindings[0].is_returned);
    CHECK(bindings[1].name == "table");
    CHECK(bindings[1].binding == 1);
    CHECK(bindings[2].name == "y");
    CHECK_FALSE(bindings[2].is_input);
    CHECK(bindings[2].is_returned);
  });
}

TEST_CASE("a launch runs on the bound buffers, in any order of the bindings") {
  on_every_engine([](Engine& engine) {
    const Fixture f(engine);
    const StatusOr<RunReport> report = f.run({{"y", f.y}, {"table", f.table}, {"x", f.x}});
    REQUIRE(report.ok());
    CHECK_FALSE(report->trap.has_value());
    CHECK(report->dispatch == Dispatch::of_workgroups({4, 1, 1}));
    CHECK(report->dispatch_source == DispatchSource::kExtent);
    CHECK(decode_u32(download(*f.y)) == counted(1));
    CHECK(decode_u32(download(*f.x)) == counted(0));
  });
}

TEST_CASE("bindings that are missing, unknown, twice, empty or too small are named") {
  on_every_engine([](Engine& engine) {
    const Fixture f(engine);
    f.check_refused({{"x", f.x}, {"table", f.table}}, "`y` is not bound");
    f.check_refused({{"x", f.x}, {"tables", f.table}, {"y", f.y}}, "did you mean `table`?");
    f.check_refused({{"scratch", f.table}, {"x", f.x}, {"table", f.table}, {"y", f.y}},
                    "`scratch`");
    f.check_refused({{"x", f.x}, {"x", f.x}, {"table", f.table}, {"y", f.y}}, "`x` is bound twice");
    f.check_refused({{"x", nullptr}, {"table", f.table}, {"y", f.y}}, "`x`");
    const auto small = upload(engine, std::vector<std::byte>(4 * kCount - 1));
    f.check_refused({{"x", small}, {"table", f.table}, {"y", f.y}},
                    "`x` is bound to 399 bytes but requires at least 400");
    f.check_refused({{"x", f.x}, {"table", f.table}, {"y", small}}, "`y`");
  });
}

TEST_CASE("E18: bindings share bytes only where both are read alone") {
  on_every_engine([](Engine& engine) {
    const Fixture f(engine);
    f.check_refused({{"x", f.y}, {"table", f.table}, {"y", f.y}}, "same bytes");
    f.check_refused({{"x", f.x}, {"table", f.y}, {"y", f.y}}, "same bytes");
    CHECK(f.run({{"x", f.x}, {"table", f.x}, {"y", f.y}}).ok());
    CHECK(decode_u32(download(*f.y)) == counted(1));
  });
}

TEST_CASE("a refused launch leaves the buffers as they were") {
  on_every_engine([](Engine& engine) {
    const Fixture f(engine);
    CHECK_FALSE(f.run({{"x", f.x}, {"y", f.y}}).ok());
    CHECK_FALSE(f.run({{"x", f.y}, {"table", f.table}, {"y", f.y}}).ok());
    CHECK(download(*f.y) == std::vector<std::byte>(4 * kCount, std::byte{0xFF}));
  });
}

TEST_CASE("E4: a launch zeroes outputs, beyond the declared count too, and keeps what is read") {
  on_every_engine([](Engine& engine) {
    const Program program =
        Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(2),
                          BufferDecl::read_write("z", 1, DataType::U32).with_count(2)},
                         {1, 1, 1},
                         {Node::store("y", 1U, Expr::load("y", 1U) + 5U),
                          Node::store("z", 1U, Expr::load("z", 1U) + 5U)})
            .with_extent(Dim3{1, 1, 1});
    const auto executable = engine.compile(program, {}).value();
    const auto y = upload(engine, u32_bytes(std::vector<uint32_t>{7, 7, 7}));
    const auto z = upload(engine, u32_bytes(std::vector<uint32_t>{7, 7, 7}));
    for (int i = 1; i <= 2; ++i) {
      auto run = executable->launch({{"y", y}, {"z", z}}, std::nullopt, {}).value();
      REQUIRE(run->wait().ok());
      CHECK(decode_u32(download(*y)) == std::vector<uint32_t>{0, 5, 0});
      CHECK(decode_u32(download(*z)) ==
            std::vector<uint32_t>{7, 7 + 5 * static_cast<uint32_t>(i), 7});
    }
  });
}

TEST_CASE("E21: the caller's dispatch wins over the extent") {
  on_every_engine([](Engine& engine) {
    const Fixture f(engine);
    const auto two = Dispatch::of_workgroups({2, 1, 1});
    const StatusOr<RunReport> report = f.run(f.bindings(), two);
    REQUIRE(report.ok());
    CHECK(report->dispatch == two);
    CHECK(report->dispatch_source == DispatchSource::kCaller);
    const std::vector<uint32_t> y = decode_u32(download(*f.y));
    CHECK(y[63] == 64);
    CHECK(y[64] == 0);
    // The argument of the launch wins over that of the options, and none at all is a run.
    RunOptions options;
    options.dispatch = Dispatch::of_workgroups({4, 1, 1});
    REQUIRE(f.run(f.bindings(), Dispatch::of_workgroups({0, 1, 1}), options).ok());
    CHECK(decode_u32(download(*f.y)) == std::vector<uint32_t>(kCount));
    REQUIRE(f.run(f.bindings(), std::nullopt, options).ok());
    CHECK(decode_u32(download(*f.y)) == counted(1));
  });
}

TEST_CASE("an executable is launched from several threads at once") {
  on_every_engine([](Engine& engine) {
    const auto executable = engine.compile(increment(), {}).value();
    constexpr uint32_t kThreads = 8;
    std::vector<std::vector<uint32_t>> results(kThreads);
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (uint32_t repeat = 0; repeat < 20; ++repeat) {
          auto x = engine.allocate(4 * kCount).value();
          auto table = engine.allocate(16).value();
          auto y = engine.allocate(4 * kCount).value();
          if (!x->upload(0, u32_bytes(counted(1000 * t))).ok()) return;
          auto run = executable->launch({{"x", x}, {"table", table}, {"y", y}}, std::nullopt, {});
          if (!run.ok() || !(*run)->wait().ok()) return;
          std::vector<std::byte> bytes(4 * kCount);
          if (!y->download(0, bytes).ok()) return;
          results[t] = decode_u32(bytes);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (uint32_t t = 0; t < kThreads; ++t) CHECK(results[t] == counted(1000 * t + 1));
  });
}

TEST_CASE("an executable outlives the program it was made of, and a run its executable") {
  on_every_engine([](Engine& engine) {
    const auto y = upload(engine, std::vector<std::byte>(4));
    std::unique_ptr<Run> run;
    {
      const auto executable = engine.compile(count_up(Expr::u32(1000)), {}).value();
      run = executable->launch({{"y", y}}, std::nullopt, {}).value();
    }
    REQUIRE(run->wait().ok());
    CHECK(decode_u32(download(*y)) == std::vector<uint32_t>{1000});
  });
}

TEST_CASE("waiting again gives the same answer, from several threads too") {
  on_every_engine([](Engine& engine) {
    const auto y = upload(engine, std::vector<std::byte>(4));
    const auto executable = engine.compile(count_up(Expr::u32(50'000)), {}).value();
    auto run = executable->launch({{"y", y}}, std::nullopt, {}).value();
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] { good += run->wait().ok() ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(good == 4);
    CHECK(run->done());
    const StatusOr<RunReport> first = run->wait();
    const StatusOr<RunReport> second = run->wait();
    REQUIRE(first.ok());
    CHECK(first->steps == second->steps);
    CHECK(first->seconds == second->seconds);
    run->cancel();  // it was done
    CHECK(run->wait().ok());
  });
}

TEST_CASE("cancelling ends a loop without an end") {
  on_every_engine([](Engine& engine) {
    const auto y = upload(engine, std::vector<std::byte>(4));
    const auto executable = engine.compile(endless(), {}).value();
    RunOptions options;
    options.max_steps = 0;
    auto run = executable->launch({{"y", y}}, std::nullopt, options).value();
    CHECK_FALSE(run->done());
    run->cancel();
    CHECK(run->wait().status().code() == absl::StatusCode::kCancelled);
    CHECK(run->wait().status().code() == absl::StatusCode::kCancelled);
    CHECK(run->done());
    // The caller's own flag does the same, and is left to the caller.
    options.cancellation = std::make_shared<CancellationFlag>();
    run = executable->launch({{"y", y}}, std::nullopt, options).value();
    auto other =
        executable
            ->launch({{"y", upload(engine, std::vector<std::byte>(4))}}, std::nullopt, options)
            .value();
    run->cancel();
    CHECK(run->wait().status().code() == absl::StatusCode::kCancelled);
    CHECK_FALSE(options.cancellation->cancelled());
    CHECK_FALSE(other->done());
    options.cancellation->cancel();
    CHECK(other->wait().status().code() == absl::StatusCode::kCancelled);
  });
}

TEST_CASE("limits end a loop without an end") {
  on_every_engine([](Engine& engine) {
    RunOptions steps;
    steps.max_steps = 1000;
    CHECK(test::run_on(engine, endless(), {}, steps).status.code() ==
          absl::StatusCode::kResourceExhausted);
    RunOptions time;
    time.max_steps = 0;
    time.max_seconds = 0.02;
    CHECK(test::run_on(engine, endless(), {}, time).status.code() ==
          absl::StatusCode::kDeadlineExceeded);
  });
}

TEST_CASE("destroying a run waits for it") {
  on_every_engine([](Engine& engine) {
    const auto y = upload(engine, std::vector<std::byte>(4));
    const auto executable = engine.compile(count_up(Expr::u32(100'000)), {}).value();
    executable->launch({{"y", y}}, std::nullopt, {}).value().reset();
    CHECK(decode_u32(download(*y)) == std::vector<uint32_t>{100'000});
  });
}

TEST_CASE("a run keeps its buffers alive") {
  on_every_engine([](Engine& engine) {
    const auto executable = engine.compile(count_up(Expr::u32(50'000)), {}).value();
    auto y = upload(engine, std::vector<std::byte>(4));
    auto run = executable->launch({{"y", y}}, std::nullopt, {}).value();
    y.reset();
    CHECK(run->wait().ok());
  });
}

TEST_CASE("a trap is reported, not an error") {
  on_every_engine([](Engine& engine) {
    const Program program =
        Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {4, 1, 1},
                         {Node::if_then(Expr::ge(Expr::gid_x(), 6U),
                                        {Node::trap(Expr::gid_x() * 10U, "too far")})})
            .with_extent(Dim3{8, 1, 1});
    const test::EngineRun run = test::run_on(engine, program, {});
    REQUIRE(run.status.ok());
    REQUIRE(run.trap.has_value());
    CHECK(run.trap->tag == "too far");
    CHECK(run.trap->address == 60);
    CHECK(run.trap->workgroup == Dim3{1, 0, 0});
    CHECK(run.trap->invocation == Dim3{2, 0, 0});
    CHECK(run.outputs.empty());
  });
}

TEST_CASE("compiling refuses what is invalid and what is only carried") {
  on_every_engine([](Engine& engine) {
    const Program invalid = Program::wrapped({}, {}, {Node::store("nowhere", 0U, 1U)});
    const Status status = engine.compile(invalid, {}).status();
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK_THAT(std::string(message_of(status)), Catch::Contains("nowhere"));
    const Program carried = Program::wrapped({}, {}, {Node::resume("tag")});
    CHECK(engine.compile(carried, {}).status().code() == absl::StatusCode::kUnimplemented);
  });
}

TEST_CASE(
    "D19 and E5: compiling keeps the rules of structure, and not those about what a person wrote") {
  const std::vector<BufferDecl> buffers{BufferDecl::output("y", 0, DataType::U32).with_count(64)};
  const auto compiled = [&](Body body) {
    return engines().front()->compile(Program::wrapped(buffers, {64, 1, 1}, std::move(body)), {});
  };
  const Node barrier = Node::if_then(Expr::eq(Expr::local_id(0), 3u), {Node::barrier()});
  CHECK(compiled({barrier}).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK_THAT(std::string(compiled({barrier}).status().message()), Catch::Contains("V010"));
  CHECK(compiled({Node::store("y", 64u, 1u)}).ok());
}

TEST_CASE("uploads and downloads stay inside the buffer") {
  on_every_engine([](Engine& engine) {
    const auto buffer = upload(engine, std::vector<std::byte>(8, std::byte{1}));
    CHECK(buffer->size() == 8);
    const std::vector<std::byte> two(2, std::byte{9});
    CHECK(buffer->upload(6, two).ok());
    CHECK(buffer->upload(8, {}).ok());
    std::vector<std::byte> nine(9);
    for (const Status& status :
         {buffer->upload(7, two), buffer->upload(9, {}), buffer->upload(SIZE_MAX, two),
          buffer->download(0, nine), buffer->download(SIZE_MAX - 1, nine)}) {
      CHECK(status.code() == absl::StatusCode::kOutOfRange);
      CHECK_THAT(std::string(message_of(status)), Catch::Contains("Fix: "));
    }
    std::vector<std::byte> three(3);
    REQUIRE(buffer->download(5, three).ok());
    CHECK(three == std::vector<std::byte>{std::byte{1}, std::byte{9}, std::byte{9}});
    if (!engine.capabilities().device_memory) {
      REQUIRE(buffer->view().size() == 8);
      CHECK(buffer->view()[7] == std::byte{9});
    }
  });
}

TEST_CASE("E22: empty buffers are bound like any other") {
  on_every_engine([](Engine& engine) {
    const Program program =
        Program::wrapped({BufferDecl::read("x", 0, DataType::U32).with_count(0),
                          BufferDecl::output("y", 1, DataType::U32).with_count(1)},
                         {1, 1, 1}, {Node::store("y", 0U, Expr::load("x", 0U) + 3U)})
            .with_extent(Dim3{1, 1, 1});
    const std::vector<Value> inputs{Value()};
    const test::EngineRun run = test::run_on(engine, program, inputs);
    INFO(message_of(run.status));
    REQUIRE(run.ok());
    CHECK(decode_u32(run.outputs[0].to_bytes()) == std::vector<uint32_t>{3});
  });
}

TEST_CASE("a buffer larger than any memory is refused") {
  on_every_engine([](Engine& engine) {
    const Status status = engine.allocate(SIZE_MAX).status();
    CHECK(status.code() == absl::StatusCode::kResourceExhausted);
  });
}

}  // namespace
}  // namespace vyre

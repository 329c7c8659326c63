// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What the recorder refuses when C++ could not: each error names its lines and a fix.
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "vyre/ir/kernel.h"

namespace vyre {
namespace {

std::string message(const StatusOr<Program>& program) {
  return std::string(message_of(program.status()));
}

std::string at(int line) { return "tests/ir/kernel_errors_test.cc:" + std::to_string(line); }

// That recording failed with one error at a line, saying some things.
void check_error(Kernel& k, int line, const std::vector<std::string>& parts) {
  CHECK_FALSE(k.ok());
  const StatusOr<Program> program = k.finish();
  CHECK(program.status().code() == absl::StatusCode::kInvalidArgument);
  const std::string text = message(program);
  CHECK_THAT(text, Catch::Contains("has 1 error\n  " + at(line) + ": "));
  CHECK_THAT(text, Catch::Contains("Fix: "));
  for (const std::string& part : parts) CHECK_THAT(text, Catch::Contains(part));
}

void check_good(Kernel& k) {
  const StatusOr<Program> program = k.finish();
  INFO(message(program));
  CHECK(program.ok());
}

TEST_CASE("a value read from a variable is stale after an assignment") {
  Kernel k("stale", {1, 1, 1});
  auto y = k.output<f32>("y", 1);
  auto sum = k.var("sum", 0.0f);
  const int read = __LINE__ + 1;
  Val<f32> before = sum + 1;
  const int assigned = __LINE__ + 1;
  sum = 2;
  const int used = __LINE__ + 1;
  y[0] = before * 3;
  check_error(k, used,
              {"`sum` was read at " + at(read) + " and then assigned at " + at(assigned), "let"});
}

TEST_CASE("a value that is bound is not stale, nor is one that is read again") {
  Kernel k("fresh", {1, 1, 1});
  auto y = k.output<f32>("y", 1);
  auto sum = k.var("sum", 0.0f);
  auto before = k.let("before", sum + 1);
  sum = sum + before;
  y[0] = before * sum;
  y[0] += sum;
  y[0] = y[0] + 1;
  check_good(k);
}

TEST_CASE("a value read from a buffer is stale after a store, as is an element kept by name") {
  Kernel k("stale", {1, 1, 1});
  auto y = k.read_write<f32>("y", 4);
  auto other = k.read_write<f32>("other", 4);
  const int read = __LINE__ + 1;
  auto kept = y[0];
  other[1] = 1;
  other[1] = kept;
  const int stored = __LINE__ + 1;
  y[1] = 1;
  const int used = __LINE__ + 1;
  other[2] = kept;
  kept = 3;   // a store to y[0] reads nothing
  kept += 1;  // reads now
  check_error(k, used, {"`y` was read at " + at(read) + " and then stored to at " + at(stored)});
}

TEST_CASE("an atomic makes values read from its buffer stale") {
  Kernel k("stale", {1, 1, 1});
  auto c = k.read_write<u32>("c", 4);
  Val<u32> before = c[0] + 1;
  c.atomic_add(0, 1);
  const int used = __LINE__ + 1;
  c[1] = before;
  check_error(k, used, {"`c`", "an atomic"});
}

TEST_CASE("a barrier makes values read from shared buffers stale, not those of others") {
  Kernel k("stale", {1, 1, 1});
  auto in = k.read<f32>("in", 4);
  auto tile = k.workgroup<f32>("tile", 4);
  auto own = k.local<f32>("own", 4);
  auto out = k.output<f32>("out", 4);
  Val<f32> constant = in[0] + own[0];
  Val<f32> shared = tile[0];
  k.barrier();
  out[0] = constant;
  const int used = __LINE__ + 1;
  out[1] = shared;
  check_error(k, used, {"`tile`", "by the barrier at " + at(used - 3)});
}

TEST_CASE("an assignment in a loop makes values read before the loop stale inside it") {
  Kernel k("stale", {1, 1, 1});
  auto y = k.output<f32>("y", 4);
  auto sum = k.var("sum", 0.0f);
  const int read = __LINE__ + 1;
  Val<f32> before = sum + 1;
  const int loop = __LINE__ + 1;
  k.for_("i", 0, 4, [&](auto i) {
    y[i] = before;  // right the first time only
    sum += 1;
  });
  check_error(k, loop + 1,
              {"`sum` was read at " + at(read) + ", before the loop at " + at(loop),
               "assigned at " + at(loop + 2)});
}

TEST_CASE("an inner loop repeats what its outer loop reads") {
  Kernel k("loops", {1, 1, 1});
  auto y = k.output<f32>("y", 4);
  auto sum = k.var("sum", 0.0f);
  k.for_("i", 0, 4, [&](auto) {
    Val<f32> each = sum + 1;  // read again in each iteration of this loop
    k.for_("j", 0, 4, [&](auto j) { y[j] = each; });
    sum += 1;
  });
  check_good(k);

  Kernel inner("loops", {1, 1, 1});
  auto z = inner.output<f32>("z", 4);
  auto total = inner.var("total", 0.0f);
  int used = 0;
  inner.forever([&] {
    Val<f32> each = total + 1;
    inner.for_("j", 0, 4, [&](auto j) {
      used = __LINE__ + 1;
      z[j] = each;
      inner.block([&] { total += 1; });
    });
  });
  check_error(inner, used, {"`total`", "before the loop"});
}

TEST_CASE("a loop's bounds are read once, before it") {
  Kernel k("bounds", {1, 1, 1});
  auto n = k.var("n", 4u);
  k.for_("i", 0, n + 1, [&](auto) { n -= 1; });
  check_good(k);
}

TEST_CASE("branches do not see each other's assignments, what follows sees both") {
  Kernel k("branches", {1, 1, 1});
  auto y = k.output<f32>("y", 4);
  auto sum = k.var("sum", 0.0f);
  Val<f32> before = sum + 1;
  k.if_(sum < 1, [&] { sum = 2; }).else_([&] { y[0] = before; });
  const int used = __LINE__ + 1;
  y[1] = before;
  check_error(k, used, {"assigned at " + at(used - 2)});
}

TEST_CASE("an assignment in either branch, or in a nested one, makes a value stale") {
  for (const int which : {0, 1, 2}) {
    Kernel k("branches", {1, 1, 1});
    auto y = k.output<f32>("y", 4);
    auto sum = k.var("sum", 0.0f);
    Val<f32> before = sum + 1;
    k.if_(sum < 1, [&] {
       if (which == 0) sum = 2;
       k.if_(sum < 2, [&] {
          if (which == 2) sum = 2;
        }).else_([&] { y[0] = before + (which == 0 ? Val<f32>(sum) : before); });
     }).else_([&] {
      y[0] = before;
      if (which == 1) sum = 2;
    });
    if (which == 0) {
      CHECK_FALSE(k.ok());
      continue;
    }
    CHECK(k.ok());
    y[1] = before;
    CHECK_FALSE(k.ok());
  }
}

TEST_CASE("an assignment in a branch that leaves does not reach what follows") {
  Kernel k("leaves", {1, 1, 1});
  auto y = k.output<f32>("y", 4);
  auto sum = k.var("sum", 0.0f);
  Val<f32> before = sum + 1;
  k.if_(sum < 1, [&] {
    sum = 2;
    y[1] = sum;
    k.return_();
  });
  k.if_(sum < 2, [&] { y[1] = 1; }).else_([&] {
    sum = 3;
    k.trap("t");
  });
  y[0] = before;
  check_good(k);
}

TEST_CASE("a value used outside of its block is refused") {
  Kernel k("scopes", {1, 1, 1});
  auto y = k.output<u32>("y", 4);
  std::vector<Val<u32>> leaked;
  const int block = __LINE__ + 1;
  k.block([&] { leaked.push_back(k.let("t", y[0])); });
  k.block([&] { k.let("t", 1u); });  // takes the same name
  const int used = __LINE__ + 1;
  y[1] = leaked[0] + 1;
  check_error(
      k, used,
      {"let `t` of " + at(block) + " is used outside of its block, which began at " + at(block)});
}

TEST_CASE("a loop variable and a variable used outside of their block are refused") {
  Kernel k("scopes", {1, 1, 1});
  auto y = k.output<u32>("y", 4);
  std::vector<Val<u32>> leaked;
  k.for_("i", 0, 4, [&](auto i) { leaked.push_back(i); });
  const int used = __LINE__ + 1;
  y[leaked[0]] = 1;
  check_error(k, used, {"loop variable `i`"});

  Kernel other("scopes", {1, 1, 1});
  std::vector<Var<u32>> variables;
  other.block([&] { variables.push_back(other.var("v", 1u)); });
  const int assigned = __LINE__ + 1;
  variables[0] = 3;
  check_error(other, assigned, {"variable `v`", "outside of its block"});
}

TEST_CASE("names are gone after a grid barrier, and stay taken") {
  Kernel k("grid", {1, 1, 1});
  auto y = k.output<u32>("y", 4);
  auto i = k.let("i", k.invocation_id());
  k.barrier(MemoryOrdering::kGridSync);
  auto again = k.let("i", k.invocation_id());
  y[again] = 1;
  const int used = __LINE__ + 1;
  y[i] = 1;
  check_error(k, used, {"let `i`", "grid barrier at " + at(used - 4)});
}

TEST_CASE("a value of another kernel is refused in both") {
  Kernel a("a", {1, 1, 1});
  Kernel b("b", {1, 1, 1});
  auto x = a.let("x", 1u);
  for (int i = 0; i < 4; ++i) b.let("unrelated", 1u);
  auto y = b.output<u32>("y", 4);
  const int used = __LINE__ + 1;
  y[0] = x;
  CHECK_FALSE(a.ok());
  check_error(b, used, {"values of two kernels, `a` and `b`, are mixed"});

  Kernel c("c", {1, 1, 1});
  auto z = c.read_write<u32>("z", 4);
  z[x] = 1;
  z[0] = x + z[0];
  z.atomic_add(x, 1);
  z[1] = z[0] + x;
  CHECK_THAT(message(c.finish()), Catch::Contains("has 4 errors"));
}

TEST_CASE("a handle may outlive its kernel") {
  std::vector<Val<u32>> values;
  std::vector<Buf<u32>> buffers;
  {
    Kernel k("gone", {1, 1, 1});
    values.push_back(k.let("x", 1u));
    buffers.push_back(k.output<u32>("y", 1));
    CHECK(k.finish().ok());
    values.push_back(k.let("late", 1u));
  }
  buffers[0][0] = values[0] + values[1];
}

TEST_CASE("numbers that a type does not hold are refused") {
  const auto refused = [](auto record) {
    Kernel k("numbers", {1, 1, 1});
    record(k);
    const std::string text = message(k.finish());
    CHECK_THAT(text, Catch::Contains("has 1 error\n") && Catch::Contains("not representable") &&
                         Catch::Contains("Fix: "));
    return text;
  };
  CHECK_THAT(refused([](Kernel& k) { k.let("x", k.invocation_id() + -1); }),
             Catch::Contains("-1 is not representable as u32"));
  CHECK_THAT(refused([](Kernel& k) { k.let("x", k.let("f", 1.0f) + 16'777'217); }),
             Catch::Contains("16777217 is not representable as f32"));
  refused([](Kernel& k) { k.let<f32>("x", 1e300); });
  refused([](Kernel& k) { k.let<f32>("x", 0x1.ffffffp127); });
  refused([](Kernel& k) { k.let<i32>("x", 2'147'483'648); });
  refused([](Kernel& k) { k.let<i64>("x", uint64_t{1} << 63); });
  refused([](Kernel& k) { k.let<f64>("x", (int64_t{1} << 53) + 1); });
  refused([](Kernel& k) { k.let<f32>("x", UINT64_MAX); });
  refused([](Kernel& k) { k.let<f32>("x", INT64_MAX); });
  refused([](Kernel& k) { k.for_("i", -1, 4, [](auto) {}); });
  Kernel k("numbers", {1, 1, 1});
  k.let<f32>("x", 16'777'216);
  k.let<f32>("x", INT64_MIN);
  k.let<f32>("x", 0x1.fffffefp127);
  k.let<u64>("x", UINT64_MAX);
  k.let<i32>("x", -2'147'483'648LL);
  check_good(k);
}

TEST_CASE("faults of buffers are refused") {
  const auto refused = [](auto record, const std::string& part) {
    Kernel k("buffers", {1, 1, 1});
    record(k);
    CHECK_THAT(message(k.finish()), Catch::Contains("has 1 error\n") && Catch::Contains(part) &&
                                        Catch::Contains("Fix: "));
  };
  refused([](Kernel& k) { k.read<f32>("x"), k.output<u32>("x"); }, "`x` is declared already");
  refused([](Kernel& k) { k.read<f32>(""); }, "no name");
  refused([](Kernel& k) { k.read<f32>("x", -1); }, "the count of buffer `x`");
  refused([](Kernel& k) { k.read<f32>("x", uint64_t{1} << 32); }, "the count of buffer `x`");
  refused([](Kernel& k) { k.workgroup<f32>("x", {}); }, "has no count");
  refused([](Kernel& k) { k.output<u32>("y", 1)[-1] = 1; },
          "-1 is not an index, which is in 0..4294967295. Fix: count from 0");
  refused([](Kernel& k) { k.read_write<u32>("y", 1)[uint64_t{1} << 63] = 1; },
          "9223372036854775808 is not an index");
  refused([](Kernel& k) { k.output<u32>("y"); },
          "with_count(1024) or the second argument of Kernel::output");
  refused([](Kernel& k) { k.read<f32>("x", 1)[0] = 1; }, "`x`, declared at");
  refused([](Kernel& k) { k.uniform<u32>("x", 1).atomic_add(0, 1); }, "is read only");
  refused(
      [](Kernel& k) { k.read<f32>("x"), k.buffer<f32>(BufferDecl::read("y", 0, DataType::F32)); },
      "binding 0 of buffer `y` is taken");
  refused([](Kernel& k) { k.buffer<u32>(BufferDecl::read("y", 0, DataType::F32)); },
          "declared with elements f32 and used with u32");
}

TEST_CASE("other misuse is refused") {
  const auto refused = [](auto record, const std::string& part) {
    Kernel k("misuse", {1, 1, 1});
    record(k);
    CHECK_THAT(message(k.finish()), Catch::Contains("has 1 error\n") && Catch::Contains(part) &&
                                        Catch::Contains("Fix: "));
  };
  refused([](Kernel& k) { k.invocation_id(3); }, "no axis 3");
  refused([](Kernel& k) { k.let("", 1u); }, "a let has no name");
  refused(
      [](Kernel& k) {
        If first = k.if_(true, [] {});
        k.barrier();
        first.else_([&] { k.return_(); });
      },
      "else_ does not follow its if_ directly");
  refused(
      [](Kernel& k) {
        If first = k.if_(true, [] {});
        first.else_([] {});
        first.else_([] {});
      },
      "else_ does not follow");
  refused(
      [](Kernel& k) {
        auto c = k.read_write<u32>("c", 1);
        auto old = c.atomic_add(0, 1);
        k.let("ticket", std::move(old));
        c[0] = old;
      },
      "was given another name");
  refused(
      [](Kernel& k) {
        k.let("t", 1u);
        k.emit(Node::block({Node::let_bind("t", 2u)}));
      },
      "bind `t`");
}

TEST_CASE("statements that are taken in make values stale like recorded ones") {
  Kernel k("emit", {1, 1, 1});
  auto y = k.read_write<u32>("y", 4);
  auto v = k.var("v", 1u);
  Val<u32> before = v + y[0];
  auto adopted = k.value<u32>(Expr::var("v") + Expr::load("y", 1u));
  k.emit(Node::block({Node::assign("v", 2u)}));
  y[1] = before;
  y[1] = adopted;
  Val<u32> copied = y[3];
  k.emit(Node::async_wait("t"));
  y[1] = copied;
  Val<u32> again = y[0];
  k.emit(Node::store("y", 0u, Expr::atomic_add("y", 0u, 1u)));
  y[2] = again;
  CHECK_THAT(message(k.finish()), Catch::Contains("has 5 errors"));
}

TEST_CASE("errors are told once each, in order, and the rest is counted") {
  Kernel k("many", {1, 1, 1});
  auto y = k.output<u32>("y", 1);
  for (int i = 0; i < 3; ++i) k.invocation_id(3);
  for (uint32_t i = 4; i < 204; ++i) k.invocation_id(i);
  const std::string text = message(k.finish());
  CHECK_THAT(text, Catch::StartsWith("kernel `many` has 201 errors\n  " + at(__LINE__ - 3)) &&
                       Catch::Contains("axis 102") && !Catch::Contains("axis 103") &&
                       Catch::EndsWith("\n  and 101 more"));
}

TEST_CASE("a program that is recorded without an error is validated as a whole") {
  Kernel k("parted", {64, 1, 1});
  auto y = k.output<u32>("y", 64);
  const int line = __LINE__;
  k.if_(k.local_id() < 7, [&] { k.barrier(); });
  y[64] = k.workgroup_id();
  const std::string text = message(k.finish());
  CHECK_THAT(text, Catch::StartsWith("kernel `parted` has 2 errors\nerror[V010] " + at(line + 1)));
  CHECK_THAT(text, Catch::Contains("\nerror[V036] " + at(line + 2)));
}

TEST_CASE("a kernel is finished once, outside of its blocks") {
  Kernel k("finish", {1, 1, 1});
  k.block([&] { CHECK(message(k.finish()).find("inside the block") != std::string::npos); });
  CHECK(k.finish().ok());
  CHECK(message(k.finish()).find("finished already") != std::string::npos);

  Kernel thrown("finish", {1, 1, 1});
  try {
    thrown.block([] { throw std::runtime_error("of the user"); });
  } catch (const std::runtime_error&) {
  }
  CHECK(thrown.finish().status().code() == absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace vyre

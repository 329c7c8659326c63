// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The static rules on barriers and subgroup operations, held against what programs do: one that the
// validator accepts never ends with barrier-divergence or subgroup-divergence.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/support/random.h"
#include "tests/support/test_size.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/print.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

// A random program of little but variables, control flow, barriers and subgroup operations, in a
// workgroup of one or two subgroups. Some of its values and conditions differ between invocations.
class RandomControl {
 public:
  explicit RandomControl(uint64_t seed) : random_(seed) {}

  Program make() {
    const Dim3 size = random_.one_of<Dim3>({{4, 1, 1}, {40, 1, 1}, {2, 3, 1}, {1, 1, 1}});
    for (uint32_t i = 0; i < 3; ++i) {
      const std::string name = fmt::format("x{}", i);
      entry_.push_back(Node::let_bind(name, value(2)));
      variables_.push_back(name);
    }
    for (Node& node : statements(3, 6)) entry_.push_back(std::move(node));
    // Whatever the variables hold decides over a barrier.
    for (const std::string& name : variables_) {
      if (!random_.percent(50)) continue;
      entry_.push_back(Node::if_then(odd(Expr::var(name)), {Node::barrier()}));
    }
    return Program::wrapped({BufferDecl::read("in", 0, DataType::U32).with_count(4),
                             BufferDecl::read_write("state", 1, DataType::U32).with_count(4),
                             BufferDecl::workgroup("shared", 4, DataType::U32)},
                            size, entry_)
        .with_extent({2 * size.x, size.y, 1});
  }

 private:
  static Expr odd(Expr value) { return Expr::eq(std::move(value) & 1u, 1u); }

  // Mostly the same in all invocations.
  Expr value(uint32_t depth) {
    const uint32_t draw = random_.below(100);
    if (draw < 25) return Expr::u32(random_.below(4));
    if (draw < 50 && !variables_.empty()) return Expr::var(random_.pick(variables_));
    if (draw < 60) return Expr::workgroup_id(0);
    if (draw < 64) return Expr::local_id(random_.below(2) == 0 ? 0 : 1);
    if (draw < 66) return Expr::invocation_id(1);
    if (draw < 68) return Expr::subgroup_local_id();
    if (draw < 75 && depth > 0) return Expr::load("in", value(depth - 1) & 3u);
    if (draw < 78 && depth > 0) return Expr::load("state", value(depth - 1) & 3u);
    if (draw < 80 && depth > 0) return Expr::load("shared", value(depth - 1) & 3u);
    if (draw < 83 && depth > 0) return Expr::subgroup_add(value(depth - 1));
    if (draw < 86 && depth > 0) {
      Expr lane = value(depth - 1) & 3u;
      return Expr::subgroup_shuffle(value(depth - 1), std::move(lane));
    }
    if (depth == 0) return Expr::u32(1);
    Expr left = value(depth - 1);
    return std::move(left) + value(depth - 1);
  }

  std::vector<Node> statements(uint32_t depth, uint32_t most) {
    std::vector<Node> nodes;
    const uint32_t count = 1 + random_.below(most);
    for (uint32_t i = 0; i < count; ++i) nodes.push_back(statement(depth));
    return nodes;
  }

  Node statement(uint32_t depth) {
    const uint32_t draw = random_.below(100);
    if (draw < 30) return Node::assign(random_.pick(variables_), value(2));
    if (draw < 45) return Node::barrier();
    if (draw < 47) return Node::store("state", value(1) & 3u, value(2));
    if (draw < 49) return Node::store("shared", value(1) & 3u, value(2));
    if (draw < 50) return Node::barrier_with_ordering(MemoryOrdering::kAcqRel);
    if (depth == 0) return random_.percent(60) ? Node::return_() : Node::trap(0u, "stop");
    if (draw < 75) {
      Expr condition = odd(value(2));
      std::vector<Node> then = statements(depth - 1, 3);
      if (random_.percent(50)) return Node::if_then(std::move(condition), std::move(then));
      return Node::if_then_else(std::move(condition), std::move(then), statements(depth - 1, 3));
    }
    if (draw < 90) {
      Expr to = value(2) & 3u;
      const std::string name = fmt::format("i{}", ++loops_);
      return Node::loop_for(name, 0u, std::move(to), statements(depth - 1, 3));
    }
    return Node::block(statements(depth - 1, 3));
  }

  test::Random random_;
  std::vector<std::string> variables_;
  std::vector<Node> entry_;
  uint32_t loops_ = 0;
};

bool has_code(const ValidationReport& report, std::string_view code) {
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.code == code) return true;
  }
  return false;
}

TEST_CASE("D12 and E5 and E7: what the validator accepts does not part at a barrier") {
  const int count = test::sized_for_build("programs of control flow", 20'000);
  int accepted = 0;
  int diverged = 0;
  int refused_and_done = 0;
  int both_codes[2] = {0, 0};
  for (int seed = 1; seed <= count; ++seed) {
    const Program program = RandomControl(static_cast<uint64_t>(seed)).make();
    const ValidationReport report = validate(program, ValidateOptions::structure_only());
    const bool barrier = has_code(report, "V010");
    const bool subgroup = has_code(report, "V131");
    INFO("seed " << seed << "\n" << print(program).value_or(""));
    REQUIRE((report.ok() || barrier || subgroup));
    RunOptions options;
    options.max_steps = 20'000;
    const StatusOr<Outputs> outputs = evaluate(
        program,
        {{"in", std::vector<uint32_t>{1, 2, 3, 4}}, {"state", std::vector<uint32_t>{5, 6, 7, 8}}},
        options);
    const std::string error(outputs.status().message());
    const bool parts =
        error.starts_with("barrier-divergence") || error.starts_with("subgroup-divergence");
    if (report.ok()) {
      ++accepted;
      if (parts) FAIL_CHECK(error);
    }
    diverged += parts ? 1 : 0;
    both_codes[0] += barrier ? 1 : 0;
    both_codes[1] += subgroup ? 1 : 0;
    refused_and_done += !report.ok() && !parts ? 1 : 0;
  }
  std::printf("%d programs: %d accepted, %d parted, %d refused and did not part\n", count, accepted,
              diverged, refused_and_done);
  CHECK(accepted * 10 > count);
  CHECK(diverged * 10 > count);
  CHECK(both_codes[0] * 10 > count);
  CHECK(both_codes[1] * 10 > count);
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/analysis/barrier_phases.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>

#include "tests/support/random.h"
#include "tests/support/test_size.h"
#include "tests/validate/verdict.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

// Bodies of stores, barriers, returns, ifs and loops.
class RandomBodies {
 public:
  explicit RandomBodies(uint64_t seed) : random_(seed) {}

  Body make(uint32_t depth) {
    std::vector<Node> nodes;
    for (uint32_t i = random_.below(4); i-- > 0;) nodes.push_back(statement(depth));
    return nodes;
  }

 private:
  Node statement(uint32_t depth) {
    const uint32_t draw = depth == 0 ? random_.below(50) : random_.below(100);
    if (draw < 25) return Node::store("out", 0u, 1u);
    if (draw < 45) return Node::barrier();
    if (draw < 50) return Node::return_();
    if (draw < 60) return Node::block(make(depth - 1));
    if (draw < 70) return Node::if_then(Expr::workgroup_id(0), make(depth - 1));
    if (draw < 80) {
      Body then = make(depth - 1);
      return Node::if_then_else(Expr::workgroup_id(0), std::move(then), make(depth - 1));
    }
    const std::string name = fmt::format("i{}", loops_++);
    return Node::loop_for(name, 0u, 2u, make(depth - 1));
  }

  test::Random random_;
  uint32_t loops_ = 0;
};

// Takes one of the ways through a program, and notes what it meets behind each barrier.
class RandomWalk {
 public:
  RandomWalk(const Resolved& resolved, uint64_t seed) : resolved_(resolved), random_(seed) {}

  // What stands behind a barrier (kNoId: behind none) with no other between, and whether the way
  // ended at a return.
  using Met = std::multimap<StmtId, StmtId>;
  bool walk(StmtId begin, StmtId end, Met& met) {
    for (StmtId stmt = begin; stmt < end; stmt = resolved_.statements[stmt].end) {
      const ResolvedStmt& record = resolved_.statements[stmt];
      met.emplace(last_barrier_, stmt);
      const NodeKind kind = record.node->kind();
      if (kind == NodeKind::kReturn) return true;
      if (kind == NodeKind::kBarrier) last_barrier_ = stmt;
      const bool first = random_.percent(50);
      const bool is_if = kind == NodeKind::kIf;
      const StmtId body = is_if && !first ? record.else_begin : stmt + 1;
      const StmtId body_end = is_if && first ? record.else_begin : record.end;
      for (uint32_t n = kind == NodeKind::kLoop ? random_.below(3) : 1; n-- > 0;) {
        if (walk(body, body_end, met)) return true;
      }
    }
    return false;
  }

 private:
  const Resolved& resolved_;
  test::Random random_;
  StmtId last_barrier_ = kNoId;
};

TEST_CASE("what ways without a barrier lead to from one barrier is in one phase") {
  const int count = test::sized_for_build("programs of barriers", 20'000);
  size_t several = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const Program program = test::with_body(RandomBodies(static_cast<uint64_t>(seed)).make(3));
    const Resolved resolved = resolve(program);
    const BarrierPhases phases(resolved);
    std::map<StmtId, PhaseId> behind;
    for (uint64_t way = 0; way < 8; ++way) {
      RandomWalk::Met met;
      RandomWalk(resolved, static_cast<uint64_t>(seed) * 8 + way)
          .walk(0, static_cast<StmtId>(resolved.statements.size()), met);
      for (const auto& [barrier, stmt] : met) {
        const PhaseId phase = behind.try_emplace(barrier, phases.of(stmt)).first->second;
        if (phase == phases.of(stmt)) continue;
        FAIL("seed " << seed << ", statement " << stmt << "\n" << print(program).value_or(""));
      }
    }
    several += behind.size() > 1 && behind.begin()->second != behind.rbegin()->second ? 1 : 0;
  }
  std::printf("%d programs, %zu of them with several phases\n", count, several);
  CHECK(several * 10 > static_cast<size_t>(count));
}

TEST_CASE("an expression has the phase of its uses") {
  const Expr shared = Expr::load("in", 0u);
  const Expr once = Expr::load("in", 1u);
  const Resolved resolved = resolve(
      test::with_body({Node::store("out", 0u, shared), Node::barrier(),
                       Node::store("out", 0u, shared + once), Node::store("out", 1u, once)}));
  const BarrierPhases phases(resolved);
  // entry[0] is a region: its statements have the numbers from 1 on.
  const ExprId first = resolved.operands(resolved.statements[1])[1];
  CHECK(phases.of_expression(first) == kSeveralPhases);
  const ExprId last = resolved.operands(resolved.statements[4])[1];
  CHECK(phases.of_expression(last) == phases.of(4));
  CHECK(phases.of(1) == phases.of(2));
  CHECK(phases.of(2) != phases.of(3));
}

}  // namespace
}  // namespace vyre

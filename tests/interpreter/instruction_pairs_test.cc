// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Expressions in which one operation alone reads another's result, in every form of operands: what
// the interpreter may compute in one instruction, and what only looks like it.
#include "tests/interpreter/judged.h"
#include "tests/support/edge_values.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;
using namespace literals;

constexpr uint32_t kLanes = 40;
const Expr kI = Expr::gid_x();
const Kind kNumbers[] = {DataType::U32, DataType::I32, DataType::U64,
                         DataType::I64, DataType::F32, DataType::F64};

// Two elements of the input of that type: one for each lane, or the same for all.
Expr operand(Kind type, bool uniform, uint32_t which) {
  const std::string name = "in_" + DataType(type).spelling();
  if (uniform) return Expr::load(name, Expr::u32(which));
  return Expr::load(name, which == 0 ? kI : kI * 7u % kLanes);
}

// Stores the value of every lane; the inputs hold edge values.
void check(Kind result, const Expr& value) {
  std::vector<BufferDecl> buffers;
  std::vector<std::vector<uint32_t>> inputs;
  uint32_t binding = 0;
  for (const Kind type : kNumbers) {
    buffers.push_back(
        BufferDecl::read("in_" + DataType(type).spelling(), binding++, type).with_count(kLanes));
    const std::vector<uint64_t> edges = test::edge_values(type);
    std::vector<uint32_t>& words = inputs.emplace_back();
    for (uint32_t i = 0; i < kLanes; ++i) {
      const uint64_t bits = edges[i % edges.size()];
      words.push_back(static_cast<uint32_t>(bits));
      if (*DataType(type).bit_width() == 64) words.push_back(static_cast<uint32_t>(bits >> 32));
    }
  }
  buffers.push_back(BufferDecl::output("out", binding, result).with_count(kLanes));
  const Program program =
      Program::wrapped(std::move(buffers), {kLanes, 1, 1}, {Node::store("out", kI, value)})
          .with_extent({kLanes, 1, 1});
  INFO(DataType(result).spelling());
  test::judged(program, inputs);
}

using Comparison = Expr (*)(Expr, Expr);
const Comparison kComparisons[] = {
    [](Expr a, Expr b) { return Expr::eq(std::move(a), std::move(b)); },
    [](Expr a, Expr b) { return Expr::ne(std::move(a), std::move(b)); },
    [](Expr a, Expr b) { return Expr::lt(std::move(a), std::move(b)); },
    [](Expr a, Expr b) { return Expr::gt(std::move(a), std::move(b)); },
    [](Expr a, Expr b) { return Expr::le(std::move(a), std::move(b)); },
    [](Expr a, Expr b) { return Expr::ge(std::move(a), std::move(b)); }};

Expr compared(Kind type, size_t which, uint32_t uniform) {
  const Expr a = operand(type, (uniform & 1) != 0, 0);
  return kComparisons[which](a, operand(type, (uniform & 2) != 0, 1));
}

TEST_CASE("a choice by a comparison, in every form") {
  for (const Kind type : kNumbers) {
    for (size_t which = 0; which < std::size(kComparisons); ++which) {
      for (uint32_t uniform = 0; uniform < 16; ++uniform) {
        const Kind arms = kNumbers[(which + uniform) % std::size(kNumbers)];
        const Expr condition = compared(type, which, uniform);
        const Expr yes = operand(arms, (uniform & 4) != 0, 0);
        const Expr no = operand(arms, (uniform & 8) != 0, 1);
        INFO(DataType(type).spelling() << ", comparison " << which << ", uniform " << uniform);
        check(arms, Expr::select(condition, yes, no));
        // The result is needed twice, negated, or a value that is chosen.
        check(DataType::U32,
              Expr::select(condition, 5u, 7u) + Expr::cast(DataType::U32, condition));
        check(DataType::U32, Expr::select(Expr::not_(condition), 5u, kI));
        check(DataType::Bool, Expr::select(Expr::lt(kI, 9u), condition, Expr::gt(kI, 20u)));
        check(DataType::Bool, Expr::select(kI & 1u, condition, Expr::gt(kI, 20u)));
      }
    }
  }
}

TEST_CASE("a sum with a product in it, in every form and at either place") {
  for (const Kind type : kNumbers) {
    for (uint32_t uniform = 0; uniform < 8; ++uniform) {
      const Expr a = operand(type, (uniform & 1) != 0, 0);
      const Expr product = a * operand(type, (uniform & 2) != 0, 1);
      const Expr addend = operand(type, (uniform & 4) != 0, 1);
      INFO(DataType(type).spelling() << ", uniform " << uniform);
      check(type, product + addend);
      check(type, addend + product);
      check(type, product + a * a);
      check(type, product + product);
      check(type, product - addend);
      check(type, (product + addend) * product);
    }
  }
}

TEST_CASE("what looks across lanes takes the product or the comparison itself") {
  for (const Kind type : kNumbers) {
    for (uint32_t uniform = 0; uniform < 3; ++uniform) {
      const Expr a = operand(type, (uniform & 1) != 0, 0);
      const Expr product = a * operand(type, (uniform & 2) != 0, 1);
      INFO(DataType(type).spelling() << ", uniform " << uniform);
      check(type, Expr::subgroup_add(product));
      check(type, Expr::subgroup_mul(product));
      check(type, Expr::subgroup_max(product + a));
      check(type, Expr::subgroup_shuffle(product, kI * 3u + 1u));
      check(type, Expr::subgroup_add(product) + product);
      check(DataType::U32, Expr::subgroup_ballot(compared(type, 2, uniform)));
      check(DataType::U32, Expr::subgroup_add(Expr::select(compared(type, 3, uniform), 3u, kI)));
    }
  }
}

}  // namespace
}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/build_operation.h"

#include "vyre/ir/check.h"

namespace vyre::internal {
namespace {

using Build = Expr (*)(std::vector<Expr>& operands, Place place);

Expr take(std::vector<Expr>& operands, size_t i) { return std::move(operands[i]); }

struct Row {
  size_t operands = 0;
  Build build = nullptr;
};

// In the order of the enumeration.
constexpr Row kRows[] = {
#define VYRE_OP(...) Row{},
#define VYRE_BINARY_OP(enumerator, builder, ...)                                      \
  Row{2, [](std::vector<Expr>& operands, Place place) {                               \
        return Expr::builder(take(operands, 0), take(operands, 1), std::move(place)); \
      }},
#define VYRE_UNARY_OP(enumerator, builder, ...)                    \
  Row{1, [](std::vector<Expr>& operands, Place place) {            \
        return Expr::builder(take(operands, 0), std::move(place)); \
      }},
#include "vyre/ir/ops.def"
};

// Rows of ops.def without a macro of their own.
constexpr Row kSelect{3, [](std::vector<Expr>& operands, Place place) {
                        return Expr::select(take(operands, 0), take(operands, 1), take(operands, 2),
                                            std::move(place));
                      }};
constexpr Row kFma{3, [](std::vector<Expr>& operands, Place place) {
                     return Expr::fma(take(operands, 0), take(operands, 1), take(operands, 2),
                                      std::move(place));
                   }};
constexpr Row kBallot{1, [](std::vector<Expr>& operands, Place place) {
                        return Expr::subgroup_ballot(take(operands, 0), std::move(place));
                      }};
constexpr Row kShuffle{2, [](std::vector<Expr>& operands, Place place) {
                         return Expr::subgroup_shuffle(take(operands, 0), take(operands, 1),
                                                       std::move(place));
                       }};

const Row& row_of(Op op) {
  if (op == Op::kSelect) return kSelect;
  if (op == Op::kFma) return kFma;
  if (op == Op::kSubgroupBallot) return kBallot;
  if (op == Op::kSubgroupShuffle) return kShuffle;
  return kRows[static_cast<size_t>(op)];
}

}  // namespace

std::optional<size_t> plain_operand_count(Op op) {
  const Row& row = row_of(op);
  return row.build == nullptr ? std::nullopt : std::optional(row.operands);
}

Expr build_operation(Op op, std::vector<Expr> operands, Place place) {
  const Row& row = row_of(op);
  VYRE_CHECK(row.build != nullptr && operands.size() == row.operands,
             "an operation is built from its own number of operands");
  return row.build(operands, std::move(place));
}

}  // namespace vyre::internal

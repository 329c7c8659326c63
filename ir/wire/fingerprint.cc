// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <bit>
#include <limits>

#include "vyre/ir/walk.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/body_writer.h"
#include "vyre/ir/wire/buffer_codec.h"
#include "vyre/ir/wire/encode_program.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::wire {
namespace {

// The bytes of an expression, a few at a time: sorting operands needs no more than those up to
// their first difference.
class WireBytes {
 public:
  explicit WireBytes(const Expr& expr) : rest_{{std::span(&expr, 1)}} {}

  // The next bytes; none at the end.
  std::string_view next() {
    while (!rest_.empty()) {
      Rest& top = rest_.back();
      if (top.exprs.empty()) {
        rest_.pop_back();
        continue;
      }
      if (top.flag_at == top.exprs.size()) return flag(top);
      const Expr& expr = top.exprs.front();
      top.exprs = top.exprs.subspan(1);
      return head(expr);
    }
    return {};
  }

 private:
  static constexpr size_t kNoFlag = std::numeric_limits<size_t>::max();
  struct Rest {
    std::span<const Expr> exprs;
    // An atomic's flag stands where so many operands are left.
    size_t flag_at = kNoFlag;
    bool flag = false;
  };

  std::string_view flag(Rest& top) {
    top.flag_at = kNoFlag;
    return top.flag ? std::string_view("\1", 1) : std::string_view("\0", 1);
  }

  std::string_view head(const Expr& expr) {
    ByteWriter out(kMaxBytes);
    write_expr_head(out, expr);
    bytes_ = std::move(out).take();
    Rest rest{expr.operands()};
    if (is_atomic(expr.op())) {
      rest.flag_at = expr.operands().size() - 1;
      rest.flag = expr.has_expected();
    }
    rest_.push_back(rest);
    return bytes_;
  }

  std::vector<Rest> rest_;
  std::string bytes_;
};

// Whether a's bytes are less than b's.
bool bytes_less(const Expr& a, const Expr& b) {
  if (a == b) return false;
  WireBytes left(a);
  WireBytes right(b);
  std::string_view x;
  std::string_view y;
  while (true) {
    if (x.empty()) x = left.next();
    if (y.empty()) y = right.next();
    if (x.empty() || y.empty()) return x.empty() && !y.empty();
    const size_t size = std::min(x.size(), y.size());
    if (const int order = x.substr(0, size).compare(y.substr(0, size)); order != 0) {
      return order < 0;
    }
    x.remove_prefix(size);
    y.remove_prefix(size);
  }
}

// Literals as the original sees them: those of 64 bits are opaque to it.
bool is_plain_literal(const Expr& expr) {
  return is_literal(expr.op()) && expr.info().group == WireGroup::kExpr;
}

bool literals_move(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kMin || op == Op::kMax;
}

// Operations all of whose operands the original sorts.
bool operands_sort(Op op) {
  return op == Op::kWrappingAdd || op == Op::kSaturatingAdd || op == Op::kSaturatingMul ||
         op == Op::kBitAnd || op == Op::kBitOr || op == Op::kBitXor || op == Op::kEq ||
         op == Op::kNe || op == Op::kAnd || op == Op::kOr || op == Op::kAbsDiff;
}

bool should_swap(const Expr& expr) {
  const bool sorts = operands_sort(expr.op());
  if (!sorts && !literals_move(expr.op())) return false;
  const bool left_is_literal = is_plain_literal(expr.operand(0));
  const bool right_is_literal = is_plain_literal(expr.operand(1));
  if (left_is_literal != right_is_literal) return left_is_literal;
  if (!left_is_literal && !sorts) return false;
  return bytes_less(expr.operand(1), expr.operand(0));
}

Expr canonical_f32(const Expr& literal) {
  const auto value = std::bit_cast<float>(static_cast<uint32_t>(literal.bits()));
  const uint32_t exponent = static_cast<uint32_t>(literal.bits()) >> 23 & 0xFF;
  if (value != value) return Expr::literal(DataType::F32, 0x7FC00000, literal.place());
  if (exponent == 0) return Expr::literal(DataType::F32, 0, literal.place());
  return literal;
}

Expr canonical_expr(const Expr& expr) {
  if (expr.op() == Op::kLitF32) return canonical_f32(expr);
  if (!should_swap(expr)) return expr;
  return expr.with_operands({expr.operand(1), expr.operand(0)});
}

Body canonical_node(const Node& node) {
  if (node.kind() != NodeKind::kBlock) return node;
  const auto is_let = [](const Node& inner) { return inner.kind() == NodeKind::kLet; };
  if (std::ranges::any_of(node.body(), is_let)) return node;
  return std::vector<Node>(node.body().begin(), node.body().end());
}

std::vector<BufferDecl> sorted(const std::vector<BufferDecl>& buffers) {
  std::vector<std::pair<std::string, size_t>> keys;
  for (size_t i = 0; i < buffers.size(); ++i) keys.emplace_back(canonical_key(buffers[i]), i);
  std::ranges::sort(keys);
  std::vector<BufferDecl> result;
  for (const auto& [key, i] : keys) result.push_back(buffers[i]);
  return result;
}

}  // namespace

StatusOr<std::string> vir0_fingerprint(const Program& program) {
  const EncodeLimits limits{std::numeric_limits<uint32_t>::max(), kMaxBytes};
  // First as it is, so that what cannot be written, or is a huge tree of a small graph, is refused.
  ByteWriter file = encode_program(program, limits);
  if (file.ok()) {
    const Rewriter canonical{canonical_expr, canonical_node, false};
    const Program rewritten = rewrite(program, canonical);
    file = encode_program(rewritten.with_buffers(sorted(program.buffers())), limits);
  }
  if (!file.ok()) return absl::InvalidArgumentError(file.error().to_string());
  return to_hex(blake3(file.bytes()));
}

}  // namespace vyre::wire

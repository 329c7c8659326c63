// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <vector>

#include "vyre/ir/format.h"
#include "vyre/ir/infix.h"
#include "vyre/ir/print.h"
#include "vyre/ir/text_writer.h"

namespace vyre {
namespace internal {
namespace {

// Whether an operand of an infix operation stands in parentheses. OpFormat lists the infix formats
// from loose to tight.
bool needs_parentheses(OpFormat parent, OpFormat operand, bool is_right) {
  if (!is_infix(operand)) return false;
  if (operand < parent) return true;
  if (operand == parent) return is_right || parent == OpFormat::kInfixCompare;
  return reader_would_guess(parent, operand);
}

// Writes one expression with a stack of what is still to be written, last part on top.
class ExprPrinter {
 public:
  explicit ExprPrinter(TextWriter& writer) : writer_(writer) {}

  void print(const Expr& root) {
    push(root);
    while (!stack_.empty() && writer_.ok()) {
      const Piece piece = stack_.back();
      stack_.pop_back();
      if (piece.expr == nullptr) {
        writer_.text(piece.text);
      } else {
        open(*piece.expr);
      }
    }
  }

 private:
  struct Piece {
    const Expr* expr;       // or, where null:
    std::string_view text;  // lives as long as the op table
  };

  void push(const Expr& expr) { stack_.push_back({&expr, {}}); }
  void push(std::string_view text) { stack_.push_back({nullptr, text}); }
  void push_operand(const Expr& operand, bool parentheses) {
    if (parentheses) push(")");
    push(operand);
    if (parentheses) push("(");
  }
  // The operands from `first` on, and the parenthesis that ends them.
  void push_arguments(const Expr& expr, size_t first = 0) {
    push(")");
    for (size_t i = expr.operands().size(); i-- > first;) {
      push(expr.operand(i));
      if (i > first) push(", ");
    }
  }

  void infix(const Expr& expr) {
    const OpFormat format = expr.info().format;
    const Expr& left = expr.operand(0);
    const Expr& right = expr.operand(1);
    push_operand(right, needs_parentheses(format, right.info().format, true));
    push(" ");
    push(expr.info().mnemonic);
    push(" ");
    push_operand(left, needs_parentheses(format, left.info().format, false));
  }

  void prefix(const Expr& expr) {
    const std::string_view mnemonic = expr.info().mnemonic;
    writer_.text(mnemonic);
    if (mnemonic == "not") writer_.text(" ");
    push_operand(expr.operand(0), is_infix(expr.operand(0).info().format));
  }

  void minus(const Expr& expr) {
    // Before a literal, a minus sign would belong to the literal.
    if (is_literal(expr.operand(0).op())) {
      writer_.text(expr.info().mnemonic).text("(").literal(expr.operand(0)).text(")");
      return;
    }
    writer_.text("-");
    push_operand(expr.operand(0), is_infix(expr.operand(0).info().format));
  }

  void axis(const Expr& expr) {
    constexpr std::string_view kAxes[] = {".x", ".y", ".z"};
    writer_.text(expr.info().mnemonic);
    if (expr.bits() < std::size(kAxes)) {
      writer_.text(kAxes[expr.bits()]);
    } else {
      writer_.text("(").number(expr.bits()).text(")");
    }
  }

  void buffer(const Expr& expr) {
    const bool reference = expr.op() == Op::kBufferRef;
    writer_.text(expr.info().mnemonic).text(reference ? "" : "(").name(expr.name());
    if (!reference) writer_.text(")");
  }

  void atomic(const Expr& expr) {
    writer_.text(expr.info().mnemonic).text("<");
    if (expr.op() == Op::kAtomicOpaque) {
      writer_.text(fmt::format("{:#010x}, ", expr.bits()));
    }
    writer_.text(spelling(expr.ordering())).text(">(").name(expr.name()).text("[");
    push_arguments(expr, 1);
    push("], ");
    push(expr.operand(0));
  }

  void open(const Expr& expr) {
    const OpInfo& info = expr.info();
    switch (info.format) {
      case OpFormat::kLiteral:
        writer_.literal(expr);
        return;
      case OpFormat::kVariable:
        writer_.name(expr.name());
        return;
      case OpFormat::kBuffer:
        return buffer(expr);
      case OpFormat::kAxis:
        return axis(expr);
      case OpFormat::kNullary:
        writer_.text(info.mnemonic);
        return;
      case OpFormat::kLoad:
        writer_.name(expr.name()).text("[");
        push("]");
        push(expr.operand(0));
        return;
      case OpFormat::kInfixOr:
      case OpFormat::kInfixAnd:
      case OpFormat::kInfixCompare:
      case OpFormat::kInfixBitOr:
      case OpFormat::kInfixBitXor:
      case OpFormat::kInfixBitAnd:
      case OpFormat::kInfixShift:
      case OpFormat::kInfixAdd:
      case OpFormat::kInfixMul:
        return infix(expr);
      case OpFormat::kPrefix:
        return prefix(expr);
      case OpFormat::kPrefixMinus:
        return minus(expr);
      case OpFormat::kCall:
        writer_.text(info.mnemonic).text("(");
        return push_arguments(expr);
      case OpFormat::kCast:
        writer_.text(info.mnemonic).text("<").text(expr.type().spelling()).text(">(");
        return push_arguments(expr);
      case OpFormat::kAtomic:
        return atomic(expr);
      case OpFormat::kExtension:
        writer_.text(fmt::format("{}<{:#010x}>(", info.mnemonic, expr.bits()));
        return push_arguments(expr);
      case OpFormat::kCallOp:
        writer_.text(info.mnemonic).text(" ").string(expr.name()).text("(");
        return push_arguments(expr);
      case OpFormat::kOpaque:
        writer_.text(info.mnemonic).text(" ").string(expr.name()).text(" ").bytes(expr.payload());
        return;
    }
  }

  TextWriter& writer_;
  std::vector<Piece> stack_;
};

}  // namespace

TextWriter& TextWriter::expr(const Expr& root) {
  count_nodes(root.size());
  ExprPrinter(*this).print(root);
  return *this;
}

std::string format_text(const Expr& expr) {
  StatusOr<std::string> text = print_expr(expr);
  return text.ok() ? *std::move(text) : fmt::format("<{}>", message_of(text.status()));
}

}  // namespace internal

StatusOr<std::string> print_expr(const Expr& expr, const PrintOptions& options) {
  internal::TextWriter writer(options);
  writer.expr(expr);
  return std::move(writer).finish();
}

}  // namespace vyre

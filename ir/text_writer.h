// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// TextWriter: the words of the text form, and the limits of its size. For the printer only.
#pragma once

#include <string>
#include <string_view>

#include "vyre/ir/expr.h"
#include "vyre/ir/print.h"
#include "vyre/ir/status.h"

namespace vyre::internal {

// A literal of a value type by its bits: "8u", "-3.4028235e+38", "f32(0x7f812345)".
std::string literal_text(DataType::Kind type, uint64_t bits);

// Errors are sticky: the first one is kept, and ok() tells when to stop.
class TextWriter {
 public:
  explicit TextWriter(const PrintOptions& options) : options_(options) {}

  bool ok() const { return status_.ok(); }
  StatusOr<std::string> finish() &&;

  TextWriter& text(std::string_view text);
  TextWriter& number(uint64_t value);
  // A variable or buffer, in backquotes where it needs them.
  TextWriter& name(std::string_view name);
  // "a string"
  TextWriter& string(std::string_view text);
  // x"0a1b"
  TextWriter& bytes(std::string_view bytes);
  TextWriter& literal(const Expr& literal);
  TextWriter& expr(const Expr& root);
  // Two spaces a level, up to the 50th.
  TextWriter& indent(size_t level);

  // Counts nodes before they are written; a subtree's size is known at once.
  void count_nodes(uint64_t nodes);

 private:
  void quoted(std::string_view text, char quote);
  void fail(Status status);

  PrintOptions options_;
  uint64_t nodes_ = 0;
  uint64_t indentation_ = 0;  // bytes
  std::string out_;
  Status status_;
};

}  // namespace vyre::internal

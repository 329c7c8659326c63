// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// fmt formatters for expressions, statements, buffers and programs: the text form of ir/print.h.
//
//   fmt::format("{} is not a bool", expr);
//
// What print() refuses is formatted as its message in angle brackets.
#pragma once

#include <fmt/format.h>

#include <string>

#include "vyre/ir/program.h"

namespace vyre::internal {
std::string format_text(const Expr& expr);
std::string format_text(const Node& node);
std::string format_text(const BufferDecl& buffer);
std::string format_text(const Program& program);

template <typename T>
struct TextFormatter : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const T& value, Context& context) const {
    return fmt::formatter<std::string>::format(format_text(value), context);
  }
};
}  // namespace vyre::internal

template <>
struct fmt::formatter<vyre::Expr> : vyre::internal::TextFormatter<vyre::Expr> {};
template <>
struct fmt::formatter<vyre::Node> : vyre::internal::TextFormatter<vyre::Node> {};
template <>
struct fmt::formatter<vyre::BufferDecl> : vyre::internal::TextFormatter<vyre::BufferDecl> {};
template <>
struct fmt::formatter<vyre::Program> : vyre::internal::TextFormatter<vyre::Program> {};

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/listing.h"

#include <algorithm>
#include <utility>

#include "vyre/ir/paths.h"

namespace vyre {
namespace {

using Kind = ListingLine::Kind;

class Lister {
 public:
  Lister(std::vector<ListingLine>& lines, const PrintOptions& options)
      : lines_(lines), options_(options) {}

  Status list(std::span<const Node> entry) {
    stack_.push_back({.rest = entry, .otherwise = {}, .parent = kNoLine});
    while (!stack_.empty() && status_.ok()) {
      OpenBody& top = stack_.back();
      if (top.rest.empty()) {
        close_body();
        continue;
      }
      const Node& node = top.rest.front();
      top.rest = top.rest.subspan(1);
      statement(Kind::kStatement, node, top.parent, top.body, top.index++);
    }
    return status_;
  }

 private:
  struct OpenBody {
    std::span<const Node> rest;
    std::span<const Node> otherwise;  // what follows after else
    uint32_t parent = kNoLine;
    uint8_t body = 0;
    uint32_t index = 0;
  };

  // The statement without its bodies, printed.
  std::string head_of(const Node& node) {
    const std::span<const Expr> operands = node.operands();
    const PrintOptions left{options_.max_bytes - bytes_, options_.max_nodes - nodes_};
    StatusOr<std::string> text =
        node.bodies().empty()
            ? print_node(node, left)
            : print_node(node.with_parts({operands.begin(), operands.end()},
                                         std::vector<std::vector<Node>>(node.bodies().size())),
                         left);
    if (!text.ok()) {
      status_ = text.status();
      return {};
    }
    nodes_ += 1;
    for (const Expr& operand : operands) nodes_ += operand.size();
    return *std::move(text);
  }

  void statement(Kind kind, const Node& node, uint32_t parent, uint8_t body, uint32_t index) {
    std::string text = head_of(node);
    if (!status_.ok()) return;
    const bool opens = std::ranges::any_of(node.bodies(), [](const auto& b) { return !b.empty(); });
    if (opens) text.pop_back();  // of "if c {}", the closing brace
    if (kind == Kind::kElseIf) text = "} else " + text;
    add({.kind = kind,
         .opens = opens,
         .body = body,
         .index = index,
         .parent = parent,
         .node = &node,
         .text = std::move(text)});
    if (opens) open_bodies(node);
  }

  void open_bodies(const Node& node) {
    const bool has_otherwise = node.bodies().size() > 1;
    stack_.push_back({.rest = node.body(0),
                      .otherwise = has_otherwise ? node.body(1) : std::span<const Node>(),
                      .parent = static_cast<uint32_t>(lines_.size() - 1)});
  }

  void close_body() {
    const OpenBody closed = stack_.back();
    stack_.pop_back();
    if (closed.parent == kNoLine) return;
    if (closed.otherwise.empty()) {
      add({.kind = Kind::kClose, .parent = closed.parent, .text = "}"});
      return;
    }
    const bool then_is_empty = lines_.size() - 1 == closed.parent;
    const Node& first = closed.otherwise.front();
    if (closed.otherwise.size() == 1 && first.kind() == NodeKind::kIf) {
      const size_t line = lines_.size();
      statement(Kind::kElseIf, first, closed.parent, 1, 0);
      if (line < lines_.size()) lines_[line].continues = then_is_empty;
      return;
    }
    add({.kind = Kind::kElse,
         .opens = true,
         .continues = then_is_empty,
         .parent = closed.parent,
         .text = "} else {"});
    stack_.push_back(
        {.rest = closed.otherwise, .otherwise = {}, .parent = closed.parent, .body = 1});
  }

  void add(ListingLine line) {
    line.level = static_cast<uint32_t>(stack_.size() - 1);
    bytes_ += std::min<uint64_t>(line.text.size(), options_.max_bytes - bytes_);
    lines_.push_back(std::move(line));
  }

  std::vector<ListingLine>& lines_;
  PrintOptions options_;
  uint64_t bytes_ = 0;
  uint64_t nodes_ = 0;
  std::vector<OpenBody> stack_;
  Status status_;
};

}  // namespace

std::string Listing::path(uint32_t line) const {
  const bool has_node = lines[line].node != nullptr;
  std::vector<internal::PathStep> steps;
  for (uint32_t i = has_node ? line : lines[line].parent; i != kNoLine; i = lines[i].parent) {
    internal::PathStep step{std::nullopt, lines[i].body, lines[i].index};
    if (lines[i].parent != kNoLine) step.parent = lines[lines[i].parent].node->kind();
    steps.push_back(step);
  }
  std::ranges::reverse(steps);
  return internal::path_text(steps);
}

StatusOr<Listing> list_statements(const Program& program, const PrintOptions& options) {
  Listing listing{program, {}};
  Status status = Lister(listing.lines, options).list(listing.program.entry());
  if (!status.ok()) return status;
  return listing;
}

}  // namespace vyre

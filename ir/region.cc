// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/region.h"

#include <fmt/format.h>

#include <utility>

namespace vyre {

Node wrap_anonymous(std::string_view generator, Body body, Place place) {
  return Node::region(generator, std::nullopt, std::move(body), std::move(place));
}

Node wrap(std::string_view generator, Body body, std::optional<std::string> parent, Place place) {
  return Node::region(generator, std::move(parent), std::move(body), std::move(place));
}

Node wrap_child(std::string_view generator, std::string_view parent, Body body, Place place) {
  return Node::region(generator, std::string(parent), std::move(body), std::move(place));
}

std::vector<Node> reparent_program_children(const Program& program, std::string_view parent) {
  const std::string inlined = fmt::format("inline::{}", parent);
  std::vector<Node> children;
  children.reserve(program.entry().size());
  for (const Node& node : program.entry()) {
    if (node.kind() != NodeKind::kRegion) {
      children.push_back(wrap_child(inlined, parent, node, node.place()));
      continue;
    }
    const bool root = node.generator() == kRootRegion;
    children.push_back(wrap_child(root ? inlined : node.generator(), parent,
                                  std::vector<Node>(node.body().begin(), node.body().end()),
                                  node.place()));
  }
  return children;
}

Program tag_program(std::string_view parent, const Program& program) {
  const std::string generator =
      program.non_composable_with_self() ? mark_self_exclusive_region(parent) : std::string(parent);
  const Place place = program.entry().empty() ? Place() : program.entry().front().place();
  std::vector<Node> entry(program.entry().begin(), program.entry().end());
  return program.with_entry(wrap_anonymous(generator, std::move(entry), place));
}

std::string mark_self_exclusive_region(std::string_view generator) {
  std::string marked(generator);
  if (!is_self_exclusive_region(generator)) marked += kSelfExclusiveSuffix;
  return marked;
}

bool is_self_exclusive_region(std::string_view generator) {
  return generator.ends_with(kSelfExclusiveSuffix);
}

}  // namespace vyre

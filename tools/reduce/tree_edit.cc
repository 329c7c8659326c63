// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/reduce/tree_edit.h"

#include <utility>

namespace vyre::tools {
namespace {

std::vector<Node> spliced(std::span<const Node> nodes, size_t begin, size_t end,
                          std::vector<Node> statements) {
  std::vector<Node> result(nodes.begin(), nodes.begin() + static_cast<ptrdiff_t>(begin));
  for (Node& node : statements) result.push_back(std::move(node));
  result.insert(result.end(), nodes.begin() + static_cast<ptrdiff_t>(end), nodes.end());
  return result;
}

}  // namespace

std::span<const Node> body_at(const Program& program, const BodyPath& path) {
  std::span<const Node> body = program.entry();
  for (const BodyStep& step : path) body = body[step.statement].body(step.body);
  return body;
}

Program with_statements(const Program& program, const BodyPath& path, size_t begin, size_t end,
                        std::vector<Node> statements) {
  std::vector<std::span<const Node>> bodies{program.entry()};
  for (const BodyStep& step : path) {
    bodies.push_back(bodies.back()[step.statement].body(step.body));
  }
  std::vector<Node> body = spliced(bodies.back(), begin, end, std::move(statements));
  for (size_t i = path.size(); i-- > 0;) {
    const Node& parent = bodies[i][path[i].statement];
    std::vector<std::vector<Node>> parts(parent.bodies().begin(), parent.bodies().end());
    parts[path[i].body] = std::move(body);
    const Node changed =
        parent.with_parts({parent.operands().begin(), parent.operands().end()}, std::move(parts));
    body = spliced(bodies[i], path[i].statement, path[i].statement + 1, {changed});
  }
  return program.with_entry(std::move(body));
}

}  // namespace vyre::tools

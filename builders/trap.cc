// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/trap.h"

#include <span>
#include <utility>

#include "vyre/ir/region.h"

namespace vyre {

Program invalid_builder_trap_program(std::string_view op_id, std::string_view output,
                                     DataType element, std::string_view message) {
  return Program::wrapped({BufferDecl::output(output, 0, std::move(element)).with_count(1)},
                          {1, 1, 1}, wrap_anonymous(op_id, Node::trap(0U, message)))
      // However few invocations the refused dimensions ask for, one has to trap.
      .with_extent(Dim3{1, 1, 1});
}

std::optional<std::string> trap_program_message(const Program& program) {
  std::span<const Node> body = program.entry();
  while (body.size() == 1) {
    const Node& node = body.front();
    if (node.kind() == NodeKind::kTrap) return std::string(node.tag());
    if (node.kind() != NodeKind::kRegion && node.kind() != NodeKind::kBlock) break;
    body = node.body();
  }
  return std::nullopt;
}

bool is_trap_program(const Program& program) { return trap_program_message(program).has_value(); }

}  // namespace vyre

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/resolve_declarations.h"

#include <fmt/format.h>

#include <unordered_map>

#include "vyre/ir/names.h"
#include "vyre/ir/nearest_name.h"

namespace vyre::internal {
namespace {

void check_workgroup_size(Dim3 size, std::vector<Diagnostic>& errors) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (size[axis] != 0) continue;
    errors.push_back({"V106", Severity::kError, "", Place(),
                      fmt::format("the workgroup size is zero along axis {}", axis),
                      "Use a size of at least 1 along each axis."});
  }
}

}  // namespace

std::string sentence(std::string text) {
  if (text.empty() || text.back() == '.' || text.back() == '?') return text;
  if (text.front() >= 'a' && text.front() <= 'z') text.front() -= 'a' - 'A';
  return text + ".";
}

std::string SpellingHelp::suggestion(std::string_view name, std::span<const std::string> known,
                                     std::string otherwise) {
  const std::optional<std::string> nearest = nearest_name(name, known);
  return nearest ? fmt::format("Did you mean `{}`?", *nearest) : std::move(otherwise);
}

std::optional<TypeError> check_atomic_buffer(const BufferDecl& decl) {
  if (decl.access() == BufferAccess::kWorkgroup) {
    return TypeError{"V025", fmt::format("`{}` is not global memory", decl.name()),
                     "Use atomics on a read_write, output or transient buffer."};
  }
  if (decl.access() != BufferAccess::kReadWrite) {
    return TypeError{"V009",
                     fmt::format("buffer `{}` is declared {}, and an atomic reads and writes",
                                 decl.name(), spelling(decl.access())),
                     "Declare it read_write."};
  }
  if (decl.element().kind() != DataType::U32) {
    return TypeError{"V014",
                     fmt::format("buffer `{}` holds {}, and atomics work on u32", decl.name(),
                                 decl.element().spelling()),
                     "Declare the buffer with u32 elements."};
  }
  return std::nullopt;
}

std::string rebinding_fix(NodeKind kind, const Variable& first, const Variable& again) {
  if (kind == NodeKind::kLoop) return "Give this loop's variable another name.";
  if (first.is_loop || !again.type || first.type != again.type) return "Use another name.";
  return fmt::format("Use another name, or assign to `{}` instead of binding it again.",
                     first.name);
}

void check_declarations(const Program& program, std::vector<Diagnostic>& errors,
                        std::vector<Diagnostic>& carried) {
  check_workgroup_size(program.workgroup_size(), errors);
  std::unordered_map<std::string_view, size_t> names;
  std::unordered_map<uint32_t, const BufferDecl*> bindings;
  for (size_t i = 0; i < program.buffers().size(); ++i) {
    const BufferDecl& decl = program.buffers()[i];
    const auto report = [&](std::vector<Diagnostic>& list, const char* code, std::string cause,
                            std::string fix) {
      list.push_back({code, Severity::kError, fmt::format("buffers[{}]", i), decl.place(),
                      std::move(cause), std::move(fix)});
    };
    if (!is_valid_utf8(decl.name())) {
      report(errors, "V137", "a buffer's name is not UTF-8", "Use UTF-8 text for names.");
    }
    if (const auto [first, inserted] = names.try_emplace(decl.name(), i); !inserted) {
      report(errors, "V107",
             fmt::format("buffer `{}` is declared twice, first as buffers[{}]", decl.name(),
                         first->second),
             "Give each buffer a name of its own.");
    }
    if (decl.is_bound()) {
      const auto [first, inserted] = bindings.try_emplace(decl.binding(), &decl);
      if (!inserted) {
        report(errors, "V108",
               fmt::format("buffers `{}` and `{}` share binding {}", first->second->name(),
                           decl.name(), decl.binding()),
               "Give each bound buffer a binding of its own.");
      }
    } else if (!decl.count()) {
      report(errors, "V109",
             fmt::format("buffer `{}` is scratch memory without a count", decl.name()),
             "Declare how many elements it has, as in `f32[64]`, or in C++ with_count(64).");
    }
    if (decl.element().role() == DataType::Role::kCarried) {
      const std::string type = decl.element().spelling();  // as long as its types nest deep
      report(carried, "V135",
             fmt::format("buffer `{}` holds {:.60}{}, a type that is carried, not executed",
                         decl.name(), type, type.size() > 60 ? "..." : ""),
             "Use an element type with loads and stores, such as u32 or f32.");
    }
  }
}

}  // namespace vyre::internal

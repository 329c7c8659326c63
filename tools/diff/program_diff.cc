// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/diff/program_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "vyre/ir/paths.h"
#include "vyre/ir/resolve.h"

namespace vyre::tools {
namespace {

constexpr const char* kNothing = "nothing";
constexpr size_t kLongestValue = 160;

std::string shortened(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.size() <= kLongestValue) return text;
  size_t end = kLongestValue;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Declarations.

std::string text_of(Dim3 size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }
std::string text_of(const std::optional<Dim3>& size) { return size ? text_of(*size) : kNothing; }
std::string text_of(bool value) { return value ? "true" : "false"; }
// As text writes it, so that no name can play tricks on a terminal.
std::string name_text(std::string_view name) {
  const StatusOr<std::string> text = print_expr(Expr::var(name));
  return text.ok() ? *text : "(not UTF-8)";
}
std::string text_of(const std::optional<std::string>& text) {
  return text ? name_text(*text) : kNothing;
}
std::string text_of(const std::optional<uint32_t>& count) {
  return count ? fmt::format("{}", *count) : "as bound";
}
std::string text_of(uint32_t number) { return fmt::format("{}", number); }
std::string text_of(const std::optional<ByteRange>& range) {
  return range ? fmt::format("{}..{}", range->begin, range->end) : "all";
}
std::string text_of(const std::optional<ShapePredicate>& predicate) {
  return predicate ? predicate->to_string() : kNothing;
}
std::string text_of(const DataType& type) { return type.spelling(); }
std::string text_of(const MemoryHints& hints) {
  return fmt::format("axis={}, align={}, {}",
                     hints.coalesce_axis ? fmt::format("{}", *hints.coalesce_axis) : "none",
                     hints.preferred_alignment, spelling(hints.cache_locality));
}
std::string text_of(BufferAccess access) { return spelling(access); }
std::string text_of(MemoryKind kind) { return spelling(kind); }
std::string text_of(LinearType type) { return spelling(type); }

class Changes {
 public:
  template <typename T>
  void compare(std::string where, const T& left, const T& right) {
    if (!(left == right)) add(std::move(where), text_of(left), text_of(right));
  }
  void add(std::string where, std::string left, std::string right) {
    changes_.push_back({std::move(where), std::move(left), std::move(right)});
  }
  std::vector<Change> take() && { return std::move(changes_); }

 private:
  std::vector<Change> changes_;
};

void compare_buffers(const BufferDecl& left, const BufferDecl& right, Changes& changes) {
  if (left == right) return;
  const auto where = [&left](const char* field) {
    return fmt::format("buffer {}: {}", name_text(left.name()), field);
  };
  changes.compare(where("element"), left.element(), right.element());
  changes.compare(where("count"), left.count(), right.count());
  changes.compare(where("access"), left.access(), right.access());
  changes.compare(where("binding"), left.binding(), right.binding());
  changes.compare(where("kind"), left.kind(), right.kind());
  changes.compare(where("output"), left.is_output(), right.is_output());
  changes.compare(where("live out"), left.pipeline_live_out(), right.pipeline_live_out());
  changes.compare(where("returned bytes"), left.output_byte_range(), right.output_byte_range());
  changes.compare(where("hints"), left.hints(), right.hints());
  changes.compare(where("extraction"), left.bytes_extraction(), right.bytes_extraction());
  changes.compare(where("linear type"), left.linear_type(), right.linear_type());
  changes.compare(where("shape"), left.shape_predicate(), right.shape_predicate());
}

std::string declaration_text(const BufferDecl& buffer) {
  const StatusOr<std::string> text = print_buffer(buffer);
  return text.ok() ? *text : std::string(message_of(text.status()));
}

// By name, and among those of one name (which only an invalid program has) by number.
using BufferKey = std::pair<std::string_view, size_t>;
std::vector<BufferKey> keys_of(const std::vector<BufferDecl>& buffers) {
  std::map<std::string_view, size_t> seen;
  std::vector<BufferKey> keys;
  for (const BufferDecl& buffer : buffers) keys.emplace_back(buffer.name(), seen[buffer.name()]++);
  return keys;
}

std::string names_of(const std::vector<BufferDecl>& buffers) {
  std::string names;
  for (const BufferDecl& buffer : buffers) {
    if (!names.empty()) names += ", ";
    names += name_text(buffer.name());
  }
  return names;
}

void compare_declarations(const std::vector<BufferDecl>& left, const std::vector<BufferDecl>& right,
                          Changes& changes) {
  const std::vector<BufferKey> left_keys = keys_of(left);
  const std::vector<BufferKey> right_keys = keys_of(right);
  std::map<BufferKey, size_t> right_places;
  for (size_t i = 0; i < right.size(); ++i) right_places.emplace(right_keys[i], i);
  std::vector<size_t> order;
  for (size_t i = 0; i < left.size(); ++i) {
    const auto it = right_places.find(left_keys[i]);
    if (it == right_places.end()) {
      changes.add(fmt::format("buffer {}", name_text(left[i].name())), declaration_text(left[i]),
                  kNothing);
      continue;
    }
    compare_buffers(left[i], right[it->second], changes);
    order.push_back(it->second);
    right_places.erase(it);
  }
  std::vector<size_t> added;
  for (const auto& [key, place] : right_places) added.push_back(place);
  std::ranges::sort(added);
  for (const size_t i : added) {
    changes.add(fmt::format("buffer {}", name_text(right[i].name())), kNothing,
                declaration_text(right[i]));
  }
  if (!std::ranges::is_sorted(order)) {
    changes.add("order of buffers", shortened(names_of(left)), shortened(names_of(right)));
  }
}

// Statements.

// Longer ones would be cut anyway.
constexpr PrintOptions kValueOptions{.max_bytes = 8192, .max_nodes = 4096};

std::string text_of(const Expr& expr) {
  StatusOr<std::string> text = print_expr(expr, kValueOptions);
  return text.ok() ? shortened(*std::move(text)) : "…";
}

Node without_bodies(const Node& node) {
  const std::span<const Expr> operands = node.operands();
  return node.with_parts({operands.begin(), operands.end()},
                         std::vector<std::vector<Node>>(node.bodies().size()));
}

std::string text_of(const Node& node) {
  StatusOr<std::string> text = print_node(without_bodies(node), kValueOptions);
  if (!text.ok()) return std::string(node.info().keyword) + " …";
  if (!node.bodies().empty()) text->resize(text->size() - std::string_view(" {}").size());
  return shortened(*std::move(text));
}

std::vector<Expr> copied(std::span<const Expr> operands) {
  return {operands.begin(), operands.end()};
}

// Whether the operations are the same but for their operands.
bool same_operation(const Expr& left, const Expr& right) {
  return left.op() == right.op() && left.operands().size() == right.operands().size() &&
         left.with_operands(copied(right.operands())).digest() == right.digest();
}

size_t first_different(std::span<const Expr> left, std::span<const Expr> right) {
  size_t i = 0;
  while (i < left.size() && left[i].digest() == right[i].digest()) ++i;
  return i;
}

// Two operands that differ; `start` names them.
Change operand_change(std::string start, const Expr* left, const Expr* right) {
  std::vector<std::string> steps{std::move(start)};
  while (same_operation(*left, *right)) {
    const size_t i = first_different(left->operands(), right->operands());
    steps.push_back(operand_name(*left, i));
    const Expr* parent = left;
    left = &parent->operand(i);
    right = &right->operand(i);
  }
  return {internal::joined_steps(steps.size(), [&steps](size_t i) { return steps[i]; }),
          text_of(*left), text_of(*right)};
}

// Bodies that differ, and the way to them.
struct Place {
  std::span<const Node> left;
  std::span<const Node> right;
  std::vector<internal::PathStep> steps;  // the last one's index counts the statements
};

}  // namespace

std::string Change::to_string() const { return fmt::format("{}: {} -> {}", where, left, right); }

std::vector<Change> declaration_changes(const Program& left, const Program& right) {
  Changes changes;
  changes.compare("entry", left.entry_op_id(), right.entry_op_id());
  changes.compare("self_exclusive", left.non_composable_with_self(),
                  right.non_composable_with_self());
  changes.compare("workgroup", left.workgroup_size(), right.workgroup_size());
  changes.compare("extent", left.extent(), right.extent());
  compare_declarations(left.buffers(), right.buffers(), changes);
  return std::move(changes).take();
}

std::optional<Change> head_change(const Node& left, const Node& right) {
  const bool same_statement =
      left.kind() == right.kind() &&
      left.with_parts(copied(right.operands()), {right.bodies().begin(), right.bodies().end()})
              .digest() == right.digest();
  if (!same_statement) return Change{"", text_of(left), text_of(right)};
  const size_t i = first_different(left.operands(), right.operands());
  if (i == left.operands().size()) return std::nullopt;
  return operand_change(std::string(operand_name(left.kind(), i)), &left.operand(i),
                        &right.operand(i));
}

std::optional<Change> first_statement_change(const Program& left, const Program& right) {
  Place place{left.entry(), right.entry(), {{std::nullopt, 0, 0}}};
  while (true) {
    const size_t shorter = std::min(place.left.size(), place.right.size());
    size_t i = 0;
    while (i < shorter && place.left[i].digest() == place.right[i].digest()) ++i;
    place.steps.back().index = static_cast<uint32_t>(i);
    const auto path = [&place] { return internal::path_text(place.steps); };
    if (i == shorter) {
      if (place.left.size() == place.right.size()) return std::nullopt;
      return Change{path(), i < place.left.size() ? text_of(place.left[i]) : kNothing,
                    i < place.right.size() ? text_of(place.right[i]) : kNothing};
    }
    const Node& a = place.left[i];
    const Node& b = place.right[i];
    if (std::optional<Change> change = head_change(a, b)) {
      change->where = path() + change->where;
      return change;
    }
    const auto same = [](const Node& x, const Node& y) { return x.digest() == y.digest(); };
    uint8_t body = 0;
    while (std::ranges::equal(a.body(body), b.body(body), same)) ++body;
    place.steps.push_back({a.kind(), body, 0});
    place.left = a.body(body);
    place.right = b.body(body);
  }
}

}  // namespace vyre::tools

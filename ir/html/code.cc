// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/html/code.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "vyre/ir/html/escape.h"
#include "vyre/ir/html/highlight.h"

namespace vyre::internal {
namespace {

using Kind = ListingLine::Kind;

// As text writes it.
std::string name_text(std::string_view name) {
  return print_expr(Expr::var(name)).value_or(std::string(name));
}

// Diagnostics by the statement that their path leads to, as a tree of the steps.
class DiagnosticTree {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  explicit DiagnosticTree(std::span<const Diagnostic> diagnostics) {
    for (size_t i = 0; i < diagnostics.size(); ++i) add(diagnostics[i].path, i);
  }

  uint32_t child(uint32_t parent, uint8_t body, uint32_t index) const {
    if (parent == kNone) return kNone;
    const auto& children = nodes_[parent].children;
    const auto it = children.find({body, index});
    return it == children.end() ? kNone : it->second;
  }
  std::span<const size_t> diagnostics(uint32_t node) const {
    return node == kNone ? std::span<const size_t>() : nodes_[node].diagnostics;
  }

 private:
  struct TreeNode {
    std::map<std::pair<uint8_t, uint32_t>, uint32_t> children;
    std::vector<size_t> diagnostics;
  };

  // The number of a step "word[3]" at the start of `path`, which is taken away.
  static std::optional<uint32_t> take_step(std::string_view& path, std::string_view word) {
    if (!path.starts_with(word) || !path.substr(word.size()).starts_with('[')) return std::nullopt;
    const char* begin = path.data() + word.size() + 1;
    const char* end = path.data() + path.size();
    uint32_t index = 0;
    const auto [rest, error] = std::from_chars(begin, end, index);
    if (error != std::errc{} || rest == end || *rest != ']') return std::nullopt;
    path.remove_prefix(static_cast<size_t>(rest + 1 - path.data()));
    return index;
  }

  void add(std::string_view path, size_t diagnostic) {
    // The middle of a path that is too long is missing.
    if (path.find("...") != std::string_view::npos) return;
    std::optional<uint32_t> index = take_step(path, "entry");
    uint8_t body = 0;
    uint32_t at = kRoot;
    while (index) {
      const auto [it, added] =
          nodes_[at].children.try_emplace({body, *index}, static_cast<uint32_t>(nodes_.size()));
      at = it->second;
      if (added) nodes_.emplace_back();
      body = 0;
      index = take_step(path, ".body");
      if (!index) index = take_step(path, ".then");
      if (index) continue;
      body = 1;
      index = take_step(path, ".otherwise");
    }
    if (at != kRoot) nodes_[at].diagnostics.push_back(diagnostic);
  }

  std::vector<TreeNode> nodes_{1};
};

class CodeWriter {
 public:
  CodeWriter(const Listing& listing, const Resolved& resolved, uint64_t first_line,
             const HtmlOptions& options)
      : listing_(listing),
        resolved_(resolved),
        diagnostics_(options.diagnostics),
        tree_(options.diagnostics),
        line_number_(first_line),
        options_(options) {
    code_.placed.resize(options.diagnostics.size());
  }

  StatusOr<HtmlCode> write() && {
    for (uint32_t i = 0; i < listing_.lines.size(); ++i) {
      write_line(i);
      if (code_.html.size() > options_.max_bytes) {
        return absl::ResourceExhaustedError(
            fmt::format("the page has more than {} bytes. Fix: raise HtmlOptions::max_bytes.",
                        options_.max_bytes));
      }
    }
    return std::move(code_);
  }

 private:
  void write_line(uint32_t i) {
    const ListingLine& line = listing_.lines[i];
    if (line.kind != Kind::kStatement) close();
    if (i > 0 && !line.continues) ++line_number_;
    const bool folds = line.opens && open_.size() < options_.max_folds;
    const char* element = folds ? "summary" : "div";
    if (folds) code_.html += "<details open>";
    code_.html += fmt::format("<{} class=\"l{}\" data-n=\"{}\">{:{}}", element,
                              line.node == nullptr ? "" : " statement", line_number_, "",
                              2 * std::min(line.level + 1, kMaxIndent));
    code_.html += highlighted(line.text, line.node == nullptr ? NameHints() : hints());
    code_.html += fmt::format("</{}>\n", element);
    if (line.opens) open_.push_back(folds);
    if (line.node != nullptr) write_diagnostics(i);
  }

  void close() {
    if (open_.back()) code_.html += "</details>\n";
    open_.pop_back();
  }

  void write_diagnostics(uint32_t i) {
    if (diagnostics_.empty()) return;
    const ListingLine& line = listing_.lines[i];
    const uint32_t parent =
        line.parent == kNoLine ? DiagnosticTree::kRoot : tree_nodes_[line.parent];
    tree_nodes_.resize(i + 1, DiagnosticTree::kNone);
    tree_nodes_[i] = tree_.child(parent, line.body, line.index);
    for (const size_t which : tree_.diagnostics(tree_nodes_[i])) {
      code_.placed[which] = true;
      code_.html += fmt::format("<div class=\"d {}\" id=\"d{}\" style=\"--i:{}\">{}</div>\n",
                                severity_class(diagnostics_[which]), which,
                                2 * std::min(line.level + 1, kMaxIndent),
                                html_diagnostic(diagnostics_[which]));
    }
  }

  static const char* severity_class(const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError ? "error" : "warning";
  }

  // Of the names in the next statement. Statements are resolved in the order of their lines.
  NameHints hints() {
    NameHints hints;
    if (next_ == resolved_.statements.size()) return hints;
    const ResolvedStmt& stmt = resolved_.statements[next_++];
    if (stmt.variable != kNoId) {
      add_variable(stmt.variable, stmt.node->kind() != NodeKind::kAssign, hints);
    }
    if (stmt.buffer != kNoId) add_buffer(stmt.buffer, hints);
    if (stmt.destination != kNoId) add_buffer(stmt.destination, hints);
    absl::flat_hash_set<ExprId> seen;
    const std::span<const ExprId> operands = resolved_.operands(stmt);
    std::vector<ExprId> pending(operands.begin(), operands.end());
    while (!pending.empty()) {
      const ExprId id = pending.back();
      pending.pop_back();
      if (!seen.insert(id).second) continue;
      const ResolvedExpr& expr = resolved_.expressions[id];
      if (expr.reference != kNoId) {
        if (expr.expr->op() == Op::kVar) {
          add_variable(expr.reference, false, hints);
        } else {
          add_buffer(expr.reference, hints);
        }
      }
      const std::span<const ExprId> parts = resolved_.operands(expr);
      pending.insert(pending.end(), parts.begin(), parts.end());
    }
    return hints;
  }

  void add_variable(VariableId id, bool declares, NameHints& hints) const {
    const Variable& variable = resolved_.variables[id];
    const std::string name = name_text(variable.name);
    const auto [it, added] = hints.try_emplace({name, false});
    if (!added) return;
    const std::string type =
        variable.type ? fmt::format(": {}", DataType(*variable.type).spelling()) : std::string();
    it->second.title = name + (type.empty() ? ": unknown type" : type);
    if (variable.is_loop) it->second.title += ", counts a loop";
    if (declares) it->second.type = type;
  }

  void add_buffer(uint32_t index, NameHints& hints) const {
    const BufferDecl& buffer = listing_.program.buffers()[index];
    const auto [it, added] = hints.try_emplace({name_text(buffer.name()), true});
    if (added) it->second.title = print_buffer(buffer).value_or("");
  }

  static constexpr uint32_t kMaxIndent = 50;

  const Listing& listing_;
  const Resolved& resolved_;
  std::span<const Diagnostic> diagnostics_;
  DiagnosticTree tree_;
  uint64_t line_number_;
  const HtmlOptions& options_;
  HtmlCode code_;
  std::vector<bool> open_;            // for each open body whether it folds
  std::vector<uint32_t> tree_nodes_;  // by line
  StmtId next_ = 0;
};

}  // namespace

std::string html_diagnostic(const Diagnostic& diagnostic) {
  std::string html = fmt::format("<b>{} {}</b> <bdi>{}</bdi>",
                                 diagnostic.severity == Severity::kError ? "error" : "warning",
                                 html_text(diagnostic.code), html_text(diagnostic.cause));
  if (!diagnostic.fix.empty()) {
    html += fmt::format(" <span class=\"fix\"><b>Fix:</b> <bdi>{}</bdi></span>",
                        html_text(diagnostic.fix));
  }
  if (!diagnostic.path.empty()) {
    html += fmt::format(" <code>{}</code>", html_text(diagnostic.path));
  }
  if (diagnostic.place.known()) {
    html +=
        fmt::format(" <span class=\"place\">{}</span>", html_text(diagnostic.place.to_string()));
  }
  return html;
}

StatusOr<HtmlCode> html_code(const Listing& listing, const Resolved& resolved, uint64_t first_line,
                             const HtmlOptions& options) {
  return CodeWriter(listing, resolved, first_line, options).write();
}

}  // namespace vyre::internal

// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "vyre/ir/html/code.h"
#include "vyre/ir/html/escape.h"
#include "vyre/ir/html/style.h"
#include "vyre/ir/listing.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/stats.h"

namespace vyre {
namespace {

using internal::html_text;

std::string size_text(Dim3 size) { return fmt::format("{} × {} × {}", size.x, size.y, size.z); }

std::string facts(const Program& program) {
  std::string html = fmt::format("workgroup {}", size_text(program.workgroup_size()));
  if (program.extent()) html += fmt::format(" · extent {}", size_text(*program.extent()));
  if (program.entry_op_id()) html += fmt::format(" · entry {}", html_text(*program.entry_op_id()));
  if (program.non_composable_with_self()) html += " · self-exclusive";
  return html + fmt::format(" · hash <span class=\"hash\">{}</span>", program.hash().to_hex());
}

// Of a buffer's line in text, what does not stand in a column.
std::string other_attributes(const BufferDecl& buffer) {
  std::vector<std::string> words;
  if (buffer.kind() != default_kind(buffer.access())) words.emplace_back(spelling(buffer.kind()));
  if (buffer.is_output()) words.emplace_back("output");
  if (buffer.pipeline_live_out()) words.emplace_back("live out");
  if (const auto& range = buffer.output_byte_range()) {
    words.push_back(fmt::format("returns bytes {}..{}", range->begin, range->end));
  }
  const MemoryHints& hints = buffer.hints();
  if (hints.coalesce_axis) words.push_back(fmt::format("axis {}", *hints.coalesce_axis));
  if (hints.preferred_alignment != 0) {
    words.push_back(fmt::format("aligned to {}", hints.preferred_alignment));
  }
  if (hints.cache_locality != CacheLocality::kTemporal) {
    words.emplace_back(spelling(hints.cache_locality));
  }
  if (buffer.bytes_extraction()) words.emplace_back("extraction");
  if (buffer.linear_type() != LinearType::kUnrestricted) {
    words.emplace_back(spelling(buffer.linear_type()));
  }
  if (const auto& predicate = buffer.shape_predicate()) words.push_back(predicate->to_string());
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string buffer_row(const BufferDecl& buffer) {
  const std::optional<uint64_t> bytes = buffer.static_byte_length();
  return fmt::format(
      "<tr><th scope=\"row\"><code class=\"b\">{}</code></th><td><code>{}</code></td>"
      "<td class=\"r\">{}</td><td class=\"r\">{}</td><td>{}</td><td class=\"r\">{}</td><td>{}</td>"
      "</tr>\n",
      html_text(buffer.name()), html_text(buffer.element().spelling()),
      buffer.count() ? fmt::format("{}", *buffer.count()) : "as bound",
      bytes ? fmt::format("{}", *bytes) : "", spelling(buffer.access()),
      buffer.is_bound() ? fmt::format("{}", buffer.binding()) : "",
      html_text(other_attributes(buffer)));
}

std::string buffers_table(const Program& program) {
  if (program.buffers().empty()) return "<p class=\"facts\">The program has none.</p>\n";
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">name</th>"
      "<th scope=\"col\">element</th><th scope=\"col\" class=\"r\">count</th>"
      "<th scope=\"col\" class=\"r\">bytes</th><th scope=\"col\">access</th>"
      "<th scope=\"col\" class=\"r\">binding</th><th "
      "scope=\"col\">other</th></tr></thead>\n<tbody>\n";
  for (const BufferDecl& buffer : program.buffers()) html += buffer_row(buffer);
  return html + "</tbody></table></div>\n";
}

// All of them, with links to those that stand in the program.
std::string diagnostics_list(std::span<const Diagnostic> diagnostics,
                             const std::vector<bool>& placed) {
  std::string html =
      fmt::format("<section><h2>Diagnostics ({})</h2>\n<ol class=\"all\">\n", diagnostics.size());
  for (size_t i = 0; i < diagnostics.size(); ++i) {
    html += fmt::format("<li class=\"d {}\">{}{}</li>\n",
                        diagnostics[i].severity == Severity::kError ? "error" : "warning",
                        internal::html_diagnostic(diagnostics[i]),
                        placed[i] ? fmt::format(" <a href=\"#d{}\">show</a>", i) : std::string());
  }
  return html + "</ol></section>\n";
}

// The number of the line on which the statements start.
uint64_t first_line_of(const Program& program) {
  constexpr uint64_t kHead = 2;
  const size_t buffers = program.buffers().size();
  // Behind declarations stands an empty line.
  return kHead + buffers + (buffers > 0 ? 1 : 0) + 1;
}

constexpr const char* kPage =
    R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title><style>{style}</style></head>
<body><header><h1>{title}</h1><p class="facts">{facts}</p></header>
<main>
{diagnostics}<div class="two"><section><h2>Buffers</h2>
{buffers}</section><section><h2>Statistics</h2>
<div class="scroll"><pre>{stats}</pre></div></section></div>
<section><div class="bar"><h2>Program</h2><span><button type="button" data-all="close" hidden>Fold all</button>
<button type="button" data-all="open" hidden>Unfold all</button></span></div>
<div class="code">
{code}</div></section>
</main><script>{script}</script></body></html>
)html";

}  // namespace

StatusOr<std::string> to_html(const Program& program, const HtmlOptions& options) {
  const StatusOr<Listing> listing = list_statements(program, options.print);
  if (!listing.ok()) return listing.status();
  const StatusOr<internal::HtmlCode> code =
      internal::html_code(*listing, resolve(program), first_line_of(program), options);
  if (!code.ok()) return code.status();
  return fmt::format(
      kPage, fmt::arg("title", html_text(options.title)), fmt::arg("style", internal::kHtmlStyle),
      fmt::arg("script", internal::kHtmlScript), fmt::arg("facts", facts(program)),
      fmt::arg("buffers", buffers_table(program)),
      fmt::arg("stats", html_text(stats_text(program_stats(program)))),
      fmt::arg("diagnostics", options.diagnostics.empty()
                                  ? ""
                                  : diagnostics_list(options.diagnostics, code->placed)),
      fmt::arg("code", code->html));
}

}  // namespace vyre

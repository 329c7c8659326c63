// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <set>

#include "tests/support/every_construct.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

Expr v(const char* name) { return Expr::var(name); }

Program with_entry(Body entry) { return Program::from_raw_parts({}, {1, 1, 1}, std::move(entry)); }

size_t count(std::string_view text, std::string_view part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++n;
  return n;
}

struct Tag {
  std::string name;
  std::string attributes;
  bool closes = false;
};

// A tag at the start of `html`, which is taken away; none if it is not written as it should be.
std::optional<Tag> take_tag(std::string_view& html) {
  Tag tag;
  size_t at = 1;
  tag.closes = html.substr(at).starts_with('/');
  if (tag.closes) ++at;
  while (at < html.size() &&
         (std::isalnum(static_cast<unsigned char>(html[at])) != 0 || html[at] == '!')) {
    tag.name += html[at++];
  }
  bool quoted = false;
  const size_t start = at;
  for (; at < html.size() && (quoted || html[at] != '>'); ++at) {
    if (html[at] == '"') quoted = !quoted;
    if (html[at] == '<') return std::nullopt;
  }
  if (at == html.size() || tag.name.empty()) return std::nullopt;
  tag.attributes = html.substr(start, at - start);
  html.remove_prefix(at + 1);
  return tag;
}

// What is wrong with how elements nest and texts are escaped; empty if nothing is.
std::string malformed(std::string_view html) {
  const std::set<std::string> kVoid{"!doctype", "meta"};
  std::vector<std::string> open;
  while (!html.empty()) {
    if (html[0] == '>') return "a bare > before " + std::string(html.substr(0, 40));
    if (html[0] == '&') {
      const size_t end = html.substr(0, 8).find(';');
      if (end == std::string_view::npos)
        return "a bare & before " + std::string(html.substr(0, 40));
    }
    if (html[0] != '<') {
      html.remove_prefix(1);
      continue;
    }
    const std::string_view here = html.substr(0, 60);
    const std::optional<Tag> tag = take_tag(html);
    if (!tag) return "no tag: " + std::string(here);
    if (kVoid.contains(tag->name)) continue;
    if (!tag->closes) {
      open.push_back(tag->name);
      // Their contents are no markup, and end at the first end tag.
      const bool raw = tag->name == "style" || tag->name == "script";
      if (raw) html.remove_prefix(html.find("</" + tag->name));
      continue;
    }
    if (open.empty() || open.back() != tag->name) return "not open: " + std::string(here);
    open.pop_back();
  }
  return open.empty() ? "" : "left open: " + open.back();
}

std::string unescaped(std::string_view html) {
  std::string text;
  while (!html.empty()) {
    bool found = false;
    for (const auto& [entity, c] :
         {std::pair{"&amp;", '&'}, std::pair{"&lt;", '<'}, std::pair{"&gt;", '>'},
          std::pair{"&quot;", '"'}, std::pair{"&#39;", '\''}}) {
      if (!html.starts_with(entity)) continue;
      text += c;
      html.remove_prefix(std::string_view(entity).size());
      found = true;
      break;
    }
    if (found) continue;
    text += html[0];
    html.remove_prefix(1);
  }
  return text;
}

std::string without_tags(std::string_view html) {
  std::string text;
  while (!html.empty()) {
    if (html[0] != '<') {
      text += html[0];
      html.remove_prefix(1);
      continue;
    }
    const std::optional<Tag> tag = take_tag(html);
    if (!tag) return "no tag: " + std::string(html.substr(0, 60));
  }
  return unescaped(text);
}

std::string_view code_of(std::string_view page) {
  const std::string_view begin = "<div class=\"code\">\n";
  const size_t start = page.find(begin) + begin.size();
  return page.substr(start, page.find("</div></section>\n</main>") - start);
}

// The text that a page shows, with its line numbers.
std::vector<std::pair<std::string, std::string>> lines_of(std::string_view page) {
  std::vector<std::pair<std::string, std::string>> lines;
  const std::string_view code = code_of(page);
  for (size_t at = 0; (at = code.find(" data-n=\"", at)) != std::string_view::npos;) {
    at += std::string_view(" data-n=\"").size();
    const size_t quote = code.find('"', at);
    const size_t end = code.find('\n', at);
    lines.emplace_back(code.substr(at, quote - at),
                       without_tags(code.substr(quote + 2, end - quote - 2)));
    at = end;
  }
  return lines;
}

std::string page_of(const Program& program, const HtmlOptions& options = {}) {
  return to_html(program, options).value();
}

std::vector<Program> programs() {
  std::vector<Program> all{test::every_construct(), Program::empty(), with_entry({}),
                           catalog::build("flash_attention_2", {}).value()};
  const int count = test::sized_for_build("random programs", 60);
  for (int seed = 1; seed <= count; ++seed) {
    all.push_back(test::random_program(static_cast<uint64_t>(seed)));
  }
  return all;
}

TEST_CASE("the checker of pages finds what is not well-formed") {
  CHECK(malformed("<a><b>x &amp; y</b></a>").empty());
  CHECK_FALSE(malformed("<a><b></a></b>").empty());
  CHECK_FALSE(malformed("<a>").empty());
  CHECK_FALSE(malformed("</a>").empty());
  CHECK_FALSE(malformed("<a>x & y</a>").empty());
  CHECK_FALSE(malformed("<a>x < y</a>").empty());
  CHECK_FALSE(malformed("<a>x > y</a>").empty());
  CHECK_FALSE(malformed("<a title=\"<b>\"></a>").empty());
}

TEST_CASE("pages are well-formed and have every statement once") {
  for (const Program& program : programs()) {
    const Resolved resolved = resolve(program);
    const std::string page = to_html(program, {.diagnostics = resolved.diagnostics}).value();
    CHECK(malformed(page) == "");
    CHECK(count(page, "class=\"l statement\"") == resolved.statements.size());
    // The page loads nothing.
    CHECK(page.find("http:") == std::string::npos);
    CHECK(page.find("https:") == std::string::npos);
    CHECK(page.find("src=") == std::string::npos);
  }
}

TEST_CASE("pages show the text of the statements, with the text's line numbers") {
  for (const Program& program : programs()) {
    const std::string text = print(program).value();
    std::vector<std::string> lines{""};
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      lines.push_back(text.substr(at, text.find('\n', at) - at));
    }
    for (const auto& [number, line] : lines_of(page_of(program))) {
      const std::string& expected = lines.at(std::stoul(number));
      // An else after an empty body stands on a line of its own.
      if (expected.find("{} else") != std::string::npos) continue;
      if (line != expected) FAIL(number << ": " << line << " instead of " << expected);
    }
    const size_t before = 2 + program.buffers().size() + (program.buffers().empty() ? 0 : 1);
    const size_t after = 1;
    if (!program.entry().empty() && text.find("{} else") == std::string::npos) {
      CHECK(lines_of(page_of(program)).size() == lines.size() - 1 - before - after);
    }
  }
}

TEST_CASE("names and strings are text, whatever is in them") {
  const std::string evil = "</script><script>alert('\"&')</script>";
  const Program program =
      Program::wrapped({BufferDecl::output(evil, 0, DataType::F32)}, {1, 1, 1},
                       {Node::let_bind(evil, 1u), Node::store(evil, v(evil.c_str()), 1.0F),
                        Node::region(evil, evil, {Node::trap(0u, evil)})})
          .with_entry_op_id(evil);
  const Diagnostic diagnostic{
      .code = evil,
      .severity = Severity::kWarning,
      .path = "entry[0].body[0]" + evil,
      .place = Place::in_text(std::make_shared<const std::string>(evil), 1, 1),
      .cause = evil + "\x01\xFF",
      .fix = evil};
  const std::string page = to_html(program, {.title = evil, .diagnostics = {diagnostic}}).value();
  CHECK(malformed(page) == "");
  CHECK(count(page, "<script>") == 1);
  CHECK(count(page, "alert(") > 10);
  CHECK(count(page, "alert('") == 0);
  CHECK(page.find('\x01') == std::string::npos);
  CHECK(page.find('\xFF') == std::string::npos);
}

TEST_CASE("bodies fold, down to a depth that browsers survive") {
  Node nest = Node::return_();
  for (int i = 0; i < 12; ++i) {
    nest = i % 2 == 0 ? Node::block({nest}) : Node::if_then_else(v("c"), {nest}, {nest});
  }
  Node deep = Node::let_bind("x", 1u);
  for (int i = 0; i < 100'000; ++i) deep = Node::block({deep});
  const std::string page = page_of(with_entry({deep}));
  CHECK(malformed(page) == "");
  CHECK(count(page, "<details open>") == 64);
  CHECK(count(page, "class=\"l statement\"") == 100'001);
  CHECK(count(page_of(with_entry({deep}), {.max_folds = 0}), "<details") == 0);
  // A chain of else ifs is no nest.
  Node chain = Node::if_then(v("c"), {Node::return_()});
  for (int i = 0; i < 1000; ++i) {
    chain = Node::if_then_else(v("c"), {Node::return_()}, {chain});
  }
  const std::string flat = page_of(with_entry({chain}), {.max_folds = 1});
  CHECK(malformed(flat) == "");
  CHECK(count(flat, "<details open>") == 1001);
  // Some bodies of one statement fold, those in them do not.
  for (const uint32_t folds : {1U, 5U, 64U}) {
    const std::string branched = page_of(with_entry({nest}), {.max_folds = folds});
    CHECK(malformed(branched) == "");
    CHECK(count(branched, "class=\"l statement\"") == nest.node_count());
  }
}

TEST_CASE("types are shown where names are bound, and where one points") {
  const Program program = Program::wrapped(
      {BufferDecl::read("x", 0, DataType::BF16).with_count(8),
       BufferDecl::local("row", 4, DataType::F32)},
      {1, 1, 1},
      {Node::let_bind("x", 1.5F),
       Node::loop_for("let", 0u, 4u, {Node::assign("x", v("x") + Expr::load("x", v("let")))}),
       Node::let_bind("n", Expr::buf_len("x") + Expr::cast(DataType::U32, v("x"))),
       Node::async_load_ext("x", "row", 0u, 1u, "x"), Node::let_bind("bad", v("missing"))});
  const std::string page = page_of(program);
  CHECK(page.find(
            "<i class=\"k\">let</i> <i class=\"v\" title=\"x: f32\" data-t=\": f32\">x</i> = ") !=
        std::string::npos);
  CHECK(page.find("<i class=\"v\" title=\"`let`: u32, counts a loop\" data-t=\": u32\">`let`</i> "
                  "<i class=\"k\">in</i>") != std::string::npos);
  CHECK(page.find("<i class=\"v\" title=\"x: f32\">x</i> = <i class=\"v\" title=\"x: f32\">x</i> + "
                  "<i class=\"b\" title=\"buffer x: bf16[8] read binding(0)\">x</i>[<i class=\"v\" "
                  "title=\"`let`: u32, counts a loop\">`let`</i>]") != std::string::npos);
  // Buffers without brackets behind them.
  CHECK(page.find("<i class=\"f\">len</i>(<i class=\"b\" title=\"buffer x: bf16[8] read "
                  "binding(0)\">x</i>) + ") != std::string::npos);
  CHECK(page.find("&gt;(<i class=\"v\" title=\"x: f32\">x</i>)") != std::string::npos);
  CHECK(page.find("<i class=\"b\" title=\"local row: f32[4]\">row</i> &lt;- ") !=
        std::string::npos);
  CHECK(page.find("title=\"bad: unknown type\">bad</i> = missing") != std::string::npos);
}

TEST_CASE("diagnostics stand behind the line that they are about, with a link from the top") {
  const Node r = Node::return_();
  const Program program = with_entry(
      {r, Node::if_then_else(v("c"), {r}, {Node::if_then_else(v("d"), {}, {r, Node::barrier()})})});
  const auto at = [](const char* path) {
    return Diagnostic{
        .code = "V001", .path = path, .place = {}, .cause = "wrong", .fix = "Mend it."};
  };
  const std::vector<Diagnostic> diagnostics{at("entry[1].otherwise[0].otherwise[1].value.left"),
                                            at("entry[0]"),
                                            at("entry[1].otherwise[0].cond"),
                                            at(""),
                                            at("buffers[3]"),
                                            at("entry[7]"),
                                            at("entry[1].then[0"),
                                            at("entry[1].then[99999999999]"),
                                            at("entry[1].body[0]...body[0]")};
  const std::string page = to_html(program, {.diagnostics = diagnostics}).value();
  CHECK(malformed(page) == "");
  CHECK(page.find("<h2>Diagnostics (9)</h2>") != std::string::npos);
  CHECK(count(page, "<li class=\"d error\">") == 9);
  // The line before each one in the code.
  const auto line_before = [&page](size_t which) -> std::string {
    const std::string id = fmt::format("id=\"d{}\"", which);
    const size_t found = page.find(id);
    if (found == std::string::npos) return "none";
    const size_t end = page.rfind('\n', found);
    const size_t begin = page.rfind('\n', end - 1) + 1;
    const bool linked = page.find(fmt::format("href=\"#d{}\"", which)) != std::string::npos;
    return (linked ? "" : "not linked: ") + without_tags(page.substr(begin, end - begin));
  };
  CHECK(line_before(0) == "    barrier seq_cst");
  CHECK(line_before(1) == "  return");
  CHECK(line_before(2) == "  } else if d {");
  CHECK(line_before(3) == "none");
  CHECK(line_before(4) == "none");
  CHECK(line_before(5) == "none");
  // What leads to a statement up to a point stands there.
  CHECK(line_before(6) == "  if c {");
  CHECK(line_before(7) == "error V001 wrong Fix: Mend it. entry[1].then[0");
  CHECK(line_before(8) == "none");
  CHECK(count(page, "href=\"#d") == 5);
}

TEST_CASE("buffers are listed with all that is said of them") {
  const Program program = test::every_construct();
  const std::string page = page_of(program);
  CHECK(count(page, "<th scope=\"row\">") == program.buffers().size());
  for (const char* part :
       {"returns bytes 0..18446744073709551615", "aligned to 16", "streaming", "axis 0",
        "extraction", "affine", "not ((count &gt;= 8 or count &lt;= 2) and count == 4)",
        "persistent", "output, live out", "as bound"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
}

TEST_CASE("what cannot be printed has no page") {
  CHECK(absl::IsInvalidArgument(to_html(with_entry({Node::trap(0u, "\xFF")})).status()));
  Expr doubled = v("x");
  for (int i = 0; i < 100; ++i) doubled = doubled + doubled;
  CHECK(absl::IsResourceExhausted(to_html(with_entry({Node::let_bind("y", doubled)})).status()));
  const Status refused =
      to_html(catalog::build("flash_attention_2", {}).value(), {.max_bytes = 100}).status();
  CHECK(absl::IsResourceExhausted(refused));
  CHECK(message_of(refused).ends_with("Fix: raise HtmlOptions::max_bytes."));
}

}  // namespace
}  // namespace vyre

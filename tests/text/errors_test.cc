// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What is said of wrong texts: all mistakes, each once, where they stand.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/text/round_trip.h"

namespace vyre {
namespace {

// "P010 3:11", one a diagnostic.
std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> places;
  for (const Diagnostic& d : parse(text).diagnostics) {
    places.push_back(fmt::format("{} {}:{}", d.code, d.place.line(), d.place.column()));
  }
  return places;
}
using Places = std::vector<std::string>;

std::string program_text(std::string_view body) {
  return fmt::format("vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\n}}\n", body);
}

// Of a statement on line 3.
std::string first_fix(std::string_view body) {
  const ParseResult result = parse(program_text(body));
  return result.diagnostics.empty() ? "" : result.diagnostics[0].fix;
}
std::string first_code(std::string_view body) {
  const ParseResult result = parse(program_text(body));
  return result.diagnostics.empty() ? "" : result.diagnostics[0].code;
}

TEST_CASE("all mistakes of a text are reported, in order") {
  CHECK(places_of(R"(vyre 1
program workgroup(64, 1, 1) {
  buffer x: f31[8] read binding(0)
  output y: f32[8] binding(1)

  region "errors" {
    lt row = invocation_id.x
    let a = 8
    let b = row & 1u + 2u
    y[row] = slect(row < 3u, 1.0, 2.0)
    trap "no end at 0u
  }
}
)") == Places{"P023 3:13", "P015 7:5", "P010 8:13", "P021 9:17", "P019 10:14", "P006 11:10"});
}

TEST_CASE("a mistake in the head of a body is one mistake") {
  for (const char* head : {"if a + {", "if {", "for i in 0u {", "for in 0u..1u {", "region {",
                           "region \"a\" form \"b\" {", "block x {", "forever x {", "if (a {"}) {
    INFO(head);
    CHECK(places_of(program_text(fmt::format("{}\n  return\n  let a = 8\n}}", head))).size() == 2);
  }
}

TEST_CASE("a mistake after else is one mistake") {
  CHECK(places_of(program_text("if a {\n} else x {\n  return\n}\nlet b = 8")) ==
        Places{"P014 4:8", "P010 7:9"});
  CHECK(places_of(program_text("if a {\n} else if {\n  return\n} else {\n}\nlet b = 8")) ==
        Places{"P014 4:11", "P010 8:9"});
}

TEST_CASE("a mistake in a bracket over several lines is one mistake") {
  CHECK(places_of(program_text("let a = min(b +,\n  c,\n  d)\nlet e = 8")) ==
        Places{"P014 3:16", "P010 6:9"});
  CHECK(places_of(program_text("let a = (b\nlet e = 8")) == Places{"P017 3:9", "P010 4:9"});
  CHECK(places_of(program_text("x[b = 1u\nlet e = 8")) == Places{"P014 3:5", "P010 4:9"});
}

TEST_CASE("braces that open a line by themselves are one mistake") {
  CHECK(places_of(program_text("{\n  let a = 8\n}\nlet b = 8")) ==
        Places{"P014 3:1", "P010 4:11", "P010 6:9"});
  CHECK(places_of(program_text("return {\n}\n) a\nlet b = 8")) ==
        Places{"P014 3:8", "P014 5:1", "P010 6:9"});
}

TEST_CASE("braces that do not match are one mistake") {
  CHECK(places_of(program_text("if a {\n  return\n")) == Places{"P017 2:28"});
  CHECK(places_of(program_text("if a {\n  if b {\n  return\n")).size() == 1);
  CHECK(places_of(program_text("return\n}\nlet a = 1u")) == Places{"P031 5:1"});
}

TEST_CASE("a declaration that cannot be read does not hide the others") {
  CHECK(places_of("vyre 1\nprogram workgroup(1, 1, 1) {\n"
                  "  bufer x: f32[1] read binding(0)\n"
                  "  buffer y: f32[1] red binding(1)\n"
                  "  buffer z: f32[1 read binding(2)\n"
                  "  workgroup w: f32[1] read\n"
                  "  output o: f32[1]\n"
                  "  buffer p: f32[1] read binding(0) hints(axis=0, axis=1)\n"
                  "  buffer q: f32[1] read binding(0) where(count)\n"
                  "  local r: f32[1]\n"
                  "}\n") == Places{"P015 3:3", "P026 4:20", "P014 5:19", "P029 6:23", "P029 7:3",
                                   "P025 8:50", "P014 9:47"});
}

TEST_CASE("mistakes in the header") {
  CHECK(places_of("") == Places{"P001 1:1"});
  CHECK(places_of("; nothing\n") == Places{"P001 2:1"});
  CHECK(places_of("kernel foo") == Places{"P001 1:1"});
  CHECK(places_of("vyre 2\nprogram ?") == Places{"P002 1:6"});
  CHECK(places_of("vyre 1.0\n") == Places{"P002 1:6"});
  CHECK(places_of("vyre 1\n") == Places{"P014 1:6"});
  CHECK(places_of("vyre 1\nprogram {}") == Places{"P014 2:9"});
  CHECK(places_of("vyre 1\nprogram workgroup(1, 1) {}") == Places{"P014 2:23"});
  CHECK(places_of("vyre 1\nprogram workgroup(1, 1, 4294967296) {}") == Places{"P012 2:25"});
  CHECK(places_of("vyre 1\nprogram workgroup(1, 1, 1) extnt(1, 1, 1) {\nlet a = 8\n}") ==
        Places{"P014 2:28"});
}

// The first error's place, code, cause and fix, as in "3:1 P014 a belongs behind b: write a."
std::string first_error(std::string_view body) {
  const ParseResult result = parse(program_text(body));
  if (result.diagnostics.empty()) return "";
  const Diagnostic& d = result.diagnostics[0];
  return fmt::format("{}:{} {} {}: {}", d.place.line(), d.place.column(), d.code, d.cause, d.fix);
}

TEST_CASE("what is missing at the end of a line is reported there") {
  CHECK(
      first_error("barrier\nreturn") ==
      "3:1 P014 a memory ordering belongs behind `barrier`: write seq_cst, or another ordering of "
      "docs/text.md.");
  CHECK(first_error("let a = 1u +\nreturn") ==
        "3:12 P014 an expression belongs behind `+`: write a literal, a variable, an element of a "
        "buffer or an operation.");
  CHECK(first_error("if c\nreturn") ==
        "3:4 P014 `{` belongs behind `c`: write `{` before the body of `if`.");
  CHECK(first_error("trap \"t\"\nreturn").starts_with("3:6 P014 `at` belongs behind `\"t\"`"));
  // On its own line it is the token that is wrong.
  CHECK(first_error("barrier weak").starts_with("3:9 P026 `weak` is not a memory ordering: "));
  CHECK(
      first_error("barrier {\n}").starts_with("3:9 P014 a memory ordering belongs here, not `{`"));
  CHECK(first_error("return\n) a").starts_with("4:1 P014 a statement belongs here, not `)`"));
  CHECK(first_error("let a = 1u +\n// b").starts_with("4:1 P030 `//`"));
}

TEST_CASE("the head of forever is not called that of for") {
  CHECK(first_error("forever x {\n}") ==
        "3:9 P014 `{` belongs here, not `x`: write `{` before the body of `forever`.");
  CHECK(first_error("for i in 0u..1u x {\n}").ends_with("write `{` before the body of `for`."));
}

TEST_CASE("a missing binding is one that no other declaration has") {
  const ParseResult result = parse(
      "vyre 1\nprogram workgroup(1, 1, 1) {\n"
      "  buffer a: f32[1] read binding(1)\n"
      "  buffer b: f32[1] read\n"
      "  output c: f32[1]\n"
      "  local d: f32[1]\n"
      "  buffer e: f32[1] read binding(0)\n"
      "  buffer f: f32[1] write\n"
      "  buffer g: f32[1] read binding(3)\n"
      "  bufer h: f32[1] read binding(6)\n"
      "  buffer i: f32[1] read binding(4)\n"
      "}\n");
  REQUIRE(result.diagnostics.size() == 4);
  CHECK(result.diagnostics[0].place.line() == 4);
  CHECK(result.diagnostics[0].fix == "write binding(2).");
  CHECK(result.diagnostics[1].place.line() == 5);
  CHECK(result.diagnostics[1].fix == "write binding(5).");
  CHECK(result.diagnostics[2].place.line() == 8);
  CHECK(result.diagnostics[2].fix == "write binding(6).");
  CHECK(result.diagnostics[3].code == "P015");
}

TEST_CASE("names that are nearly right are suggested") {
  CHECK(first_fix("brrier seq_cst") == "write `barrier`.");
  CHECK(first_fix("barrier acq_rell") == "write `acq_rel`.");
  CHECK(first_fix("let a = atomc_add(1u)") == "write `atomic_add`.");
  CHECK(first_fix("let a = cast<f31>(x)") == "write `f32`.");
  CHECK(first_fix("all_reduce summ q group 0") == "write `sum`.");
  CHECK(first_fix("local x: bol[4]") == "write `bool`.");
  CHECK(first_fix("local x: f32[4] bindin(0)") == "write `binding`.");
  CHECK(first_fix("let a = invocation_id.w").starts_with("write `x`, `y` or `z`"));
}

TEST_CASE("operators of other languages name ours") {
  CHECK(first_fix("x += 1u") == "write `x = x + ...`.");
  CHECK(first_fix("let a = !b") == "write `not`.");
  CHECK(first_fix("let a = b || c") == "write `or`; both sides are evaluated.");
  CHECK(first_fix("let a = b ? c : d") == "write select(condition, if_true, if_false).");
  CHECK(first_fix("// a comment") == "write `;` before a comment.");
  for (const char* body : {"x++", "x -= 1u", "x *= 1u", "x /= 1u", "x %= 1u", "x &= 1u", "x |= 1u",
                           "x ^= 1u", "/* a */", "let a = b && c"}) {
    INFO(body);
    CHECK(first_code(body) == "P030");
  }
}

TEST_CASE("words of other languages name ours") {
  const auto starts = [](const char* body, const char* code, const char* fix) {
    INFO(body << " gives " << first_error(body));
    CHECK(first_code(body) == code);
    CHECK(first_fix(body).starts_with(fix));
  };
  for (const char* body : {"var y = 1u", "int y = 1", "float y = 1.0", "mut y = 1u"}) {
    starts(body, "P015", "bind a name with `let x = 1u`");
  }
  for (const char* body : {"while x {\n}", "while (x) {\n}", "loop {\n}", "do {\n}"}) {
    starts(body, "P015", "write `for i in 0u..n { if condition { ... } }`");
  }
  starts("break", "P015", "let a bool say that the loop is done");
  starts("continue", "P015", "put what it would skip under an `if`.");
  starts("if a {\n} elif b {\n}", "P016", "write `else if`");
  starts("if a {\n}\nelif b {\n}", "P015", "write `else if`");
  starts("else {\n}", "P015", "write it behind the `}` of an `if`.");
  starts("for (i = 0u; i < 4u; i++) {\n}", "P014", "write `for i in 0u..n {`");
  starts("for i in 0u..8u step 2u {\n}", "P014", "count in steps of one");
  starts("for i in range(4u) {\n}", "P019", "write `0u..n`");
  starts("if x = 1u {\n}", "P014", "write `==` to compare.");
  starts("__syncthreads()", "P015", "write `barrier seq_cst`.");
  starts("let a: u32 = 1u", "P014", "write `=` after the variable of `let`, which takes the type");
  starts("let a = x as f32", "P016", "write cast<f32>(x).");
  starts("let a = u32(1.0)", "P019", "write cast<u32>(...)");
  starts("let a = f16(1.0)", "P019", "write cast<f16>(...)");
  starts("let a = float(x)", "P019", "write cast<f32>(...)");
  starts("let a = rsqrt(x)", "P019", "write inverse_sqrt(x).");
  starts("let a = threadIdx.x", "P019", "write local_id.x.");
  starts("local x: uint[1]", "P023", "write `u32`.");
  starts("let a = cast<double>(x)", "P023", "write `f64`.");
  starts("# a comment", "P005", "write `;` before a comment.");
  // They are names all the same.
  const char* names = "let while = 1u\nwhile = 2u\nlet float = var[loop + elif]\nbreak = float";
  CHECK(parse(program_text(names)).ok());
  CHECK(first_fix("var += 1u") == "write `x = x + ...`.");
}

TEST_CASE("what is to be written for words of other languages is read") {
  for (const char* body :
       {"let x = 1u\nx = 2u", "for i in 0u..n { if condition { return } }", "forever { return }",
        "if not done { return }", "if x == 0u { return } else if x == 1u {} else { return }",
        "barrier seq_cst", "region \"name\" {}", "if not condition { trap \"why\" at 0u }",
        "let y = min(max(x, low), high)", "let y = exp2(y * log2(x))", "let y = inverse_sqrt(x)",
        "let y = len(buffer_1)", "let y = invocation_id.x + workgroup_id.x + local_id.x",
        "let y = select(condition, if_true, if_false)", "let y = cast<f32>(x)"}) {
    INFO(body);
    CHECK(parse(program_text(body)).ok());
  }
}

TEST_CASE("code behind a comment's semicolon gets a warning, and prose does not") {
  const auto warned = [](const char* line) {
    const std::string text = program_text(line);
    const ParseResult result = parse(text);
    const auto is_warning = [](const Diagnostic& d) { return d.severity == Severity::kWarning; };
    return std::ranges::any_of(result.diagnostics, is_warning);
  };
  for (const char* line :
       {"let a = 1u; out[0u] = a", "let a = 1u ; let b = a", "let a = 1u; a = 2u",
        "a = 1u; b = 2u; c = 3u;", "let a = 1u; if a < 2u {", "let a = 1u; for i in 0u..4u {",
        "let a = 1u; return", "if a { b = 1u; }", "if a { b = 1u; c = 2u }", "a = 1u ; } }",
        "let a = 1u; barrier seq_cst", "local x: f32[1]; local y: f32[1]", "let a = 1u; `b c` = a",
        "let a = 1u; if a { return } else { return }"}) {
    INFO(line);
    CHECK(warned(line));
  }
  for (const char* line : {"let a = 1u",
                           "let a = 1u;",
                           "let a = 1u ; the first",
                           "let a = b + c ; a = b",
                           "let a = 1u ; run: vyre-eval",
                           "let a = 1u ; expect: a = 1",
                           "let a = b ; the sum = a + b",
                           "return ; return",
                           "let a = 1u ; x",
                           "let a = 1u ; if a is zero {",
                           "a = 1u ; for all i",
                           "; let a = 1u",
                           "let a = 1u\n; out[0u] = a",
                           "let a = 1u ; x[i]",
                           "let a = 1u; 2u",
                           "let a = 1u ; (a = 2u)",
                           "let a = 1u ; barrier",
                           "trap \"; x = 1u\" at 0u",
                           "async_load \"t\" d <- s[o; x]",
                           "let a = 1u ; {",
                           "let a = 1u ; let x be 3"}) {
    INFO(line);
    CHECK_FALSE(warned(line));
  }
  // At the `;`; the program is there all the same.
  const ParseResult result = parse(program_text("let a = 1u; let b = a"));
  REQUIRE(result.ok());
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].place.column() == 11);
  // No more of them than errors, however many there are, and errors are not crowded out.
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "a = 1u; b = 2u\n";
  CHECK(parse(program_text(lines)).diagnostics.size() == 100);
  CHECK_FALSE(parse(program_text(lines + "a")).ok());
}

TEST_CASE("operators that readers would guess about need parentheses, as the printer writes them") {
  for (const char* expr : {"a & b == c", "a << b + 1u", "a + b << 1u", "a | b < c", "a * b ^ c",
                           "a + b & c", "a >> b >= c", "a == b & c"}) {
    INFO(expr);
    CHECK(message_of(parse_expr(expr).status()).starts_with("error[P021]"));
  }
  for (const char* expr : {"a < b < c", "a == b != c", "a + 1u < b >= c"}) {
    INFO(expr);
    CHECK(message_of(parse_expr(expr).status()).starts_with("error[P022]"));
  }
  for (const char* expr : {"a & b and c | d or e", "a << 2u | b", "a ^ b & c", "a + b * c < d",
                           "(a & b) == c", "not a & b", "-a * b", "a <-3i"}) {
    INFO(expr);
    CHECK(parse_expr(expr).ok());
  }
}

TEST_CASE("operators bind and group as the page says") {
  const auto same = [](const char* a, const char* b) { return *parse_expr(a) == *parse_expr(b); };
  CHECK(same("a - b - c", "(a - b) - c"));
  CHECK(same("a - b * c", "a - (b * c)"));
  CHECK(same("a << b >> c", "(a << b) >> c"));
  CHECK(same("a | b ^ c & d << e", "a | (b ^ (c & (d << e)))"));
  CHECK(same("a or b and c", "a or (b and c)"));
  CHECK(same("a < b and c == d", "(a < b) and (c == d)"));
  CHECK(same("not a < b", "(not a) < b"));
  CHECK(same("-a * b", "(-a) * b"));
  CHECK(same("- 3i", "-3i"));
  CHECK(same("-3i", "-3i"));
  CHECK_FALSE(same("-3i", "neg(3i)"));
  CHECK(same("-(3i)", "neg(3i)"));
  CHECK(same("--3i", "neg(-3i)"));
  CHECK(same("a <-3i", "a < (-3i)"));
}

TEST_CASE("line ends, byte order marks and comments") {
  const std::string text = "vyre 1\nprogram workgroup(1, 1, 1) {\n  local x: f32[1]\n  return\n}\n";
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(*parse(crlf).program == *parse(text).program);
  CHECK(*parse("\xEF\xBB\xBF" + text).program == *parse(text).program);
  CHECK(places_of("\xEF\xBB\xBFvyre 2") == Places{"P002 1:6"});
  CHECK(places_of("vyre 1\r\nprogram ?\r\n") == Places{"P030 2:9"});
  CHECK(parse("vyre 1 ; \xE2\x80\xAE any \x01 comment\n; more\nprogram workgroup(1,1,1){return}")
            .ok());
  CHECK(places_of("vyre 1\rprogram") == Places{"P005 1:7"});
  CHECK(places_of("\xEF\xBB\xBF\xEF\xBB\xBFvyre 1") == Places{"P005 1:1"});
}

TEST_CASE("statements and expressions may continue on the next line, but not start a call there") {
  const auto entry = [](std::string_view body) { return parse(program_text(body)); };
  CHECK(*entry("let a = b\n  + c").program == *entry("let a = b + c").program);
  CHECK(*entry("let a =\nmin(\nb\n,\nc\n)").program == *entry("let a = min(b, c)").program);
  CHECK(*entry("if a\n{\n}\nelse\n{\nreturn }").program ==
        *entry("if a {} else { return }").program);
  CHECK(entry("a = b\n(c)").diagnostics.size() == 1);
  CHECK(entry("a = b\n[c] = d").diagnostics.size() == 1);
  CHECK(entry("a = min\n(b, c)").diagnostics.size() == 1);
  CHECK(*entry("a = b\nc = d").program == *entry("a = b\n\n  c = d ; x").program);
}

TEST_CASE("what is read knows where it stands") {
  const ParseResult result = parse(R"(vyre 1
program workgroup(1, 1, 1) {
  buffer `é`: f32[1] read binding(0)
    local z: f32[1]
  region "é" { let a = min(b, `é`[c + 1u])
  }
}
)",
                                   {.file = "k.vyre"});
  REQUIRE(result.ok());
  const Program& program = *result.program;
  CHECK(program.buffers()[0].place().to_string() == "k.vyre:3:3");
  CHECK(program.buffers()[1].place().to_string() == "k.vyre:4:5");
  const Node& region = program.entry()[0];
  CHECK(region.place().to_string() == "k.vyre:5:3");
  const Node& let = region.body()[0];
  CHECK(let.place().to_string() == "k.vyre:5:16");
  const Expr& min = let.operand(0);
  CHECK(min.place().to_string() == "k.vyre:5:24");
  CHECK(min.operand(0).place().to_string() == "k.vyre:5:28");
  CHECK(min.operand(1).place().to_string() == "k.vyre:5:31");
  CHECK(min.operand(1).operand(0).place().to_string() == "k.vyre:5:37");
  CHECK(min.operand(1).operand(0).operand(1).place().to_string() == "k.vyre:5:39");
}

TEST_CASE("the rendered line has its mark under the column") {
  const auto rendered = [](std::string_view line, uint32_t column) {
    Diagnostic diagnostic{"P999", Severity::kError, "", {}, "cause", "Fix it."};
    diagnostic.place = Place::in_text(std::make_shared<const std::string>("f"), 1, column);
    return render(diagnostic, line);
  };
  CHECK(rendered("abc", 2) ==
        "error[P999] f:1:2: cause\n     |\n   1 | abc\n     |  ^\n  Fix: Fix it.");
  CHECK(rendered("\tabc", 3).find("\n     | \t ^") != std::string::npos);
  CHECK(rendered("éabc", 2).find("| éabc\n     |  ^") != std::string::npos);
  CHECK(rendered("abc\r\nx", 4).find("| abc\n     |    ^") != std::string::npos);
  CHECK(rendered("a\x01\xFF"
                 "b",
                 4)
            .find("| a..b\n     |    ^") != std::string::npos);
  const std::string wide(100'000, 'a');
  const std::string far = rendered(fmt::format("{0}!{0}", wide), 100'001);
  CHECK(far.size() < 400);
  const auto times = [](int n, char c) { return std::string(static_cast<size_t>(n), c); };
  CHECK(far.find(fmt::format("| ...{}!{}...\n     | {}^", times(60, 'a'), times(39, 'a'),
                             times(63, ' '))) != std::string::npos);
  CHECK(rendered(wide, 5).find(fmt::format("| {}...\n     |     ^", times(100, 'a'))) !=
        std::string::npos);
  // Nothing is shown of a line that the text does not have, nor for a place in another file.
  Diagnostic elsewhere{"V001", Severity::kWarning, "entry[0]", Place::here(), "cause", "Fix it."};
  CHECK(render(elsewhere, "abc") == elsewhere.to_string());
  elsewhere.place = Place::in_text(std::make_shared<const std::string>("f"), 9, 1);
  CHECK(render(elsewhere, "abc") == elsewhere.to_string());
  CHECK(render(std::vector<Diagnostic>{elsewhere, elsewhere}, "abc") ==
        elsewhere.to_string() + "\n" + elsewhere.to_string() + "\n");
}

TEST_CASE("a program or an expression, or all that is wrong as one message") {
  CHECK(parse_program("vyre 1\nprogram workgroup(1, 1, 1) {}").ok());
  const auto refused = parse_program("vyre 1\nprogram workgroup(1, 1) {\nlet a = 8\n}", "f.vyre");
  CHECK(refused.status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(message_of(refused.status()).find("f.vyre:2:23") != std::string_view::npos);
  CHECK(message_of(refused.status()).find("f.vyre:3:9") != std::string_view::npos);
  CHECK(*parse_expr("x * 2u + 1u") == Expr::var("x") * 2u + 1u);
  CHECK_FALSE(parse_expr("x y").ok());
  CHECK_FALSE(parse_expr("").ok());
  CHECK_FALSE(parse_expr("x)").ok());
}

}  // namespace
}  // namespace vyre

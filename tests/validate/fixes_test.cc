// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Who does what a Fix says has a program without that mistake and without a new one, in text as in
// C++.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "vyre/ir/parse.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

std::vector<Diagnostic> diagnostics_of(std::string_view text) {
  const ParseResult parsed = parse(text);
  INFO(text << '\n' << render(parsed.diagnostics, text));
  REQUIRE(parsed.ok());
  return validate(*parsed.program).diagnostics;
}

struct Case {
  std::string_view code;
  std::string_view wrong;
  std::string_view fix;
  std::string_view followed;
};

void check(const Case& c, std::string_view around) {
  INFO(c.wrong);
  const auto whole = [around](std::string_view part) {
    return fmt::format(fmt::runtime(around), part);
  };
  const std::vector<Diagnostic> wrong = diagnostics_of(whole(c.wrong));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].code == c.code);
  CHECK(wrong[0].fix == c.fix);
  CHECK(to_string(diagnostics_of(whole(c.followed))).empty());
}

constexpr std::string_view kBody =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\n  output out: u32[4] binding(0)\n"
    "  region \"r\" {{\n{}\n  }}\n}}\n";
constexpr std::string_view kTop = "vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\n}}\n";

TEST_CASE("the fix for a name that is bound twice is right for what bound it") {
  // Loop in loop, loop over a let, let of a loop variable: nothing can be assigned there.
  check({"V008", "for i in 0u..4u {\nfor i in 0u..4u {}\n}",
         "Give this loop's variable another name.", "for i in 0u..4u {\nfor j in 0u..4u {}\n}"},
        kBody);
  check({"V008", "let i = 1u\nfor i in 0u..4u {}", "Give this loop's variable another name.",
         "let i = 1u\nfor j in 0u..4u {}"},
        kBody);
  check({"V008", "for i in 0u..4u {\nlet i = 2u\n}", "Use another name.",
         "for i in 0u..4u {\nlet j = 2u\n}"},
        kBody);
  // An assignment keeps the type.
  check({"V032", "let a = 1u\nlet a = 2u",
         "Use another name, or assign to `a` instead of binding it again.", "let a = 1u\na = 2u"},
        kBody);
  check({"V008", "let a = 1u\nblock {\nlet a = 2u\n}",
         "Use another name, or assign to `a` instead of binding it again.",
         "let a = 1u\nblock {\na = 2u\n}"},
        kBody);
  check({"V032", "let a = 1u\nlet a = 2i", "Use another name.", "let a = 1u\nlet b = 2i"}, kBody);
}

TEST_CASE("the fix for a loop variable that is assigned can be followed") {
  check({"V011", "for i in 0u..4u {\ni = 2u\n}",
         "Bind a variable of another name with let before the loop, and assign that one.",
         "let k = 0u\nfor i in 0u..4u {\nk = 2u\n}"},
        kBody);
}

TEST_CASE("fixes about declarations and the top of a program say how text writes them") {
  check({"V105", "",
         "Write what it does in a region: `region \"name\" { ... }`, or in C++ Node::region or "
         "Program::wrapped.",
         "region \"name\" {}"},
        kTop);
  check({"V105", "return",
         "Put all statements into a region: `region \"name\" { ... }`, or in C++ "
         "Program::wrapped.",
         "region \"name\" {\nreturn\n}"},
        kTop);
  check({"V130", "output y: f32[] binding(0)\nregion \"r\" {}",
         "Declare its count, as in `f32[1024]`, in C++ with_count(1024) or the second argument of "
         "Kernel::output, or declare the bytes that are returned.",
         "output y: f32[1024] binding(0)\nregion \"r\" {}"},
        kTop);
  check({"V109", "local y: f32[]\nregion \"r\" {}",
         "Declare how many elements it has, as in `f32[64]`, or in C++ with_count(64).",
         "local y: f32[64]\nregion \"r\" {}"},
        kTop);
}

TEST_CASE("the fix for bytes that are loaded from can be followed") {
  constexpr std::string_view kFix =
      "Write `extraction` at the end of its declaration (in C++ with_bytes_extraction(true)), or "
      "declare it with an element type such as u32.";
  const auto text = [](std::string_view declaration, std::string_view value) {
    return fmt::format(
        "vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\nregion \"r\" {{\nlet a = {}\n}}\n}}\n",
        declaration, value);
  };
  const auto wrong = diagnostics_of(text("buffer b: bytes[4] read binding(0)", "b[0u]"));
  const auto is_v013 = [](const Diagnostic& d) { return d.code == "V013"; };
  REQUIRE(std::ranges::any_of(wrong, is_v013));
  CHECK(std::ranges::find_if(wrong, is_v013)->fix == kFix);
  for (const char* declaration :
       {"buffer b: bytes[4] read binding(0) extraction", "buffer b: u32[4] read binding(0)"}) {
    CHECK_FALSE(std::ranges::any_of(diagnostics_of(text(declaration, "b[0u]")), is_v013));
  }
}

}  // namespace
}  // namespace vyre

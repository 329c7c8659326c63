// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/validate/verdict.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/parse.h"

namespace vyre {
namespace {

using Json = nlohmann::json;

// Errors of several families, and a warning.
Program faulty() {
  return test::with_body({Node::store("nowhere", 0u, 1u),
                          Node::if_then(Expr::local_id(0), {Node::barrier()}),
                          Node::let_bind("x", Expr::cast(DataType::U8, Expr::gid_x())),
                          Node::store("out", 64u, 1u), Node::resume("r")});
}

TEST_CASE("D13: all errors and warnings come in one report") {
  const ValidationReport report = validate(faulty());
  CHECK(test::codes(report) == "V064 V010 V035 V036 V046");
  CHECK(report.errors() == 4);
  CHECK_FALSE(report.ok());
  for (const Diagnostic& diagnostic : report.diagnostics) {
    INFO(diagnostic.to_string());
    const DiagnosticInfo* info = find_diagnostic(diagnostic.code);
    REQUIRE(info != nullptr);
    CHECK(diagnostic.severity == info->severity);
    CHECK(diagnostic.path.starts_with("entry[0].body["));
    CHECK(diagnostic.place.known());
    CHECK(diagnostic.cause.back() != '.');
    CHECK(diagnostic.fix.back() == '.');
  }
}

TEST_CASE("a report is the same each time") {
  CHECK(validate(faulty()).to_string() == validate(faulty()).to_string());
  CHECK(validate(faulty()).to_json() == validate(resolve(faulty())).to_json());
}

TEST_CASE("classes of rules can be left out") {
  CHECK(test::codes(faulty(), {.source = false}) == "V064 V010 V046");
  CHECK(test::codes(faulty(), {.carried = false}) == "V064 V010 V035 V036");
  CHECK(test::codes(faulty(), ValidateOptions::structure_only()) == "V064 V010");
}

TEST_CASE("a status has the errors, and says whether the program is merely not executed") {
  const auto status = [](Body body) { return validate(test::with_body(std::move(body))).status(); };
  CHECK(status({}).ok());
  CHECK(status({Node::let_bind("x", Expr::cast(DataType::U8, Expr::gid_x()))}).ok());
  CHECK(status({Node::resume("r")}).code() == absl::StatusCode::kUnimplemented);
  CHECK(status({Node::resume("r"), Node::store("nowhere", 0u, 1u)}).code() ==
        absl::StatusCode::kInvalidArgument);
  const std::string text(status({Node::resume("r")}).message());
  CHECK_THAT(text, Catch::StartsWith("error[V046] ") && Catch::Contains("\n  Fix: "));
}

TEST_CASE("what is beyond the limit is counted") {
  const Node bad = Node::store("nowhere", 0u, Expr::gid_x() / Expr::u32(0));
  const Body body = {bad, bad, bad, Node::store("out", 64u, 1u), Node::store("out", 65u, 1u)};
  ValidateOptions options;
  options.max_diagnostics = 4;
  const ValidationReport report = validate(test::with_body(body), options);
  CHECK(test::codes(report) == "V064 V064 V064 V044");
  CHECK(report.omitted == 2);
  CHECK_THAT(report.to_string(), Catch::EndsWith("... and 2 more\n"));
  options.max_diagnostics = 2;
  CHECK(validate(test::with_body(body), options).omitted == 4);
  CHECK(validate(test::with_body(body)).omitted == 0);
}

TEST_CASE("names cannot write to a terminal through a diagnostic") {
  const std::string name = "a\x1b[2J\n\xe2\x80\xae\xff\x9b\r`\xc3\xa9";
  const std::string shown = "a\\u{1b}[2J\\n\\u{202e}\\xff\\x9b\\u{d}`\xc3\xa9";
  const ValidationReport report = validate(test::with_body(
      {Node::store(name, 0u, 1u), Node::assign(name, 1u), Node::let_bind("x", Expr::var(name))}));
  REQUIRE(report.diagnostics.size() == 3);
  for (const Diagnostic& diagnostic : report.diagnostics) {
    CHECK(diagnostic.cause.find(name) != std::string::npos);
    for (const std::string& text : {diagnostic.to_string(), render(diagnostic, "")}) {
      CHECK(text.find(name) == std::string::npos);
      CHECK(text.find(fmt::format("`{}`", shown)) != std::string::npos);
    }
  }
  Diagnostic placed = report.diagnostics[0];
  placed.place = Place::in_text(std::make_shared<const std::string>("x\x1b.vyre"), 1, 2);
  placed.fix = std::string("Use `\x1b`.");
  placed.path = std::string(1, '\x1b');
  CHECK(render(placed, "let").find('\x1b') == std::string::npos);
  CHECK(placed.to_string().find('\x1b') == std::string::npos);
}

TEST_CASE("JSON has every field, in one order") {
  const ValidationReport report = validate(faulty());
  const Json parsed = Json::parse(report.to_json());
  CHECK(parsed.at("omitted") == 0);
  REQUIRE(parsed.at("diagnostics").size() == 5);
  const Json& barrier = parsed.at("diagnostics").at(1);
  CHECK(barrier.at("code") == "V010");
  CHECK(barrier.at("severity") == "error");
  CHECK(barrier.at("path") == "entry[0].body[1].then[0]");
  CHECK(barrier.at("file") == "tests/validate/report_test.cc");
  CHECK(barrier.at("line").get<int>() > 10);
  CHECK(barrier.at("cause") == report.diagnostics[1].cause);
  CHECK(barrier.at("fix") == report.diagnostics[1].fix);
  CHECK(parsed.at("diagnostics").at(2).at("severity") == "warning");
  CHECK(validate(test::with_body({})).to_json() == "{\"diagnostics\": [], \"omitted\": 0}");
}

TEST_CASE("JSON without a place has nulls") {
  const Diagnostic diagnostic{"V106", Severity::kError, "", Place(), "a \"b\"\\", "c\n\x01."};
  CHECK(to_json(std::vector{diagnostic}) ==
        "[\n  {\"code\": \"V106\", \"severity\": \"error\", \"path\": \"\", \"place\": null, "
        "\"file\": null, \"line\": 0, \"column\": 0, \"cause\": \"a \\\"b\\\"\\\\\", "
        "\"fix\": \"c\\u000a\\u0001.\"}\n]");
}

TEST_CASE("JSON is UTF-8 whatever the bytes of a name are") {
  const auto cause = [](std::string text) {
    const Diagnostic diagnostic{"V106", Severity::kError, "", Place(), std::move(text), ""};
    return Json::parse(to_json(std::vector{diagnostic})).at(0).at("cause").get<std::string>();
  };
  CHECK(cause("\xC3\xA4\xF0\x9F\x98\x80") == "\xC3\xA4\xF0\x9F\x98\x80");
  CHECK(cause("a\xFF\xC3") == "a\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(cause("\xED\xA0\x80x").ends_with("x"));
}

}  // namespace
}  // namespace vyre

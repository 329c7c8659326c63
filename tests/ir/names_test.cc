// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/names.h"

#include <catch2/catch.hpp>

namespace vyre {
namespace {

TEST_CASE("identifiers are words with numbers behind dots") {
  for (const char* name : {"x", "_", "row_2", "dot_val.1", "a.1.20", "__forever__", "let"}) {
    CAPTURE(name);
    CHECK(is_identifier(name));
  }
  for (const char* name : {"", "2x", "a b", "a.", "a.b", ".1", "a..1", "a.1x", "größe", "a-b",
                           "a\n", "`a`", "1", "1.1"}) {
    CAPTURE(name);
    CHECK_FALSE(is_identifier(name));
  }
}

TEST_CASE("words of statements, declarations, operations and literals are reserved") {
  for (const char* word :
       {"let",           "if",         "else",  "for",     "in",      "forever",
        "local",         "buffer",     "min",   "sat_add", "and",     "not",
        "neg",           "f32",        "true",  "nan",     "inf_f64", "invocation_id",
        "subgroup_size", "atomic_add", "binop", "len"}) {
    CAPTURE(word);
    CHECK(is_reserved_word(word));
  }
  for (const char* word : {"row", "count", "from", "at", "group", "root", "binding", "read", "load",
                           "var", "sum", "min.1", "+", "", "Let"}) {
    CAPTURE(word);
    CHECK_FALSE(is_reserved_word(word));
  }
}

TEST_CASE("UTF-8 is told from other bytes") {
  using namespace std::string_view_literals;
  for (const std::string_view good :
       {""sv, "abc"sv, "\0"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
        "\xEE\x80\x80"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv, "größe"sv}) {
    CAPTURE(good);
    CHECK(is_valid_utf8(good));
  }
  for (const std::string_view bad :
       {"\x80"sv, "\xBF"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC2"sv, "\xC2\x41"sv, "\xE0\x9F\xBF"sv,
        "\xE2\x82"sv, "\xED\xA0\x80"sv, "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv,
        "\xF5\x80\x80\x80"sv, "\xFF"sv, "ab\xE2\x28\xA1"sv}) {
    CAPTURE(bad);
    CHECK_FALSE(is_valid_utf8(bad));
  }
}

Program with_names() {
  return Program::wrapped(
      {BufferDecl::read("buf.1", 0, DataType::F32)}, {},
      {Node::let_bind("let.1", 1u), Node::assign("assigned.1", Expr::var("used.1")),
       Node::loop_for("loop.1", 0u, Expr::buf_len("length.1"), {Node::block({})}),
       Node::async_store("src.1", "dst.1", 0u, 4u, "tag")});
}

TEST_CASE("fresh names occur nowhere in the program") {
  FreshNames names(with_names());
  for (const std::string base :
       {"buf", "let", "assigned", "used", "loop", "length", "src", "dst"}) {
    CHECK(names.fresh(base) == base + ".2");
  }
  CHECK(names.fresh("new") == "new.1");
}

TEST_CASE("fresh names are counted from one for each base, the same in every run") {
  FreshNames names(with_names());
  CHECK(names.fresh("x") == "x.1");
  CHECK(names.fresh("x") == "x.2");
  CHECK(names.fresh("y") == "y.1");
  CHECK(names.fresh("x.2") == "x.3");
  CHECK(names.fresh("x.7.9") == "x.4");
  CHECK(names.reserve("x.5"));
  CHECK_FALSE(names.reserve("x.5"));
  CHECK(names.fresh("x") == "x.6");
  CHECK(names.fresh("") == ".1");
}

}  // namespace
}  // namespace vyre

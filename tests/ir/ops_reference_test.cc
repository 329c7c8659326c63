// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// docs/ops.md is written from the table of operations. With VYRE_BLESS=1 in the environment this
// test rewrites it; otherwise it fails where the file and the table differ.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "tests/support/edge_values.h"
#include "vyre/ir/op.h"
#include "vyre/ir/type_rules.h"

namespace vyre {
namespace {

struct Section {
  WireGroup group;
  const char* title;
  const char* text;
};
constexpr Section kSections[] = {
    {WireGroup::kExpr, "Leaves, memory, choice, conversion, subgroups", ""},
    {WireGroup::kLiteral64, "64-bit literals",
     "On the original's wire these are opaque expressions of the kinds `vyre.literal.*`.\n\n"},
    {WireGroup::kVyre, "Operations that the original does not have",
     "The encoder of the original's wire format refuses them by name.\n\n"},
    {WireGroup::kBinOp, "Binary operations", ""},
    {WireGroup::kUnOp, "Unary operations", ""},
    {WireGroup::kReduce, "Subgroup reductions",
     "They fold from the identity, in ascending lane order.\n\n"},
    {WireGroup::kAtomic, "Atomics",
     "One indivisible step on a u32 word; each gives the old value.\n\n"},
};

constexpr const char* kIntroduction =
    "# Operations\n"
    "\n"
    "Written from `ir/ops.def` by the test `ops_reference`; `VYRE_BLESS=1` rewrites it.\n"
    "\n"
    "*Text* is how a program spells the operation, *C++* the function of `Expr` that builds it. "
    "*Types* are the\n"
    "value types that the operands may have, all of them the same one (of `select` the arms, of "
    "`subgroup_shuffle`\n"
    "the value); any other type is refused with a code of the validator. A *derived* operation is "
    "defined by the\n"
    "function `<name>_meaning` of `ir/derived_ops.h` in terms of others, one that is *derived on "
    "f64* on that type by\n"
    "`f64_<name>_meaning` of `ir/derived_f64.h`; everything else is defined by scalar kernels. "
    "*Tag* is the number in the\n"
    "wire group, hexadecimal.\n";

// Text for a cell of a table.
std::string escaped(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string types_of(Op op) {
  std::string types;
  for (const DataType::Kind type : test::kValueTypes) {
    if (!takes_operand_type(op, type)) continue;
    types += fmt::format("{}{}", types.empty() ? "" : " ", DataType(type).spelling());
  }
  return types;
}

std::string notes_of(const OpInfo& info) {
  std::string notes;
  const auto add = [&](const char* note) {
    notes += fmt::format("{}{}", notes.empty() ? "" : ", ", note);
  };
  if (info.derivation == Derivation::kDerived) add("derived");
  if (info.derivation == Derivation::kDerivedOnF64) add("derived on f64");
  if (info.has(OpFlags::kCommutative)) add("commutative");
  if (info.has(OpFlags::kMayTrap)) add("may trap");
  if (info.has(OpFlags::kOpaque)) add("carried");
  return notes;
}

std::string ops_reference_markdown() {
  std::string text = kIntroduction;
  for (const Section& section : kSections) {
    text += fmt::format(
        "\n## {}\n\n{}| Text | C++ | Types | Notes | Tag | Meaning |\n"
        "|---|---|---|---|---|---|\n",
        section.title, section.text);
    for (const OpInfo& info : all_ops()) {
      if (info.group != section.group) continue;
      text +=
          fmt::format("| `{}` | `{}` | {} | {} | {:02X} | {} |\n", escaped(info.mnemonic),
                      info.name, types_of(info.op), notes_of(info), info.tag, escaped(info.doc));
    }
  }
  return text;
}

TEST_CASE("docs/ops.md is what the table of operations says") {
  const std::string path = VYRE_SOURCE_DIR "/docs/ops.md";
  const std::string expected = ops_reference_markdown();
  if (std::getenv("VYRE_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << expected;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string found{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  INFO("run this test with VYRE_BLESS=1 to rewrite docs/ops.md");
  CHECK(found == expected);
}

TEST_CASE("the reference has every operation once") {
  const std::string text = ops_reference_markdown();
  size_t rows = 0;
  for (size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) {
    ++rows;
  }
  CHECK(rows == all_ops().size());
}

}  // namespace
}  // namespace vyre

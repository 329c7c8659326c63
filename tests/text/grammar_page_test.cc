// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// docs/text.md and the parser say the same: each production of the page has texts that keep it and
// texts that break it, and its lists are those of the tables.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/conformance_dir.h"
#include "tests/text/round_trip.h"
#include "vyre/ir/names.h"
#include "vyre/ir/parse_declaration.h"

namespace vyre {
namespace {

std::string page() {
  return test::read_file(std::filesystem::path(VYRE_SOURCE_DIR) / "docs" / "text.md");
}

// What stands between lines of three backquotes.
std::vector<std::string> code_blocks() {
  std::vector<std::string> blocks;
  std::istringstream lines(page());
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

// The text of each production, by name: lines that start with it, and those that continue it.
std::map<std::string, std::string> productions() {
  std::map<std::string, std::string> all;
  for (const std::string& block : code_blocks()) {
    std::string* current = nullptr;
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) {
      const size_t name = line.find_first_of(" ");
      const size_t equals = line.find_first_not_of(" ", name);
      const bool starts = name != 0 && name != std::string::npos && line.substr(equals, 2) == "= ";
      if (starts) current = &all[line.substr(0, name)];
      if (current != nullptr) *current += (starts ? line.substr(equals + 2) : line) + "\n";
    }
  }
  return all;
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else {
      if (!word.empty()) words.insert(word);
      word.clear();
    }
  }
  return words;
}

struct Samples {
  // What stands around a sample, with {} where it stands.
  std::string_view context;
  std::vector<std::string> accepted;
  std::vector<std::string> rejected;
};

constexpr std::string_view kFile = "{}";
constexpr std::string_view kStatement = "vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\n}}\n";
constexpr std::string_view kExpr = "vyre 1\nprogram workgroup(1, 1, 1) {{\nlet e = {}\n}}\n";
constexpr std::string_view kName = "vyre 1\nprogram workgroup(1, 1, 1) {{\nlet {} = 1u\n}}\n";
constexpr std::string_view kTag = "vyre 1\nprogram workgroup(1, 1, 1) {{\nresume {}\n}}\n";
constexpr std::string_view kChar = "vyre 1\nprogram workgroup(1, 1, 1) {{\nresume \"{}\"\n}}\n";
constexpr std::string_view kBytes = "vyre 1\nprogram workgroup(1, 1, 1) {{\nopaque \"k\" {}\n}}\n";
constexpr std::string_view kDecl = "vyre 1\nprogram workgroup(1, 1, 1) {{\n{}\nreturn\n}}\n";
constexpr std::string_view kAttribute =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nlocal x: f32[1] {}\nreturn\n}}\n";
constexpr std::string_view kHint =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nlocal x: f32[1] hints({})\n}}\n";
constexpr std::string_view kPredicate =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nlocal x: f32[1] where({})\n}}\n";
constexpr std::string_view kType = "vyre 1\nprogram workgroup(1, 1, 1) {{\nlocal x: {}[1]\n}}\n";
constexpr std::string_view kScale =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nlocal x: quantized<i8;{};none>[1]\n}}\n";
constexpr std::string_view kSize = "vyre 1\nprogram workgroup{} {{}}\n";
constexpr std::string_view kOrdering = "vyre 1\nprogram workgroup(1, 1, 1) {{\nbarrier {}\n}}\n";
constexpr std::string_view kCombine =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nall_reduce {} q group 0\n}}\n";
constexpr std::string_view kAccess =
    "vyre 1\nprogram workgroup(1, 1, 1) {{\nbuffer x: f32[] {} binding(0)\n}}\n";
constexpr std::string_view kBody = "vyre 1\nprogram workgroup(1, 1, 1) {{\nblock {}\n}}\n";

std::map<std::string, Samples> samples() {
  return {
      {"NAME", {kName, {"row", "`a b`", "``", "`let`"}, {"let", "1a", "\"a\"", "a b", "`a"}}},
      {"IDENT", {kName, {"a.1", "a.1.22", "_.0", "min.1"}, {"a.b", "a.", "a.1b", "min"}}},
      {"WORD", {kName, {"a", "_", "Z9_z"}, {"9a", "a-b", "\u00E9", "a$"}}},
      {"STRING", {kTag, {"\"\"", "\"a b\"", "\"`\""}, {"a", "'a'", "\"a", "\"a\"\"b\""}}},
      {"CHAR",
       {kChar,
        {"a", "\u00E9", "\\`", "\\\"", "\\\\", "\\n", "\\u{1F600}", "\\u{9}", ";"},
        {"\\", "\\t", "\"", "\t", "\u200B", "\\u{}", "\\u{d800}", "\\u{110000}", "\\u41", "\n"}}},
      {"BYTES", {kBytes, {"x\"\"", "x\"0aFf\""}, {"\"0a\"", "x\"0\"", "x\"0g\"", "x \"0a\""}}},
      {"LITERAL",
       {kExpr,
        {"8u",       "-3i",    "0x1Fu",    "-0x1fi64",        "8u64",     "-3i64", "1.5",
         "-0.0",     "1.5f64", "0x1.8p+1", "-0x1p3f64",       "inf",      "-inf",  "inf_f64",
         "-inf_f64", "nan",    "nan_f64",  "f32(0x7f812345)", "f64(0x1)", "true",  "false"},
        {"8", "-8u", "-3u64", "1.5f", "8f64", "0x1F", "-0x1u", "f32(1.5)",
         "f64(0x10000000000000000)", "8 u"}}},
      {"DECIMAL", {kExpr, {"1.5", "1.5e3", "1e3", "00.50"}, {"1.", ".5", "1e", "1.5e+"}}},
      {"EXP", {kExpr, {"1e3", "1E3", "1e+3", "1e-3"}, {"1e", "1e+", "1p3", "1e1.5"}}},
      {"HEXFLOAT", {kExpr, {"0x1p3", "0xA.8p-1", "0X1P+3"}, {"0x1", "0x1.8", "0x.8p1", "0x1p"}}},
      {"expr",
       {kExpr, {"a + b", "a", "a or b and c", "a\n+ b"}, {"a +", "+ a", "a b", "a < b < c"}}},
      {"prefix", {kExpr, {"-a", "~a", "not a", "not -~a"}, {"-", "not", "!a", "+a"}}},
      {"primary",
       {kExpr,
        {"(a)",
         "a",
         "q[a]",
         "len(q)",
         "&q",
         "invocation_id.x",
         "workgroup_id.y",
         "local_id.z",
         "local_id(7)",
         "subgroup_size",
         "subgroup_local_id",
         "min(a, b)",
         "neg(3i)",
         "cast<f16>(x)",
         "bitcast<u32>(x)",
         "atomic_add<seq_cst>(x[i], v)",
         "atomic_compare_exchange<relaxed>(x[i], e, v)",
         "atomic<0x80000001, seq_cst>(x[i], v)",
         "binop<0x1>(a, b)",
         "unop<0x1>(a)",
         "call \"op.id\"(a, &q)",
         "call \"\"()",
         "opaque \"kind\" x\"0a1b\""},
        {"()",
         "(a",
         "q[]",
         "len(1u)",
         "len q",
         "&1u",
         "invocation_id",
         "invocation_id.w",
         "local_id(256)",
         "min(a)",
         "min(a, b, c)",
         "min()",
         "foo(a)",
         "cast(x)",
         "cast<f33>(x)",
         "atomic_add(x[i], v)",
         "atomic_add<seq_cst>(x, v)",
         "atomic_add<seq_cst>(x[i])",
         "atomic_add<0x1, seq_cst>(x[i], v)",
         "atomic<seq_cst>(x[i], v)",
         "binop<1>(a, b)",
         "binop<0x1>(a)",
         "unop<0x1>(a, b)",
         "call op(a)",
         "opaque \"kind\"",
         "min\n(a, b)"}}},
      {"INFIX",
       {kExpr,
        {"a * b", "a / b", "a % b", "a + b", "a - b", "a << b", "a >> b", "a & b", "a ^ b", "a | b",
         "a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b", "a and b", "a or b"},
        {"a ** b", "a && b", "a || b", "a <> b", "a = b", "a xor b", "a & b + c"}}},
      {"EXTENSION",
       {kExpr, {"unop<0x1>(a)", "unop<0xFFFFFFFF>(a)"}, {"unop<1>(a)", "unop<0x100000000>(a)"}}},
      {"ID",
       {kExpr,
        {"invocation_id.x", "workgroup_id.x", "local_id.x"},
        {"global_id.x", "subgroup_size.x"}}},
      {"ORDERING",
       {kOrdering,
        {"relaxed", "acquire", "release", "acq_rel", "seq_cst", "grid_sync"},
        {"", "weak", "SEQ_CST"}}},
      {"file",
       {kFile,
        {"vyre 1 program workgroup(1, 1, 1) {}"},
        {"", "vyre 1", "vyre 2 program workgroup(1, 1, 1) {}", "program workgroup(1, 1, 1) {}",
         "vyre 1 program workgroup(1, 1, 1) {} x"}}},
      {"program",
       {kFile,
        {"vyre 1 program entry \"a\" self_exclusive workgroup(1, 1, 1) extent(1, 1, 1) {}",
         "vyre 1 program workgroup(1, 1, 1) {\nlocal x: f32[1]\nreturn\n}"},
        {"vyre 1 program {}", "vyre 1 program self_exclusive entry \"a\" workgroup(1, 1, 1) {}",
         "vyre 1 program entry a workgroup(1, 1, 1) {}", "vyre 1 program workgroup(1, 1, 1)",
         "vyre 1 program workgroup(1, 1, 1) {\nreturn\nlocal x: f32[1]\n}",
         "vyre 1 program workgroup(1, 1, 1) {return return}"}}},
      {"SIZE",
       {kSize,
        {"(1, 2, 3)", "(0,0,4294967295)"},
        {"()", "(1)", "(1, 2, 3, 4)", "(1u, 2u, 3u)", "(1, 2, -3)"}}},
      {"declaration",
       {kDecl,
        {"buffer x: f32[128] read binding(0)", "buffer x: f32[] write binding(0)",
         "output x: f32[0] binding(3)", "output x: f32[1] write binding(0)", "workgroup x: f32[1]",
         "local x: f32[1]", "transient x: f32[1]", "local x: f32[1] extraction linear(affine)"},
        {"buffer x: f32[1] read", "buffer x: f32[1] binding(0)", "output x: f32[1]",
         "local x: f32[1] read", "local x f32[1]", "local x: f32", "local x: f32[n]",
         "local x: f32[-1]", "shared x: f32[1]", "local x: f32[1] local y: f32[1]"}}},
      {"ACCESS",
       {kAccess,
        {"read", "read_write", "uniform", "workgroup", "write"},
        {"", "readwrite", "global"}}},
      {"attribute",
       {kAttribute,
        {"binding(3)", "kind(global)", "kind(persistent)", "live_out(true)", "live_out(false)",
         "bytes(0..64)", "hints(align=4)", "extraction", "linear(linear)", "where(count >= 1)",
         "extraction binding(1) kind(push)"},
        {"binding", "binding()", "binding(x)", "kind(heap)", "live_out(1)", "bytes(0)", "hints()",
         "extraction(1)", "linear(unrestricted)", "where()", "volatile", "binding(1) binding(1)",
         "\nbinding(3)"}}},
      {"HINT",
       {kHint,
        {"axis=0", "align=16", "streaming", "random", "axis=255, align=1, random"},
        {"temporal", "axis", "axis=256", "align=-1", "streaming, random", "axis=0, axis=0"}}},
      {"predicate",
       {kPredicate,
        {"count >= 8", "count <= 8", "count == 8", "count % 4 == 0", "count % 4 == 3",
         "count % 4 == mod(0)", "-1 <= -2 * count + 3 <= 5", "not count >= 1",
         "count >= 1 and count <= 2 or count == 3", "(count >= 1)"},
        {"", "count", "count > 8", "count >= 8u", "8 <= count", "count % 4", "count % 4 == mod(1)",
         "1 <= count <= 5", "(count >= 1", "count >= 1 and", "and count >= 1"}}},
      {"INT",
       {kPredicate,
        {"-9223372036854775808 <= 1 * count + 9223372036854775807 <= 0"},
        {"9223372036854775808 <= 1 * count + 0 <= 0", "1u <= 1 * count + 0 <= 0",
         "+1 <= 1 * count + 0 <= 0"}}},
      {"TYPE",
       {kType,
        {"f32", "bf16", "f8e4m3", "vec2<u32>", "vec4<u32>", "tensor", "array<16B>", "handle<0x2a>",
         "opaque<0x80000001>", "device_mesh<2x4>", "vec<f32;4>", "tensor<f32;2x3>",
         "tensor<f32;none>", "sparse_csr<f32>", "sparse_bsr<vec<u32;2>;4x4>",
         "quantized<i8;per_tensor;none>", "vec<>", "sparse_csr<sparse_coo<f32>>", "vec< u32 ; 3 >"},
        {"float", "vec", "vec2", "vec2<f32>", "array<16>", "handle<42>", "device_mesh<2 4>",
         "vec<f32;256>", "vec<f32;2x2>", "vec<f32>", "tensor<f32>", "sparse_bsr<f32;4>", "f32<>",
         "quantized<i8>", "4", "vec<u32;3"}}},
      {"SCALE",
       {kScale,
        {"none", "per_tensor", "per_channel(1)", "per_group(32)"},
        {"", "per_channel", "per_row(1)", "per_group(-1)"}}},
      {"statement",
       {kStatement,
        {"let a = 1u",
         "a = 1u",
         "q[0u] = 1u",
         "if c {}",
         "if c {} else if d {} else {}",
         "for i in 0u..4u {}",
         "forever {}",
         "block {}",
         "region \"g\" {}",
         "region \"g\" from \"p\" {}",
         "barrier seq_cst",
         "return",
         "trap \"t\" at 0u",
         "resume \"t\"",
         "async_load \"t\" d <- s[o; 4u]",
         "async_store \"t\" d[o] <- s[4u]",
         "async_wait \"t\"",
         "indirect_dispatch q[16]",
         "all_reduce sum q group 0",
         "all_gather a -> b group 1",
         "reduce_scatter max a -> b group 2",
         "broadcast q root 3 group 0",
         "opaque \"k\" x\"00\""},
        {"let a",
         "let 1u = a",
         "a == 1u",
         "q[0u]",
         "if {}",
         "if c",
         "else {}",
         "if c {} else",
         "for i in 0u {}",
         "for i 0u..4u {}",
         "forever",
         "block",
         "region g {}",
         "region \"g\" from {}",
         "barrier",
         "return 1u",
         "trap \"t\"",
         "trap 0u at \"t\"",
         "resume t",
         "async_load \"t\" d < - s[o; 4u]",
         "async_load \"t\" d <- s[o]",
         "async_store \"t\" d <- s[4u]",
         "async_wait",
         "indirect_dispatch q[16u]",
         "all_reduce q group 0",
         "all_gather a b group 1",
         "reduce_scatter max a -> b",
         "broadcast q group 0",
         "opaque \"k\"",
         "min(a, b)",
         "q",
         "1u",
         "goto a"}}},
      {"body",
       {kBody,
        {"{}", "{ return }", "{\nreturn\nreturn\n}", "\n{}"},
        {"", "{", "return", "{ return return }", "()"}}},
      {"COMBINE",
       {kCombine, {"sum", "min", "max", "bitand", "bitor", "bitxor"}, {"", "add", "and"}}},
  };
}

TEST_CASE("each production of the page has samples, and each sample a production") {
  std::set<std::string> on_page;
  for (const auto& [name, text] : productions()) on_page.insert(name);
  std::set<std::string> sampled;
  for (const auto& [name, sample] : samples()) {
    sampled.insert(name);
    CHECK(!sample.accepted.empty());
    CHECK(!sample.rejected.empty());
  }
  CHECK(on_page == sampled);
}

TEST_CASE("samples that keep a production are read, and others are refused") {
  for (const auto& [name, sample] : samples()) {
    for (const std::string& part : sample.accepted) {
      const std::string text = fmt::format(fmt::runtime(sample.context), part);
      const ParseResult result = parse(text);
      INFO(name << '\n' << render(result.diagnostics, text));
      REQUIRE(result.ok());
      test::check_round_trip(*result.program);
    }
    for (const std::string& part : sample.rejected) {
      const std::string text = fmt::format(fmt::runtime(sample.context), part);
      INFO(name << '\n' << text);
      CHECK_FALSE(parse(text).ok());
    }
  }
}

TEST_CASE("the page's example is a program, printed as it stands there") {
  size_t examples = 0;
  for (const std::string& block : code_blocks()) {
    if (!block.starts_with("vyre ")) continue;
    const ParseResult result = parse(block);
    INFO(render(result.diagnostics, block));
    REQUIRE(result.ok());
    CHECK(*print(*result.program) == block);
    ++examples;
  }
  CHECK(examples == 1);
}

TEST_CASE("the page's expressions in backquotes group as it says") {
  const std::string text = page();
  const auto grouped = [&text](const std::string& a, const std::string& b) {
    INFO(a << " is " << b);
    CHECK(text.find(fmt::format("`{}` is `{}`", a, b)) != std::string::npos);
    CHECK(*parse_expr(a) == *parse_expr(b));
  };
  grouped("a - b - c", "(a - b) - c");
  grouped("not a < b", "(not a) < b");
  grouped("-a * b", "(-a) * b");
}

TEST_CASE("the reserved words are those of the page and of the tables") {
  const std::string text = page();
  const size_t start = text.find("Reserved, and in backquotes as names: `");
  REQUIRE(start != std::string::npos);
  const size_t first = text.find('`', start) + 1;
  std::set<std::string> reserved = words_of(text.substr(first, text.find('`', first) - first));
  CHECK(reserved.size() == 15);
  for (const NodeInfo& node : all_nodes()) reserved.insert(node.keyword);
  for (const OpInfo& op : all_ops()) {
    if (op.format != OpFormat::kVariable && op.format != OpFormat::kLoad) {
      reserved.insert(op.mnemonic);
    }
  }
  for (const std::string& word : reserved) {
    if (!is_identifier(word)) continue;
    INFO(word);
    CHECK(is_reserved_word(word));
    CHECK_FALSE(parse(fmt::format(fmt::runtime(kName), word)).ok());
    CHECK(parse(fmt::format(fmt::runtime(kName), "`" + word + "`")).ok());
  }
  // All other words of the page are names.
  for (const std::string& word : words_of(text)) {
    if (!is_identifier(word) || reserved.contains(word)) continue;
    INFO(word);
    CHECK_FALSE(is_reserved_word(word));
    CHECK(parse(fmt::format(fmt::runtime(kName), word)).ok());
  }
}

template <typename Enum>
std::set<std::string> spellings(int first, int last) {
  std::set<std::string> all;
  for (int i = first; i <= last; ++i) all.insert(spelling(static_cast<Enum>(i)));
  return all;
}

// The words of a production up to what it says about them.
std::set<std::string> alternatives_of(const std::string& production) {
  const std::string text = productions().at(production);
  return words_of(text.substr(0, std::min(text.find("   "), text.find('\n'))));
}

TEST_CASE("the page's lists are those of the enumerations") {
  CHECK(alternatives_of("ORDERING") == spellings<MemoryOrdering>(0, 5));
  CHECK(alternatives_of("COMBINE") == spellings<CollectiveOp>(1, 6));
  CHECK(alternatives_of("ACCESS") == spellings<BufferAccess>(0, 4));
  const std::string attributes = productions().at("attribute");
  for (const std::string& kind : spellings<MemoryKind>(0, 6)) {
    CHECK(words_of(attributes).contains(kind));
  }
  for (const std::string& type : spellings<LinearType>(0, 2)) {
    CHECK(words_of(attributes).contains(type));
  }
  CHECK(words_of(productions().at("HINT")) ==
        std::set<std::string>{"axis", "align", "DIGITS", "streaming", "random"});
  const std::string statements = productions().at("statement");
  for (const NodeInfo& node : all_nodes()) {
    INFO(node.keyword);
    CHECK((!is_identifier(node.keyword) || words_of(statements).contains(node.keyword)));
  }
  const std::string infix = productions().at("INFIX");
  for (const OpInfo& op : all_ops()) {
    if (op.format < OpFormat::kInfixOr || op.format > OpFormat::kInfixMul) continue;
    INFO(op.mnemonic);
    CHECK(infix.find(fmt::format(" {}", op.mnemonic)) != std::string::npos);
  }
  const std::string types = productions().at("TYPE");
  const auto check_type = [&types](DataType::Kind kind) {
    std::string name = DataType(kind).spelling();
    if (name.ends_with("<>")) name.pop_back();
    INFO(name);
    CHECK((" " + types).find(" " + name) != std::string::npos);
  };
#define VYRE_DATA_TYPE(name, ...) check_type(DataType::name);
#include "vyre/ir/data_types.def"
  for (const std::string_view word : internal::declaration_words()) {
    CHECK(page().find(fmt::format("\n| `{}` |", word)) != std::string::npos);
  }
}

}  // namespace
}  // namespace vyre
